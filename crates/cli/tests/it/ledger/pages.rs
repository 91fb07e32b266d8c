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
    let agents = ledger.run("agents --format html").stdout;
    for part in [
        "<title>Rebuttal agents</title>",
        "4 agents: 61 positions, ",
        "<th scope=\"row\">delta</th><td class=\"bar\"><svg class=\"bar\"",
        "aria-label=\"Flips by agent and kind\"",
    ] {
        assert!(agents.contains(part), "{part} in {agents}");
    }
    assert!(!agents.contains("There are more") && !agents.contains("<script"), "{agents}");
    let flips = ledger.run("flips --format html --limit 3").stdout;
    assert_eq!(flips.matches("<article").count(), 3);
    for command in ["summary", "agents"] {
        let path = ledger.path("page.html");
        let written = ledger.run(&format!("{command} --format html -o {path}"));
        assert!(written.stdout.is_empty() && written.code == 0, "{}", written.shown());
        let page = crate::run::written(path);
        assert!(page.contains("</html>") && page.contains("delta"), "{command}: {page}");
    }
}

/// The page has the numbers of the table for the terminal, in its order.
#[test]
fn the_page_of_agents_is_the_table() {
    let ledger = Ledger::new();
    assert_eq!(ledger.run(&format!("positions import {EXAMPLE} --method rules")).code, 0);
    let table = ledger.run("agents").stdout;
    let page = ledger.run("agents --format html").stdout;
    let (_, rows) = page.split_once("<tbody>").expect("has rows");
    let (rows, _) = rows.split_once("</tbody>").expect("ends");
    let cells = |row: &str| -> Vec<String> {
        let texts = row.split('<').filter_map(|tag| Some(tag.split_once('>')?.1.trim()));
        texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
    };
    let rows: Vec<Vec<String>> = rows.split("<tr>").skip(1).map(cells).collect();
    let lines = table.lines().skip(1).map(|line| {
        let words = line.split_whitespace().map(str::to_owned);
        words.enumerate().filter(|(at, _)| *at != 1).map(|(_, word)| word).collect::<Vec<_>>()
    });
    assert_eq!(rows, lines.collect::<Vec<_>>());
    let two = ledger.run("agents --limit 2 --format html").stdout;
    assert_eq!(two.matches("<th scope=\"row\">").count(), 2);
    assert!(two.contains("There are more"), "{two}");
    let two = ledger.run("agents --limit 2");
    assert!(two.stderr.contains("there are more; --limit 10 shows them"), "{}", two.shown());
    assert_eq!(ledger.run("agents --limit 4").stderr, "", "these are all");
}

#[test]
fn a_check_of_agents_is_no_page() {
    let run = Ledger::new().run("agents check --format html");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("`rebuttal agents check` writes no page"), "{}", run.shown());
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
        "agents --format html",
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
