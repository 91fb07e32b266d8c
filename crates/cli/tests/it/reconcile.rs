//! `rebuttal reconcile`: the scenario of seed 002 in all formats, exit codes, files and events.

mod arbiter;
mod bad;
pub(crate) mod hostile;

use serde_json::{Value, json};

use crate::run::{Run, folder, rebuttal, run, run_with, written};

/// The scenario of seed 002.
const SCENARIO: &str = "examples/reports/qatar.jsonl";

/// Three agents who agree.
const AGREED: &str = r#"[
  {"agent": "a", "confidence": 0.9, "text": "Unemployment in Qatar was 0.10 % in 2024."},
  {"agent": "b", "confidence": 0.9, "text": "Qatar's jobless rate stood at 0.1% in 2024."},
  {"agent": "c", "confidence": 0.9, "text": "In 2024 the unemployment rate of Qatar was 0.10 percent."}]"#;

/// Nothing tells the two apart, so nobody can be right.
const TIED: &str = r#"[
  {"agent": "a", "text": "Unemployment in Qatar was 4 % in 2024."},
  {"agent": "b", "text": "Unemployment in Qatar was 9 % in 2024."}]"#;

/// Two sources that the example's policy ranks.
const RANKED: &str = r#"[
  {"agent": "a", "confidence": 0.9, "text": "According to the World Bank, unemployment in Qatar was 0.20 % in 2024."},
  {"agent": "b", "confidence": 0.6, "text": "According to GCC-STAT, unemployment in Qatar was 0.10 % in 2024."}]"#;

pub(crate) fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.shown()))
}

/// JSON laid out for people, without what differs from run to run.
fn without_latency(mut document: Value) -> String {
    for place in ["/latency_ms", "/debate_results/latency_ms"] {
        *document.pointer_mut(place).expect("is there") = json!("…");
    }
    serde_json::to_string_pretty(&document).expect("is JSON")
}

