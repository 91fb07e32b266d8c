//! `rebuttal beliefs`.

use serde_json::Value;

use crate::run::{run, run_with};

const EXAMPLE: &str = "examples/beliefs/migration.json";

/// Two claims whose posteriors anybody can check by hand.
const TWO: &str = r#"{"claims": [{"id": "A", "prior": 0.6}, {"id": "B", "prior": 0.5}],
    "links": [{"from": "A", "to": "B", "kind": "supports"}]}"#;

fn posterior(args: &str, claim: usize) -> f64 {
    let run = run_with(&format!("beliefs - --format json {args}"), TWO);
    assert_eq!(run.code, 0, "{}", run.shown());
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    value["claims"][claim]["posterior"].as_f64().expect("a number")
}

#[test]
fn text() {
    insta::assert_snapshot!(run(&format!("beliefs {EXAMPLE}")).shown());
}

#[test]
fn a_conclusion_that_turns_on_nothing_says_so() {
    let run = run_with("beliefs - --given A=true", TWO);
    let said = "What B turns on (now 0.91)\n  nothing that is still open\n";
    assert!(run.stdout.contains(said), "{}", run.shown());
}

#[test]
fn given_claims_are_clamped() {
    insta::assert_snapshot!(run(&format!("beliefs {EXAMPLE} --given team-trained=false")).shown());
    for (args, claim, expected) in [
        ("", 0, 0.647),
        ("", 1, 0.745),
        ("--given A=true", 1, 0.909),
        ("--given A=false", 1, 0.444),
        ("--given A=false", 0, 0.0),
    ] {
        let found = posterior(args, claim);
        assert!((found - expected).abs() < 1e-3, "{args}: {found}");
    }
}

#[test]
fn json_has_every_field() {
    let run = run_with("beliefs - --format json", TWO);
    let mut value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    value["rebuttal"] = "…".into();
    for claim in 0..2 {
        // The last digits are the machine's.
        value["claims"][claim]["posterior"] = "…".into();
    }
    for field in ["if_true", "if_false", "swing", "expected_move"] {
        value["cruxes"][0][field] = "…".into();
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).expect("JSON"));
}

#[test]
fn help() {
    insta::assert_snapshot!(run("beliefs --help").stdout);
}

#[test]
fn a_tangle_says_how_far_to_trust_it() {
    let claims: Vec<String> =
        (0..30).map(|at| format!(r#"{{"id": "c{at}", "prior": 0.5}}"#)).collect();
    let tangle = |strength: f64| {
        let pairs = (0..30).flat_map(|a| (0..a).map(move |b| (a, b)));
        let link = |(a, b)| {
            format!(
                r#"{{"from": "c{a}", "to": "c{b}", "kind": "contradicts", "strength": {strength}}}"#
            )
        };
        let links: Vec<String> = pairs.map(link).collect();
        let document =
            format!(r#"{{"claims": [{}], "links": [{}]}}"#, claims.join(","), links.join(","));
        run_with("beliefs - --conclusion c0", &document)
    };
    let (weak, strong) = (tangle(0.03), tangle(1.0));
    assert!(weak.stdout.contains("approximate, certified"), "{}", weak.shown());
    assert!(weak.stdout.contains("proven to lie within"), "{}", weak.shown());
    assert!(strong.stdout.contains("not certified"), "{}", strong.shown());
}

#[test]
fn what_makes_no_sense_is_named() {
    let claim = |id: &str, prior: f64| format!(r#"{{"id": "{id}", "prior": {prior}}}"#);
    let document = |claims: &[String], links: &str| {
        format!(r#"{{"claims": [{}], "links": [{links}]}}"#, claims.join(","))
    };
    let two = [claim("costs-fall", 0.5), claim("move", 0.5)];
    let to_itself = r#"{"from": "move", "to": "move", "kind": "supports"}"#;
    let nowhere = r#"{"from": "cost-fall", "to": "move", "kind": "supports"}"#;
    let causes = r#"{"from": "costs-fall", "to": "move", "kind": "causes"}"#;
    let many: Vec<String> = (0..=20_000).map(|at| claim(&at.to_string(), 0.5)).collect();
    for (args, input, expected) in [
        ("", document(&[claim("a", 1.5)], ""), "the prior of \"a\" is 1.5"),
        ("", document(&[claim("a", 0.5), claim("a", 0.5)], ""), "two claims have the id \"a\""),
        ("", document(&two, to_itself), "\"move\" is linked to itself"),
        ("", document(&two, nowhere), "did you mean \"costs-fall\"?"),
        ("", document(&two, causes), "unknown variant `causes`"),
        ("", document(&many, ""), "20000 at most"),
        ("", document(&[], ""), "has no claims"),
        ("", "no JSON".to_owned(), "is not a network of claims"),
        ("--given mov=true", document(&two, ""), "did you mean \"move\"?"),
        ("--given move=perhaps", document(&two, ""), "CLAIM=true or CLAIM=false"),
        ("--given move=true --given move=false", document(&two, ""), "both as true and as false"),
        ("--given a=true", document(&[claim("a", 0.0)], ""), "its prior is 0"),
        ("--conclusion moved", document(&two, ""), "did you mean \"move\"?"),
    ] {
        let run = run_with(&format!("beliefs - {args}"), &input);
        assert_eq!(run.code, 2, "{args}\n{}", run.shown());
        assert!(run.stderr.contains(expected), "{args}: {}", run.stderr);
    }
    let absent = run("beliefs nowhere.json");
    assert!(absent.code == 2 && absent.stderr.contains("nowhere.json cannot be opened"));
}
