//! Every probe of the shared case files that the trickster's policy answers.
//!
//! Rows that begin with texts are answered where texts are read, beside the detectors; two rows are
//! not ours, and stand in [`contested`].

use std::collections::BTreeMap;
use std::path::PathBuf;

use rebuttal_model::{
    BreakpointAnswer, HollowAlert, Intervention, InterventionKind as Kind, PanelRole, Quality,
    RoundAnalysis, TricksterConfig,
};
use rebuttal_policy::roles;
use rebuttal_policy::trickster::breakpoint::{Critique, Standing, Triggers, trigger};
use rebuttal_policy::trickster::{
    Adjusted, Allowance, CalibrationSettings, DebateOutcome, calibrate, missing, sensitivity_of,
    targets, threshold_of,
};
use serde_json::{Value, json};

use crate::kit::{chosen, done, echo, gap, id, panel, quality, round};

/// The rows of a case file, or none where the folder is not at hand.
fn rows(file: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("cases").join(file);
    let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A row that expects what we hold to be wrong, or what is not part of this program.
fn contested(row: &Value) -> bool {
    let contested = row["note"].as_str().is_some_and(|note| note.starts_with("CONTESTED"));
    // A role that we do not have.
    contested || row["expected"].to_string().contains("lateral_thinker")
}

/// Asks what is wrong about each row of an area, and fails with all answers. `None` for a row that
/// is answered elsewhere. At least `least` rows must be answered if any file is there.
fn check(area: &str, least: usize, wrong: impl Fn(&Value) -> Option<Option<String>>) {
    let all: Vec<Value> =
        rows("adversarial.jsonl").into_iter().chain(rows("upstream_expectations.jsonl")).collect();
    let own = all.iter().filter(|row| row["area"] == area && !contested(row));
    let answers: Vec<(&Value, Option<String>)> =
        own.filter_map(|row| Some((row, wrong(row)?))).collect();
    assert!(all.is_empty() || answers.len() >= least, "{} rows of {area}", answers.len());
    let wrong: Vec<String> = answers
        .iter()
        .filter_map(|(row, wrong)| Some(format!("{} → {}", row["input"], wrong.as_ref()?)))
        .collect();
    println!("{area}: {} rows", answers.len());
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), answers.len(), wrong.join("\n"));
}

fn differs<T: PartialEq + std::fmt::Debug>(got: &T, expected: &T) -> Option<String> {
    (got != expected).then(|| format!("{got:?}, expected {expected:?}"))
}

fn far(got: f64, expected: &Value) -> Option<String> {
    let expected = expected.as_f64().unwrap();
    ((got - expected).abs() > 1e-9).then(|| format!("{got}, expected {expected}"))
}

fn config() -> TricksterConfig {
    TricksterConfig::default()
}

fn whole(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn settings_thresholds_and_severity() {
    check("trickster_config", 1, |row| {
        let sensitivity = sensitivity_of(config().hollow_detection_threshold);
        let mut ours = serde_json::to_value(config()).unwrap();
        ours["sensitivity"] = json!((sensitivity * 1e9).round() / 1e9);
        let expected = row["expected"].as_object().unwrap();
        Some(expected.iter().find_map(|(name, value)| {
            far(ours[name].as_f64()?, value).map(|wrong| format!("{name}: {wrong}"))
        }))
    });
    check("trickster_threshold", 4, |row| {
        let got = threshold_of(row["input"]["sensitivity"].as_f64().unwrap());
        Some(far(got, &row["expected"]["approx"]))
    });
    check("hollow_severity", 1, |row| {
        let part = |name: &str| row["input"][name].as_f64().unwrap();
        let (quality, alike) = (part("avg_quality"), part("similarity"));
        let got = HollowAlert::raw_severity_of(quality, alike, part("variance"));
        Some(far(got, &row["expected"]["approx"]))
    });
}

#[test]
fn limits() {
    check("trickster_cooldown", 1, |row| {
        let input = &row["input"];
        let cooldown = whole(&input["cooldown"]);
        let config = TricksterConfig { intervention_cooldown_rounds: cooldown, ..config() };
        let past = [done(Kind::Challenge, whole(&input["last"]))];
        let left = Allowance::after(&config, &past, whole(&input["round"]));
        Some(differs(&Some(left != Allowance::NONE), &row["expected"]["recorded"].as_bool()))
    });
    check("trickster_limit", 2, |row| {
        let Some(most) = row["input"]["max"].as_u64() else {
            // Twenty rounds of the same unsupported claim.
            let mut past: Vec<Intervention> = Vec::new();
            for number in 0..20 {
                let mut analysis = round(number, 1.0, &[("a", 0.0), ("b", 0.0)]);
                analysis.gaps = vec![gap("It is the best way.", &["a", "b"])];
                past.extend(chosen(&config(), &analysis, &past, 20 - number));
            }
            let expected = row["expected"].as_str().unwrap();
            return Some(differs(&format!("{} interventions", past.len()).as_str(), &expected));
        };
        let config =
            TricksterConfig { max_interventions_total: u32::try_from(most).unwrap(), ..config() };
        let past: Vec<_> =
            (0..whole(&row["input"]["total"])).map(|at| done(Kind::Challenge, at)).collect();
        let left = Allowance::after(&config, &past, 99);
        let recorded = row["expected"]["recorded"].as_bool();
        Some(differs(&Some(left.interventions > 0), &recorded))
    });
}

#[test]
fn targets_and_what_they_lack() {
    check("trickster_targets", 2, |row| {
        let scores = row["input"]["scores"].as_object().unwrap();
        let quality =
            scores.iter().map(|(name, own)| (id(name), quality(own.as_f64().unwrap()))).collect();
        let analysis = RoundAnalysis { quality, ..RoundAnalysis::default() };
        let least = row["input"]["min_quality"].as_f64().unwrap();
        let config = TricksterConfig { min_quality_threshold: least, ..config() };
        let got = json!(targets(&config, &analysis));
        Some(differs(&got, &row["expected"]["targets"]))
    });
    check("evidence_gaps", 1, |row| {
        let part = |name: &str| row["input"][name].as_f64().unwrap();
        let got = missing(&Quality {
            citation_density: part("citation_density"),
            specificity_score: part("specificity"),
            logical_chain_score: part("logical_chain"),
            evidence_diversity: part("diversity"),
            overall: 0.15,
        });
        Some(differs(&json!(got), &row["expected"]["gaps"]))
    });
}

/// The kind of an intervention in the words of the case files.
fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Challenge => "challenge_prompt",
        Kind::Role => "quality_role",
        Kind::ExtraRound => "extended_round",
        Kind::Breakpoint => "breakpoint",
        Kind::EvidenceGap => "evidence_gap",
        Kind::EchoChamber => "echo_chamber",
        Kind::Novelty => "novelty_challenge",
    }
}