#[test]
fn text() {
    let run = run(&format!("reconcile {SCENARIO} --method rules"));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn json() {
    let run = run(&format!("reconcile {SCENARIO} --method rules --format json"));
    insta::assert_snapshot!(without_latency(document(&run)));
}

#[test]
fn the_document_has_the_fields_of_the_seed() {
    let run = run(&format!("reconcile {SCENARIO} --format json"));
    let document = document(&run);
    let found = &document["contradictions"][0];
    let flat = json!({
        "metric_name": "qatar_unemployment_rate", "severity": "medium",
        "agent1_name": "LabourEconomist", "agent1_value": 0.10, "agent1_confidence": 0.90,
        "agent1_citation": "[Per extraction: '0.10%' from GCC-STAT Q1-2024]",
        "agent2_name": "NationalStrategy", "agent2_value": 0.12, "agent2_confidence": 0.85,
        "agent2_citation": "[Per extraction: '0.12%' from World Bank 2024]",
    });
    for (name, value) in flat.as_object().expect("an object") {
        assert_eq!(&found[name], value, "{name}");
    }
    let ruling = &document["resolutions"][0];
    assert_eq!(
        (&ruling["resolution"], &ruling["action"]),
        (&json!("both_valid"), &json!("use_both"))
    );
    let results = document["debate_results"].as_object().expect("an object");
    for name in
        ["contradictions_found", "resolved", "flagged_for_review", "consensus_narrative", "status"]
    {
        assert!(results.contains_key(name), "{name}");
    }
    assert_eq!((&results["resolved"], &results["status"]), (&json!(1), &json!("complete")));
    assert_eq!((&document["reports"], &document["status"]), (&json!(2), &json!("complete")));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(run(&format!("reconcile {SCENARIO} --format markdown")).shown());
}

#[test]
fn a_page_has_the_conflict_its_ruling_and_the_texts_side_by_side() {
    let page = run(&format!("reconcile {SCENARIO} --format html")).stdout;
    let places = [
        "2 reports, 1 contradiction: 1 resolved.",
        "id=\"consensus\"",
        "<article class=\"card medium\" id=\"c1\">",
        "<mark class=\"low\">0.10%</mark>",
        "Ruling: both are right, each in its context",
        "<span class=\"tag stands\">decided</span>",
        "As handed in",
        "href=\"#c1\"",
        "<mark class=\"adjustment low\">[By rules: Holds for Q1-2024",
        "<footer>",
    ];
    let places = places.map(|text| page.find(text).unwrap_or_else(|| panic!("{text} in {page}")));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn the_value_that_stands_is_marked() {
    let args = "reconcile - --authority examples/reports/sources.toml --format";
    let page = run_with(&format!("{args} html"), RANKED).stdout;
    let (_, row) = page.split_once("<tr class=\"won\">").expect("a winner");
    assert!(
        row.contains("<b class=\"figure\">0.10 %</b><span class=\"tag stands\">stands</span>"),
        "{row}"
    );
    assert!(page.contains("<mark class=\"adjustment medium\">[By rules: Ruled out: use 0.10 %"));
    let markdown = run_with(&format!("{args} markdown"), RANKED).stdout;
    assert!(markdown.contains("| ✓ | `b` | `0.10 %` |"), "{markdown}");
}

#[test]
fn agreement_is_skipped() {
    let text = run_with("reconcile -", AGREED);
    assert_eq!(text.code, 0);
    assert!(
        text.stdout.starts_with("3 reports, no contradictions: skipped after "),
        "{}",
        text.stdout
    );
    let json = document(&run_with("reconcile - --format json", AGREED));
    assert_eq!(json["status"], "skipped");
    assert!(json["debate_results"]["latency_ms"].as_f64().expect("a number") > 0.0);
    for format in ["html", "markdown"] {
        let page = run_with(&format!("reconcile - --format {format}"), AGREED).stdout;
        assert!(page.contains("no contradictions"), "{page}");
    }
}

#[test]
fn exit_codes() {
    for (fail_on, code) in [
        ("none", 0),
        ("never", 0),
        ("any", 1),
        ("low", 1),
        ("medium", 1),
        ("high", 0),
        ("flagged", 0),
    ] {
        let run = run(&format!("reconcile {SCENARIO} --fail-on {fail_on}"));
        assert_eq!(run.code, code, "{fail_on}\n{}", run.shown());
    }
    let tied = run_with("reconcile - --fail-on flagged", TIED);
    assert_eq!(tied.code, 1);
    assert!(tied.stdout.contains("1 contradiction: 1 for you to look at"), "{}", tied.stdout);
    let stakes = run_with("reconcile - --stakes low --fail-on high", TIED);
    assert_eq!(stakes.code, 0, "low stakes lower a severity: {}", stakes.shown());
}

#[test]
fn the_policy_decides() {
    let open = document(&run_with("reconcile - --format json", RANKED));
    assert_eq!(open["resolutions"][0]["resolution"], "agent1_correct", "by confidence");
    let args = "reconcile - --format json --authority examples/reports/sources.toml";
    let ranked = document(&run_with(args, RANKED));
    assert_eq!(ranked["resolutions"][0]["resolution"], "agent2_correct");
    assert_eq!(ranked["resolutions"][0]["recommended_value"], 0.1);
}

#[test]
fn the_configuration_is_the_default_and_the_flag_goes_before_it() {
    let config = "[reconcile]\nauthority = \"sources.toml\"\ntolerance = 1.0\n";
    let sources = "rules = [\"GCC-STAT > World Bank\"]\n";
    let folder =
        folder(&[("rebuttal.toml", config), ("sources.toml", sources), ("in.json", RANKED)]);
    let run = |args: &str| {
        let mut command = rebuttal();
        command.current_dir(folder.path()).args(args.split_whitespace());
        Run::of(command.output().expect("starts"))
    };
    assert!(
        run("reconcile in.json --confidence-gap 1").stdout.contains("no contradictions"),
        "within 100 %"
    );
    let found = document(&run("reconcile in.json --tolerance 0.05 --format json"));
    assert_eq!(found["resolutions"][0]["resolution"], "agent2_correct");
    let shown = run("config").stdout;
    assert!(shown.contains("reconcile.authority") && shown.contains("sources.toml"), "{shown}");
}

#[test]
fn several_files_are_one_reconciliation() {
    let reports: Vec<Value> = serde_json::from_str(TIED).expect("is JSON");
    let [one, two] = [&reports[0], &reports[1]].map(|report| format!("{report}\n"));
    let folder = folder(&[("a.jsonl", &one)]);
    let path = folder.path().join("a.jsonl");
    let run = run_with(&format!("reconcile {} - --format json", path.display()), &two);
    let document = document(&run);
    let files: Vec<&str> =
        (document["contradictions"][0]["sides"].as_array().expect("sides").iter())
            .map(|side| side["source"]["file"].as_str().expect("a file"))
            .collect();
    assert_eq!(files, [path.to_str().expect("a path"), "stdin"]);
}

#[test]
fn adjusted_reports_are_written_and_adjusting_them_changes_nothing() {
    let folder = folder(&[("in.json", RANKED)]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let first = run(&format!("reconcile {} --adjusted {}", path("in.json"), path("once.jsonl")));
    assert!(first.stderr.contains("adjusted reports written to "), "{}", first.stderr);
    run(&format!("reconcile {} --adjusted {}", path("once.jsonl"), path("twice.jsonl")));
    let read = |name: &str| written(path(name));
    let plain = |text: &str| -> Vec<Value> {
        let reports = text.lines().map(|line| serde_json::from_str(line).expect("is JSON"));
        // They come from another file the second time.
        reports
            .map(|mut it: Value| {
                it.as_object_mut().map(|it| it.remove("source"));
                it
            })
            .collect()
    };
    assert_eq!(plain(&read("once.jsonl")), plain(&read("twice.jsonl")));
    run(&format!("reconcile {} --adjusted {}/", path("in.json"), path("out")));
    let text = read("out/01-a.txt");
    assert!(
        text.starts_with("According to the World Bank, unemployment in Qatar was 0.20 % in 2024.")
    );
    assert!(text.contains("[By rules: "), "{text}");
    assert_eq!(read("out/reports.jsonl").lines().count(), 2);
}

#[test]
fn input_is_not_overwritten() {
    let folder = folder(&[("in.json", RANKED)]);
    let path = folder.path().join("in.json").display().to_string();
    for flag in ["--output", "--adjusted"] {
        let run = run(&format!("reconcile {path} {flag} {path}"));
        assert_eq!(run.code, 2);
        let wanted = format!("is both read and written; name another file after {flag}");
        assert!(run.stderr.contains(&wanted), "{}", run.stderr);
    }
    assert_eq!(written(&path), RANKED);
}

#[test]
fn events_are_lines_of_json_on_stderr() {
    let events = |input: &str| -> Vec<Value> {
        let run = run_with("reconcile - --events --quiet", input);
        run.stderr.lines().map(|line| serde_json::from_str(line).expect("is JSON")).collect()
    };
    let statuses = |events: &[Value]| -> Vec<String> {
        events.iter().map(|event| event["status"].as_str().expect("a status").to_owned()).collect()
    };
    let found = events(TIED);
    assert_eq!(statuses(&found), ["running", "progress", "complete"]);
    assert!(found.iter().all(|event| event["event"] == "debate"));
    let complete = &found[2];
    assert_eq!((&complete["contradictions"], &complete["flagged"]), (&json!(1), &json!(1)));
    assert!(complete["latency_ms"].is_f64());
    assert_eq!(statuses(&events(AGREED)), ["running", "skipped"]);
}

#[test]
fn a_transcript_is_reports_too() {
    let log = "labour: Unemployment in Qatar was 4 % in 2024.\n\
               strategy: Unemployment in Qatar was 9 % in 2024.\n\
               labour: I have nothing to add.\n\
               strategy: Nor have I.\n";
    let run = run_with("reconcile -", log);
    assert!(run.stdout.starts_with("4 reports, 1 contradiction"), "{}", run.shown());
}
