//! `rebuttal debate` and what follows it, with agents on this machine that speak `OpenAI`'s format.

mod budgets;
mod damage;
mod kills;
mod leases;
mod probes;
mod right;
pub(crate) mod server;
mod settings;
mod stored;
mod trickster;
mod verify;

use std::io::Read as _;

use serde_json::Value;

use server::{Panel, says};

#[test]
fn a_debate_ends_in_a_decision_with_dissent_and_what_to_do_next() {
    let panel = Panel::split();
    let run = panel.debate("--seed 7 --no-trickster");
    assert_eq!(run.code, 0, "{}", run.shown());
    for part in [
        "Should we migrate to Kubernetes?",
        "Round 0, blind",
        "ann  yes  0.80",
        "Round 1: ann, bob, cyd",
        "Nobody moved in round 1.",
        "Decision: yes  (majority, 67 %)  approved with conditions",
        "dissent cyd is for no",
        "Did debating help?",
        "6 calls, 72 tokens",
        "rebuttal redecide d-",
    ] {
        assert!(run.stdout.contains(part), "{part:?} in {}", run.stdout);
    }
}

#[test]
fn every_format_holds_the_same_decision() {
    let panel = Panel::split();
    let json: Value = serde_json::from_str(&panel.debate("--format json").stdout).unwrap();
    assert_eq!(json["decision"]["answer"], "yes");
    assert_eq!(json["decision"]["debate_metrics"]["agents_changed_action"], 0);
    let lines = panel.debate("--format jsonl").stdout;
    let events: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.first().unwrap()["event"]["type"], "debate_started");
    assert_eq!(events.last().unwrap()["event"]["decision"]["answer"], "yes");
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert!(numbers.iter().zip(1..).all(|(seq, due)| *seq == due), "{numbers:?}");
    let markdown = panel.debate("--format markdown").stdout;
    assert!(markdown.contains("**Decision: yes**"), "{markdown}");
    let html = panel.debate("--format html").stdout;
    assert!(html.contains("<h1>Should we migrate to Kubernetes?</h1>"), "{html}");
    assert!(!html.contains("<script"), "{html}");
}

#[test]
fn who_cannot_be_reached_abstains_visibly_and_nothing_is_decided_alone() {
    let panel = Panel::new(|agent, _| match agent {
        "ann" => (200, says("yes", 0.9)),
        _ => (401, "no such key".to_owned()),
    });
    let run = panel.debate("--rule majority");
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("bob gave no vote"), "{}", run.stdout);
    assert!(run.stdout.contains("Decision: no decision"), "{}", run.stdout);
    assert!(run.stdout.contains("needs review"), "{}", run.stdout);
}

#[test]
fn a_key_is_nowhere_to_be_found() {
    let key = "sk-canary-0123456789abcdef";
    let panel = Panel::new(move |agent, _| match agent {
        "ann" => (200, says("yes", 0.9)),
        "bob" => (401, format!("bad key {key}")),
        _ => (200, says("no", 0.5)),
    })
    .with_key(key);
    for args in ["", "--format json", "--format jsonl", "--format html"] {
        let run = panel.debate(args);
        assert!(!run.shown().contains("canary"), "{}", run.shown());
    }
    let mut stored = Vec::new();
    std::fs::File::open(panel.database()).unwrap().read_to_end(&mut stored).unwrap();
    let found = stored.windows(6).any(|bytes| bytes == b"canary");
    assert!(!found, "the journal holds the key");
}

#[test]
fn what_cannot_begin_is_said_before_anything_is_asked() {
    let panel = Panel::split();
    for (args, part) in [
        ("--rule majorty", "did you mean"),
        ("--stop unanimty", "did you mean"),
        ("--agents ann", "a debate needs at least two agents, and 1 was given"),
        ("--agents ann,gemni", "no agent is called \"gemni\"; did you mean gemini?"),
        ("--agents ann,bob:skepptic", "did you mean skeptic?"),
        ("--rule judge", "needs a judge"),
        ("--options yes", "at least two options"),
        ("--sees sideways", "--sees is all, opposing, ring or random:K"),
        ("--rounds 500", "at most 50"),
    ] {
        let run = panel.debate(args);
        assert_eq!(run.code, 2, "{args}: {}", run.shown());
        assert!(run.stderr.contains(part), "{args}: {}", run.stderr);
    }
    assert_eq!(panel.asked(), 0);
}

#[test]
fn a_moderator_who_is_sure_overrides_and_says_so() {
    let panel = Panel::new(|agent, _| match agent {
        "mod" => (
            200,
            r#"{"strongest_arguments":[],"weakest_arguments":[],"recommended_action":"no",
                "recommended_conviction":0.9,"rationale":"Costs were not answered.","risks":[]}"#
                .to_owned(),
        ),
        "cyd" => (200, says("no", 0.6)),
        _ => (200, says("yes", 0.8)),
    });
    let run = panel.debate("--moderator mod");
    assert!(run.stdout.contains("Decision: no"), "{}", run.stdout);
    assert!(run.stdout.contains("mod overrode the vote for yes"), "{}", run.stdout);
}

#[test]
fn the_configuration_says_who_debates_and_how() {
    let panel = Panel::split().configured("[debate]\nagents = [\"ann\", \"cyd\"]\nrounds = 0\n");
    let run = panel.run("debate Ship? --format json");
    let json: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.shown()));
    assert_eq!(json["spec"]["panel"].as_array().unwrap().len(), 2);
    assert_eq!(json["spec"]["protocol"]["rounds"], 0);
    let shown = panel.run("config explain").stdout;
    assert!(shown.contains("debate.agents") && shown.contains("ann, cyd"), "{shown}");
    let typo = Panel::split().configured("[debate]\nrouns = 3\n").run("debate Ship?");
    assert_eq!(typo.code, 2);
    assert!(typo.stderr.contains("unknown key `rouns`; did you mean `rounds`?"), "{}", typo.stderr);
}
