//! Pages of the ledger: they hold what they should, and nothing that agents wrote becomes part of
//! them.

use serde_json::json;

use super::{EXAMPLE, Ledger};

#[test]
fn the_overview_has_its_plots() {
    let ledger = Ledger::new();
    assert_eq!(ledger.run(&format!("positions import {EXAMPLE} --method rules")).code, 0);
    let page = ledger.run("summary --format html").stdout;
    for part in [
        "<title>Rebuttal position ledger</title>",
        "61 positions, ",
        "aria-label=\"Flips over time, by kind\"",
        "aria-label=\"Flips by kind\"",
        "aria-label=\"Flips of positions, by agent and field\"",
        "infrastructure",
        "Agents, the least consistent first",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script"), "no scripts");
    let agent = ledger.run("agent atlas --format html").stdout;
    for part in ["Stated confidence", "<polyline class=\"line\"", "class=\"card high\"", "“"] {
        assert!(agent.contains(part), "{part} in {agent}");
    }
    let flips = ledger.run("flips --format html --limit 3").stdout;
    assert_eq!(flips.matches("<article").count(), 3);
    let path = ledger.path("page.html");
    let written = ledger.run(&format!("summary --format html -o {path}"));
    assert!(written.stdout.is_empty() && written.code == 0, "{}", written.shown());
    assert!(crate::run::written(path).contains("</html>"));
}

#[test]
fn agents_cannot_write_into_pages_or_terminals() {
    let nasty = "<img src=x onerror=alert(1)>\u{1b}[31m\u{202e}";
    let row = |claim: &str, day: u32| {
        json!({ "agent": nasty, "claim": format!("{nasty} {claim}"), "domain": nasty,
                "question": nasty, "debate_id": nasty, "at": format!("2026-01-0{day}T00:00:00Z") })
    };
    let lines = [row("The cache is safe.", 1), row("The cache is not safe.", 2)];
    let lines = lines.map(|line| format!("{line}\n")).concat();
    let ledger = Ledger::with(&lines);
    for command in [
        "summary --format html",
        "flips --format html",
        "summary",
        "flips",
        "agents",
        "positions list",
        "flips --format json",
        "agents --format json",
    ] {
        let shown = ledger.run(command).stdout;
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{command}: {shown}");
        assert!(!command.contains("html") || !shown.contains("<img"), "{command}: {shown}");
    }
    for format in ["text", "json", "html"] {
        let shown = ledger.run_args(&["agent", nasty, "--format", format]).stdout;
        assert!(shown.len() > 100, "{format}: the agent is known: {shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{format}: {shown}");
        assert!(format != "html" || !shown.contains("<img"), "{shown}");
    }
}
