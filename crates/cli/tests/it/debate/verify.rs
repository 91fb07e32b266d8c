//! `rebuttal verify` says what it saw.

use super::server::Panel;

#[test]
fn a_debate_without_a_verdict_is_told_as_unfinished() {
    let panel = Panel::split();
    panel.debate("--seed 7 --stop human --no-trickster");
    let run = panel.run("verify");
    assert_eq!(run.code, 1, "{}", run.shown());
    let said = "records, unchanged, and each follows from those before; it waits for a person, so there \
                is no verdict yet; head ";
    assert!(run.stdout.contains(": unfinished: ") && run.stdout.contains(said), "{}", run.stdout);
    assert!(!run.stdout.contains("the verdict follows"), "{}", run.stdout);
    // So it is told of a file.
    let path = panel.database().with_file_name("debate.jsonl");
    std::fs::write(&path, panel.run("export").stdout).unwrap();
    let run = panel.run(&format!("verify {}", path.display()));
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains(said), "{}", run.stdout);
}

#[test]
fn a_journal_that_was_cut_off_is_told_against_its_receipt() {
    let panel = Panel::split();
    panel.debate("--seed 7 --no-trickster");
    let journal = panel.run("export").stdout;
    let whole = panel.database().with_file_name("whole.jsonl");
    std::fs::write(&whole, &journal).unwrap();
    let receipt = panel.database().with_file_name("receipt.json");
    std::fs::write(&receipt, panel.run("receipt").stdout).unwrap();
    let run = panel.run(&format!("verify {} --receipt {}", whole.display(), receipt.display()));
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("the verdict follows from them"), "{}", run.stdout);
    let lines: Vec<&str> = journal.lines().collect();
    let (left, all) = (lines.len() - 3, lines.len());
    let cut = panel.database().with_file_name("cut.jsonl");
    std::fs::write(&cut, lines[..left].join("\n") + "\n").unwrap();
    let run = panel.run(&format!("verify {} --receipt {}", cut.display(), receipt.display()));
    assert_eq!(run.code, 1, "{}", run.shown());
    let said = format!("cut off: {left} records are left, unchanged, of the {all} that were there");
    assert!(run.stdout.contains(&said), "{}", run.stdout);
    // Without a receipt it can only be seen that it has no verdict.
    let run = panel.run(&format!("verify {}", cut.display()));
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("unfinished"), "{}", run.stdout);
}

#[test]
fn an_empty_journal_is_told_as_empty() {
    let panel = Panel::split();
    let path = panel.database().with_file_name("empty.jsonl");
    std::fs::write(&path, "").unwrap();
    let run = panel.run(&format!("verify {}", path.display()));
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.stdout.ends_with("empty.jsonl: empty: there is no record in it\n"),
        "{}",
        run.stdout
    );
}