/// What a row says of the one intervention there is to be, or of none.
fn one_or_none(got: &[Intervention], expected: &Value) -> Option<String> {
    if expected["none"] == true {
        return differs(&got, &&[][..]);
    }
    let [one] = got else { return Some(format!("{} interventions", got.len())) };
    differs(&Some(named(one.kind)), &expected["type"].as_str())
        .or_else(|| expected["priority"].as_f64().and_then(|own| far(one.priority, &json!(own))))
}

#[test]
fn which_intervention_and_how_much_it_matters() {
    check("trickster_type", 2, |row| {
        let mut analysis = round(9, 0.9, &[("a", 0.3), ("b", 0.3)]);
        let alert = analysis.hollow.as_mut().unwrap();
        alert.severity = row["input"]["severity"].as_f64().unwrap();
        let before = [done(Kind::Role, 1), done(Kind::Challenge, 3)];
        let count = usize::try_from(row["input"]["prior_interventions"].as_u64().unwrap()).unwrap();
        let got = chosen(&config(), &analysis, &before[..count], 2);
        Some(one_or_none(&got, &row["expected"]))
    });
    check("echo_chamber", 2, |row| {
        let redundancy = row["input"]["redundancy"].as_f64()?;
        let mut analysis = round(0, 0.9, &[("a", 0.7), ("b", 0.8)]);
        analysis.echo = Some(echo(redundancy, &["a", "b"]));
        Some(one_or_none(&chosen(&config(), &analysis, &[], 2), &row["expected"]))
    });
    check("novelty_challenge", 2, |row| {
        let scores = row["input"]["scores"].as_object().unwrap();
        // These rows are about agents already known to be stale.
        let config = TricksterConfig { novelty_threshold: 0.35, ..config() };
        let analysis = RoundAnalysis {
            round: whole(&row["input"]["round"]),
            novelty: scores.iter().map(|(name, own)| (id(name), own.as_f64().unwrap())).collect(),
            ..RoundAnalysis::default()
        };
        Some(one_or_none(&chosen(&config, &analysis, &[], 2), &row["expected"]))
    });
}

#[test]
fn panels_that_are_left_alone() {
    // These rows give texts; what the policy makes of them turns on the likeness they state.
    check("trickster", 2, |row| {
        let alike = row["input"]["similarity"].as_f64().unwrap();
        let analysis = round(0, alike, &[("agent1", 0.1), ("agent2", 0.1)]);
        Some(one_or_none(&chosen(&config(), &analysis, &[], 2), &row["expected"]))
    });
}

