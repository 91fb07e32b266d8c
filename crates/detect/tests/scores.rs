//! Scores against the shared cases, where they are at hand, and against flips of our own.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails loudly, and says when it was skipped"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use rebuttal_detect::beliefs::{BeliefOptions, Link, LinkKind, Network, Node};
use rebuttal_detect::scores::{
    AgentConsistencyScore, CalibrationBucket, ConsistencyClass, Degree, DomainCalibration,
    FlipSummary, HeldDegree, Temperature, Volatility, change, consistency_batch, contested,
    convergence, detect_domain, elo_changes, elo_diff, elo_expected, elo_in_domain, elo_new,
    format_flip_for_ui, influencers, is_stable, pivots, problem_domains, stability, susceptibility,
};
use rebuttal_model::{
    Acknowledgment, AgentId, Cause, Confidence, Flip, FlipId, FlipKind, Method, Position, Span,
    Stance, Whose,
};
use rebuttal_text::Reading;
use serde_json::{Value, json};

/// The rows of these areas, or none where the folder is not at hand.
fn rows(areas: &[&str]) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let mut found = Vec::new();
    for file in ["adversarial.jsonl", "upstream_expectations.jsonl"] {
        let path = root.join("cases").join(file);
        let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
            println!("skipped: no data at {}", path.display());
            continue;
        };
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        found.extend(rows.filter(|row| areas.contains(&row["area"].as_str().unwrap_or_default())));
    }
    assert!(!found.is_empty() || std::env::var_os("REBUTTAL_SHARED").is_none(), "no {areas:?}");
    println!("{areas:?}: {} rows", found.len());
    found
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Compares a number with what a row expects of it.
fn is(row: &Value, found: f64) {
    let expected = row["expected"].as_object().expect("facts");
    for (fact, bound) in expected {
        let bound = number(bound);
        let holds = match fact.as_str() {
            "eq" | "error_approx" | "score" => (found - bound).abs() < 1e-9,
            "approx" => (found - bound).abs() < 1e-6,
            "lt" => found < bound,
            "le" => found <= bound,
            "ge" => found >= bound,
            other => panic!("unknown expectation {other}"),
        };
        assert!(holds, "{found} in {row}");
    }
}

fn agent(name: &str) -> AgentId {
    AgentId::new(name)
}

fn kind(name: &str) -> FlipKind {
    let named = FlipKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    named.unwrap_or_else(|| panic!("no kind {name}"))
}

/// A flip found at a time.
fn flip(who: &str, kind: FlipKind, at: Timestamp) -> Flip {
    let position = |claim: &str, seconds| {
        Position::new(agent(who), claim, at - SignedDuration::from_secs(seconds))
    };
    let (before, after) = (position("X is good.", 60), position("X is bad.", 0));
    let span = Span::new(0, 4);
    Flip {
        id: FlipId::of(&before.id, &after.id),
        before,
        after,
        kind,
        similarity: 0.65,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        acknowledgment: Acknowledgment::Silent,
        acknowledged_in: None,
        before_span: span,
        after_span: span,
        cause: Cause::NoneVisible,
        because: None,
        toward: Stance::Unclear,
        explanation: String::new(),
        detected_at: at,
    }
}

fn now() -> Timestamp {
    "2026-01-30T20:03:00Z".parse().expect("a time")
}

#[test]
fn consistency_score_and_flip_rate() {
    for row in rows(&["consistency_score"]) {
        let count = |name: &str| row["input"][name].as_u64().expect("a count");
        let mut score = AgentConsistencyScore::new(agent("a"), count("total_positions"));
        score.contradictions = count("contradictions");
        score.retractions = count("retractions");
        score.qualifications = count("qualifications");
        score.refinements = count("refinements");
        is(&row, score.consistency_score());
    }
    for row in rows(&["flip_rate"]) {
        let count = |name: &str| row["input"][name].as_u64().expect("a count");
        let mut score = AgentConsistencyScore::new(agent("a"), count("total_positions"));
        score.total_flips = count("total_flips");
        is(&row, score.flip_rate());
    }
    for row in rows(&["consistency_class"]) {
        let class = ConsistencyClass::of(number(&row["input"]["consistency_score"]));
        assert_eq!(row["expected"]["class"], class.as_str(), "{row}");
    }
}

