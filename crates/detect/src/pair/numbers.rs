//! Numbers and times that cannot both be right.

use rebuttal_model::Span;
use rebuttal_text::{Period, Quantity, Relation, Unit, Value};

use super::align::Alignment;
use super::figures::{Figures, Known};
use super::side::{Sides, Text};
use super::{Cue, CueKind};
use crate::same::{consistent, number};

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
    /// Some numbers are known to be of different things.
    pub(super) others: bool,
    /// What is known of every number; see `PairReading::settled`.
    pub(super) settled: Option<bool>,
}

/// Compares the numbers and the times of both texts.
pub(super) fn compare(sides: &Sides<'_>, found: &Alignment, figures: &Figures) -> Numbers {
    let mut numbers = Numbers::default();
    numbers.times(sides, found);
    let most =
        |text: &Text| -> Vec<Quantity> { text.quantities.iter().take(MOST).copied().collect() };
    let (of_a, of_b) = (most(sides.a), most(sides.b));
    let matcher = Matcher { sides, found, figures };
    // Numbers of other things are no contradiction, whatever they look like. Numbers that agree
    // settle nothing: the rest of the two texts may still disagree.
    let mut settled = true;
    // What one number confirms, no other of the same text denies: "15 years and 232 days".
    let mut free = vec![true; of_a.len()];
    let mut open = Vec::new();
    for two in &of_b {
        let Some((at, one)) = matcher.best(&of_a, two, |_, one| matcher.confirms(one, two)) else {
            open.push(two);
            continue;
        };
        free.get_mut(at).into_iter().for_each(|free| *free = false);
        settled &= matcher.known(one, two).is_some();
        numbers.agreeing += 1;
    }
    for two in open {
        let Some((_, one)) = matcher.best(&of_a, two, |at, _| free.get(at) == Some(&true)) else {
            let other = of_a.iter().any(|one| matcher.known(one, two) == Some(Known::Other));
            settled &= other;
            numbers.others |= other;
            numbers.alone += u16::from(!other);
            continue;
        };
        let known = matcher.known(one, two);
        settled &= known.is_some();
        if matcher.agrees(one, two) {
            numbers.agreeing += 1;
        } else if known.is_some() {
            numbers.settled = Some(true);
            numbers.clash(one, two, 1.0);
        } else {
            let time = if numbers.other_time { 0.15 } else { 1.0 };
            let least = if bounded(one, two) { AT_BOUND } else { AT_RANDOM };
            let sure = time * (least + (1.0 - least) * coverage(sides, found));
            numbers.clash(one, two, sure * matcher.named(one, two));
        }
    }
    numbers.settled = numbers.settled.or((settled && numbers.others).then_some(false));
    numbers
}

/// Finds which number of one text answers which of the other.
struct Matcher<'s> {
    sides: &'s Sides<'s>,
    found: &'s Alignment,
    figures: &'s Figures,
}

impl Matcher<'_> {
    /// The number of the first text that answers best, of those that may.
    fn best<'q>(
        &self,
        of_a: &'q [Quantity],
        two: &Quantity,
        may: impl Fn(usize, &Quantity) -> bool,
    ) -> Option<(usize, &'q Quantity)> {
        let fit = |(at, one): &(usize, &Quantity)| self.comparable(one, two) && may(*at, one);
        of_a.iter().enumerate().filter(fit).max_by_key(|(_, one)| self.rank(one, two))
    }

    fn known(&self, one: &Quantity, two: &Quantity) -> Option<Known> {
        self.figures.of(one.span, two.span)
    }

    /// Both numbers can be right of the same thing.
    fn agrees(&self, one: &Quantity, two: &Quantity) -> bool {
        match self.known(one, two) {
            Some(known) => known == Known::Agree,
            None => Self::goes_with(one, two),
        }
    }

    /// They agree, and not only because "more than three" goes with whatever is larger.
    fn confirms(&self, one: &Quantity, two: &Quantity) -> bool {
        let alike = is_plain(one) == is_plain(two);
        self.agrees(one, two) && (alike || bounded(one, two))
    }

    /// Measured in the same unit, of things that may be the same.
    fn comparable(&self, one: &Quantity, two: &Quantity) -> bool {
        if let Some(known) = self.known(one, two) {
            return known != Known::Other;
        }
        let counts = |unit: Unit| matches!(unit, Unit::Count | Unit::None);
        if counts(one.unit) && counts(two.unit) {
            return match (one.noun, two.noun) {
                (Some(a), Some(b)) => joined(self.sides, self.found, a, b) || recognised(one, two),
                (None, None) => true,
                _ => recognised(one, two),
            };
        }
        one.unit == two.unit && one.per.is_some() == two.per.is_some()
    }

    /// What is known to be of the same comes first, then the same noun, then the nearest value: who
    /// corrects a number rarely moves it far.
    fn rank(&self, one: &Quantity, two: &Quantity) -> (bool, bool, u8) {
        let sure = self.known(one, two).is_some();
        (sure, same_noun(self.sides, self.found, one, two), closeness(one, two))
    }

    /// How surely they count the same, from 0 to 1.
    fn named(&self, one: &Quantity, two: &Quantity) -> f32 {
        match (same_noun(self.sides, self.found, one, two), closeness(one, two)) {
            (true, _) => 1.0,
            (false, NEAR..) => 0.9,
            (false, 1) => 0.7,
            (false, _) => 0.5,
        }
    }

    /// One number can be both; and who says "over 10" does not mean what "over 15" says. "Ten or
    /// more" and "at least ten" set a bound, and bounds go together.
    fn goes_with(one: &Quantity, two: &Quantity) -> bool {
        let above = |value: Value| matches!(value, Value::MoreThan(_));
        let below = |value: Value| matches!(value, Value::LessThan(_));
        let both = |open: fn(Value) -> bool| open(one.value) && open(two.value);
        let far = closeness(one, two) < NEAR;
        !(far && (both(above) || both(below))) && consistent((one.value, one), (two.value, two))
    }
}

