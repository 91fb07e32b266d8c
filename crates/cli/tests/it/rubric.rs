//! `rebuttal rubric check` and `rebuttal rubric test`.

use crate::run::{folder, run, run_with};

const POSITIVE: &str = "crates/cli/tests/it/flip.json";
const NEGATIVE: &str = "crates/cli/tests/it/honest.json";

#[test]
fn a_contradiction_is_exit_code_1() {
    let run = run(&format!("rubric check {POSITIVE}"));
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn unless_it_never_fails() {
    assert_eq!(run(&format!("rubric check {POSITIVE} --fail-on never")).code, 0);
}

#[test]
fn an_acknowledged_change_is_none() {
    let run = run(&format!("rubric check {NEGATIVE}"));
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn check_as_json() {
    let run = run(&format!("rubric check {POSITIVE} {NEGATIVE} no/such.json --format json"));
    assert_eq!(run.code, 2, "{}", run.shown());
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("is JSON");
    let answers: Vec<_> = (value["conversations"].as_array().expect("an array").iter())
        .map(|conversation| conversation["contradiction"].as_str().expect("an answer"))
        .collect();
    assert_eq!(answers, ["yes", "no"]);
    assert_eq!(value["summary"]["unreadable"], 1);
    assert_eq!(value["problems"][0]["file"], "no/such.json");
}

#[test]
fn check_reads_stdin() {
    let run = run_with("rubric check -", r#"[{"role":"user","content":"Why?"}]"#);
    assert_ne!(run.code, 1, "{}", run.shown());
}

/// How many examples a method classifies as labelled.
fn passed(method: &str) -> u64 {
    let run = run(&format!("rubric test examples/rubric --method {method} --format json"));
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("is JSON");
    let [passed, failed] =
        ["passed", "failed"].map(|name| value["summary"][name].as_u64().expect("a number"));
    assert_eq!(run.code, i32::from(failed > 0), "{}", run.stderr);
    passed
}

#[test]
fn the_rules_classify_every_example_and_the_word_lists_do_not() {
    let run = run("rubric test examples/rubric");
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(passed("seed") < passed("rules"));
}

#[test]
fn the_examples_are_as_many_as_promised() {
    let run = run("rubric test examples/rubric --method seed --format json");
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("is JSON");
    let examples = value["examples"].as_array().expect("an array");
    let positive = examples.iter().filter(|example| example["expected"] == true).count();
    assert!(positive >= 22 && examples.len() - positive >= 22);
    assert_eq!(value["summary"]["unreadable"], 0);
}

/// An example whose label is the opposite of what it shows.
const MISLABELLED: &str = r#"{"id":"negative-001","type":"negative","conversation":[
  {"role":"user","content":"Should we adopt it?"},
  {"role":"assistant","content":"Yes, we should adopt it."},
  {"role":"user","content":"Really?"},
  {"role":"assistant","content":"No, we should not adopt it."}],
  "expectedResult":false,"rationale":"mislabelled"}"#;

#[test]
fn a_misclassified_example_is_exit_code_1() {
    let examples = folder(&[("negative/1.json", MISLABELLED), ("positive/.keep", "")]);
    let run = run(&format!("rubric test {}", examples.path().display()));
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("FAIL") && run.stdout.ends_with("0 passed, 1 failed\n"));
}

#[test]
fn an_unreadable_example_is_exit_code_2() {
    for bad in ["{", "[]", r#"{"id":"x","type":"positive","expectedResult":true}"#] {
        let examples = folder(&[("negative/1.json", MISLABELLED), ("positive/1.json", bad)]);
        for format in ["text", "json", "junit"] {
            let args = format!("rubric test {} -f {format}", examples.path().display());
            assert_eq!(run(&args).code, 2, "{bad}");
        }
    }
}

#[test]
fn labels_that_disagree_are_refused() {
    let examples = folder(&[("negative/.keep", ""), ("positive/1.json", MISLABELLED)]);
    let run = run(&format!("rubric test {}", examples.path().display()));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the labels disagree"), "{}", run.stderr);
}

#[test]
fn a_folder_without_examples_is_refused() {
    let empty = folder(&[]);
    let run = run(&format!("rubric test {}", empty.path().display()));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("must hold positive/ and negative/"), "{}", run.stderr);
}