#[test]
fn consistency_of_many() {
    for row in rows(&["consistency_batch"]) {
        let query = row["input"]["query"].as_array().expect("names");
        let names: Vec<AgentId> =
            query.iter().map(|name| agent(name.as_str().expect("a name"))).collect();
        let empty = serde_json::Map::new();
        let positions = row["input"]["positions"].as_object().unwrap_or(&empty);
        let positions: BTreeMap<AgentId, u64> =
            positions.iter().map(|(name, n)| (agent(name), n.as_u64().expect("n"))).collect();
        let flipped = row["input"]["flips"].as_object().unwrap_or(&empty);
        let flips: Vec<Flip> = flipped
            .iter()
            .flat_map(|(who, kinds)| kinds.as_array().expect("kinds").iter().map(move |k| (who, k)))
            .map(|(who, name)| flip(who, kind(name.as_str().expect("a kind")), now()))
            .collect();
        let found = json!(consistency_batch(&names, &positions, &flips));
        let expected = row["expected"].as_object().expect("agents");
        if let Some(exactly) = expected.get("eq") {
            assert_eq!(&found, exactly);
            continue;
        }
        for (name, fields) in expected {
            for (field, value) in fields.as_object().expect("fields") {
                assert_eq!(&found[name][field], value, "{name}.{field}");
            }
        }
    }
}

#[test]
fn summaries() {
    for row in rows(&["flip_summary"]) {
        let input = &row["input"];
        let flips: Vec<Flip> = if let Some(ages) = input["ages_h"].as_array() {
            let ages = ages.iter().map(|age| SignedDuration::from_hours(age.as_i64().expect("h")));
            ages.map(|age| flip("a", FlipKind::Contradiction, now() - age)).collect()
        } else {
            let given = input["flips"].as_array().expect("flips").iter();
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            given.map(|given| flip(&text(&given[0]), kind(&text(&given[1])), now())).collect()
        };
        let found = json!(FlipSummary::of(&flips, now()));
        for (field, value) in row["expected"].as_object().expect("fields") {
            assert_eq!(&found[field], value, "{field} in {row}");
        }
    }
}

#[test]
fn a_zone_and_a_clock_ahead_do_not_matter() {
    let east: Timestamp = "2026-01-31T05:00:00+10:00".parse().expect("a time");
    let ahead = now() + SignedDuration::from_secs(5);
    let edge = now() - SignedDuration::from_hours(24);
    let flips = [east, ahead, edge].map(|at| flip("a", FlipKind::Refinement, at));
    let summary = FlipSummary::of(&flips, now());
    assert_eq!((summary.total_flips, summary.recent_24h), (3, 1));
}

#[test]
fn a_card_has_the_seed_s_fields() {
    for row in rows(&["flip_ui"]) {
        let name = row["input"]["flip_type"].as_str().expect("a kind");
        let card = json!(format_flip_for_ui(&flip("a", kind(name), now())));
        assert_eq!(card["type_emoji"], row["expected"]["type_emoji"]);
    }
    let mut flip = flip("claude", FlipKind::Contradiction, now());
    flip.before.confidence = Confidence::new(0.85, Whose::Stated);
    flip.after.confidence = Confidence::new(0.0, Whose::Stated);
    let expected = json!({
        "id": flip.id, "agent": "claude", "type": "contradiction", "type_emoji": "🔄",
        "before": {"claim": "X is good.", "confidence": "85%"},
        "after": {"claim": "X is bad.", "confidence": "0%"},
        "similarity": "65%", "timestamp": "2026-01-30T20:03:00Z",
    });
    assert_eq!(json!(format_flip_for_ui(&flip)), expected);
}

