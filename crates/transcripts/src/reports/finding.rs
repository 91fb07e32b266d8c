//! One finding: a text, or fields, or both, as a line of its report.

use std::borrow::Cow;

use rebuttal_model::{Confidence, Given, ProblemKind, Severity};

use super::checks;
use super::fields::{self, Label};
use super::numbers::has_number;
use super::words::{self, About};
use crate::out::excerpt;
use crate::session::Cx;
use crate::value::Value;

/// How deep values may be nested in values. Below it they are kept as they are written.
const DEPTH: usize = 4;

/// A finding written out, and what is known of it. The span is set when it is placed.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) given: Given,
}

/// What a finding is about. A finding inside another has what it does not say from the outer one.
#[derive(Clone, Debug, Default)]
struct Fields {
    metric: Option<String>,
    entity: Option<String>,
    period: Option<String>,
    unit: Option<String>,
    citations: Vec<String>,
    confidence: Option<Confidence>,
    stakes: Option<Severity>,
}

impl Fields {
    fn read(value: Value<'_>, outer: &Self, of: Label<'_>, cx: &mut Cx<'_, '_>) -> Self {
        let mut own = |keys: &[&str], outer: &Option<String>| {
            let own = fields::label(value, keys, of, cx).map(|text| words::one_line(&text));
            own.or_else(|| outer.clone())
        };
        let metric = own(&fields::METRIC, &outer.metric);
        let entity = own(&fields::ENTITY, &outer.entity);
        let period = own(&fields::PERIOD, &outer.period);
        let unit = own(&["unit", "units"], &outer.unit);
        fields::check_citations(value, of, cx);
        let citations = Some(fields::citations(value)).filter(|own| !own.is_empty());
        if value.first(&fields::PERIOD).is_some() {
            checks::period(period.as_deref(), value.span(), of, cx);
        }
        Self {
            metric,
            entity,
            period,
            unit,
            citations: citations.unwrap_or_else(|| outer.citations.clone()),
            confidence: fields::confidence(value, of, cx).or(outer.confidence),
            stakes: fields::stakes(value, of, cx).or(outer.stakes),
        }
    }

    /// These fields for one entry of a map: of metrics, or of the times or owners of one metric.
    fn keyed(&self, key: &str) -> Self {
        let mut own = self.clone();
        let timed = key.trim_start_matches(['Q', 'q', 'H', 'F', 'Y']);
        let is_time = timed.starts_with(|c: char| c.is_ascii_digit()) && key.len() >= 4;
        let slot = match (&self.metric, &self.period, &self.entity) {
            (Some(_), None, _) if is_time => &mut own.period,
            (Some(_), _, None) => &mut own.entity,
            _ => &mut own.metric,
        };
        *slot = Some(words::one_line(key));
        own
    }

    fn line(&self, text: Option<&str>, value: Option<&str>) -> Line {
        let about = About {
            metric: self.metric.as_deref(),
            entity: self.entity.as_deref(),
            period: self.period.as_deref(),
            citations: &self.citations,
        };
        let citation = (!self.citations.is_empty()).then(|| self.citations.join("; "));
        let given = Given {
            metric: self.metric.clone(),
            entity: self.entity.clone(),
            period: self.period.clone(),
            citation,
            confidence: self.confidence,
            stakes: self.stakes,
            ..Given::default()
        };
        Line { text: words::line(text, value, about), given }
    }
}

/// Reads what stands under `findings`: a list, or a map of metrics to values.
pub(super) fn read(list: Value<'_>, of: Label<'_>, out: &mut Vec<Line>, cx: &mut Cx<'_, '_>) {
    if list.is_null() {
        return;
    }
    let before = of.finding.unwrap_or(0);
    let of = |at: usize| Label { finding: Some(before + at + 1), ..of };
    if list.is_array() {
        for (at, item) in list.items().enumerate() {
            one(item, &Fields::default(), of(at), 0, out, cx);
        }
    } else if list.is_object() {
        map(list, &Fields::default(), of(0), 0, out, cx);
    } else if let Some(text) = list.filled() {
        out.push(Fields::default().line(Some(&text), None));
    } else if !list.is_string() && !list.is_torn() {
        let message = format!(
            "the findings of {} are {}, not a list of texts or objects; they were left out",
            Label { finding: None, ..of(0) },
            list.kind_name()
        );
        cx.problem(ProblemKind::Malformed, list.span(), &message);
    }
}

/// Reads one finding.
fn one(
    value: Value<'_>,
    outer: &Fields,
    of: Label<'_>,
    depth: usize,
    out: &mut Vec<Line>,
    cx: &mut Cx<'_, '_>,
) {
    if value.is_torn() {
        return;
    }
    if let Some(text) = value.filled() {
        out.push(outer.line(Some(&text), None));
    } else if value.is_object() {
        object(value, outer, of, depth, out, cx);
    } else {
        let message = format!("{of} is {}, not a text or an object; it was left out", shape(value));
        cx.problem(kind(value), value.span(), &message);
    }
}

