//! One claim, held with very different confidence.

use std::collections::BTreeMap;

use rebuttal_model::{Confidence, Contradiction, ContradictionKind, Severity, Span};
use rebuttal_text::Reading;

use super::ContradictionOptions;
use super::describe::{self, Parts};
use super::index::Group;
use super::interpretation::{self, Stated, describe};
use super::statement::{Statement, Statements};
use crate::same;

/// How sure it is that the same words say the same.
const CERTAIN: f64 = 0.95;

/// Claims that agents agree on while one is much surer than the other. Where confidence is given
/// for whole reports only, two agents differ once, not once for every claim they share.
pub(super) fn contradictions(
    groups: &[Group],
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let mut met: Vec<(usize, usize)> = Vec::new();
    for group in groups {
        let Some((one, two)) = widest(group, statements, options) else { continue };
        let whole = one.whole && two.whole;
        let agents = (one.statement.agent, two.statement.agent);
        if whole && met.contains(&agents) {
            continue;
        }
        met.extend(whole.then_some(agents));
        let sides = vec![one.statement, two.statement];
        let (kind, aside) = (ContradictionKind::Confidence, Vec::new());
        let parts = Parts { kind, apart: None, sides, aside };
        let plain = describe::values(parts, statements, options);
        let severity = describe::weighed(Severity::Low, options.stakes);
        let [a, b] = [one.value, two.value].map(|value| format!("{value:.2}"));
        let explanation = format!(
            "{} and {} say the same of the {} ({}), the first with confidence {a}, the second with {b}.",
            describe::agent(one.statement, statements),
            describe::agent(two.statement, statements),
            plain.metric,
            plain.sides.first().map_or("", |side| side.shown.as_str()),
        );
        found.push(Contradiction { severity, explanation, ..plain });
    }
    found.extend(sentences(statements, options, &mut met));
    found
}

/// Compares the confidence of sentences without a value: "The reactor is safe."
fn sentences(
    statements: &Statements<'_>,
    options: &ContradictionOptions,
    met: &mut Vec<(usize, usize)>,
) -> Vec<Contradiction> {
    if !can_differ(statements, options) {
        return Vec::new();
    }
    let mut said: BTreeMap<String, Vec<(f64, bool, Stated)>> = BTreeMap::new();
    for stated in interpretation::stated(statements) {
        let text = statements.text(stated.report, stated.span);
        if let Some((sure, whole)) = statements.confidence(stated.report, stated.span) {
            said.entry(claim(text)).or_default().push((sure.value(), whole, stated));
        }
    }
    let mut found = Vec::new();
    for mut same in said.into_values() {
        same.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(least), Some(most)) = (same.first(), same.last()) else { continue };
        if most.0 - least.0 <= options.confidence_gap + 1e-9 || least.2.agent == most.2.agent {
            continue;
        }
        let (one, two) =
            if least.2.report <= most.2.report { (least, most) } else { (most, least) };
        let (whole, agents) = (one.1 && two.1, (one.2.agent, two.2.agent));
        if whole && met.contains(&agents) {
            continue;
        }
        met.extend(whole.then_some(agents));
        found.push(of_sentence(one, two, statements, options));
    }
    found
}

/// Whether any two stated confidences are far enough apart at all; most reports need not be read
/// again for this.
fn can_differ(statements: &Statements<'_>, options: &ContradictionOptions) -> bool {
    let given = statements
        .reports
        .iter()
        .flat_map(|report| report.given.iter().map(|it| it.confidence).chain([report.confidence]));
    let (low, high) = given
        .flatten()
        .map(Confidence::value)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
    high - low > options.confidence_gap + 1e-9
}

/// One claim however it is punctuated, with or without its articles.
fn claim(sentence: &str) -> String {
    let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '%');
    let words = words.map(str::to_lowercase);
    let told = words.filter(|word| !matches!(word.as_str(), "" | "the" | "a" | "an"));
    told.collect::<Vec<_>>().join(" ")
}

fn of_sentence(
    one: &(f64, bool, Stated),
    two: &(f64, bool, Stated),
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Contradiction {
    // What it is about stands before its last word that says something.
    let last = |stated: &Stated| {
        let content = Reading::new(statements.text(stated.report, stated.span)).content();
        let words = content.words.iter().filter(|word| word.content);
        words.map(|word| word.span).next_back().unwrap_or_default()
    };
    let sides = [(&one.2, last(&one.2)), (&two.2, last(&two.2))];
    let mut plain = describe(&sides, "", CERTAIN, statements, options);
    for side in &mut plain.sides {
        let shown = side.quote.trim_end_matches(['.', '!']);
        side.shown_span = Span::new(side.span.start(), side.span.start() + shown.len());
        side.shown = shown.to_owned();
    }
    let kind = ContradictionKind::Confidence;
    let [a, b] = [one, two].map(|it| format!("{:.2}", it.0));
    let names: Vec<&str> = plain.sides.iter().map(|side| side.agent.as_str()).collect();
    let explanation = format!(
        "{} say the same of {}, the first with confidence {a}, the second with {b}.",
        names.join(" and "),
        plain.metric
    );
    let severity = describe::weighed(Severity::Low, options.stakes);
    Contradiction { id: describe::id(kind, &plain.sides), kind, severity, explanation, ..plain }
}

#[derive(Clone, Copy)]
struct Sure<'s> {
    statement: &'s Statement,
    value: f64,
    whole: bool,
}

/// The surest and the least sure of a group, when they agree on the value and differ enough.
fn widest<'s>(
    group: &Group,
    statements: &'s Statements<'_>,
    options: &ContradictionOptions,
) -> Option<(Sure<'s>, Sure<'s>)> {
    let sure = |at: &usize| {
        let statement = statements.figures.get(*at)?;
        let (confidence, whole) =
            statements.confidence(statement.report, statement.figure.sentence)?;
        Some(Sure { statement, value: confidence.value(), whole })
    };
    let mut all: Vec<Sure<'s>> = group.figures.iter().filter_map(sure).collect();
    all.sort_by(|a, b| a.value.total_cmp(&b.value));
    let (least, most) = (*all.first()?, *all.last()?);
    // A hair's breadth is the machine's rounding: 0.9 - 0.65 is a quarter.
    let apart = most.value - least.value > options.confidence_gap + 1e-9;
    let agree = same::agree(&least.statement.figure, &most.statement.figure, options.tolerance);
    let others = least.statement.agent != most.statement.agent;
    let first = least.statement.report <= most.statement.report;
    (apart && agree && others).then_some(if first { (least, most) } else { (most, least) })
}
