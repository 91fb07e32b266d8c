//! Two statements of a sentence or two: what became of the first?

use rebuttal_model::{FlipKind, Span};
use rebuttal_text::{Quantity, Reading, Topic, Value};

use super::Outcome;
use super::reserve::{Reach, Reserve};
use crate::pair::{Cue, CueKind, Feature, PairReading, Side};

/// What was found, before it is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) similarity: f64,
    pub(super) confidence: f64,
    /// The words that decided, in either text.
    pub(super) before: Option<Span>,
    pub(super) after: Option<Span>,
    /// Where the later text says that its speaker changed its mind.
    pub(super) acknowledgment: Option<Span>,
    /// In what way the two break, if they do.
    pub(super) cue: Option<CueKind>,
    /// What was seen, to go into a sentence.
    pub(super) why: &'static str,
}

impl Found {
    pub(super) fn new(
        outcome: Outcome,
        similarity: f64,
        confidence: f64,
        why: &'static str,
    ) -> Self {
        Self {
            outcome,
            similarity,
            confidence,
            before: None,
            after: None,
            acknowledgment: None,
            cue: None,
            why,
        }
    }

    pub(super) fn at(self, before: Option<Span>, after: Option<Span>) -> Self {
        Self { before, after, ..self }
    }
}

/// From this chance on both statements cannot hold.
const CONTRADICTS: f32 = 0.5;
/// Share of the earlier statement's words that the later must say again to be on the same matter.
const RELATED: f32 = 0.6;
/// The same, where words of either may be missing in the other.
const SHARED: f32 = 0.5;
/// Numbers that differ by no more than this share of the larger are one number, put more exactly.
const ADJUSTED: f64 = 0.1;
/// More new words than this do not make a statement more exact: they make another.
const MORE_EXACT: f32 = 4.0 / 8.0;
/// How sure two names make two statements.
const TWO_THINGS: f64 = 0.9;
/// A cue as strong as this breaks with what was held, once what is only possible counts in full.
const BREAKS: f32 = 0.3;

/// A statement, got ready once to be compared with any other.
#[derive(Debug)]
pub(super) struct Line {
    side: Side,
    reserve: Reserve,
    /// "Not every", "not always".
    denies_all: bool,
    /// It may take something back; whether it does depends on what was said before.
    takes_back: bool,
}

impl Line {
    pub(super) fn new(reading: &Reading<'_>) -> Self {
        let content = reading.content();
        Self {
            reserve: Reserve::of(reading, &content),
            denies_all: content.clauses.iter().any(|clause| clause.not_all),
            takes_back: reading.acknowledgment().is_some() || reading.withdrawal_on(None).is_some(),
            side: Side::new((reading, content)),
        }
    }
}

/// A statement in its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated<'l> {
    pub(super) text: &'l str,
    pub(super) line: &'l Line,
}

/// What became of one statement, given the next; by rules alone.
pub(super) fn compare(before: Stated<'_>, after: Stated<'_>) -> (Found, PairReading) {
    let pair = PairReading::between(&before.line.side, &after.line.side);
    let found = decide(before, after, &pair);
    (found, pair)
}

/// [`compare`] for texts that are compared once.
pub(super) fn compare_once(before: &Reading<'_>, after: &Reading<'_>) -> Found {
    let (one, two) = (Line::new(before), Line::new(after));
    let before = Stated { text: before.original(), line: &one };
    compare(before, Stated { text: after.original(), line: &two }).0
}

fn decide(before: Stated<'_>, after: Stated<'_>, pair: &PairReading) -> Found {
    if !after.line.takes_back {
        return weigh(before, after, pair);
    }
    // Few statements come here, so that no topic is kept for the others.
    let topic = Topic::new(&Reading::new(before.text));
    let reading = Reading::new(after.text);
    let back = reading.withdrawal_on(Some(&topic));
    let found = match back.filter(|cue| takes_back(&reading, cue.span, &topic, pair)) {
        Some(cue) => Found::new(CHANGED_BACK, shared(pair), 0.9, "it takes back what it said")
            .at(None, Some(cue.span)),
        None => weigh(before, after, pair),
    };
    let said = reading.acknowledgment_on(Some(&topic));
    Found { acknowledgment: said.map(|cue| cue.span), ..found }
}

