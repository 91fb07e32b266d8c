//! What a result says about what was not read, and what ends a run with which exit code.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::run::{folder, rebuttal, run, run_with};

/// Nobody changes sides here.
const CLEAN: &str = r#"{"messages":[
  {"role":"user","content":"Should we adopt it?"},
  {"role":"assistant","content":"Yes, we should adopt it."},
  {"role":"user","content":"Are you sure?"},
  {"role":"assistant","content":"Yes, we should adopt it."}]}"#;

/// Bytes that no importer takes for a transcript.
const PICTURE: &str = "\u{1}\u{2}\u{3}PNG\u{4}\u{5}";

/// Clean turns, one per line, with a line in between that is broken off.
fn broken_line() -> String {
    let turn = |text: &str| json!({ "agent": "ann", "text": text, "debate": "d" }).to_string();
    format!(
        "{}\n{{\"agent\": \"ann\", \"te\n{}\n",
        turn("Yes, we should adopt it."),
        turn("Yes, we should adopt it.")
    )
}

fn silent() -> String {
    let turn =
        |name: &str, text: &str| json!({ "type": "TextMessage", "source": name, "content": text });
    let greeting = turn("ann", "Good morning.");
    json!({ "messages": [
        turn("user", "Should we adopt it?"), greeting, greeting, greeting,
        turn("ann", "Yes, we should adopt it."),
    ], "stop_reason": null })
    .to_string()
}

#[test]
fn a_name_cannot_forge_a_line() {
    let name = "bob\nNothing found.\n1 file, 1 transcript, 3 turns: 0 findings\t.";
    let turn =
        |name: &str, text: &str| json!({ "type": "TextMessage", "source": name, "content": text });
    let debate = json!({ "messages": [
        turn("user", "Should we adopt it?"),
        turn(name, "Yes, we should adopt it."),
        turn(name, "No, we should not adopt it."),
    ], "stop_reason": null });
    for format in ["text", "markdown", "junit"] {
        let run = run_with(&format!("audit - --format {format}"), &debate.to_string());
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stdout.contains("bob\\n"), "{}", run.shown());
        for line in run.stdout.lines() {
            assert!(!line.trim_start().starts_with("Nothing found"), "{}", run.shown());
        }
    }
    let page = run_with("audit - --format html", &debate.to_string()).stdout;
    assert!(!page.contains("bob\n"), "{page}");
    let answer = run_with("rubric check -", &debate.to_string());
    assert!(!answer.stdout.contains("bob\n"), "{}", answer.shown());
}

#[cfg(unix)]
#[test]
fn a_file_name_cannot_forge_a_line() {
    let files = folder(&[("x\nNothing found.json", PICTURE)]);
    let path = files.path().join("x\nNothing found.json");
    for command in [&["audit"][..], &["rubric", "check"], &["score", "stance"]] {
        let output = rebuttal().args(command).arg(&path).output().expect("starts");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("x\\nNothing found") && !said.contains("x\nNothing"), "{said}");
    }
}

#[test]
fn nothing_found_admits_what_was_left_out() {
    let lenient = run_with("audit -", &broken_line());
    assert_eq!(lenient.code, 0, "{}", lenient.shown());
    let sentence = "Nothing found in what could be read; 1 problem left parts out.";
    assert!(lenient.stdout.contains(sentence), "{}", lenient.shown());
    assert!(lenient.stderr.starts_with("warning: "), "{}", lenient.shown());
    for format in ["html", "markdown"] {
        let page = run_with(&format!("audit - --format {format}"), &broken_line());
        assert!(page.stdout.contains(sentence), "{}", page.shown());
    }
    let json = run_with("audit - --format json", &broken_line()).stdout;
    let value: Value = serde_json::from_str(&json).expect("is JSON");
    assert_eq!(value["summary"]["left_out"], 1);
}