#[test]
fn a_score_from_flips_has_every_field() {
    let at = |seconds| now() + SignedDuration::from_secs(seconds);
    let mut flips = vec![
        flip("claude", FlipKind::Contradiction, at(0)),
        flip("claude", FlipKind::Refinement, at(1)),
        flip("claude", FlipKind::Refinement, at(2)),
        flip("gpt4", FlipKind::Retraction, at(3)),
    ];
    for (flip, domain) in flips.iter_mut().zip(["law", "tax", "tax"]) {
        flip.after.domain = Some(domain.to_owned());
    }
    flips[0].before.confidence = Confidence::new(0.9, Whose::Stated);
    flips[1].before.confidence = Confidence::new(0.6, Whose::Stated);
    let score = AgentConsistencyScore::from_flips(agent("claude"), 4, &flips);
    let expected = json!({
        "agent_name": "claude", "total_positions": 4, "total_flips": 3, "contradictions": 1,
        "refinements": 2, "retractions": 0, "qualifications": 0, "avg_confidence_on_flip": 0.75,
        "domains_with_flips": ["tax", "law"], "consistency_score": 0.7, "flip_rate": 0.75,
    });
    assert_eq!(json!(score), expected);
}

#[test]
fn who_gives_way_to_what() {
    let at = |seconds| now() + SignedDuration::from_secs(seconds);
    let mut positions: Vec<Position> =
        (0..4).map(|n| Position::new(agent("a"), format!("Claim {n}."), at(n))).collect();
    for (position, shown) in positions.iter_mut().zip([Cause::Insistence, Cause::Insistence]) {
        position.exposed_to = vec![shown, Cause::NewEvidence];
    }
    let mut moved = flip("a", FlipKind::Contradiction, at(1));
    moved.after = positions[1].clone();
    moved.cause = Cause::Insistence;
    // A second old position given up by the same new one is the same exposure.
    let again = Flip { before: positions[0].clone(), ..moved.clone() };
    let found = susceptibility(&positions, [&moved, &again]);
    let found = &found[&agent("a")];
    let counts = |cause| (found.by_cause[&cause].count, found.by_cause[&cause].of);
    assert_eq!(counts(Cause::Insistence), (1, 2));
    assert_eq!(counts(Cause::NewEvidence), (0, 2));
    assert_eq!(counts(Cause::NoneVisible), (0, 2));
    assert_eq!((found.overall.count, found.overall.of), (1, 2));
    assert_eq!(json!(found)["by_cause"]["insistence"]["value"], 0.5);
}

#[test]
fn both_ways_is_contested_one_way_is_not() {
    let turn = |who: &str, before, after| {
        let mut flip = flip(who, FlipKind::Contradiction, now());
        (flip.before.stance, flip.after.stance) = (before, after);
        flip
    };
    let flips = [
        ("both", turn("a", Stance::Yes, Stance::No)),
        ("both", turn("b", Stance::No, Stance::Yes)),
        ("both", turn("c", Stance::No, Stance::Unclear)),
        ("settled", turn("a", Stance::Yes, Stance::No)),
        ("settled", turn("b", Stance::Yes, Stance::No)),
        ("settled", turn("c", Stance::Yes, Stance::Unclear)),
    ];
    let holders = BTreeMap::from([("both", 4), ("settled", 4)]);
    let found = contested(&holders, flips.iter().map(|(key, flip)| (*key, flip)));
    assert_eq!((found[0].key, found[0].towards, found[0].away), ("both", 2, 1));
    assert!(found[0].score > 0.0 && found[1].score.abs() < 1e-12, "{found:?}");
    assert_eq!(found[1].flipped.count, 3);
}

#[test]
fn one_flip_of_one_position_is_not_the_worst_field() {
    let mut positions = Vec::new();
    let mut flips = Vec::new();
    for (domain, many, flipped) in [("rare", 1, 1), ("bad", 40, 30), ("good", 40, 1)] {
        for n in 0..many {
            let at = now() + SignedDuration::from_secs(n);
            let mut flip = flip(domain, FlipKind::Contradiction, at);
            flip.after.domain = Some(domain.to_owned());
            positions.push(flip.after.clone());
            if n < flipped {
                flips.push(flip);
            }
        }
    }
    let found = problem_domains(&positions, &flips);
    let order: Vec<&str> = found.iter().map(|field| field.domain.as_str()).collect();
    assert_eq!(order, ["bad", "rare", "good"]);
    assert!((found[0].weighted_rate - 0.75).abs() < 1e-12 && found[0].agents == 1);
}