/// What the words of both come to, where nothing is taken back.
fn weigh(before: Stated<'_>, after: Stated<'_>, pair: &PairReading) -> Found {
    let similarity = shared(pair);
    if let Some(apart) = pair.apart {
        let found =
            Found::new(Outcome::Unrelated, similarity, TWO_THINGS, "they are about two things");
        return found.at(Some(apart.span_a), Some(apart.span_b));
    }
    let (held, holds) = (before.line.reserve, after.line.reserve);
    let contradiction = pair.verdict().contradiction;
    let strongest = pair.cues.first();
    if let Some(cue) = strongest.filter(|_| contradiction > CONTRADICTS) {
        return broken(before, after, pair, cue);
    }
    // "It may not be safe" after "it is safe": what breaks is only possible.
    let doubted = strongest.filter(|cue| denies(cue) && cue.strength >= BREAKS);
    if let Some(cue) = doubted.filter(|_| holds.reach > held.reach && related(pair)) {
        let found = Found::new(QUALIFIED, similarity, 0.6, "it now doubts what it held");
        return found.at(Some(cue.span_a), Some(cue.span_b));
    }
    if !related(pair) {
        let apart = 1.0 - similarity;
        return Found::new(Outcome::Unrelated, similarity, apart, "they are on other matters");
    }
    extent(pair, held, holds, similarity)
}

const CHANGED_BACK: Outcome = Outcome::Changed(FlipKind::Retraction);
const QUALIFIED: Outcome = Outcome::Changed(FlipKind::Qualification);
const REFINED: Outcome = Outcome::Changed(FlipKind::Refinement);

/// "I was wrong" takes back whatever was said last; what goes on about something else does not.
fn takes_back(after: &Reading<'_>, back: Span, topic: &Topic, pair: &PairReading) -> bool {
    related(pair)
        || pair.feature(Feature::CoverageA) > 0.0
        || after.claims().iter().any(|claim| topic.mentions(claim))
        || says_nothing_else(after, back)
}

