//! What rulings mean for the reports: notes beside the text, never in its place.

use std::collections::BTreeMap;

use rebuttal_model::{
    Adjustment, AgentId, Contradiction, ContradictionKind, Report, Resolution, Ruling, Side, Span,
};

use crate::outcome::{WeighedRuling, decided_by, outcomes};
use crate::phrases::{backed, rivals};
use crate::side::{agent, other_days, when_shown};
use crate::words::list;

/// The reports with what the rulings mean for them. Every sentence in a ruled contradiction gets one
/// [`Adjustment`], sorted by where it stands; one for the same contradiction and sentence takes the
/// place of the earlier, so that adjusting twice is adjusting once. Texts are never changed, and
/// other adjustments are kept.
///
/// ```
/// use rebuttal_model::{Contradiction, Report};
/// use rebuttal_policy::{Authority, adjust, arbitrate};
///
/// let json = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_sources.json"));
/// let contradiction: Contradiction = serde_json::from_str(json).unwrap();
/// let reports: Vec<Report> = contradiction
///     .sides
///     .iter()
///     .map(|side| Report::new(side.agent.clone(), side.quote.clone()))
///     .collect();
/// let (authority, _) = Authority::read(Authority::EXAMPLE, "authority.toml");
/// let resolution = arbitrate(&contradiction, &authority);
///
/// let adjusted = adjust(&reports, &[contradiction], &[resolution]);
/// assert_eq!(adjusted[1].text, reports[1].text);
/// assert_eq!(
///     adjusted[1].adjustments[0].note,
///     "Ruled out: use 0.10% (GCC-STAT) instead; decided by source authority."
/// );
/// assert_eq!(adjusted[1].adjustments[0].recommended_value, Some(0.10));
/// ```
pub fn adjust(
    reports: &[Report],
    contradictions: &[Contradiction],
    resolutions: &[Resolution],
) -> Vec<Report> {
    apply(reports, &outcomes(contradictions, resolutions))
}

pub(crate) fn apply(reports: &[Report], outcomes: &[WeighedRuling<'_>]) -> Vec<Report> {
    let mut adjusted = reports.to_vec();
    for outcome in outcomes {
        let Some(resolution) = outcome.ruling.as_deref() else { continue };
        for ((report, agent, span), notes) in notes(outcome) {
            let report = adjusted.get_mut(report).filter(|report| report.agent == *agent);
            let Some(report) = report else { continue };
            // A span that is not of this text would put the note on somebody else's words.
            let Some(original) = span.of(&report.text) else { continue };
            let adjustment = Adjustment {
                contradiction: outcome.contradiction.id.clone(),
                span,
                original: original.to_owned(),
                note: notes.text.join(" "),
                recommended_value: notes.value,
                by: resolution.by.clone(),
                why: resolution.explanation.clone(),
            };
            let place = report.adjustments.iter_mut().find(|before| {
                before.contradiction == adjustment.contradiction && before.span == span
            });
            match place {
                Some(before) => *before = adjustment,
                None => report.adjustments.push(adjustment),
            }
        }
    }
    for report in &mut adjusted {
        report.adjustments.sort_by(|one, two| {
            (one.span, &one.contradiction).cmp(&(two.span, &two.contradiction))
        });
    }
    adjusted
}

/// A report, whose it is, and a piece of its text.
type Sentence<'c> = (usize, &'c AgentId, Span);

/// What stands beside one sentence.
#[derive(Default)]
struct Notes {
    text: Vec<String>,
    value: Option<f64>,
}

/// The notes for every sentence; one sentence may hold several sides.
fn notes<'c>(outcome: &WeighedRuling<'c>) -> BTreeMap<Sentence<'c>, Notes> {
    let mut notes: BTreeMap<Sentence<'_>, Notes> = BTreeMap::new();
    for (index, side) in outcome.contradiction.sides.iter().enumerate() {
        let (text, value) = note(outcome, index, side);
        let notes = notes.entry((side.report, &side.agent, side.span)).or_default();
        if !notes.text.contains(&text) {
            notes.text.push(text);
        }
        notes.value = notes.value.or(value);
    }
    notes
}

fn note(outcome: &WeighedRuling<'_>, index: usize, side: &Side) -> (String, Option<f64>) {
    let sides = &outcome.contradiction.sides;
    let others = || sides.iter().enumerate().filter(|(other, _)| *other != index);
    match outcome.resolved() {
        Some((Ruling::Correct(winner), resolution)) => {
            let Some(won) = sides.get(winner) else { return (String::new(), None) };
            verdict(outcome, (winner, won), (index, side), resolution)
        }
        Some(_) if outcome.contradiction.kind == ContradictionKind::Confidence => {
            let held = |(_, other): (usize, &Side)| match other.confidence {
                Some(sure) => format!("{} with confidence {}", agent(other), sure.value()),
                None => format!("{} without saying how sure", agent(other)),
            };
            (format!("Also said by {}.", list(others().map(held))), None)
        }
        Some(_) => {
            let period = |side: &Side| {
                when_shown(side).map_or(String::new(), |period| format!(" for {period}"))
            };
            let other = |(_, other): (usize, &Side)| format!("{}{}", backed(other), period(other));
            let also = list(others().map(other));
            (format!("Holds{}, beside {also}.", period(side)), None)
        }
        None => {
            let different = others().filter(|(other, _)| !outcome.camps.same(index, *other));
            let against = list(different.map(|(_, other)| backed(other)));
            let against = if against.is_empty() { String::new() } else { format!(" by {against}") };
            (format!("Disputed{against}; a person must look."), None)
        }
    }
}

fn verdict(
    outcome: &WeighedRuling<'_>,
    (winner, won): (usize, &Side),
    (index, side): (usize, &Side),
    resolution: &Resolution,
) -> (String, Option<f64>) {
    let by = decided_by(resolution);
    if outcome.camps.same(winner, index) {
        let against = list(rivals(outcome, winner).into_iter().map(backed));
        return (format!("Upheld against {against}; decided by {by}."), None);
    }
    if other_days(won, side) {
        let period = when_shown(side).unwrap_or_default();
        return (format!("Stands for {period}; what is disputed is another period."), None);
    }
    (format!("Ruled out: use {} instead; decided by {by}.", backed(won)), won.value)
}