#[test]
fn elo() {
    for row in rows(&["elo_expected"]) {
        is(&row, elo_expected(number(&row["input"][0]), number(&row["input"][1])));
    }
    for row in rows(&["elo_diff"]) {
        match elo_diff(number(&row["input"])) {
            Ok(found) => is(&row, found),
            Err(error) => {
                let part = row["expected"]["error"].as_str().expect("an error");
                assert!(error.to_string().contains(part), "{error}");
            }
        }
    }
    for row in rows(&["elo_new"]) {
        let field = |name: &str| number(&row["input"][name]);
        let k = row["input"]["k"].as_f64().unwrap_or(rebuttal_detect::scores::ELO_K);
        is(&row, elo_new(field("rating"), field("expected"), field("actual"), k));
    }
    for row in rows(&["elo_domain"]) {
        let change = number(&row["input"]["change"]);
        is(&row, elo_in_domain(row["input"]["domain_elo"].as_f64(), change));
    }
    for row in rows(&["elo_pairwise"]) {
        let scores = row["input"]["scores"].as_object().expect("scores");
        let scores: BTreeMap<AgentId, f64> =
            scores.iter().map(|(name, score)| (agent(name), number(score))).collect();
        let elo = scores.keys().map(|name| (name.clone(), number(&row["input"]["elo"]))).collect();
        let weight = row["input"]["confidence_weight"].as_f64().unwrap_or(1.0);
        let found = elo_changes(&elo, &scores, weight).expect("rated");
        for (name, change) in row["expected"].as_object().expect("agents") {
            assert!((found[&agent(name)] - number(change)).abs() < 1e-9, "{found:?} in {row}");
        }
    }
}

#[test]
fn calibration() {
    for row in rows(&["calibration_bucket"]) {
        let input = &row["input"];
        let bucket = CalibrationBucket {
            start: number(&input["start"]),
            end: number(&input["end"]),
            predictions: input["n"].as_u64().expect("n"),
            correct: input["correct"].as_u64().expect("correct"),
        };
        let error = number(&row["expected"]["error_approx"]);
        assert!((bucket.error() - error).abs() < 1e-9, "{row}");
        assert!(row["expected"]["key"].as_str().is_none_or(|key| key == bucket.key()), "{row}");
    }
    for row in rows(&["domain_calibration"]) {
        let field = DomainCalibration {
            predictions: row["input"]["n"].as_u64().expect("n"),
            correct: 0,
            brier_sum: row["input"]["brier_sum"].as_f64().unwrap_or(0.0),
        };
        assert!((field.score() - number(&row["expected"]["score"])).abs() < 1e-9, "{row}");
        let accuracy = row["expected"]["accuracy"].as_f64();
        assert!(
            accuracy.is_none_or(|expected| (field.accuracy() - expected).abs() < 1e-9),
            "{row}"
        );
    }
    for row in rows(&["temperature_scale"]) {
        is(&row, Temperature::new(number(&row["input"][1])).scale(number(&row["input"][0])));
    }
}

fn degree(value: &Value) -> Degree {
    serde_json::from_value(value.clone()).expect("a degree")
}

fn degrees(value: &Value) -> Vec<Degree> {
    value.as_array().expect("degrees").iter().map(degree).collect()
}

#[test]
fn positions_on_a_scale() {
    for row in rows(&["pivot"]) {
        let held: Vec<HeldDegree> =
            degrees(&row["input"]).into_iter().map(HeldDegree::from).collect();
        let found = pivots(&held);
        let kinds: Vec<&str> = found.iter().map(|pivot| pivot.kind.as_str()).collect();
        let expected = row["expected"]["type"].as_str().unwrap_or("reversal");
        assert!(row["expected"] == "1 reversal" || row["expected"].is_object(), "{row}");
        assert_eq!(kinds, [expected], "{row}");
    }
    for row in rows(&["position_convergence"]) {
        is(&row, convergence(&degrees(&row["input"])).expect("agents"));
    }
    for row in rows(&["position_stability"]) {
        let of = |at: usize| {
            let name = row["expected"]["higher"][at].as_str().expect("a name");
            stability(&degrees(&row["input"][name]))
        };
        assert!(of(0) > of(1), "{row}");
    }
    for row in rows(&["stance_from_confidence"]) {
        let agrees = row["input"][1].as_bool().expect("a side");
        let found = Degree::from_confidence(number(&row["input"][0]), agrees);
        assert_eq!(row["expected"]["label"], found.as_str(), "{row}");
    }
    for row in rows(&["stance_from_sentiment"]) {
        let found = Degree::nearest(number(&row["input"]));
        assert_eq!(row["expected"]["label"], found.as_str(), "{row}");
    }
    for row in rows(&["influencers"]) {
        let moved = vec![
            HeldDegree::from(Degree::Neutral),
            HeldDegree { degree: Degree::Agree, influenced_by: vec![agent("claude")] },
        ];
        let found = influencers([moved.as_slice(), moved.as_slice()]);
        assert_eq!(json!(found), row["expected"], "{row}");
    }
}

