//! `rebuttal audit` on the examples, on folders, on stdin, and on what is not there.

use serde_json::Value;

use crate::run::{folder, run, run_with};

const EXAMPLE: &str = "examples/transcripts/kubernetes.json";

/// One agent flips, one says so, one gives orders: so bluntly that a change to a detector's finer
/// judgement leaves the snapshots alone.
const BLUNT: &str = "crates/cli/tests/it/debate.json";

/// Nobody changes sides here.
const CLEAN: &str = r#"{"messages":[
  {"role":"user","content":"Should we adopt it?"},
  {"role":"assistant","content":"Yes, we should adopt it."},
  {"role":"user","content":"Are you sure?"},
  {"role":"assistant","content":"Yes, we should adopt it."}]}"#;

/// JSON laid out for people, without the detectors' figures and the ids that hash their spans.
fn without_figures(json: &str) -> String {
    let mut value: Value = serde_json::from_str(json).expect("is JSON");
    hide(&mut value);
    serde_json::to_string_pretty(&value).expect("is JSON")
}

fn hide(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => *value = "…".into(),
        Value::String(text) if text.starts_with("f-") => *value = "f-…".into(),
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(members) => members.values_mut().for_each(hide),
        _ => {}
    }
}

#[test]
fn text() {
    insta::assert_snapshot!(run(&format!("audit {BLUNT}")).shown());
}

#[test]
fn text_fits_80_columns() {
    for line in run(&format!("audit {EXAMPLE}")).stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn json() {
    insta::assert_snapshot!(without_figures(&run(&format!("audit {BLUNT} --format json")).stdout));
}

#[test]
fn jsonl() {
    let run = run(&format!("audit {EXAMPLE} --format jsonl"));
    let kinds: Vec<String> = (run.stdout.lines())
        .map(|line| serde_json::from_str::<Value>(line).expect("is JSON"))
        .map(|value| value["type"].as_str().expect("has a type").to_owned())
        .collect();
    assert_eq!(kinds.last().map(String::as_str), Some("summary"));
    assert!(kinds.iter().filter(|kind| *kind == "finding").count() >= 3);
}

#[test]
fn sarif() {
    insta::assert_snapshot!(without_figures(&run(&format!("audit {BLUNT} --format sarif")).stdout));
}

#[test]
fn junit() {
    insta::assert_snapshot!(run(&format!("audit {BLUNT} --format junit")).shown());
}

#[test]
fn markdown() {
    insta::assert_snapshot!(run(&format!("audit {BLUNT} --format markdown")).shown());
}

#[test]
fn the_threshold_decides_the_exit_code() {
    assert_eq!(run(&format!("audit {EXAMPLE}")).code, 1);
    assert_eq!(run(&format!("audit {EXAMPLE} --fail-on high")).code, 1);
    assert_eq!(run(&format!("audit {EXAMPLE} --fail-on never")).code, 0);
    let hidden = run(&format!("audit {EXAMPLE} --min-severity high"));
    assert_eq!(hidden.code, 1);
    assert!(hidden.stdout.contains("milder not shown"), "{}", hidden.stdout);
}

#[test]
fn a_clean_run_says_so() {
    let clean = run_with("audit -", CLEAN);
    assert_eq!(clean.code, 0);
    insta::assert_snapshot!(clean.shown());
}

#[test]
fn a_missing_file_is_exit_code_2_after_everything_else() {
    let run = run(&format!("audit no/such.json {EXAMPLE}"));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no/such.json: no such file or folder"), "{}", run.stderr);
    assert!(run.stdout.contains("platform_engineer"), "{}", run.stdout);
    assert!(run.stdout.contains("1 file not readable"), "{}", run.stdout);
}

#[test]
fn bad_input_is_exit_code_2_in_every_format() {
    let bad = folder(&[("bad.json", "{\"messages\": [")]);
    let path = bad.path().join("bad.json");
    for format in ["text", "json", "jsonl", "html", "sarif", "junit", "markdown"] {
        let run = run(&format!("audit {} --format {format}", path.display()));
        assert_eq!(run.code, 2, "{}", run.shown());
        let said = if format == "text" { &run.stderr } else { &run.stdout };
        assert!(said.contains("bad.json"), "{format}: {}", run.shown());
    }
}

#[test]
fn folders_are_read_in_order_and_hidden_files_are_not() {
    let logs = folder(&[("b.json", CLEAN), ("a/z.json", CLEAN), (".git/x.json", "no log")]);
    let run = run(&format!("audit {} --format json", logs.path().display()));
    assert_eq!(run.code, 0, "{}", run.shown());
    let value: Value = serde_json::from_str(&run.stdout).expect("is JSON");
    let names: Vec<_> = (value["files"].as_array().expect("an array").iter())
        .map(|file| file["file"].as_str().expect("a name").rsplit('/').next())
        .collect();
    assert_eq!(names, [Some("z.json"), Some("b.json")]);
}

#[test]
fn many_files_give_the_same_bytes_every_time() {
    let names: Vec<_> = (0..40).map(|number| format!("{number:02}.json")).collect();
    let example = include_str!("../../../../examples/transcripts/kubernetes.json");
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), example)).collect();
    let logs = folder(&files);
    let args = format!("audit {} --format jsonl", logs.path().display());
    let (first, second) = (run(&args), run(&args));
    assert_eq!(first.stdout, second.stdout);
    assert!(first.stdout.lines().count() > 80);
}

#[test]
fn the_report_goes_to_a_file_and_is_not_read_back() {
    let logs = folder(&[("a.json", CLEAN), ("report.json", "old")]);
    let report = logs.path().join("report.json");
    let args = format!("audit {} -f json -o {}", logs.path().display(), report.display());
    let first = run(&args);
    assert_eq!((first.code, first.stdout.as_str()), (0, ""), "{}", first.shown());
    let written = std::fs::File::open(&report).and_then(std::io::read_to_string).expect("written");
    assert!(written.starts_with("{\"rebuttal\":") && !written.contains("report.json"));
    let refused = run(&format!("audit {0} -o {0}", report.display()));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("both read and written"), "{}", refused.stderr);
}

#[test]
fn colour_only_when_asked_for() {
    assert!(!run(&format!("audit {EXAMPLE}")).stdout.contains('\u{1b}'));
    let coloured = run(&format!("audit {EXAMPLE} --color always")).stdout;
    assert!(coloured.contains("\u{1b}[1;31m"));
    let plain = coloured.split('\u{1b}').map(|part| part.split_once('m').map_or(part, |it| it.1));
    assert_eq!(
        plain.skip(1).collect::<String>(),
        run(&format!("audit {EXAMPLE}")).stdout,
        "the words are the same"
    );
}
