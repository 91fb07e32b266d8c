//! The probes of the shared case files on reports: numbers, citations, contradictions.

use rebuttal_detect::Reader;
use rebuttal_detect::reports::{ContradictionOptions, Coverage, contradictions};
use rebuttal_model::{AgentId, Contradiction, Report};
use rebuttal_text::{Reading, Value as Amount};
use serde_json::Value;

use crate::probes::check_rows;

fn between(texts: &[&str]) -> Vec<Contradiction> {
    let report =
        |(at, text): (usize, &&str)| Report::new(AgentId::new(format!("agent {at}")), *text);
    let reports: Vec<Report> = texts.iter().enumerate().map(report).collect();
    contradictions(&reports, &ContradictionOptions::default(), Reader::Rules)
}

/// Rows that describe their reports, as reports.
fn described(words: &str) -> Option<Vec<&'static str>> {
    Some(match words {
        "-2.5 vs +2.5, same metric" => vec!["GDP growth was -2.5 %.", "GDP growth was +2.5 %."],
        "seed example .10% vs .12%" => vec![
            "Qatar unemployment is [Per extraction: '0.10%' from GCC-STAT Q1-2024]",
            "Qatar unemployment is [Per extraction: '0.12%' from World Bank 2024]",
        ],
        "unemployment .10% vs female participation 58.2%" => {
            vec!["Unemployment in Qatar is 0.10 %.", "Female participation in Qatar is 58.2 %."]
        }
        "improving vs declining" => {
            vec!["The labour market is improving.", "The labour market is declining."]
        }
        "identical reports with two cited figures" => {
            vec!["Unemployment is 0.10 % [1] and inflation 2.3 % [2]."; 2]
        }
        "3 agreeing agents" => vec!["Unemployment is 0.10 %."; 3],
        _ => return None,
    })
}

fn wrong_about(row: &Value) -> Option<String> {
    let texts = match &row["input"] {
        Value::String(words) => described(words),
        Value::Array(texts) => texts.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let found = between(&texts.unwrap_or_else(|| panic!("unknown input {}", row["input"])));
    let expected = &row["expected"];
    let count = found.len() as u64;
    let plain = expected.as_str().and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let fact = |key: &str| expected.get(key);
    let number = |key: &str| fact(key).and_then(Value::as_u64);
    let text = |key: &str| fact(key).and_then(Value::as_str);
    let first = found.first();
    let difference = first.and_then(|it| it.relative_difference);
    let right = plain.or(number("count")).is_none_or(|it| it == count)
        && number("count_ge").is_none_or(|it| count >= it)
        && (fact("skip") != Some(&Value::Bool(true)) || count == 0)
        && text("severity").is_none_or(|it| first.is_some_and(|c| c.severity.as_str() == it))
        && text("metric").is_none_or(|it| first.is_some_and(|c| c.metric_name == it))
        && text("resolution").is_none_or(|_| first.is_some_and(|c| c.apart.is_some()))
        && fact("relative_difference")
            .and_then(Value::as_f64)
            .is_none_or(|it| difference.is_some_and(|difference| (difference - it).abs() < 0.01));
    (!right).then(|| format!("expected {expected}, got {found:#?}"))
}

#[test]
fn report_contradictions() {
    check_rows(&["report_contradiction"], wrong_about);
}

#[test]
fn opposite_outlooks() {
    check_rows(&["report_sentiment", "contradiction_cross"], |row| {
        let input = &row["input"];
        let text = |at: usize, key: &str| input.get(at).or(input.get(key)).and_then(Value::as_str);
        let found = between(&[text(0, "a").unwrap(), text(1, "b").unwrap()]);
        let expected = row["expected"] == "contradiction";
        (found.is_empty() == expected).then(|| format!("expected {expected}, got {found:#?}"))
    });
}

#[test]
fn numbers() {
    check_rows(&["number_tokens", "number_value"], |row| {
        let input = row["input"].as_str().unwrap();
        let found = Reading::new(input).quantities();
        let texts: Vec<&str> = found.iter().filter_map(|it| it.span.of(input)).collect();
        let expected = &row["expected"];
        let right = match &expected["eq"] {
            Value::Array(wanted) => {
                texts.iter().copied().eq(wanted.iter().map(|it| it.as_str().unwrap()))
            }
            Value::Number(wanted) => {
                found.first().map(|it| it.value) == wanted.as_f64().map(Amount::Exact)
            }
            _ => expected["count"].as_u64() == Some(found.len() as u64),
        };
        (!right).then(|| format!("expected {expected}, got {texts:?}"))
    });
}

/// Whether a figure is cited; the ids that one system asks for are its own business.
#[test]
fn cited_numbers() {
    check_rows(&["citation_enforce"], |row| {
        let input = row["input"].as_str().unwrap();
        let report = Report::new(AgentId::new("a"), input);
        let coverage = Coverage::of(&report);
        let expected = &row["expected"];
        let numbers: Vec<&str> = Reading::new(input)
            .figures()
            .iter()
            .filter_map(|it| it.quantity.span.of(input))
            .collect();
        let count = |key: &str| expected[key].as_u64();
        let listed = expected["numbers"].as_array();
        let right = count("total").is_none_or(|it| it == coverage.figures as u64)
            && count("cited").is_none_or(|it| it == coverage.cited() as u64)
            && listed.is_none_or(|it| {
                numbers.iter().copied().eq(it.iter().map(|it| it.as_str().unwrap()))
            });
        (!right).then(|| format!("expected {expected}, got {numbers:?} {coverage:?}"))
    });
}

#[test]
fn share_of_cited_numbers() {
    check_rows(&["confidence_citation"], |row| {
        let count = |key: &str| usize::try_from(row["input"][key].as_u64().unwrap()).unwrap();
        let (figures, cited) = (count("total"), count("cited"));
        let uncited = vec![rebuttal_model::Span::default(); figures - cited];
        let share = Coverage { figures, uncited }.share() * 100.0;
        let expected = row["expected"]["eq"].as_f64().unwrap();
        ((share - expected).abs() > 1e-9).then(|| format!("{share}, expected {expected}"))
    });
}

/// A share that is written as a number is the percentage it stands for. `percent_range` and the
/// `confidence_*` rows score a verifier's answer, for which there is no counterpart here.
#[test]
fn shares_and_percentages() {
    check_rows(&["percent_normalize"], |row| {
        let value = row["input"].get("value").unwrap_or(&row["input"]);
        let said = |value: String| format!("The share of exports in Togo was {value} in 2023.");
        let texts = [said(value.to_string()), said(format!("{} %", row["expected"]["approx"]))];
        let found = between(&[&texts[0], &texts[1]]);
        found.first().map(|found| found.explanation.clone())
    });
}