#[test]
fn changes_and_volatility() {
    for row in rows(&["position_change"]) {
        let decision = |name: &str| {
            let given = &row["input"][name];
            (given[0].as_str().expect("an action"), number(&given[1]))
        };
        let found = change(decision("before"), decision("after"));
        let expected = row["expected"]["type"].as_str();
        assert_eq!(found.map(|change| change.kind.as_str()), expected, "{row}");
        let delta = row["expected"]["delta"].as_f64().zip(found);
        assert!(delta.is_none_or(|(delta, found)| (found.delta - delta).abs() < 1e-9), "{row}");
    }
    for row in rows(&["stance_stable"]) {
        assert_eq!(row["expected"]["eq"], is_stable(number(&row["input"])), "{row}");
    }
    for row in rows(&["stance_volatility"]) {
        let read = |text: &Value| Reading::new(text.as_str().expect("text")).stance(None).stance;
        let rounds: Vec<BTreeMap<AgentId, Stance>> = row["input"]
            .as_array()
            .expect("rounds")
            .iter()
            .map(|round| round.as_object().expect("agents"))
            .map(|round| round.iter().map(|(name, text)| (agent(name), read(text))).collect())
            .collect();
        let found = Volatility::of(&rounds);
        assert!(found.changes >= row["expected"]["changes_ge"].as_u64().expect("n"), "{found:?}");
        assert_eq!(row["expected"]["responses"], found.responses, "{found:?}");
    }
    for row in rows(&["position"]) {
        // The ledger refuses such a confidence; what a detector computes is pulled into range.
        let given = number(&row["input"]["confidence"]);
        assert_eq!(Confidence::new(given, Whose::Stated), None);
        let found = Confidence::detector(given).value();
        assert_eq!(row["expected"]["confidence"], found, "{row}");
    }
}

#[test]
fn domains() {
    for row in rows(&["domain"]) {
        let found = detect_domain(row["input"].as_str().expect("a text")).unwrap_or("none");
        let allowed = row["expected"].as_str().expect("names").split('/').any(|name| name == found);
        assert!(allowed, "{found} in {row}");
    }
}

#[test]
fn beliefs() {
    for row in rows(&["belief"]) {
        let node = |id: &str| Node {
            id: id.to_owned(),
            text: None,
            prior: row["input"][id].as_f64().unwrap_or(0.6),
        };
        let strength = row["input"]["A supports B"].as_f64().unwrap_or(1.0);
        let kind = LinkKind::Supports;
        let link = Link { from: "A".into(), to: "B".into(), kind, strength };
        let network = Network::new(vec![node("A"), node("B")], vec![link]).expect("a network");
        let options = BeliefOptions::default();
        if let Some(expected) = row["expected"].as_f64() {
            let evidence = network.evidence(&[("A", false)]).expect("known");
            let found = network.infer(&evidence, &options).expect("possible");
            assert!(
                (found.at(network.find("A").expect("known")) - expected).abs() < 1e-12,
                "{row}"
            );
            continue;
        }
        let found = network.infer(&network.evidence(&[]).expect("none"), &options).expect("infers");
        for (id, expected) in row["expected"].as_object().expect("claims") {
            let found = found.at(network.find(id).expect("known"));
            assert!((found - number(expected)).abs() < 1e-3, "{id}: {found} in {row}");
        }
    }
}