/// Values within a tenth of each other.
const NEAR: u8 = 2;

/// A number that is known again by its value, whatever it is said to count. Small ones are
/// everywhere: two men are not two girls.
fn recognised(one: &Quantity, two: &Quantity) -> bool {
    const DOZEN: f64 = 12.0;
    let telling = |quantity: &Quantity| number(quantity.value).abs() > DOZEN;
    telling(one) && telling(two) && closeness(one, two) >= NEAR
}

/// How sure it is that two numbers are of the same thing, where the texts share nothing else: as such,
/// and where one is a bound set right beside the other.
const AT_RANDOM: f32 = 0.3;
const AT_BOUND: f32 = 0.7;

/// Whoever says "more than 640" means a number just above it: a bound is about the number it is set
/// beside. Small ones are everywhere.
fn bounded(one: &Quantity, two: &Quantity) -> bool {
    is_plain(one) != is_plain(two) && recognised(one, two)
}

/// A number or a range, and no bound.
fn is_plain(quantity: &Quantity) -> bool {
    matches!(quantity.value, Value::Exact(_) | Value::Range { .. })
}

/// How near two values are: 3 the same, 2 within a tenth, 1 within a factor of two.
fn closeness(one: &Quantity, two: &Quantity) -> u8 {
    let (a, b) = (number(one.value), number(two.value));
    let (small, large) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
    match small / large {
        _ if a.to_bits() == b.to_bits() => 3,
        share if share >= 0.9 => NEAR,
        share if share >= 0.5 => 1,
        _ => 0,
    }
}

impl Numbers {
    fn clash(&mut self, one: &Quantity, two: &Quantity, strength: f32) {
        let (span_a, span_b) = (one.span, two.span);
        self.cues.push(Cue { kind: CueKind::Number, span_a, span_b, strength });
    }

    fn times(&mut self, sides: &Sides<'_>, found: &Alignment) {
        let dated = |text: &Text| -> Vec<Period> {
            text.periods.iter().filter(|it| it.dates.is_some()).take(MOST).copied().collect()
        };
        let (of_a, of_b) = (dated(sides.a), dated(sides.b));
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
        if tells(sides.a) && tells(sides.b) {
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
fn coverage(sides: &Sides<'_>, found: &Alignment) -> f32 {
    let agreeing = found.links.iter().filter(|link| {
        link.agrees() && sides.words(link).is_some_and(|(a, b)| a.content && b.content)
    });
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    let shorter = sides.a.content().min(sides.b.content());
    if shorter == 0 { 1.0 } else { (count(agreeing.count()) / count(shorter)).min(1.0) }
}

fn same_noun(sides: &Sides<'_>, found: &Alignment, one: &Quantity, two: &Quantity) -> bool {
    match (one.noun, two.noun) {
        (Some(a), Some(b)) => joined(sides, found, a, b),
        (None, None) => one.unit != Unit::Count,
        _ => false,
    }
}

fn joined(sides: &Sides<'_>, found: &Alignment, a: Span, b: Span) -> bool {
    let (Some(a), Some(b)) = (sides.a.word_at(a), sides.b.word_at(b)) else { return false };
    let (one, two) = (sides.a.words.get(a), sides.b.words.get(b));
    found.link_of_a(a).is_some_and(|link| link.b == b && link.agrees())
        || one.zip(two).is_some_and(|(one, two)| one.term == two.term)
}
