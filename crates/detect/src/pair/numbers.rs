//! Numbers and times that cannot both be right.

use rebuttal_model::Span;
use rebuttal_text::{Period, Quantity, Relation, Unit};

use super::align::Alignment;
use super::figures::{Figures, Known};
use super::side::{Sides, Text};
use super::{Cue, CueKind};
use crate::same::consistent;

/// Most numbers and times compared of each text.
const MOST: usize = 24;

/// What the numbers show.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) cues: Vec<Cue>,
    /// Numbers of the second text that the first confirms.
    pub(super) agreeing: u16,
    /// Numbers of the second text that have no counterpart.
    pub(super) alone: u16,
    /// The texts speak of different times.
    pub(super) other_time: bool,
}

/// Compares the numbers and the times of both texts.
pub(super) fn compare(sides: &Sides, found: &Alignment, figures: &Figures) -> Numbers {
    let mut numbers = Numbers::default();
    numbers.times(sides, found);
    let most =
        |text: &Text| -> Vec<Quantity> { text.quantities.iter().take(MOST).copied().collect() };
    let (of_a, of_b) = (most(&sides.a), most(&sides.b));
    let mut taken = vec![false; of_a.len()];
    let mut open = Vec::new();
    for two in &of_b {
        let same = (0..of_a.len()).find(|&at| {
            of_a.get(at).is_some_and(|one| match figures.of(one.span, two.span) {
                Some(known) => known == Known::Agree,
                None => {
                    comparable(sides, found, one, two)
                        && consistent((one.value, one), (two.value, two))
                }
            })
        });
        match same.and_then(|at| taken.get_mut(at)) {
            Some(taken) => {
                *taken = true;
                numbers.agreeing += 1;
            }
            None => open.push(two),
        }
    }
    for two in open {
        let free = of_a.iter().enumerate().filter(|(at, _)| taken.get(*at) == Some(&false));
        let rival = free
            .filter(|(_, one)| match figures.of(one.span, two.span) {
                Some(known) => known == Known::Conflict,
                None => comparable(sides, found, one, two),
            })
            .max_by_key(|(_, one)| {
                let sure = figures.of(one.span, two.span).is_some();
                (sure, same_noun(sides, found, one, two))
            })
            .map(|(at, one)| (at, *one));
        let Some((at, one)) = rival else {
            numbers.alone += 1;
            continue;
        };
        if let Some(taken) = taken.get_mut(at) {
            *taken = true;
        }
        let named = if same_noun(sides, found, &one, two) { 1.0 } else { 0.7 };
        let time = if numbers.other_time { 0.15 } else { 1.0 };
        let sure = figures.of(one.span, two.span).is_some();
        let strength = if sure { 1.0 } else { named * time * (0.3 + 0.7 * coverage(sides, found)) };
        numbers.cues.push(Cue {
            kind: CueKind::Number,
            span_a: one.span,
            span_b: two.span,
            strength,
        });
    }
    numbers
}

impl Numbers {
    fn times(&mut self, sides: &Sides, found: &Alignment) {
        let dated = |text: &Text| -> Vec<Period> {
            text.periods.iter().filter(|it| it.dates.is_some()).take(MOST).copied().collect()
        };
        let (of_a, of_b) = (dated(&sides.a), dated(&sides.b));
        let apart = |one: &Period, two: &Period| one.relation(two) == Relation::Disjoint;
        let (one, two) = (&sides.a.bases, &sides.b.bases);
        self.other_time = !two.is_empty() && one.iter().any(|base| !two.contains(base));
        // Each names a time that the other does not.
        let alone_a = of_a.iter().find(|one| of_b.iter().all(|two| apart(one, two)));
        let alone_b = of_b.iter().find(|two| of_a.iter().all(|one| apart(one, two)));
        let (Some(one), Some(two)) = (alone_a, alone_b) else { return };
        if of_a.is_empty() || of_b.is_empty() {
            return;
        }
        self.other_time = true;
        let tells = |text: &Text| text.clauses.iter().any(|clause| clause.once);
        if tells(&sides.a) && tells(&sides.b) {
            let strength = coverage(sides, found);
            self.cues.push(Cue {
                kind: CueKind::Period,
                span_a: one.span,
                span_b: two.span,
                strength,
            });
        }
    }
}

/// The share of the shorter text's content words that the other has.
fn coverage(sides: &Sides, found: &Alignment) -> f32 {
    let agreeing = found.links.iter().filter(|link| {
        link.agrees() && sides.words(link).is_some_and(|(a, b)| a.content && b.content)
    });
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    let shorter = sides.a.content().min(sides.b.content());
    if shorter == 0 { 1.0 } else { (count(agreeing.count()) / count(shorter)).min(1.0) }
}

/// Measured in the same unit, of things that may be the same.
fn comparable(sides: &Sides, found: &Alignment, one: &Quantity, two: &Quantity) -> bool {
    let counts = |unit: Unit| matches!(unit, Unit::Count | Unit::None);
    if counts(one.unit) && counts(two.unit) {
        return match (one.noun, two.noun) {
            (Some(a), Some(b)) => joined(sides, found, a, b),
            (None, None) => true,
            _ => false,
        };
    }
    one.unit == two.unit && one.per.is_some() == two.per.is_some()
}

fn same_noun(sides: &Sides, found: &Alignment, one: &Quantity, two: &Quantity) -> bool {
    match (one.noun, two.noun) {
        (Some(a), Some(b)) => joined(sides, found, a, b),
        (None, None) => one.unit != Unit::Count,
        _ => false,
    }
}

fn joined(sides: &Sides, found: &Alignment, a: Span, b: Span) -> bool {
    let (Some(a), Some(b)) = (sides.a.word_at(a), sides.b.word_at(b)) else { return false };
    let (one, two) = (sides.a.words.get(a), sides.b.words.get(b));
    found.link_of_a(a).is_some_and(|link| link.b == b && link.agrees())
        || one.zip(two).is_some_and(|(one, two)| one.term == two.term)
}
