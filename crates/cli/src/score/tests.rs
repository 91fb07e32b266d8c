//! Whole runs: rows in, figures and predictions out.

use std::fmt::Write as _;
use std::io::Read;

use clap::Parser;
use serde_json::Value;

use super::*;
use crate::output::Verbosity;
use crate::terminal::ColorChoice;
use rebuttal::config::Config;

/// Just enough of a command line to parse the arguments as a user types them.
#[derive(Debug, Parser)]
struct Typed {
    #[command(flatten)]
    score: ScoreArgs,
}

fn read(path: &Path) -> String {
    let mut text = String::new();
    File::open(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Runs the command; returns how it ended and what it printed.
fn score(folder: &Path, arguments: &[&str]) -> (anyhow::Result<Status>, String) {
    let printed = folder.join("printed");
    let typed = Typed::parse_from(std::iter::once("score").chain(arguments.iter().copied()));
    let mut out = Output::standard(ColorChoice::Never, Verbosity::Quiet);
    out.redirect(Box::new(File::create(&printed).unwrap()));
    let status = run(&typed.score, &Config::default(), &mut out);
    out.flush().unwrap();
    (status, read(&printed))
}

/// Specificity rows do not depend on any lexicon: figures are the same whatever the rules say.
fn rows(count: u32) -> String {
    let mut text = String::new();
    for row in 0..count {
        let words = "word ".repeat(row as usize % 7 + 1);
        writeln!(text, r#"{{"id":"r{row}","text_a":"{words}","label":{}}}"#, row % 7).unwrap();
    }
    text
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    std::fs::write(folder.join(name), text).unwrap();
    folder.join(name).display().to_string()
}

#[test]
fn a_bad_row_is_counted_and_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{{\n{}{}\n", rows(700), r#"{"id":"x","text_a":"a","label":"vague"}"#);
    let rows = file(folder.path(), "rows.jsonl", &text);
    let (status, printed) = score(folder.path(), &["specificity", &rows, "--format", "json"]);
    assert_eq!(status.unwrap(), Status::Clean);
    let report: Value = serde_json::from_str(&printed).unwrap();
    let set = &report["sets"][0];
    assert_eq!((&set["n"], &set["bad_rows"]["count"]), (&700.into(), &2.into()));
    assert_eq!(set["bad_rows"]["first"][0]["line"], 1);
    assert_eq!(set["bad_rows"]["first"][1]["line"], 702);
    let by_length = &set["methods"][0]["metrics"]["spearman_length"]["value"];
    assert!((by_length.as_f64().unwrap() - 1.0).abs() < 1e-9, "{by_length}");
    assert_eq!(report["notes"][0], "specificity has no seed method");
}

#[test]
fn predictions_come_in_the_order_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let rows = file(folder.path(), "rows.jsonl", &rows(1200));
    let out = folder.path().join("out.jsonl").display().to_string();
    let rules = ["specificity", &rows, "--predictions", &out, "--method", "rules"];
    score(folder.path(), &rules).0.unwrap();
    let written = read(Path::new(&out));
    let ids: Vec<String> = written
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
        .collect();
    let expected: Vec<String> = (0..1200).map(|row| format!("r{row}")).collect();
    assert_eq!(ids, expected);
    let keys: Vec<usize> = ["\"id\"", "\"label\"", "\"score\"", "\"method\"", "\"explanation\""]
        .iter()
        .map(|key| written.find(key).unwrap())
        .collect();
    assert!(keys.is_sorted(), "keys stand in the documented order");
}

#[test]
fn several_files_are_scored_alone_and_together() {
    let folder = tempfile::tempdir().unwrap();
    let first = file(folder.path(), "first.jsonl", &rows(30));
    let second = file(folder.path(), "second.jsonl", &rows(40));
    let (_, printed) = score(folder.path(), &["specificity", &first, &second, "-f", "json"]);
    let report: Value = serde_json::from_str(&printed).unwrap();
    let sizes: Vec<&Value> = (0..3).map(|set| &report["sets"][set]["n"]).collect();
    assert_eq!(sizes, [30, 40, 70]);
    assert_eq!(report["sets"][2]["file"], "all 2 files");
}

#[test]
fn a_file_without_a_usable_row_could_not_be_run() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(folder.path(), "empty.jsonl", "");
    let (status, printed) = score(folder.path(), &["stance", &empty]);
    assert_eq!(status.unwrap(), Status::CouldNotRun);
    assert!(printed.contains("0 rows"), "{printed}");
    assert_eq!(printed.lines().count(), 2, "no table without figures: {printed}");
}

#[test]
fn a_method_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let rows = file(folder.path(), "rows.jsonl", &rows(3));
    let (status, _) = score(folder.path(), &["hedge", &rows, "--method", "seed"]);
    assert_eq!(status.unwrap_err().to_string(), "hedge has no seed method");
    let (status, _) = score(folder.path(), &["hedge", "no/such/file.jsonl"]);
    assert!(status.unwrap_err().to_string().contains("no/such/file.jsonl"));
}