/// "I retract that statement.": all there is names the statement as such.
fn says_nothing_else(after: &Reading<'_>, back: Span) -> bool {
    const STATEMENT: [&str; 12] = [
        "answer",
        "claim",
        "comment",
        "conclusion",
        "opinion",
        "point",
        "position",
        "remark",
        "response",
        "statement",
        "view",
        "words",
    ];
    let text = after.original();
    let outside = |span: Span| {
        let word = span.of(text).unwrap_or_default();
        !back.contains(span) && !STATEMENT.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    !after.content().words.iter().any(|word| word.content && outside(word.span))
}

/// How many words they share, both ways; what takes sides counts as shared.
fn shared(pair: &PairReading) -> f64 {
    let (one, two) = (pair.feature(Feature::CoverageA), pair.feature(Feature::CoverageB));
    let both = if one + two > 0.0 { 2.0 * one * two / (one + two) } else { 0.0 };
    f64::from(both)
}

fn related(pair: &PairReading) -> bool {
    pair.feature(Feature::CoverageA) >= RELATED && shared(pair) >= f64::from(SHARED)
}

fn denies(cue: &Cue) -> bool {
    matches!(cue.kind, CueKind::Negation | CueKind::Prefix | CueKind::Opposite)
}

/// Both cannot hold: the opposite, or the same with a number put right, or with an "all" taken back.
fn broken(before: Stated<'_>, after: Stated<'_>, pair: &PairReading, cue: &Cue) -> Found {
    let (held, holds) = (before.line.reserve, after.line.reserve);
    let similarity = shared(pair);
    let chance = f64::from(pair.verdict().contradiction);
    let (one, two) = (Some(cue.span_a), Some(cue.span_b));
    let apart =
        (cue.kind == CueKind::Number).then(|| apart(before.text, after.text, cue)).flatten();
    if apart.is_some_and(|apart| apart <= ADJUSTED) {
        let why = "it puts a number more exactly";
        return Found::new(REFINED, similarity, 0.6, why).at(one, two);
    }
    if after.line.denies_all && !before.line.denies_all {
        let why = "it no longer holds of all";
        return Found::new(QUALIFIED, similarity, 0.7, why).at(held.span.or(one), two);
    }
    if holds.reach == Reach::Partly && held.reach < Reach::Partly && !denies_plainly(cue, pair) {
        let why = "it now holds only in part or under a condition";
        return Found::new(QUALIFIED, similarity, 0.6, why).at(one, holds.span.or(two));
    }
    let why = match cue.kind {
        CueKind::Number => "the numbers cannot both be right",
        CueKind::Period => "the times cannot both be right",
        CueKind::Role => "who did it to whom has changed",
        _ => "it says the opposite",
    };
    let found = Found::new(Outcome::Changed(FlipKind::Contradiction), similarity, chance, why);
    Found { cue: Some(cue.kind), ..found.at(one, two) }
}

/// The break is a plain one, whatever else is said with reserve.
fn denies_plainly(cue: &Cue, pair: &PairReading) -> bool {
    const PLAIN: f32 = 0.75;
    denies(cue) && cue.strength >= PLAIN && pair.feature(Feature::HedgeDifference) == 0.0
}

/// By what share of the larger two numbers differ.
fn apart(before: &str, after: &str, cue: &Cue) -> Option<f64> {
    let number = |text: &str, span: Span| {
        let found = Reading::new(text).quantities_and_periods().0;
        let own = found.into_iter().find(|quantity| quantity.span.overlaps(span))?;
        Some((middle(&own), own.unit))
    };
    let (one, two) = (number(before, cue.span_a)?, number(after, cue.span_b)?);
    let larger = one.0.abs().max(two.0.abs());
    (one.1 == two.1 && larger > 0.0).then(|| (one.0 - two.0).abs() / larger)
}

fn middle(quantity: &Quantity) -> f64 {
    match quantity.value {
        Value::Exact(value)
        | Value::AtLeast(value)
        | Value::AtMost(value)
        | Value::MoreThan(value)
        | Value::LessThan(value) => value,
        Value::Range { low, high } => f64::midpoint(low, high),
    }
}

/// Nothing breaks: the same, to the same extent or another.
fn extent(pair: &PairReading, held: Reserve, holds: Reserve, similarity: f64) -> Found {
    let spans = (held.span, holds.span);
    let (outcome, why) = match (held.reach, holds.reach) {
        (Reach::Full | Reach::Nearly, Reach::Partly) => {
            (QUALIFIED, "it now holds only in part or under a condition")
        }
        (Reach::Full, Reach::Nearly) => (REFINED, "it leaves a little out"),
        (Reach::Partly | Reach::Nearly, Reach::Full) => (REFINED, "it drops a reserve"),
        (Reach::Partly, Reach::Nearly) => (REFINED, "it goes further than before"),
        _ if more_exact(pair) => (REFINED, "it says more exactly what holds"),
        _ => (Outcome::Same, "it says the same"),
    };
    let sure = if outcome == Outcome::Same { similarity } else { 0.4 + 0.5 * similarity };
    Found::new(outcome, similarity, sure, why).at(spans.0, spans.1)
}

/// Everything is said again, and a little more.
fn more_exact(pair: &PairReading) -> bool {
    let new = pair.feature(Feature::NewWords);
    pair.feature(Feature::CoverageA) >= 1.0 && new > 0.0 && new <= MORE_EXACT
}
