//! The trickster as a user meets it: a debate that waits, the answer to it, quality over many debates,
//! and audits of debates that are over.

use serde_json::{Value, json};

use super::server::Panel;
use crate::run::{Run, rebuttal, run_with};

const VAGUE: &str =
    "Moving is clearly the best way forward, and everybody in the field agrees on it.";
const SOUND: &str = "We should move, because the pilot cut failed deploys from 11 to 2 in eight weeks \
                     (pilot report, table 2). According to the March incident log 9 of the 11 failures \
                     were manual restarts, so health checks remove them.";

fn says(thesis: &str) -> String {
    json!({"answer": "yes", "conviction": 0.8, "thesis": thesis, "evidence": []}).to_string()
}

/// Agents that all say the same empty thing, and bring evidence once they are told what to look at.
fn hollow() -> Panel {
    Panel::new(|agent, prompt| {
        let told = prompt.contains("The person in charge says");
        (200, says(&format!("{} ({agent})", if told { SOUND } else { VAGUE })))
    })
}

#[test]
fn a_severe_case_waits_and_a_person_redirects_it() {
    let panel = hollow();
    let run = panel.debate("--seed 7");
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("the debate waits: Hollow consensus"), "{}", run.stderr);
    let asked = panel.asked();

    let list = panel.run("breakpoints");
    assert_eq!(list.code, 1, "{}", list.shown());
    assert!(list.stdout.contains("breakpoint 1, after round 0"), "{}", list.stdout);
    let list: Value = serde_json::from_str(&panel.run("breakpoints --format json").stdout).unwrap();
    assert_eq!((&list[0]["number"], &list[0]["timed_out"]), (&json!(1), &json!(false)));

    let still = panel.run("resume");
    assert_eq!((still.code, panel.asked()), (1, asked), "it waits, whoever starts it again");

    let none = panel.run("breakpoints answer last redirect");
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("to redirect, say with which words"), "{}", none.stderr);
    let done = panel.run("breakpoints answer last redirect --note Look-at-the-pilot.");
    assert_eq!(done.code, 0, "{}", done.shown());
    let twice = panel.run("breakpoints answer last abort");
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("already with `redirect`"), "{}", twice.stderr);

    let resumed = panel.run("resume");
    assert_eq!(resumed.code, 0, "{}", resumed.shown());
    assert!(resumed.stdout.contains("pilot cut failed deploys"), "{}", resumed.stdout);
    assert!(panel.run("verify").stdout.contains("the verdict follows"));
    assert_eq!(panel.run("breakpoints").code, 0, "nothing waits any more");
}

#[test]
fn who_is_asked_reads_who_lacks_what_and_can_have_a_report() {
    let panel = hollow();
    panel.debate("--seed 7");
    let list = panel.run("breakpoints").stdout;
    assert!(list.contains("cyd: Missing citations"), "by the agents' own names: {list}");
    assert!(list.contains("Tried So Far") && !list.contains("What You Can Do"), "{list}");
    let list: Value = serde_json::from_str(&panel.run("breakpoints --format json").stdout).unwrap();
    let text = list[0]["text"].as_str().unwrap();
    assert!(text.starts_with("## HUMAN REVIEW REQUESTED"), "{text}");
    for (format, told) in [("markdown", "### Round 0, ann"), ("html", "Who stood where")] {
        let report = panel.run(&format!("show --format {format}"));
        assert!(report.stdout.contains(told), "{format}: {}", report.shown());
        assert!(report.stdout.contains("The debate has not ended."), "{}", report.stdout);
    }
    let most = "x".repeat(6_001);
    let long = panel.run(&format!("breakpoints answer last redirect --note {most}"));
    assert!(
        long.stderr.contains("6001 characters, and agents are shown at most 6000"),
        "{}",
        long.stderr
    );
    let words = panel.run("breakpoints answer last add-evidence");
    assert!(
        words.stderr.contains("to add-evidence, say with which words: --note"),
        "{}",
        words.stderr
    );
}

#[test]
fn an_answer_to_a_debate_that_does_not_wait_names_those_that_do() {
    let panel = hollow();
    panel.debate("--seed 7");
    let waiting: Value =
        serde_json::from_str(&panel.run("breakpoints --format json").stdout).unwrap();
    let id = waiting[0]["debate"].as_str().unwrap();
    panel.debate("--seed 8 --no-trickster");
    let wrong = panel.run("breakpoints answer last continue");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains(&format!("those that wait: {id}")), "{}", wrong.stderr);
}

