//! What the fields of a report are called, and how each is read.

use std::fmt;

use rebuttal_model::{Confidence, ProblemKind, Severity, Whose};

use super::words;
use crate::out::excerpt;
use crate::session::Cx;
use crate::value::Value;

pub(super) const AGENT: [&str; 6] = ["agent", "agent_name", "name", "author", "role", "id"];
pub(super) const TEXT: [&str; 6] =
    ["text", "report", "content", "narrative", "analysis", "summary"];
pub(super) const FINDINGS: [&str; 5] =
    ["findings", "claims", "key_findings", "insights", "metrics"];
pub(super) const CONFIDENCE: [&str; 2] = ["confidence", "confidence_score"];
pub(super) const CITATIONS: [&str; 4] = ["citation", "citations", "source", "sources"];
pub(super) const METRIC: [&str; 3] = ["metric", "metric_name", "indicator"];
pub(super) const ENTITY: [&str; 4] = ["entity", "country", "company", "subject"];
pub(super) const PERIOD: [&str; 4] = ["period", "date", "year", "time"];
pub(super) const STAKES: [&str; 2] = ["stakes", "severity"];
pub(super) const FINDING_TEXT: [&str; 4] = ["text", "finding", "claim", "statement"];

/// What a message is about: `report 2 (“labour”)`, `finding 3 of report 2 (“labour”)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'a> {
    pub(super) agent: &'a str,
    /// Counted from 1, like everything people count.
    pub(super) report: usize,
    pub(super) finding: Option<usize>,
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(finding) = self.finding {
            write!(f, "finding {finding} of ")?;
        }
        write!(f, "report {} (“{}”)", self.report, excerpt(self.agent))
    }
}

/// The first of these fields that holds a name, a number or a text; one of another type is
/// reported and passed over.
pub(super) fn label(
    value: Value<'_>,
    keys: &[&str],
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) -> Option<String> {
    keys.iter().find_map(|key| {
        let member = value.get(key).filter(|it| !it.is_null() && !it.is_torn())?;
        let found = member.label().or_else(|| stretch(member));
        if found.is_none() && !member.is_string() {
            let message = format!(
                "the `{key}` of {of} is {}, not a text; it counts as missing",
                member.kind_name()
            );
            cx.problem(ProblemKind::Malformed, member.span(), &message);
        }
        found
    })
}

/// `{"start": "2024-01-01", "end": "2024-03-31"}`, and names given as `{"name": "…"}`.
fn stretch(value: Value<'_>) -> Option<String> {
    let start = value.first(&["start", "from", "name"]).and_then(Value::label)?;
    let end = value.first(&["end", "to"]).and_then(Value::label);
    Some(end.map_or_else(|| start.clone(), |end| format!("from {start} to {end}")))
}

/// How sure the agent says it is: `0.8`, `"80%"` or `{"value":0.8,"whose":"stated"}`. What is none
/// is reported and counts as missing.
pub(super) fn confidence(
    value: Value<'_>,
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) -> Option<Confidence> {
    let given = value.first(&CONFIDENCE).filter(|it| !it.is_torn())?;
    let whose = match given.get("whose").and_then(Value::str).as_deref() {
        Some("detector") => Whose::Detector,
        Some("calibrated") => Whose::Calibrated,
        _ => Whose::Stated,
    };
    let shown = given.get("value").unwrap_or(given);
    let percent = shown.str().and_then(|text| text.trim().strip_suffix('%')?.trim().parse().ok());
    let number = percent.map(|percent: f64| percent / 100.0).or_else(|| shown.number());
    let found = number.and_then(|number| Confidence::new(number, whose));
    if found.is_some() {
        return found;
    }
    let raw = words::one_line(&shown.raw());
    let raw = raw.trim_matches('"');
    let what = excerpt(raw);
    let advice = match number {
        Some(number) if number > 1.0 && number <= 100.0 => {
            format!("if it is percent write {}", number / 100.0)
        }
        _ => "write a number such as 0.85, or leave it out".to_owned(),
    };
    let message =
        format!("the confidence of {of} counts as missing: {what} is not within 0..1; {advice}");
    cx.problem(ProblemKind::Malformed, given.span(), &message);
    None
}

/// How much hangs on a finding.
pub(super) fn stakes(value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) -> Option<Severity> {
    let given = value.first(&STAKES).filter(|it| !it.is_torn())?;
    let found = match given.str().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "info" => Severity::Info,
        "low" | "minor" => Severity::Low,
        "medium" | "moderate" => Severity::Medium,
        "high" | "critical" | "major" | "severe" => Severity::High,
        _ => {
            let shown = given.raw();
            let message = format!(
                "the stakes of {of} count as missing: {} is none of info, low, medium and high",
                excerpt(shown.trim_matches('"'))
            );
            cx.problem(ProblemKind::Malformed, given.span(), &message);
            return None;
        }
    };
    Some(found)
}

/// The sources named in any of the usual fields, each once.
pub(super) fn citations(value: Value<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for member in CITATIONS.iter().filter_map(|key| value.get(key)) {
        let listed = member.items().filter_map(cited);
        let one = (!member.is_array()).then(|| cited(member)).flatten();
        for text in one.into_iter().chain(listed).map(|text| words::citation(&text)) {
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// Says so when `citation` and `source` name different sources.
pub(super) fn check_citations(value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (Some(one), Some(two)) = (value.get("citation"), value.get("source")) else { return };
    let (Some(a), Some(b)) = (cited(one), cited(two)) else { return };
    let (first, second) = (plain(&a), plain(&b));
    if !first.contains(&second) && !second.contains(&first) {
        let message = format!(
            "the `citation` and the `source` of {of} name different sources, {} and {}; both are \
             kept, and the first one counts",
            excerpt(&a),
            excerpt(&b)
        );
        cx.problem(ProblemKind::Malformed, two.span(), &message);
    }
}

/// A citation as a text, or made of its fields.
fn cited(value: Value<'_>) -> Option<String> {
    if value.is_torn() {
        return None;
    }
    if !value.is_object() {
        return value.label();
    }
    let part = |keys: &[&str]| value.first(keys).and_then(Value::label);
    if let Some(text) = part(&["text", "citation"]) {
        return Some(text);
    }
    let name = part(&["source", "name", "title", "publisher", "id"]);
    let period = part(&["period", "date", "year"]);
    if let (Some(quote), Some(name)) = (part(&["quote", "value", "extraction"]), &name) {
        let period = period.map(|period| format!(" {period}")).unwrap_or_default();
        return Some(format!("Per extraction: '{quote}' from {name}{period}"));
    }
    let parts: Vec<String> =
        [name, period, part(&["url", "link", "doi"])].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
