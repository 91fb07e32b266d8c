//! Input that is not as it should be: a clear message with the place, and the rest goes on.

use serde_json::json;

use super::{RANKED, TIED, document};
use crate::run::{folder, run, run_with};

/// A good report that conflicts with [`other`].
const GOOD: &str =
    r#"{"agent": "good", "confidence": 0.6, "text": "Unemployment in Qatar was 4 % in 2024."}"#;

/// Runs a bad report between two good ones; the good ones must still be compared.
fn with_good(bad: &str) -> String {
    let other = GOOD.replace("good", "other").replace("4 %", "9 %");
    let run = run_with("reconcile - --fail-on any", &format!("{GOOD}\n{bad}\n{other}\n"));
    assert_eq!(run.code, 1, "the rest goes on: {}", run.shown());
    assert!(run.stdout.contains("good says 4 %"), "{}", run.stdout);
    run.stderr
}

#[test]
fn what_is_no_confidence_counts_as_missing() {
    let nan = with_good(r#"{"agent": "x", "confidence": NaN, "text": "Exports rose."}"#);
    assert!(nan.contains("stdin:2: ") && nan.contains("NaN"), "{nan}");
    let percent = with_good(r#"{"agent": "x", "confidence": 85, "text": "Exports rose."}"#);
    assert!(percent.contains("stdin:2: ") && percent.contains("0.85"), "{percent}");
}

#[test]
fn a_missing_confidence_or_citation_is_shown_as_such() {
    let run = run_with("reconcile -", TIED);
    assert!(run.stdout.contains("4 %, no source, 2024, no confidence stated"), "{}", run.stdout);
}

#[test]
fn an_empty_report_is_named() {
    let empty = with_good(r#"{"agent": "x", "text": ""}"#);
    assert!(empty.contains("stdin:2: ") && empty.contains("says nothing"), "{empty}");
}

#[test]
fn a_broken_line_costs_one_line() {
    let broken = with_good(r#"{"agent": "x", "text": "#);
    assert!(broken.contains("stdin:2: "), "{broken}");
}

#[test]
fn a_value_that_is_no_number_is_kept_as_text() {
    let bad = r#"{"agent": "x", "findings": [{"metric": "inflation", "value": "quite high"}]}"#;
    let run = run_with("reconcile - --format json", &format!("{GOOD}\n{bad}\n"));
    let document = document(&run);
    let text = document["consensus"]["adjusted_reports"][1]["text"].as_str().expect("a text");
    assert!(text.contains("quite high"), "{text}");
}

#[test]
fn an_agent_named_twice_is_one_agent() {
    let twice = r#"[{"agent": "a", "text": "Unemployment in Qatar was 4 % in 2024."},
                    {"agent": "a", "text": "Unemployment in Qatar was 9 % in 2024."}]"#;
    let run = run_with("reconcile -", twice);
    assert!(run.stdout.starts_with("2 reports, no contradictions"), "{}", run.stdout);
    assert!(run.stderr.contains("all reports are by a, so there is nobody"), "{}", run.stderr);
}

#[test]
fn a_long_report_is_read_and_its_page_stays_small() {
    let long = "The committee met on the same matter and adjourned. ".repeat(200_000);
    let long =
        json!({"agent": "long", "text": format!("Unemployment in Qatar was 4 % in 2024. {long}")});
    let other = json!({"agent": "other", "text": "Unemployment in Qatar was 9 % in 2024."});
    let input = format!("{long}\n{other}\n");
    assert!(input.len() > 10_000_000);
    let page = run_with("reconcile - --method rules --format html", &input);
    assert_eq!(page.code, 1, "{}", page.stderr);
    assert!(page.stdout.contains(" characters … ") && page.stdout.len() < 100_000);
}

#[test]
fn a_cyclic_policy_loses_one_rule() {
    let policy = "rules = [\n  \"GCC-STAT > World Bank\",\n  \"World Bank > GCC-STAT\",\n]\n";
    let folder = folder(&[("p.toml", policy)]);
    let path = folder.path().join("p.toml").display().to_string();
    let run = run_with(&format!("reconcile - --format json --authority {path}"), RANKED);
    let document = document(&run);
    assert_eq!(document["resolutions"][0]["resolution"], "agent2_correct");
    let problem = &document["problems"][0];
    assert_eq!((&problem["file"], &problem["line"]), (&json!(path), &json!(3)));
    assert!(problem["message"].as_str().expect("a text").contains("closes a circle"));
    assert_eq!(run.code, 1, "a rule less is no reason to stop");
}

#[test]
fn a_policy_that_cannot_be_read_ends_with_2() {
    let folder = folder(&[("p.toml", "rules = [")]);
    let path = folder.path().join("p.toml").display().to_string();
    let broken = run_with(&format!("reconcile - --authority {path}"), RANKED);
    assert_eq!(broken.code, 2);
    assert!(broken.stderr.contains("p.toml:1: "), "{}", broken.stderr);
    assert!(broken.stdout.contains("1 contradiction"), "everything else is still reported");
    let missing = run("reconcile examples/reports/qatar.jsonl --authority no.toml");
    assert_eq!((missing.code, missing.stdout.as_str()), (2, ""));
    assert!(missing.stderr.contains("--authority no.toml: cannot be opened"), "{}", missing.stderr);
}

#[test]
fn what_cannot_be_read_is_an_error_and_the_rest_goes_on() {
    let run = run_with("reconcile no-such.json -", TIED);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no-such.json: no such file"), "{}", run.stderr);
    assert!(run.stdout.contains("1 contradiction"), "{}", run.stdout);
    let nothing = run_with("reconcile -", "");
    assert_eq!(nothing.code, 2);
    assert!(nothing.stdout.contains("nothing to reconcile"), "{}", nothing.shown());
}

#[test]
fn wrong_values_say_what_there_is() {
    for (args, said) in [
        ("--tolerance 5", "for 5 % write 0.05"),
        ("--tolerance NaN", "must be a number from 0 to 1"),
        ("--tolerance -0.1", "must be a number from 0 to 1"),
        ("--confidence-gap many", "must be a number from 0 to 1"),
        ("--concurrency 0", "0 is not in 1..=256"),
        ("--stakes info", "possible values: low, medium, high"),
        ("--method seed", "possible values: model, rules"),
        ("--fail-on always", "possible values: none, any, flagged, low, medium, high"),
        ("--format pdf", "possible values: text, json, markdown, html"),
        ("--arbiter cluade", "did you mean claude?"),
    ] {
        let run = run(&format!("reconcile x.json {args}"));
        assert_eq!(run.code, 2, "{args}");
        assert!(run.stdout.is_empty() && run.stderr.contains(said), "{args}: {}", run.stderr);
    }
}

#[test]
fn one_source_cited_for_two_numbers_is_said_to_be() {
    let cites = |agent: &str, value: &str| {
        let text = format!("Unemployment in Qatar was {value} in 2024 (GCC-STAT, 2024).");
        json!({"agent": agent, "text": text})
    };
    let input = format!("{}\n{}\n", cites("a", "4 %"), cites("b", "9 %"));
    let run = run_with("reconcile -", &input);
    assert!(run.stdout.contains("one source, different numbers [source_data]"), "{}", run.stdout);
    assert!(run.stdout.contains("stdin:1  a") && run.stdout.contains("stdin:2  b"));
}
