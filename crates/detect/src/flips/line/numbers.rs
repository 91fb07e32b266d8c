//! Numbers of two lines: put more exactly, or far apart.

use rebuttal_model::Span;
use rebuttal_text::{Quantity, Reading, Unit, Value};

use super::{Found, REFINED};
use crate::pair::Cue;
use crate::same::number;

/// Numbers that differ by no more than this share of the larger are one number, put more exactly.
pub(super) const ADJUSTED: f64 = 0.1;

/// The same, with a number put more exactly. What rounding to two digits explains is one number.
pub(super) fn adjusted(before: &Reading<'_>, after: &Reading<'_>, mut found: Found) -> Found {
    const ROUNDED: f64 = 0.012;
    let (one, two) = (before.quantities_and_periods().0, after.quantities_and_periods().0);
    // Numbers that agree are counted here; a model guesses at them.
    let range = |it: &Quantity| matches!(it.value, Value::Range { .. });
    let moved = |(one, two): &(&Quantity, &Quantity)| {
        if range(one) != range(two) {
            return false;
        }
        let apart = difference((number(one.value), one.unit), (number(two.value), two.unit));
        apart.is_some_and(|apart| apart > ROUNDED && apart <= ADJUSTED)
    };
    let other = if one.len() == two.len() {
        found.settled |= !one.is_empty();
        one.iter().zip(&two).find(moved)
    } else {
        found.settled = false;
        // Of what either measures once, it is clear which is which.
        let sole =
            |all: &[Quantity], unit: Unit| all.iter().filter(|it| it.unit == unit).count() == 1;
        let sole = |it: &&Quantity| sole(&one, it.unit) && sole(&two, it.unit);
        one.iter()
            .filter(sole)
            .filter_map(|it| Some((it, two.iter().find(|other| other.unit == it.unit)?)))
            .find(moved)
    };
    let Some((one, two)) = other else { return found };
    let why = "it puts a number more exactly";
    let found = found.at(Some(one.span), Some(two.span));
    Found { outcome: REFINED, why, confidence: 0.6, adjusts: true, ..found }
}

/// By what share of the larger two numbers differ.
pub(super) fn apart(before: &Reading<'_>, after: &Reading<'_>, cue: &Cue) -> Option<f64> {
    let stated = |reading: &Reading<'_>, span: Span| {
        let found = reading.quantities_and_periods().0;
        let own = found.into_iter().find(|quantity| quantity.span.overlaps(span))?;
        Some((number(own.value), own.unit))
    };
    difference(stated(before, cue.span_a)?, stated(after, cue.span_b)?)
}

fn difference(one: (f64, Unit), two: (f64, Unit)) -> Option<f64> {
    let larger = one.0.abs().max(two.0.abs());
    (one.1 == two.1 && larger > 0.0).then(|| (one.0 - two.0).abs() / larger)
}