fn shape(value: Value<'_>) -> &'static str {
    if value.is_string() { "empty" } else { value.kind_name() }
}

/// Nothing in it is nothing lost.
fn kind(value: Value<'_>) -> ProblemKind {
    if value.is_string() || value.is_null() { ProblemKind::Empty } else { ProblemKind::Malformed }
}

fn object(
    value: Value<'_>,
    outer: &Fields,
    of: Label<'_>,
    depth: usize,
    out: &mut Vec<Line>,
    cx: &mut Cx<'_, '_>,
) {
    let fields = Fields::read(value, outer, of, cx);
    let text = text(value);
    let measured = value.first(&["value", "amount"]);
    let shown = measured.filter(|it| !it.is_object() && !it.is_array()).map(|measured| {
        let shown = measured.str().unwrap_or_else(|| measured.raw());
        words::measured(&plain(&shown), fields.unit.as_deref())
    });
    let said = [shown.as_deref(), text.as_deref()];
    checks::citations(said, &fields.citations, value.span(), of, cx);
    match (text, measured) {
        (text, Some(measured)) if measured.is_object() || measured.is_array() => {
            out.extend(text.map(|text| fields.line(Some(&text), None)));
            nested(measured, &fields, of, depth, out, cx);
        }
        (text, Some(measured)) => {
            let shown = scalar(measured, of, cx);
            let shown = words::measured(&shown, fields.unit.as_deref());
            checks::value(text.as_deref(), &shown, value.span(), of, cx);
            out.push(fields.line(text.as_deref(), Some(&shown)));
        }
        (Some(text), None) => out.push(fields.line(Some(&text), None)),
        (None, None) if is_map(value) => map(value, outer, of, depth, out, cx),
        (None, None) => {
            let message = format!(
                "{of} says nothing: it has neither a `text` nor a `value`; it was left out"
            );
            cx.problem(ProblemKind::MissingField, value.span(), &message);
        }
    }
}

/// What a finding says in words.
fn text(value: Value<'_>) -> Option<String> {
    let filled = |keys: &[&str]| {
        keys.iter().find_map(|key| value.get(key).and_then(Value::filled)).map(Cow::into_owned)
    };
    filled(&fields::FINDING_TEXT).or_else(|| {
        match (filled(&["title"]), filled(&["summary", "description"])) {
            (Some(title), Some(summary)) if title.ends_with(['.', '!', '?', ':']) => {
                Some(format!("{title} {summary}"))
            }
            (Some(title), Some(summary)) => Some(format!("{title}. {summary}")),
            (title, summary) => title.or(summary),
        }
    })
}

/// True for an object that has none of a finding's fields, and so can only be a map of metrics.
fn is_map(value: Value<'_>) -> bool {
    let lists: [&[&str]; 7] = [
        &fields::METRIC,
        &fields::ENTITY,
        &fields::PERIOD,
        &fields::CITATIONS,
        &fields::CONFIDENCE,
        &fields::STAKES,
        &["unit", "units", "value", "amount", "title", "summary", "description"],
    ];
    let mut known = lists.into_iter().flatten().chain(&fields::FINDING_TEXT);
    value.pairs().next().is_some() && !known.any(|key| value.has(key))
}

/// A map of metrics, times or owners to values.
fn map(
    value: Value<'_>,
    outer: &Fields,
    of: Label<'_>,
    depth: usize,
    out: &mut Vec<Line>,
    cx: &mut Cx<'_, '_>,
) {
    for (key, member) in value.pairs() {
        let fields = outer.keyed(&key.str().unwrap_or_default());
        if member.is_torn() || member.is_null() {
            continue;
        }
        if member.is_object() || member.is_array() {
            nested(member, &fields, of, depth, out, cx);
        } else {
            let shown = scalar(member, of, cx);
            out.push(fields.line(None, Some(&words::measured(&shown, fields.unit.as_deref()))));
        }
    }
}

/// A value that is more than one: a finding of its own, a map, or a list of either.
fn nested(
    value: Value<'_>,
    fields: &Fields,
    of: Label<'_>,
    depth: usize,
    out: &mut Vec<Line>,
    cx: &mut Cx<'_, '_>,
) {
    if value.is_torn() {
        return;
    }
    let plain = value.is_array() && !value.items().any(Value::is_object);
    if plain || depth >= DEPTH {
        let shown = excerpt(&words::one_line(&value.raw()));
        let message = format!(
            "no figure could be read in the value {shown} of {of}, which is {}; it is kept as \
             text. Write one finding for each value",
            value.kind_name()
        );
        cx.problem(ProblemKind::Malformed, value.span(), &message);
        out.push(fields.line(None, Some(&value.raw())));
    } else if value.is_array() {
        for item in value.items() {
            one(item, fields, of, depth + 1, out, cx);
        }
    } else if is_map(value) {
        map(value, fields, of, depth + 1, out, cx);
    } else {
        one(value, fields, of, depth + 1, out, cx);
    }
}

/// A single value as text; says so when there is no number in it.
fn scalar(value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) -> String {
    let shown = value.str().unwrap_or_else(|| value.raw());
    let beyond = shown.trim().parse::<f64>().is_ok_and(f64::is_infinite);
    if beyond && shown.bytes().any(|byte| byte.is_ascii_digit()) {
        let message = format!(
            "the value {} of {of} is beyond any number that can be compared; it is kept as text",
            excerpt(shown.trim())
        );
        cx.problem(ProblemKind::Malformed, value.span(), &message);
    } else if !has_number(&shown) {
        let message = format!(
            "no figure could be read in the value “{}” of {of}; it is kept as text. Write a \
             number, and its unit in `unit`",
            excerpt(shown.trim())
        );
        cx.problem(ProblemKind::Malformed, value.span(), &message);
    }
    if value.is_string() { shown.into_owned() } else { plain(&shown) }
}

/// `3.171e11` written out, as far as people write numbers out.
fn plain(number: &str) -> String {
    const LARGE: f64 = 1e18;
    const SMALL: f64 = 1e-9;
    match number.parse::<f64>() {
        Ok(value)
            if number.contains(['e', 'E'])
                && (value.abs() < LARGE && value.abs() > SMALL || value == 0.0) =>
        {
            value.to_string()
        }
        _ => number.to_owned(),
    }
}