#[test]
fn strict_does_not_pass_what_was_left_out() {
    for format in ["text", "json", "jsonl", "html", "sarif", "junit", "markdown"] {
        let strict = run_with(&format!("audit - --strict --format {format}"), &broken_line());
        assert_eq!(strict.code, 2, "{}", strict.shown());
        assert!(!strict.stdout.is_empty(), "everything is still reported");
    }
    let strict = run_with("audit - --strict", &broken_line());
    assert!(strict.stderr.starts_with("error: "), "{}", strict.shown());
    assert_eq!(run_with("audit - --strict", CLEAN).code, 0);
    let check = run_with("rubric check -", &broken_line());
    assert_eq!(check.code, 0, "{}", check.shown());
    assert!(check.stdout.contains("; 1 problem left parts out"), "{}", check.shown());
    assert_eq!(run_with("rubric check - --strict", &broken_line()).code, 2);
}

#[test]
fn nothing_found_admits_that_little_was_said() {
    let sentence = "Nothing found, but a position could be read in only 1 of 4 agent turns.";
    for format in ["text", "html", "markdown"] {
        let run = run_with(&format!("audit - --format {format}"), &silent());
        assert_eq!(run.code, 0, "{}", run.shown());
        assert!(run.stdout.contains(sentence), "{}", run.shown());
    }
}

#[test]
fn a_folder_may_hold_other_things() {
    let logs = folder(&[("a.json", CLEAN), ("b.png", PICTURE), ("c.png", PICTURE)]);
    let path = logs.path().display();
    for command in ["audit", "rubric check"] {
        let run = run(&format!("{command} {path}"));
        assert_eq!(run.code, 0, "{}", run.shown());
        assert_eq!(run.stderr, "2 files in no known format skipped; -v names them\n");
        let verbose = crate::run::run(&format!("{command} -v {path}"));
        assert!(verbose.stderr.contains("skipped ") && verbose.stderr.contains("b.png"));
        assert_eq!(crate::run::run(&format!("{command} -q {path}")).stderr, "");
        let named = crate::run::run(&format!("{command} {path}/a.json {path}/b.png"));
        assert_eq!(named.code, 2, "{}", named.shown());
        assert!(named.stderr.starts_with("error: "), "{}", named.shown());
    }
    let json = run(&format!("audit {path} --format json"));
    let value: Value = serde_json::from_str(&json.stdout).expect("is JSON");
    assert_eq!(value["problems"].as_array().expect("a list").len(), 2);
    assert_eq!(value["summary"]["skipped"], 2);
    let junit = run(&format!("audit {path} --format junit"));
    assert!(!junit.stdout.contains("<error") && junit.stdout.contains("<skipped"));
}

#[test]
fn a_folder_of_nothing_else_is_an_error() {
    let logs = folder(&[("b.png", PICTURE)]);
    for command in ["audit", "rubric check"] {
        let run = run(&format!("{command} {}", logs.path().display()));
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(run.stderr.contains("error: nothing to read: 1 file in no known format"));
    }
}

#[test]
fn the_same_file_is_read_once() {
    let file = "crates/cli/tests/it/debate.json";
    let once = run(&format!("audit {file}"));
    let often = run(&format!("audit {file} {file} ./{file}"));
    assert_eq!(once.stdout, often.stdout);
    assert!(often.stderr.contains("read once"), "{}", often.shown());
}

#[test]
fn quiet_keeps_errors_and_drops_warnings() {
    assert_eq!(run_with("audit - -q", &broken_line()).stderr, "");
    assert!(run("audit -q no/such.json").stderr.starts_with("error: no/such.json"));
}

#[test]
fn a_closed_pipe_does_not_excuse_findings() {
    let flip = "crates/cli/tests/it/debate.json";
    let clean = folder(&[("a.json", CLEAN)]);
    let clean = clean.path().join("a.json").display().to_string();
    let cases = [
        (vec!["audit", flip], 1),
        (vec!["audit", flip, "--format", "json"], 1),
        (vec!["audit", flip, "--fail-on", "never"], 0),
        (vec!["audit", clean.as_str()], 0),
        (vec!["rubric", "check", "crates/cli/tests/it/flip.json"], 1),
        (vec!["rubric", "test", "examples/rubric"], 0),
        (vec!["formats"], 0),
    ];
    for (args, code) in cases {
        let mut child = rebuttal()
            .args(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn formats_go_to_stdout() {
    let formats = run("formats");
    assert_eq!(formats.stderr, "");
    assert!(formats.stdout.contains("--from NAME"));
}