#[test]
fn sensitivity_is_learned() {
    let learn = |sensitivity: f64, step: f64, outcomes: &[DebateOutcome]| {
        let settings =
            CalibrationSettings { step, min_samples: 10, ..CalibrationSettings::default() };
        let current = BTreeMap::from([("general".to_owned(), sensitivity)]);
        calibrate(&settings, &current, outcomes).remove(0)
    };
    let debates = |count: usize, intervened: bool, succeeded: bool| {
        vec![DebateOutcome { domain: String::new(), intervened, succeeded }; count]
    };
    check("trickster_calibrate", 3, |row| {
        let input = &row["input"];
        if input.is_string() {
            let outcomes = [debates(10, true, true), debates(10, false, false)].concat();
            return Some(differs(&learn(0.5, 0.05, &outcomes).adjusted, &Adjusted::Raised));
        }
        if let Some(set) = input["set"].as_f64() {
            let got = CalibrationSettings::default().bounded(set);
            return Some(far(got, &row["expected"]["eq"]));
        }
        let (before, step) = (input["sensitivity"].as_f64().unwrap(), input["step"].as_f64());
        let got = learn(before, step.unwrap(), &debates(10, false, false)).sensitivity;
        let least = row["expected"]["new_sensitivity_gt"].as_f64().unwrap();
        Some((got <= least).then(|| format!("{got}, expected more than {least}")))
    });
    // The contested row the other way round: where all went well, nothing is lowered.
    let all_well = learn(0.7, 0.1, &debates(10, true, true));
    assert_eq!(all_well.adjusted, Adjusted::Kept);
}

#[test]
fn roles_by_round() {
    check("roles", 3, |row| {
        let input = &row["input"];
        let enabled = input["enabled"].as_bool().unwrap_or(true);
        let names: Vec<&str> = input["agents"]
            .as_array()
            .map_or_else(|| vec!["a", "b"], |all| all.iter().filter_map(Value::as_str).collect());
        let round = input["round"].as_u64().map_or(0, |_| whole(&input["round"]));
        let total = input["total"].as_u64().map_or(3, |_| whole(&input["total"]));
        let got = roles::assign(&panel(&names), round, total, enabled);
        let expected = row["expected"].get("eq").unwrap_or(&row["expected"]);
        Some(differs(&json!(got), expected))
    });
    check("roles_schedule", 1, |row| {
        let got = roles::schedule(&panel(&["claude"]), whole(&row["input"]["total"]));
        Some(differs(&json!(got), &row["expected"]["eq"]))
    });
    // What is left of the row with a role that we do not have.
    let first = roles::assign(&panel(&["a", "b", "c"]), 0, 5, true);
    assert_eq!(first[&id("a")], PanelRole::Analyst);
    assert_eq!(first[&id("b")], PanelRole::Skeptic);
}

#[test]
fn further_reasons_to_ask_a_person() {
    check("breakpoint", 5, |row| {
        let input = &row["input"];
        let list = |name: &str| input[name].as_array().cloned().unwrap_or_default();
        let messages = list("messages");
        let mut texts: Vec<&str> = messages.iter().filter_map(Value::as_str).collect();
        texts.extend(input.as_str());
        let shares = list("critique_severities");
        let mut critiques: Vec<Critique> =
            shares.iter().filter_map(|own| Some(Critique::Share(own.as_f64()?))).collect();
        critiques.extend(input["critique_severity_0_10"].as_f64().map(Critique::OfTen));
        let standing = Standing {
            confidence: input["confidence"].as_f64(),
            round: input["round"].as_u64().map_or(1, |_| whole(&input["round"])),
            max_rounds: input["max_rounds"].as_u64().map(|_| whole(&input["max_rounds"])),
            critiques: &critiques,
            messages: &texts,
            ..Standing::default()
        };
        let got = trigger(&Triggers::default(), &standing);
        let name = got.map_or(json!("none"), |got| json!(got));
        let expected = row["expected"].get("trigger").unwrap_or(&row["expected"]);
        let level = row["expected"]["escalation"].as_u64();
        Some(differs(&name, expected).or_else(|| {
            let own = got.map(|got| u64::from(got.escalation()));
            level.and_then(|level| differs(&own, &Some(level)))
        }))
    });
    check("breakpoint_defaults", 1, |row| {
        let ours = Triggers::default();
        let (minutes, answer) = ours.timeout();
        let mut got = serde_json::to_value(ours).unwrap();
        got["timeout_minutes"] = json!(minutes);
        let expected = row["expected"].as_object().unwrap();
        let numbers = expected.iter().filter(|(_, value)| value.is_number());
        let mut wrong = numbers.filter_map(|(name, value)| {
            Some(format!("{name}: {}", far(got[name].as_f64()?, value)?))
        });
        Some(wrong.next().or_else(|| {
            let word = row["expected"]["auto_timeout_action"].as_str();
            differs(&word.and_then(|word| word.parse().ok()), &Some(answer))
                .or_else(|| differs(&answer, &BreakpointAnswer::Continue))
        }))
    });
}
