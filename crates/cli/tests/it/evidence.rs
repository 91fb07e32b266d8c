//! `rebuttal check` and `rebuttal evidence` on the documents in `examples/evidence`.

use serde_json::Value;

use crate::run::{folder, run};

const NOTES: &str = "--evidence examples/evidence/notes --method rules";

#[test]
fn a_report_is_checked_sentence_by_sentence() {
    let checked = run(&format!("check examples/evidence/report.md {NOTES} --format json"));
    assert_eq!(checked.code, 1, "{}", checked.shown());
    let answer: Value = serde_json::from_str(&checked.stdout).expect("JSON");
    let statements = answer["statements"].as_array().expect("statements");
    let verdicts: Vec<&str> =
        statements.iter().map(|it| it["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(
        verdicts,
        ["supported", "wrong-number", "supported", "supported", "supported", "not-found"],
        "{}",
        checked.shown()
    );
    let wrong = &statements[1];
    assert_eq!(wrong["evidence"]["document"], "examples/evidence/notes/costs.md");
    assert_eq!((&wrong["severity"], &wrong["line"]), (&"high".into(), &3.into()));
    let never = run(&format!("check examples/evidence/report.md {NOTES} --fail-on never"));
    assert_eq!(never.code, 0, "{}", never.shown());
    assert!(never.stdout.contains("58,000 euros"), "{}", never.shown());
}

#[test]
fn a_page_and_sarif_name_the_passage() {
    let page = run(&format!("check examples/evidence/report.md {NOTES} --format html"));
    assert!(
        page.stdout.contains("<mark>") && page.stdout.contains("costs.md, lines"),
        "{}",
        page.shown()
    );
    let sarif = run(&format!("check examples/evidence/report.md {NOTES} --format sarif"));
    let sarif: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|it| it["ruleId"].as_str()).collect();
    assert_eq!(rules, ["citation/wrong-number", "citation/not-found"]);
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 3);
}

#[test]
fn documents_are_kept_found_and_not_read_again() {
    let folder = folder(&[("notes/a.md", "# Costs\n\nHosting cost 41,000 euros in 2023.\n")]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (db, notes) = (path("kept.db"), path("notes"));
    let added = run(&format!("evidence add {notes} --db {db}"));
    assert_eq!(added.code, 0, "{}", added.shown());
    assert!(
        added.stdout.starts_with("1 document added or changed, 0 as before"),
        "{}",
        added.shown()
    );
    let again = run(&format!("evidence add {notes} --db {db}"));
    assert!(
        again.stdout.starts_with("0 documents added or changed, 1 as before"),
        "{}",
        again.shown()
    );
    let found = run(&format!("evidence search what did hosting cost --db {db}"));
    assert!(found.stdout.contains("41,000 euros"), "{}", found.shown());
    let list = run(&format!("evidence list --db {db} --format json"));
    let list: Value = serde_json::from_str(&list.stdout).expect("JSON");
    assert_eq!(list["documents"][0]["passages"], 1);
    let none = run(&format!("check README.md --db {}", path("empty.db")));
    assert_eq!(none.code, 2, "{}", none.shown());
    assert!(none.stderr.contains("rebuttal evidence add"), "{}", none.shown());
}