#[test]
fn what_follows_an_answer_is_recorded_and_played_again() {
    let panel = hollow();
    panel.debate("--seed 7 --record first.jsonl");
    let early = panel.run("resume --record rest.jsonl --config /dev/null");
    assert_eq!(early.code, 1, "it waits, and needs no agents for that: {}", early.shown());
    panel.run("breakpoints answer last redirect --note Look-at-the-pilot.");
    let live = panel.run("resume --record rest.jsonl");
    assert_eq!(live.code, 0, "{}", live.shown());
    let asked = panel.asked();

    let waits = panel.debate("--seed 7 --cassette first.jsonl --db again.db");
    assert_eq!(waits.code, 1, "{}", waits.shown());
    panel.run("breakpoints answer last redirect --note Look-at-the-pilot. --db again.db");
    let played = panel.run("resume --cassette rest.jsonl --db again.db");
    assert_eq!(played.code, 0, "{}", played.shown());
    assert!(played.stdout.contains("pilot cut failed deploys"), "{}", played.stdout);
    assert!(!played.stdout.contains("not on the recording"), "{}", played.stdout);
    assert_eq!(panel.asked(), asked, "nobody was asked again");

    let other = panel.run("fork --round 0 --no-trickster --cassette rest.jsonl --db again.db");
    assert!(other.stdout.contains("Decision: yes"), "{}", other.shown());
    assert_eq!(panel.asked(), asked);
}

#[test]
fn switched_off_nobody_is_asked() {
    let run = hollow().debate("--no-trickster");
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("Decision: yes"), "{}", run.stdout);
}

#[test]
fn an_aborted_debate_counts_what_was_voted() {
    let panel = hollow();
    panel.debate("--seed 7");
    panel.run("breakpoints answer last abort");
    let run = panel.run("resume");
    assert!(run.stdout.contains("A person ended the rounds at a breakpoint."), "{}", run.stdout);
    assert!(run.stdout.contains("Decision: yes"), "{}", run.stdout);
}

#[test]
fn quality_is_followed_over_debates() {
    let panel = hollow();
    let none = panel.run("quality");
    assert!(none.stderr.contains("no debate was looked at yet"), "{}", none.shown());
    panel.debate("--seed 7");
    panel.run("breakpoints answer last redirect --note Look-at-the-pilot.");
    panel.run("resume");
    let run = panel.run("quality");
    assert!(run.stdout.contains("evidence quality moves by +"), "{}", run.stdout);
    let found: Value = serde_json::from_str(&panel.run("quality --format json").stdout).unwrap();
    assert_eq!(found["debates"][0]["hollow_alerts_detected"], 1);
    let rounds = found["debates"][0]["avg_quality_per_round"].as_object().unwrap();
    assert!(rounds["1"].as_f64() > rounds["0"].as_f64(), "{rounds:?}");
    let picture = panel.run("quality --format svg").stdout;
    assert!(
        picture.starts_with("<svg ") && picture.contains("round 0, blind: all say yes"),
        "{picture}"
    );
    assert!(picture.contains("evidence quality 0.") && picture.contains("breakpoint"), "{picture}");
    let page = panel.run("quality --format html").stdout;
    assert!(page.contains("<polyline") && !page.contains("<script"), "{page}");
}

#[test]
fn an_audit_says_where_it_would_have_stepped_in() {
    let turn = |agent: &str, round: u32, text: &str| {
        json!({"debate": "d", "agent": agent, "round": round, "text": text}).to_string()
    };
    let log = [
        turn(
            "ann",
            0,
            "We should clearly adopt the new pricing. It is modern and customers will love it.",
        ),
        turn(
            "bob",
            0,
            "Adopting the new pricing is clearly right; it is modern and customers will love it.",
        ),
        turn("ann", 1, SOUND),
        turn(
            "bob",
            1,
            "The new pricing raised renewals from 61 % to 70 % in the May trial (report 12, page 4).",
        ),
    ];
    let run = run_with("audit - --format json", &log.join("\n"));
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = found["findings"].as_array().unwrap();
    let hollow: Vec<&Value> = findings
        .iter()
        .filter(|finding| finding["rule"].as_str().unwrap().starts_with("hollow-consensus/"))
        .collect();
    assert!(!hollow.is_empty(), "{}", run.shown());
    for finding in hollow {
        let words = finding["explanation"].as_str().unwrap();
        assert!(words.starts_with("After round 0 the trickster would have"), "{words}");
    }
    let off = run_with("audit - --format json --no-trickster", &log.join("\n")).stdout;
    assert!(!off.contains("hollow-consensus"), "{off}");
}

/// The debate that README and docs tell of still goes the way they say. A recording is played by the
/// requests on it, so that any change in what agents are asked shows here.
#[test]
fn the_recorded_debate_ends_the_other_way_with_the_trickster() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |more: &[&str]| {
        let output = rebuttal()
            .args(["debate", "Should the city close the Linden bridge to trucks?"])
            .args(["--cassette", "examples/debates/bridge.jsonl"])
            .args(["--agents", "council,engineer,haulier", "--db"])
            .arg(folder.path().join("ledger.db"))
            .args(more)
            .output();
        Run::of(output.expect("starts"))
    };
    let (with, without) = (play(&[]), play(&["--no-trickster"]));
    assert!(with.stdout.contains("Decision: no"), "{}", with.shown());
    assert!(!with.stdout.contains("not on the recording"), "{}", with.shown());
    assert!(without.stdout.contains("Decision: yes"), "{}", without.shown());
}
