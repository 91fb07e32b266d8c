//! What is wrong is said clearly, ends with exit code 2, and costs nothing that was right.

use std::io::{Seek, SeekFrom, Write};

use super::{Ledger, TWO};
use crate::run::{folder, run};

fn refused(ledger: &Ledger, args: &[&str], says: &str) {
    let run = ledger.run_args(args);
    assert_eq!(run.code, 2, "{args:?}: {}", run.shown());
    assert!(run.stderr.contains(says), "{says:?} in {}", run.shown());
}

#[test]
fn a_position_that_cannot_be() {
    let ledger = Ledger::new();
    let add = |more: &[&'static str]| -> Vec<&'static str> {
        [&["positions", "add", "--agent", "ann", "--claim", "It rains."], more].concat()
    };
    for confidence in ["1.5", "-0.1", "85", "NaN", "inf"] {
        let confidence = ["--confidence", confidence];
        refused(&ledger, &add(&confidence), "is not within 0 and 1");
    }
    refused(&ledger, &add(&["--at", "2999-01-01"]), "lies in the future");
    refused(&ledger, &add(&["--at", "yesterday"]), "is no time");
    refused(&ledger, &["positions", "add", "--agent", " ", "--claim", "x"], "--agent is empty");
    refused(&ledger, &["positions", "add", "--agent", "a", "--claim", ""], "--claim is empty");
    assert_eq!(ledger.json("db info")["positions"], 0);
}

#[test]
fn bad_rows_are_named_and_the_rest_is_taken() {
    let ledger = Ledger::new();
    let run = ledger.run("positions import examples/ledger/bad.csv --method rules");
    let shown = run.shown();
    let (before, rest) = shown.split_once("it is 20").expect("a time in the future");
    let (_, after) = rest.split_once("Z now").expect("what time it is");
    insta::assert_snapshot!("bad_rows", format!("{before}it is … now{after}"));
    assert_eq!(ledger.json("db info")["positions"], 1);
}

#[test]
fn a_missing_time_is_the_time_of_the_import_and_no_part_of_the_id() {
    let files = folder(&[("in.csv", "agent,claim\nann,It rains.\n")]);
    let ledger = Ledger::new();
    let import = format!("positions import {}", files.path().join("in.csv").display());
    assert!(ledger.run(&import).stdout.contains("1 position added"));
    assert!(ledger.run(&import).stdout.contains("0 positions added, 1 there already"));
}

#[test]
fn an_id_is_never_overwritten() {
    let ledger = Ledger::with(TWO);
    let before = ledger.json("positions list");
    let add = ["positions", "add", "--agent", "eve", "--claim", "It snows.", "--id", "ann-1"];
    refused(&ledger, &add, "the id “ann-1” is taken by another position: ann said");
    let other = folder(&[("in.jsonl", &TWO.replace("is safe", "is fast"))]);
    let run = ledger.run(&format!("positions import {}", other.path().join("in.jsonl").display()));
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("in.jsonl:1: the id “ann-1” is taken"), "{}", run.shown());
    assert!(run.stdout.contains("3 left out: the id is taken"), "{}", run.shown());
    assert_eq!(ledger.json("positions list"), before);
}

/// Without an id of its own, the same said at the same time is the same: that it was said less surely
/// must be told, for both claims read alike.
#[test]
fn the_same_words_with_another_confidence() {
    let line = |sure: &str| {
        format!(
            "{{\"agent\":\"ann\",\"claim\":\"It rains.\",\"at\":\"2026-01-01\",\"confidence\":{sure}}}\n"
        )
    };
    let files = folder(&[("in.jsonl", &[line("0.8"), line("0.3")].concat())]);
    let ledger = Ledger::new();
    let import = format!("positions import {}", files.path().join("in.jsonl").display());
    let run = ledger.run(&import);
    assert_eq!(run.code, 2, "{}", run.shown());
    let said = "“It rains.” with the confidence 0.8; the same with 0.3 was left out";
    assert!(run.stderr.contains(said), "{}", run.shown());
}

#[test]
fn a_file_that_is_not_there() {
    let ledger = Ledger::new();
    let run = ledger.run("positions import no/such.jsonl");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("no/such.jsonl"), "{}", run.shown());
    assert!(run.stdout.contains("no/such.jsonl: not read\n"), "{}", run.shown());
}

#[test]
fn a_file_that_is_no_database() {
    let files = folder(&[("notes.txt", &"This is a text about something. ".repeat(300))]);
    let path = files.path().join("notes.txt");
    let run = run(&format!("summary --db {}", path.display()));
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("is not a Rebuttal database"), "{}", run.shown());
    assert!(crate::run::written(&path).starts_with("This is a text"));
}

#[test]
fn a_damaged_database_says_so() {
    let ledger = Ledger::with(&many(3_000));
    let path = ledger.path("ledger.db");
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).expect("is there");
    let length = file.metadata().expect("is there").len();
    for share in 2..9 {
        file.seek(SeekFrom::Start(length * share / 10 / 4096 * 4096)).expect("seeks");
        file.write_all(&[0xa5; 4096]).expect("writes");
    }
    drop(file);
    let run = ledger.run("db verify");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(
        run.stderr.contains("is damaged") || run.stderr.contains("is not what was written"),
        "{}",
        run.shown()
    );
}

/// Different claims of some agents.
pub(super) fn many(number: usize) -> String {
    let line = |at: usize| {
        let (agent, day, hour) = (at % 40, at / 24 % 28 + 1, at % 24);
        let side = if at / 40 % 3 == 2 { "is not" } else { "is" };
        let topic = at / 120;
        format!(
            "{{\"agent\":\"agent-{agent}\",\"claim\":\"Module {topic} of project {agent} {side} finished.\",\
             \"at\":\"2026-01-{day:02}T{hour:02}:00:00Z\",\"id\":\"n-{at}\"}}\n"
        )
    };
    (0..number).map(line).collect()
}

#[test]
fn a_folder_that_cannot_be_written_to() {
    let run = run("summary --db /proc/rebuttal/ledger.db");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("cannot be opened"), "{}", run.shown());
}

#[test]
fn a_password_is_never_printed() {
    for command in ["summary", "db info", "positions list"] {
        let run = run(&format!("{command} --db postgres://ann:s3cret@127.0.0.1:1/ledger"));
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(!run.shown().contains("s3cret"), "{}", run.shown());
        assert!(run.stderr.contains("postgres://ann@127.0.0.1:1/ledger"), "{}", run.shown());
    }
}
