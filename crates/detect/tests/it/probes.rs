//! Every probe of the shared case files that this crate answers.

use std::path::PathBuf;

use rebuttal_detect::pair::{Combined, PairReading, RuleInference, likeness};
use rebuttal_detect::{Models, rubric};
use rebuttal_model::{AgentId, DebateId, Role, Stance, Transcript, Turn};
use rebuttal_semantics::{BuiltinEncoder, BuiltinReader, BuiltinVectors, Inference, Pair};
use rebuttal_text::Reading;
use serde_json::Value;

/// The rows of a case file, or none where the folder is not at hand.
pub(crate) fn rows(file: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("cases").join(file);
    let Ok(bytes) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    bytes.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// Compares what the detectors say with what the rows of these areas expect.
fn check(areas: &[&str], answer: impl Fn(&Value) -> String) {
    check_rows(areas, |row| {
        let expected = match &row["expected"] {
            Value::Object(facts) => facts.get("eq").or(facts.get("label")).cloned(),
            plain => Some(plain.clone()),
        };
        let expected = match expected {
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
            None => panic!("no expectation in {row}"),
        };
        let got = answer(&row["input"]);
        (got != expected).then(|| format!("{got}, expected {expected}"))
    });
}

/// Asks what is wrong about each row of these areas, and fails with all answers.
pub(crate) fn check_rows(areas: &[&str], wrong: impl Fn(&Value) -> Option<String>) {
    let mut all = Vec::new();
    let mut checked = 0;
    for row in rows("adversarial.jsonl").into_iter().chain(rows("upstream_expectations.jsonl")) {
        let area = row["area"].as_str().unwrap_or_default();
        let contested = row["note"].as_str().is_some_and(|note| note.contains("CONTESTED"));
        if !areas.contains(&area) || contested {
            continue;
        }
        checked += 1;
        all.extend(wrong(&row).map(|wrong| format!("{} → {wrong}", row["input"])));
    }
    assert!(checked > 0 || std::env::var_os("REBUTTAL_SHARED").is_none(), "no row of {areas:?}");
    println!("{areas:?}: {checked} rows");
    assert!(all.is_empty(), "{} of {checked} wrong:\n{}", all.len(), all.join("\n"));
}

fn conversation(input: &Value) -> Transcript {
    let only_agent = input["assistant_only"] == true;
    let turns =
        input["turns"].as_array().expect("turns").iter().enumerate().map(|(index, text)| {
            let (name, role) = match index % 2 {
                0 if !only_agent => ("user", Role::User),
                _ => ("assistant", Role::Agent),
            };
            Turn::new(AgentId::new(name), role, text.as_str().expect("text"))
        });
    Transcript::new(DebateId::new("probe"), None, turns.collect())
}

#[test]
fn self_contradiction() {
    check(&["self_contradiction"], |input| rubric(&conversation(input)).to_string());
}

#[test]
fn stance() {
    check(&["stance"], |input| {
        let reading = Reading::new(input.as_str().expect("text")).stance(None);
        match reading.stance {
            Stance::Yes => "support",
            Stance::No => "oppose",
            Stance::Unclear => "neutral",
        }
        .to_owned()
    });
}

#[test]
fn stance_api() {
    check(&["stance_api"], |input| {
        Reading::new(input.as_str().expect("text")).attitude(None).as_str().to_owned()
    });
}

#[test]
fn acknowledgment() {
    check(&["acknowledgment"], |input| {
        Reading::new(input.as_str().expect("text")).acknowledgment().is_some().to_string()
    });
}

/// Whether both texts of a row cannot hold; rows that only describe their texts have none.
fn opposed(input: &Value, by: &dyn Inference) -> bool {
    let text = |index: usize| input[index].as_str().expect("two texts");
    let pair = Pair { premise: text(0), hypothesis: text(1) };
    by.infer(&[pair]).expect("judges")[0].contradiction > 0.5
}

#[test]
fn contradictory_pairs() {
    let areas = ["contradictory_pair", "negation_diff"];
    check(&areas, |input| opposed(input, &RuleInference).to_string());
}

#[test]
fn contradictory_pairs_by_model() {
    let areas = ["contradictory_pair", "negation_diff"];
    let model = Combined::new(BuiltinReader, BuiltinVectors);
    check(&areas, |input| opposed(input, &model).to_string());
}

/// Similarity by the models that ship.
fn alike(one: &str, two: &str) -> f32 {
    let judge = Combined::new(BuiltinReader, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, judge);
    likeness(&models, &[(one, two)]).expect("compares")[0]
}

/// What a row on similar words comes to.
fn alike_or_opposed(input: &Value, by: &dyn Inference, alike: fn(&str, &str) -> f32) -> String {
    match input {
        Value::Array(_) if opposed(input, by) => "opposed".to_owned(),
        Value::Array(_) => "alike".to_owned(),
        // "same sentences in another order": described, not given; any will do.
        _ => {
            let sentences = ["The cache is warm.", "Latency fell in March.", "Nobody complained."];
            let reversed: Vec<&str> = sentences.iter().rev().copied().collect();
            format!("~{:.1}", alike(&sentences.join(" "), &reversed.join(" ")))
        }
    }
}

#[test]
fn similar_words_can_be_opposed() {
    let by_rules = |one: &str, two: &str| PairReading::new(one, two).similarity();
    check(&["pair_similarity"], |input| alike_or_opposed(input, &RuleInference, by_rules));
}

#[test]
fn similar_words_can_be_opposed_by_model() {
    let model = Combined::new(BuiltinReader, BuiltinVectors);
    check(&["pair_similarity"], |input| alike_or_opposed(input, &model, alike));
}

#[test]
fn similarity_by_model() {
    check_rows(&["similarity"], |row| {
        let text = |name: &str| row["input"][name].as_str().expect("two texts");
        let (got, bounds) = (f64::from(alike(text("a"), text("b"))), &row["expected"]);
        let below = bounds["lt"].as_f64().is_none_or(|most| got < most);
        let above = bounds["gt"].as_f64().is_none_or(|least| got > least);
        let equal = bounds["eq"].as_f64().is_none_or(|exactly| (got - exactly).abs() < 1e-6);
        (!(below && above && equal)).then(|| format!("{got}, expected {bounds}"))
    });
}
