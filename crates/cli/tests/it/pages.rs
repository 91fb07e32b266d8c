//! The server's page in a real browser: what a person does, with scripts and without, and what agents
//! may write into it.

mod driver;
mod hostile;
mod payloads;
mod served;

use std::time::Duration;

use serde_json::json;

use crate::debate::server::{Panel, says};
use crate::run::folder;
use driver::{Browser, Scripts};
use served::Served;

/// Agents that take a moment: one changes its mind in round 1, and on "hollow" questions all agree on
/// nothing.
fn panel() -> Panel {
    let panel = Panel::slow(Duration::from_millis(120), |agent, prompt| {
        if prompt.contains("Should we move?") {
            let thesis = format!("Moving is clearly the best way, and everybody agrees. ({agent})");
            let said =
                json!({"answer": "yes", "conviction": 0.8, "thesis": thesis, "evidence": []});
            return (200, said.to_string());
        }
        let heard = prompt.contains("A trial of yes");
        (200, says(if agent == "cyd" && !heard { "no" } else { "yes" }, 0.8))
    });
    let config = "[debate]\nagents = [\"ann\", \"bob\", \"cyd\"]\n[debate.trickster]\nbreakpoint_severity = 0.5\n";
    panel.configured(config)
}

#[test]
fn a_person_debates_watches_goes_back_branches_and_downloads() {
    let panel = panel();
    let served = Served::start(&panel);
    let Some(browser) = Browser::open(Scripts::On) else { return };
    browser.go(&served.url("/"));
    browser.write("#question", "Should we migrate to Kubernetes?");
    browser.click("form.ask button.main");
    // It streams: the answers come in without the page being asked for again by the person.
    browser.until("a turn", "document.querySelectorAll('article.turn').length > 0");
    browser.run("window.stayed = true");
    browser.until("its end", "document.querySelector('#status')?.textContent.includes('ended')");
    assert_eq!(browser.run("return window.stayed"), json!(true), "the page was never loaded anew");
    assert!(browser.text("main").contains("How it came to this"), "{}", browser.text("main"));
    // Back in time: the state after the first answers has no decision.
    let shown = "document.querySelectorAll('article.turn').length";
    let all = browser.run(&format!("return {shown}")).as_u64();
    browser.run(
        "const s = document.querySelector('#at'); s.value = 8; s.dispatchEvent(new Event('input'))",
    );
    browser.until("an earlier state", &format!("{shown} < {}", all.unwrap_or_default()));
    assert!(browser.text("h1").contains("Kubernetes"));
    assert!(!browser.text("main").contains("How it came to this"));
    // A branch is a debate of its own.
    let before = browser.run("return location.pathname");
    browser.go(&served.url(before.as_str().expect("a path")));
    browser.click("details.fork summary");
    browser.click("details.fork button");
    browser.until("the branch", &format!("location.pathname !== {before}"));
    browser.until("that it was branched", "document.body.textContent.includes('branched from')");
    for file in ["report.html", "report.md", "report.json"] {
        let (status, text) = served.get(&format!("{}/{file}", before.as_str().expect("a path")));
        assert_eq!(status, 200, "{file}: {text}");
        assert!(text.contains("Kubernetes"), "{file}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new(), "nothing was refused by the policy");
}

#[test]
fn a_person_answers_a_breakpoint_and_the_debate_goes_on() {
    let panel = panel();
    let served = Served::start(&panel);
    let Some(browser) = Browser::open(Scripts::On) else { return };
    browser.go(&served.url("/"));
    browser.write("#question", "Should we move?");
    browser.click("form.ask button.main");
    browser.until("the stop", "document.querySelector('#status')?.textContent.includes('waits')");
    browser.go(&served.url("/breakpoints"));
    assert!(browser.text("#inbox").contains("Should we move?"));
    browser.write("#inbox textarea", "Name one measurement.");
    browser.click("#inbox button[value=redirect]");
    browser.until("its page", "location.pathname.startsWith('/debates/')");
    browser.until("that it goes on", "document.body.textContent.includes('Name one measurement.')");
}

#[test]
fn a_log_is_read_before_it_is_judged_and_judging_can_be_judged() {
    let panel = panel();
    let served = Served::start(&panel);
    let Some(browser) = Browser::open(Scripts::On) else { return };
    let log = "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
    let files = folder(&[("talk.txt", log)]);
    browser.go(&served.url("/audit"));
    // What dropping does: the file becomes the form's, and the form is sent.
    browser.write("#file", &files.path().join("talk.txt").display().to_string());
    browser.click("form.upload button");
    browser.until("what was read", "document.querySelector('#read') !== null");
    let read = browser.text("#read");
    assert!(read.contains("1 conversation, 3 turns") && read.contains("talk.txt"), "{read}");
    browser.click("#read button[name=judge]");
    browser.until("the report", "document.querySelector('form.judge') !== null");
    assert!(browser.text("main").contains("Yes, we should ship."));
    browser.click("form.judge button[value=right]");
    browser.until(
        "that it is kept",
        "document.querySelector('form.judge [role=status]')?.textContent.includes('Kept')",
    );
    let (status, rows) = served.get("/labels/self-contradiction.jsonl");
    assert!(status == 200 && rows.contains("\"label\":\"reversal\""), "{rows}");
    let rows = folder(&[("rows.jsonl", &rows)]);
    let scored = panel.run(&format!(
        "score self-contradiction {} --method rules",
        rows.path().join("rows.jsonl").display()
    ));
    assert!(scored.stdout.contains('1'), "{}{}", scored.stdout, scored.stderr);
}

#[test]
fn every_page_reads_without_scripts() {
    let panel = panel();
    assert_eq!(panel.debate("").code, 0);
    let served = Served::start(&panel);
    let Some(browser) = Browser::open(Scripts::Off) else { return };
    for (path, said) in [
        ("/", "Ask a panel"),
        ("/breakpoints", "Nothing waits"),
        ("/agents", "consistent"),
        ("/agents/cyd", "cyd"),
        ("/flips", "Position ledger"),
        ("/claims", "Claims"),
        ("/quality", "Evidence quality"),
        ("/audit", "Audit a log"),
        ("/reconcile", "Reconcile reports"),
    ] {
        browser.go(&served.url(path));
        assert!(browser.text("body").contains(said), "{path}: {}", browser.text("body"));
        let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{path} is wider than the window");
    }
    browser.go(&served.url("/"));
    browser.click("#recent .debates a");
    assert!(browser.text("main").contains("Who stood where"));
    // The slider is a form.
    let here = browser.address();
    browser.go(&format!("{here}?at=8"));
    assert!(!browser.text("main").contains("How it came to this"));
}

#[test]
fn an_empty_machine_offers_the_example() {
    let panel = panel();
    let served = Served::start(&panel);
    let Some(browser) = Browser::open(Scripts::Off) else { return };
    browser.go(&served.url("/"));
    browser.click("form[action='/example'] button");
    browser.text("article.turn");
    assert!(browser.text("h1").contains("Should we migrate to Kubernetes?"));
    assert!(browser.text("main").contains("Dissent"), "{}", browser.text("main"));
}
