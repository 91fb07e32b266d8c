//! The shared cases about evidence and about panels.
//!
//! Left out are rows on internals that have no counterpart here: the strength of a link by distance
//! (`strong_link`), cut-offs of a report page (`diversity_converging`, `evidence_converging`), a
//! normalisation that drops "[1]" and "40%" (`normalize_evidence`, contested), and the rows on what is
//! done about an alert, which the policy's tests answer.

use rebuttal_detect::evidence::{self, Evidence, ItemKind, seed::SeedQuality};
use rebuttal_detect::panel::{self, Said, analyze_round, novelty_of};
use rebuttal_model::{AgentId, QualityWeights, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::BuiltinEncoder;
use serde_json::Value;

use super::probes::check_rows;

/// The year that the rows were written in.
const NOW: i32 = 2026;

fn read(text: &str) -> Evidence {
    evidence::read(text, &QualityWeights::default())
}

fn overall(text: &Value) -> f64 {
    read(text.as_str().unwrap_or_default()).quality.overall
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// A panel of one round, and what its agents said in the round before.
fn panel(now: &[(String, String)], before: &[(String, String)]) -> RoundAnalysis {
    let ids = |texts: &[(String, String)]| -> Vec<AgentId> {
        texts.iter().map(|(agent, _)| AgentId::new(agent.as_str())).collect()
    };
    let (now_ids, before_ids) = (ids(now), ids(before));
    let said = |ids: &[AgentId], texts: &[(String, String)], round| -> Vec<Said<'static>> {
        ids.iter()
            .zip(texts)
            .enumerate()
            .map(|(at, (agent, (_, text)))| Said {
                agent: Box::leak(Box::new(agent.clone())),
                turn: TurnId::new(at),
                round,
                text: Box::leak(text.clone().into_boxed_str()),
                answer: None,
            })
            .collect()
    };
    let (now, before) = (said(&now_ids, now, 1), said(&before_ids, before, 0));
    analyze_round(&now, &before, &BuiltinEncoder, &TricksterConfig::default())
}

/// The texts of an object, by agent.
fn texts(object: &Value) -> Vec<(String, String)> {
    let pair = |(agent, text): (&String, &Value)| Some((agent.clone(), text.as_str()?.to_owned()));
    object.as_object().map(|object| object.iter().filter_map(pair).collect()).unwrap_or_default()
}

fn both(a: &str, b: &str) -> Vec<(String, String)> {
    vec![("a".to_owned(), a.to_owned()), ("b".to_owned(), b.to_owned())]
}

fn count(evidence: &Evidence, kind: ItemKind) -> usize {
    evidence.of(kind).count()
}

fn claims(evidence: &Evidence) -> usize {
    evidence.claims.iter().filter(|claim| !claim.opinion).count()
}

/// Fails with what was seen.
fn unless(right: bool, seen: impl std::fmt::Debug) -> Option<String> {
    (!right).then(|| format!("{seen:?}"))
}

#[test]
fn evidence_quality() {
    check_rows(&["evidence_quality"], |row| {
        let text = row["input"].as_str().unwrap_or_default();
        let found = read(text);
        let sources = count(&found, ItemKind::Source);
        let right = match row["expected"].as_str() {
            Some("no reasoning connector") => found.quality.logical_chain_score == 0.0,
            Some("no year") => (evidence::freshness(text, NOW) - 0.8).abs() < 1e-9,
            Some("3 claims") => claims(&found) == 3,
            Some("1 claim") => claims(&found) == 1,
            Some("1 citation") => sources == 1,
            Some("0 citation" | "0 citations") => sources == 0,
            Some("citation+quote") => sources == 1 && count(&found, ItemKind::Quotation) == 1,
            Some("no time metric") => count(&found, ItemKind::Data) == 0,
            Some("near 0") => found.quality.overall < 0.05,
            Some("0") => found.quality.overall == 0.0,
            Some(other) => panic!("no such expectation: {other}"),
            None => match row["expected"]["overall_gt"].as_f64() {
                Some(least) => found.quality.overall > least,
                None => found.quality.overall == 0.0 && found.items.is_empty(),
            },
        };
        unless(right, found)
    });
}

#[test]
fn claims_and_citations() {
    check_rows(&["citation_density", "extract_claims"], |row| {
        let found = read(row["input"].as_str()?);
        let expected = row["expected"].get("claim_count").or(row["expected"].get("claims"));
        let right = match expected.and_then(Value::as_u64) {
            Some(expected) => claims(&found) as u64 == expected,
            None => claims(&found) as u64 >= row["expected"]["claims_ge"].as_u64()?,
        };
        unless(right && found.quality.citation_density == 0.0, found)
    });
    check_rows(&["citations"], |row| {
        let text = row["input"].as_str()?;
        let found = read(text);
        let sources: Vec<&str> =
            found.of(ItemKind::Source).filter_map(|item| item.span.of(text)).collect();
        let wanted = row["expected"]["contains"].as_array()?;
        let named = |wanted: &Value| sources.iter().any(|it| it.contains(wanted.as_str().unwrap()));
        unless(wanted.iter().all(named), &sources)
    });
    check_rows(&["is_claim"], |row| {
        let found = read(row["input"].as_str()?);
        let stated = found.claims.iter().any(|claim| !claim.opinion);
        unless(Some(stated) == row["expected"]["eq"].as_bool(), found)
    });
}

#[test]
fn kinds_of_evidence() {
    check_rows(&["evidence_detect"], |row| {
        let found = read(row["input"].as_str()?);
        let kind = match row["expected"]["type"].as_str()? {
            "citation" => ItemKind::Source,
            "data" => ItemKind::Data,
            _ => ItemKind::Example,
        };
        unless(count(&found, kind) as u64 >= row["expected"]["count_ge"].as_u64()?, found)
    });
    check_rows(&["evidence_types"], |row| {
        let found = read(row["input"].as_str()?);
        let kinds = [ItemKind::Source, ItemKind::Data, ItemKind::Example];
        let all = kinds.iter().all(|kind| count(&found, *kind) > 0);
        unless(all && found.quality.evidence_diversity >= 0.4, found)
    });
    check_rows(&["evidence_link"], |row| {
        let found = read(row["input"].as_str()?);
        let linked = found.of(ItemKind::Source).filter(|item| item.claim.is_some()).count();
        let none = row["expected"]["links"] == 0;
        unless(if none { linked == 0 } else { linked >= 1 }, found)
    });
}

#[test]
fn specificity_reasoning_and_time() {
    check_rows(&["specificity"], |row| {
        let found = read(row["input"].as_str()?);
        let score = found.quality.specificity_score;
        let right = match row["expected"]["specificity_eq"].as_f64() {
            Some(expected) => (score - expected).abs() < 0.01,
            None => score < number(&row["expected"]["specificity_lt"]),
        };
        let vague = row["expected"]["vague_count_ge"].as_u64().unwrap_or(0);
        unless(right && count(&found, ItemKind::Vague) as u64 >= vague, found)
    });
    check_rows(&["reasoning"], |row| {
        let found = read(row["input"].as_str()?);
        let score = found.quality.logical_chain_score;
        let right = match row["expected"]["logical_chain_gt"].as_f64() {
            Some(least) => score > least,
            None => score < number(&row["expected"]["logical_chain_lt"]),
        };
        unless(right, found)
    });
    check_rows(&["temporal"], |row| {
        let score = evidence::freshness(row["input"].as_str()?, NOW);
        let expected = &row["expected"];
        let right = expected["temporal_lt"].as_f64().is_none_or(|most| score < most)
            && expected["temporal_gt"].as_f64().is_none_or(|least| score > least)
            && expected["temporal_eq"].as_f64().is_none_or(|eq| (score - eq).abs() < 0.01);
        unless(right, score)
    });
}

#[test]
fn one_above_another() {
    check_rows(&["evidence_rank", "weakest_agent"], |row| {
        let (input, expected) = (&row["input"], &row["expected"]);
        let order = expected.get("higher").or(expected.get("order"));
        let (high, low) = match order {
            Some(order) => (order[0].as_str()?, order[1].as_str()?),
            None => ("strong", expected["weakest"].as_str()?),
        };
        let (high, low) = (overall(&input[high]), overall(&input[low]));
        unless(high > low + 0.2, (high, low))
    });
    check_rows(&["evidence_overall"], |row| {
        let part = |name: &str| number(&row["input"][name]);
        let seed = SeedQuality {
            citation_density: part("citation_density"),
            specificity: part("specificity"),
            diversity: part("diversity"),
            temporal: part("temporal"),
            reasoning: part("reasoning"),
        };
        unless((seed.overall() - number(&row["expected"]["approx"])).abs() < 0.01, seed.overall())
    });
    check_rows(&["net_evidence"], |row| {
        let all = |name: &str| -> Vec<f64> {
            row["input"][name].as_array().map(|all| all.iter().map(number).collect()).unwrap()
        };
        let expected = row["expected"].get("approx").or(row["expected"].get("eq"))?;
        let net = evidence::net(&all("support"), &all("refute"));
        unless((net - number(expected)).abs() < 0.01, net)
    });
}

#[test]
fn hollow_agreement() {
    check_rows(&["hollow_severity"], |row| {
        let part = |name: &str| number(&row["input"][name]);
        let found =
            evidence::severity(part("avg_quality"), part("similarity"), part("variance")).raw;
        unless((found - number(&row["expected"]["approx"])).abs() < 0.01, found)
    });
    let config = TricksterConfig::default();
    check_rows(&["hollow_consensus"], |row| {
        let (input, expected) = (&row["input"], &row["expected"]);
        if expected == "intervention" {
            // Three answers of the kind that the row describes.
            let said = [
                "It generally works well.",
                "It usually works quite well.",
                "It mostly works fine.",
            ];
            let qualities: Vec<f64> = said.iter().map(|text| read(text).quality.overall).collect();
            let found = panel::hollow(&qualities, 0.99, &config);
            return unless(
                found.detected && found.severity > config.hollow_detection_threshold,
                found,
            );
        }
        if expected == "detected" {
            let found = panel(&texts(input), &[]).hollow;
            let acted = found.as_ref().is_some_and(|found| {
                found.detected && found.severity > config.hollow_detection_threshold
            });
            return unless(acted, found);
        }
        let said = texts(&input["responses"]);
        let qualities: Vec<f64> = said.iter().map(|(_, text)| read(text).quality.overall).collect();
        let found = panel::hollow(&qualities, number(&input["similarity"]), &config);
        let told = |reason: &Value| found.reason.contains(reason.as_str().unwrap_or("\0"));
        let right =
            expected["detected"].as_bool().is_none_or(|detected| found.detected == detected)
                && expected.get("reason").is_none_or(told)
                && expected.get("reason_not").is_none_or(|reason| !told(reason))
                && expected["avg_quality_lt"].as_f64().is_none_or(|most| found.avg_quality < most);
        unless(right, found)
    });
}

#[test]
fn agents_beside_each_other() {
    check_rows(&["convergence"], |row| {
        let input = &row["input"];
        if row["expected"] == "reversed" {
            let one = |text: &Value| vec![("a".to_owned(), text.as_str().unwrap().to_owned())];
            let found = panel(&one(&input["current"]), &one(&input["previous"]));
            return unless(found.stability.values().all(|value| *value < 0.4), found.stability);
        }
        let now = texts(&input["current"]);
        let same = input["previous"] == "same";
        let found = panel(&now, &if same { now.clone() } else { texts(&input["previous"]) });
        let lowest = found.stability.values().copied().fold(1.0, f64::min);
        let right = match row["expected"]["status"].as_str() {
            Some("diverging") => lowest < number(&row["expected"]["min_lt"]),
            Some(_) => found.convergence.is_some_and(|all| all > 0.85) && lowest > 0.85,
            None if same => found.convergence.is_some_and(|all| all < 0.4) && lowest > 0.95,
            None => found.convergence.is_none(),
        };
        unless(right, (found.convergence, found.stability))
    });
    check_rows(&["pair_convergence"], |row| {
        let mut said = texts(&row["input"]);
        said.retain(|(agent, _)| agent != "threshold");
        let found = panel(&said, &[]).convergence;
        let least = row["input"]["threshold"].as_f64().unwrap_or(0.7);
        let converged = found.is_some_and(|found| found > least);
        unless(row["expected"]["converged"] == converged, found)
    });
    check_rows(&["argument_diversity"], |_| {
        let found = panel(&both("Caching cuts the load.", "Caching cuts the load."), &[]);
        unless((found.independent_voices - 1.0).abs() < 0.05, found.independent_voices)
    });
    check_rows(&["convergence_words"], |row| {
        let said = panel::in_words(number(&row["input"]));
        unless(said.contains(row["expected"]["contains"].as_str()?), said)
    });
}

#[test]
fn across_proposals() {
    check_rows(&["cross_analysis"], |row| {
        let found = panel(&texts(&row["input"]), &[]);
        unless(found.gaps.is_empty() && found.echo.is_none(), found)
    });
    check_rows(&["evidence_gap"], |row| {
        let said = match row["input"].as_str() {
            Some(claim) => {
                let claim = claim.trim_end_matches(" (both agents)");
                both(claim, claim)
            }
            None => texts(&row["input"]),
        };
        let found = panel(&said, &[]);
        unless(found.gaps.is_empty() == (row["expected"] == "no gap"), found.gaps)
    });
    check_rows(&["echo_chamber", "redundancy", "evidence_overlap"], |row| {
        let (input, expected) = (&row["input"], &row["expected"]);
        let echo = |said: &[(String, String)]| panel(said, &[]).echo;
        let most = TricksterConfig::default().redundancy_threshold;
        match input {
            Value::String(twice) if twice.contains("twice") => {
                let a = "The queue is faster than the table [1]. It also drops no order [1].";
                let b = "A queue beats a table on speed [1]. No order is lost in it [1].";
                let found = echo(&both(a, b));
                unless(found.as_ref().is_some_and(|echo| echo.redundancy > most), found)
            }
            Value::String(_) => {
                let mut said = both(
                    "The queue is faster than the table [1].",
                    "A queue is faster than any table [1].",
                );
                said.push(("c".to_owned(), "Queues are faster than tables [1].".to_owned()));
                let found = echo(&said);
                unless(found.as_ref().is_some_and(|echo| echo.redundancy > 0.5), found)
            }
            // What is done at a given redundancy is the policy's.
            Value::Object(input) if input.contains_key("redundancy") => None,
            input if expected.get("shared_ge").is_some() => {
                let found = echo(&texts(input));
                let shared = found.as_ref().map_or(0, |echo| echo.sources.len());
                unless(shared >= 1, found)
            }
            input => {
                let found = echo(&texts(input));
                unless(found.as_ref().is_none_or(|echo| echo.redundancy <= most), found)
            }
        }
    });
}

#[test]
fn novelty() {
    check_rows(&["novelty"], |row| {
        let (input, expected) = (&row["input"], &row["expected"]);
        if input.get("history").is_some() {
            return unless((novelty_of(std::iter::empty()) - 1.0).abs() < 1e-9, "no history");
        }
        let novelty = input["novelty"]
            .as_f64()
            .unwrap_or_else(|| novelty_of(std::iter::once(number(&input["max_similarity"]))));
        let right = expected["novelty"].as_f64().is_none_or(|eq| (novelty - eq).abs() < 0.01)
            && expected["low"]
                .as_bool()
                .is_none_or(|low| (novelty < number(&input["threshold"])) == low);
        unless(right, novelty)
    });
}
