//! What the seed document on flips asks of the ledger.

use serde_json::{Value, json};

use super::Ledger;

/// Two positions of one day; the second turns the first around.
const DAY: &str = r#"{"agent":"claude","claim":"The cache is safe.","confidence":0.9,"domain":"finance","debate_id":"d1","at":"2026-01-01T08:00:00Z"}
{"agent":"claude","claim":"The cache is not safe.","confidence":0.4,"domain":"finance","debate_id":"d2","at":"2026-01-01T12:30:00Z"}
"#;

#[test]
fn flips_as_json_carry_the_seed_documents_names() {
    let ledger = Ledger::with(DAY);
    let shown: Value = serde_json::from_str(&ledger.run("flips --format json").stdout).unwrap();
    let flip = &shown["flips"][0];
    for (name, value) in [
        ("agent_name", json!("claude")),
        ("original_claim", json!("The cache is safe.")),
        ("new_claim", json!("The cache is not safe.")),
        ("original_confidence", json!(0.9)),
        ("new_confidence", json!(0.4)),
        ("original_debate_id", json!("d1")),
        ("new_debate_id", json!("d2")),
        ("flip_type", json!("contradiction")),
        ("domain", json!("finance")),
    ] {
        assert_eq!(flip[name], value, "{name}");
    }
    assert!(flip["similarity_score"].is_number() && flip["detected_at"].is_string());
    assert_eq!(flip["kind"], "contradiction", "the names of before stay");
}

#[test]
fn a_history_shows_times_where_dates_are_equal() {
    let ledger = Ledger::with(DAY);
    for command in ["agent claude", "flips"] {
        let shown = ledger.run(command).stdout;
        assert!(shown.contains("2026-01-01 08:00:00"), "{command}: {shown}");
        assert!(shown.contains("2026-01-01 12:30:00"), "{command}: {shown}");
    }
}

#[test]
fn knowledge_is_searched_by_nothing_and_by_the_name_of_a_field() {
    let ledger = Ledger::with(DAY);
    let all = ledger.run_args(&["knowledge", "search", ""]);
    assert!(all.stdout.contains("The cache is not safe."), "{}", all.shown());
    assert!(!all.stdout.contains("on something near"), "{}", all.shown());
    assert!(all.stderr.contains("no words were given"), "{}", all.shown());
    for name in ["finance", "Claude", "contradiction"] {
        let found = ledger.run_args(&["knowledge", "search", name]);
        assert!(found.stdout.contains("The cache is not safe."), "{name}: {}", found.shown());
        assert!(!found.stdout.contains("on something near"), "{name}: {}", found.shown());
    }
    let none = ledger.run_args(&["knowledge", "search", "zebra"]);
    assert!(none.stderr.contains("no flip is about this"), "{}", none.shown());
}

#[test]
fn how_far_back_flips_are_looked_for_can_be_said() {
    let lines = r#"{"agent":"a","claim":"The cache is safe.","at":"2026-01-01T01:00:00Z"}
{"agent":"a","claim":"The cache of the new region was warmed in May.","at":"2026-01-01T02:00:00Z"}
{"agent":"a","claim":"The cache of the old region was warmed in June.","at":"2026-01-01T03:00:00Z"}
{"agent":"a","claim":"The cache is not safe.","at":"2026-01-01T04:00:00Z"}
"#;
    let flips = |lookback: &str| {
        let ledger = Ledger::new();
        std::fs::write(ledger.path("in.jsonl"), lines).unwrap();
        let import =
            format!("positions import {} --method rules{lookback}", ledger.path("in.jsonl"));
        let run = ledger.run(&import);
        assert_eq!(run.code, 0, "{}", run.shown());
        let shown: Value = serde_json::from_str(&ledger.run("flips --format json").stdout).unwrap();
        shown["flips"].as_array().unwrap().len()
    };
    assert_eq!((flips(""), flips(" --lookback 1")), (1, 0));
}

#[test]
fn a_flip_is_passed_on_to_the_stored_network_of_beliefs() {
    let ledger = Ledger::new();
    let network = json!({
        "claims": [
            {"id": "safe", "text": "The cache is safe.", "prior": 0.9},
            {"id": "ship", "text": "We can ship on Friday.", "prior": 0.5},
            {"id": "apart", "text": "Prices rise in May.", "prior": 0.5},
        ],
        "links": [{"from": "safe", "to": "ship", "kind": "supports"}],
    });
    std::fs::write(ledger.path("claims.json"), network.to_string()).unwrap();
    let none = ledger.run("beliefs");
    assert_eq!(none.code, 2, "{}", none.shown());
    assert!(none.stderr.contains("beliefs FILE --save"), "{}", none.shown());
    let stored = ledger.run(&format!("beliefs {} --save", ledger.path("claims.json")));
    assert_eq!(stored.code, 0, "{}", stored.shown());
    let posterior = |id: &str| {
        let shown: Value =
            serde_json::from_str(&ledger.run("beliefs --format json").stdout).unwrap();
        let claims = shown["claims"].as_array().unwrap().clone();
        claims.iter().find(|claim| claim["id"] == id).unwrap()["posterior"].as_f64().unwrap()
    };
    let before = ["safe", "ship", "apart"].map(posterior);
    std::fs::write(ledger.path("in.jsonl"), DAY).unwrap();
    let import = format!("positions import {} --method rules", ledger.path("in.jsonl"));
    let told = ledger.run(&import);
    assert!(
        told.stderr.contains("claude gave up a claim of the belief network"),
        "{}",
        told.shown()
    );
    assert!(told.stderr.contains("“We can ship on Friday.”"), "{}", told.shown());
    assert!(!told.stderr.contains("Prices rise"), "{}", told.shown());
    let after = ["safe", "ship", "apart"].map(posterior);
    assert!(after[0] < before[0] && after[1] < before[1], "{before:?} {after:?}");
    assert!((after[2] - before[2]).abs() < 1e-12);
    // Once.
    let again = ledger.run(&import);
    assert!(!again.stderr.contains("belief network"), "{}", again.shown());
    let still = ["safe", "ship", "apart"].map(posterior);
    assert!(still.iter().zip(after).all(|(now, then)| (now - then).abs() < 1e-12), "{still:?}");
}
