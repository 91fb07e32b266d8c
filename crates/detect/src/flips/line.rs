//! Two statements of a sentence or two: what became of the first?

mod numbers;
mod withdrawn;

use rebuttal_model::{FlipKind, Span};
use rebuttal_text::{Period, Reading, Relation, Topic};

use numbers::{ADJUSTED, adjusted, apart};
use withdrawn::takes_back;

use super::reserve::{Reach, Reserve};
use super::roles::{Swapped, swapped};
use super::words::{Gap, LineWord, gaps, words};
use super::{FlipOutcome, added, choice, options, own, plain, steady, subjects};
use crate::pair::{Cue, CueKind, Feature, PairReading, Side, is_same};

/// What was found, before it is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) outcome: FlipOutcome,
    pub(super) similarity: f64,
    pub(super) confidence: f64,
    /// The words that decided, in either text.
    pub(super) before: Option<Span>,
    pub(super) after: Option<Span>,
    /// Where the later text says that its speaker changed its mind.
    pub(super) acknowledgment: Option<Span>,
    /// In what way the two break, if they do.
    pub(super) cue: Option<CueKind>,
    /// The words leave nothing to ask a model.
    pub(super) settled: bool,
    /// A number was put more exactly, or a little left out.
    pub(super) adjusts: bool,
    /// What was seen, to go into a sentence.
    pub(super) why: &'static str,
}

impl Found {
    pub(super) fn new(
        outcome: FlipOutcome,
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
            settled: false,
            adjusts: false,
            why,
        }
    }

    /// The same, and no model is asked.
    fn settled(self) -> Self {
        Self { settled: true, ..self }
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
/// More new words than this do not make a statement more exact: they make another.
const MORE_EXACT: f32 = 4.0 / 8.0;
/// All words of both lines are shared.
const WHOLE: f64 = 0.999;
/// How sure two names make two statements.
const TWO_THINGS: f64 = 0.9;
/// A cue as strong as this breaks with what was held, once what is only possible counts in full.
const BREAKS: f32 = 0.3;

/// What a speaker says of what it held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Nothing,
    /// That its mind has changed, or that it takes something back.
    TakesBack,
    /// That it holds on to it.
    HoldsOn,
}

/// A statement, got ready once to be compared with any other.
#[derive(Debug)]
pub(super) struct Line {
    side: Side,
    /// It may take something back, or is better put in other words: it is read again beside each other.
    read_again: bool,
    /// What its speaker says of what it held.
    pub(super) says: Says,
    /// It recommends something by name, which no word of another recommendation need answer.
    recommends: bool,
    sayings: u32,
    /// In order, of a single sentence.
    words: Option<Vec<LineWord>>,
    /// How many sentences it has.
    pub(super) sentences: usize,
}

impl Line {
    pub(super) fn new(reading: &Reading<'_>) -> Self {
        let takes_back =
            reading.acknowledgment().is_some() || reading.withdrawal_on(None).is_some();
        let says = match () {
            () if takes_back => Says::TakesBack,
            () if steady::holds_on(reading.original()) => Says::HoldsOn,
            () => Says::Nothing,
        };
        let read_again = takes_back || plain::said_plainly(reading.original()).is_some();
        let sayings = plain::sayings(reading.original());
        let recommends = options::may_recommend(reading.original());
        let content = reading.content();
        let words = words(reading, &content);
        let side = Side::new((reading, content));
        let sentences = reading.sentence_spans().count();
        Self { side, read_again, says, recommends, sayings, words, sentences }
    }
}

/// A statement in its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated<'l> {
    pub(super) text: &'l str,
    pub(super) line: &'l Line,
}

/// Share of the earlier statement's words below which nothing but a break could join the two.
const ELSEWHERE: f32 = 0.4;

/// [`compare`] for statements that were got ready. Most of an agent's other statements are on other
/// matters, and that is told without reading anything again.
pub(super) fn compare_stated(before: Stated<'_>, after: Stated<'_>) -> Found {
    if before.line.read_again || after.line.read_again {
        return compare(&Reading::new(before.text), &Reading::new(after.text));
    }
    let pair = PairReading::between(&before.line.side, &after.line.side);
    let breaks = pair.verdict().contradiction > CONTRADICTS
        || pair.cues.first().is_some_and(|cue| denies(cue) && cue.strength >= BREAKS);
    let in_other_words = before.line.sayings & after.line.sayings != 0
        || before.line.recommends && after.line.recommends;
    if pair.feature(Feature::CoverageA) < ELSEWHERE && !breaks && !in_other_words {
        let similarity = shared(&pair);
        let why = "they are on other matters";
        return Found::new(FlipOutcome::Unrelated, similarity, 1.0 - similarity, why);
    }
    by_order(before.line, after.line, &pair)
        .unwrap_or_else(|| decide(&Reading::new(before.text), &Reading::new(after.text), &pair))
}

/// What [`decide`] says first of lines in which nothing is taken back or acknowledged: it is told by
/// the order of the words, or by the things they are about, and needs no further reading. Most of what
/// looks alike is on two things.
fn by_order(before: &Line, after: &Line, pair: &PairReading) -> Option<Found> {
    let similarity = shared(pair);
    let recommend = before.recommends && after.recommends;
    let ordered = Ordered::new((before.words.as_deref(), after.words.as_deref()), recommend, pair);
    if let Some(found) = ordered.and_then(|ordered| ordered.judge(similarity)) {
        return Some(found);
    }
    let apart = pair.apart?;
    Some(two_things(similarity).at(Some(apart.span_a), Some(apart.span_b)))
}

/// What became of one statement, given the next; by rules alone.
pub(super) fn compare(before: &Reading<'_>, after: &Reading<'_>) -> Found {
    let plainly = (plain::said_plainly(before.original()), plain::said_plainly(after.original()));
    if plainly.0.is_none() && plainly.1.is_none() {
        return taken_back(before, after, decide(before, after, &PairReading::of(before, after)));
    }
    let (one, two) = (
        plainly.0.as_deref().unwrap_or(before.original()),
        plainly.1.as_deref().unwrap_or(after.original()),
    );
    if is_same(one, two) {
        return Found::new(FlipOutcome::Same, 1.0, 0.9, "it says the same in other words")
            .settled();
    }
    let (one, two) = (Reading::new(one), Reading::new(two));
    let found = taken_back(&one, &two, decide(&one, &two, &PairReading::of(&one, &two)));
    // Places in other words are no places in these.
    let said = after.acknowledgment_on(Some(&Topic::new(before))).map(|cue| cue.span);
    let whole = found.acknowledgment.map(|_| Span::new(0, after.original().len()));
    Found { acknowledgment: said.or(whole), ..found.at(None, None) }
}

/// Whoever says that its mind has changed is compared by what else it says.
fn taken_back(before: &Reading<'_>, after: &Reading<'_>, found: Found) -> Found {
    let text = after.original();
    let Some(said) = found.acknowledgment else { return found };
    let rest = own::rest(text, after, said);
    let now = rest.map(|rest| {
        let start = rest.as_ptr() as usize - text.as_ptr() as usize;
        let reading = Reading::new(rest);
        let now = decide(before, &reading, &PairReading::of(before, &reading));
        (now, Span::new(start, start + rest.len()))
    });
    let turned = now.as_ref().filter(|(now, _)| is_reversal(now.outcome)).map(|(_, place)| *place);
    // What is put right or narrowed is not given up: "a small correction: it is 66 GB".
    if let Some((now, place)) = now.filter(|(now, _)| matches!(now.outcome, REFINED | QUALIFIED))
        && found.outcome != CONTRADICTED
    {
        let inside = now.after.map_or(place, |span| span.shifted(place.start()));
        // What is only said more exactly by somebody who narrows it is narrowed.
        let narrowed = now.outcome == REFINED && !now.adjusts && after.narrows().is_some();
        let outcome = if narrowed { QUALIFIED } else { now.outcome };
        let was = now.before;
        return Found { outcome, acknowledgment: Some(said), ..now.at(was, Some(inside)) };
    }
    if turned.is_none() && found.outcome != CONTRADICTED && after.narrows().is_some() {
        let why = "it says that it went too far";
        let narrowed = Found::new(QUALIFIED, found.similarity, 0.7, why);
        return Found { acknowledgment: Some(said), ..narrowed.at(None, Some(said)) };
    }
    if is_reversal(found.outcome) {
        return found;
    }
    let named = !matches!(found.outcome, FlipOutcome::Changed(_)) && own::names(text, said, before);
    if turned.is_none() && !named {
        return found;
    }
    let why = "it gives up what it held and says so";
    let back = Found::new(CHANGED_BACK, found.similarity, 0.8, why);
    Found { acknowledgment: Some(said), ..back.at(None, turned.or(Some(said))) }
}

pub(super) fn is_reversal(outcome: FlipOutcome) -> bool {
    matches!(outcome, CONTRADICTED | CHANGED_BACK)
}

fn decide(before: &Reading<'_>, after: &Reading<'_>, pair: &PairReading) -> Found {
    let similarity = shared(pair);
    let topic = Topic::new(before);
    let said = after.acknowledgment_on(Some(&topic));
    let told = |found: Found| Found { acknowledgment: said.map(|cue| cue.span), ..found };
    let back = after.withdrawal_on(Some(&topic));
    if let Some(cue) = back.filter(|cue| takes_back(after, cue.span, &topic, pair)) {
        let found = Found::new(CHANGED_BACK, similarity, 0.9, "it takes back what it said");
        return told(found.at(None, Some(cue.span)));
    }
    let (a, b) = (words(before, &before.content()), words(after, &after.content()));
    let recommend = [before, after].iter().all(|it| options::may_recommend(it.original()));
    let ordered = Ordered::new((a.as_deref(), b.as_deref()), recommend, pair);
    if let Some(found) = ordered.as_ref().and_then(|ordered| ordered.judge(similarity)) {
        return given_up(told(found));
    }
    if let Some((one, two)) = pair.apart.map(|it| (it.span_a, it.span_b)) {
        return told(two_things(similarity).at(Some(one), Some(two)));
    }
    if other_times(before, after, pair) {
        return told(two_things(similarity));
    }
    let content = (before.content(), after.content());
    let (held, holds) = (Reserve::of(before, &content.0), Reserve::of(after, &content.1));
    let contradiction = pair.verdict().contradiction;
    let strongest = pair.cues.first();
    if strongest.is_some_and(|cue| own::rejects_others(after, &content.1, cue)) {
        let why = "it rejects what others say";
        return told(Found::new(FlipOutcome::Same, similarity, 0.7, why).settled());
    }
    let both_deny = strongest.is_some_and(|cue| own::both_deny(&content.0, &content.1, cue));
    let apart = |cue: &&Cue| own::other_use(before.original(), after.original(), cue);
    let strongest = strongest.filter(|cue| !both_deny && !apart(cue));
    if let Some(cue) = strongest.filter(|_| contradiction > CONTRADICTS) {
        return given_up(told(broken(before, after, pair, cue, (held, holds))));
    }
    if let Some(limit) = ordered.as_ref().and_then(Ordered::limit) {
        let found = Found::new(QUALIFIED, similarity, 0.7, "it now holds within limits");
        return told(found.at(None, Some(limit)));
    }
    if plain::one_saying(before.original(), after.original()) && pair.cues.is_empty() {
        let found =
            Found::new(FlipOutcome::Same, similarity, 0.6, "it says the same in other words");
        return told(found.settled());
    }
    // "It may not be safe" after "it is safe": what breaks is only possible.
    let doubted = strongest.filter(|cue| denies(cue) && cue.strength >= BREAKS);
    if let Some(cue) = doubted.filter(|_| holds.reach > held.reach && related(pair)) {
        let found = Found::new(QUALIFIED, similarity, 0.6, "it now doubts what it held");
        return told(found.at(Some(cue.span_a), Some(cue.span_b)));
    }
    if !related(pair) {
        let apart = 1.0 - similarity;
        return told(Found::new(
            FlipOutcome::Unrelated,
            similarity,
            apart,
            "they are on other matters",
        ));
    }
    let again = both_deny
        || own::tells_of_others(&content.1)
        || own::gives_reason(after.original()) && !own::gives_reason(before.original())
        || ordered.as_ref().is_some_and(Ordered::says_again);
    let found = extent(pair, held, holds, similarity, again);
    let more = found.outcome == FlipOutcome::Same || found.outcome == REFINED && !found.adjusts;
    told(if more { adjusted(before, after, found) } else { found })
}

/// Two lines with their words in order, where they share some.
struct Ordered<'w> {
    a: &'w [LineWord],
    b: &'w [LineWord],
    gaps: Vec<Gap>,
}

impl<'w> Ordered<'w> {
    /// Nothing, where the lines share nothing and do not both recommend something by name.
    fn new(
        (a, b): (Option<&'w [LineWord]>, Option<&'w [LineWord]>),
        recommend: bool,
        pair: &PairReading,
    ) -> Option<Self> {
        if pair.feature(Feature::CoverageA) <= 0.0 && pair.cues.is_empty() && !recommend {
            return None;
        }
        let (a, b) = (a?, b?);
        let gaps = gaps(a, b);
        Some(Self { a, b, gaps })
    }

    /// What the order of the words tells: who does it to whom, what is chosen, of what it is said.
    fn judge(&self, similarity: f64) -> Option<Found> {
        let (a, b) = (self.a, self.b);
        if let Some(swap) = swapped(a, b) {
            let found = match swap.kind {
                Swapped::Turned => {
                    let why = "who did it to whom has changed";
                    Found::new(CONTRADICTED, similarity, 0.9, why)
                }
                Swapped::Back => {
                    Found::new(FlipOutcome::Same, similarity, 0.9, "it says the same, turned round")
                }
            };
            return Some(found.at(Some(swap.a), Some(swap.b)).settled());
        }
        let chosen = || options::recommended(a, b);
        if let Some((one, two)) = choice::another(a, b, &self.gaps).or_else(chosen) {
            let found = Found::new(CONTRADICTED, similarity, 0.8, "it names another");
            return Some(found.at(Some(one), Some(two)).settled());
        }
        let (one, two) = subjects::apart(a, b, &self.gaps)?;
        Some(two_things(similarity).at(Some(one), Some(two)))
    }

    fn limit(&self) -> Option<Span> {
        added::limit(self.b, &self.gaps)
    }

    fn says_again(&self) -> bool {
        added::says_again(self.b, &self.gaps)
    }
}

fn two_things(similarity: f64) -> Found {
    Found::new(FlipOutcome::Unrelated, similarity, TWO_THINGS, "they are about two things")
        .settled()
}

/// The opposite, by somebody who says that its mind has changed: what was held is given up.
pub(super) fn given_up(found: Found) -> Found {
    if found.outcome == CONTRADICTED && found.acknowledgment.is_some() {
        return Found {
            outcome: CHANGED_BACK,
            why: "it gives up what it held and says so",
            ..found
        };
    }
    found
}

/// What is denied of one year does not deny what was said of another.
fn other_times(before: &Reading<'_>, after: &Reading<'_>, pair: &PairReading) -> bool {
    let (one, two) = (before.quantities_and_periods().1, after.quantities_and_periods().1);
    let text = |reading: &Reading<'_>, it: &Period| {
        it.span.of(reading.original()).unwrap_or_default().to_lowercase()
    };
    // "May" and "May" may be of two years, but nobody means that.
    let apart = |one: &Period, two: &Period| {
        one.relation(two) == Relation::Disjoint && text(before, one) != text(after, two)
    };
    let all = || one.iter().all(|one| two.iter().all(|two| apart(one, two)));
    let differs = |cue: &Cue| {
        let inside = |times: &[Period], span: Span| times.iter().any(|it| it.span.overlaps(span));
        denies(cue) && !inside(&one, cue.span_a) && !inside(&two, cue.span_b)
    };
    !one.is_empty() && !two.is_empty() && pair.cues.iter().any(differs) && all()
}

const CONTRADICTED: FlipOutcome = FlipOutcome::Changed(FlipKind::Contradiction);
const CHANGED_BACK: FlipOutcome = FlipOutcome::Changed(FlipKind::Retraction);
const QUALIFIED: FlipOutcome = FlipOutcome::Changed(FlipKind::Qualification);
const REFINED: FlipOutcome = FlipOutcome::Changed(FlipKind::Refinement);

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
fn broken(
    before: &Reading<'_>,
    after: &Reading<'_>,
    pair: &PairReading,
    cue: &Cue,
    (held, holds): (Reserve, Reserve),
) -> Found {
    let similarity = shared(pair);
    let chance = f64::from(pair.verdict().contradiction);
    let (one, two) = (Some(cue.span_a), Some(cue.span_b));
    let apart = (cue.kind == CueKind::Number).then(|| apart(before, after, cue)).flatten();
    // The same number as a bound from either side is no adjustment.
    if apart.is_some_and(|apart| apart > 0.0 && apart <= ADJUSTED) {
        let why = "it puts a number more exactly";
        let found = Found::new(REFINED, similarity, 0.6, why).at(one, two);
        return Found { adjusts: true, ..found };
    }
    if denies_all(after) && !denies_all(before) {
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
    let found = Found::new(FlipOutcome::Changed(FlipKind::Contradiction), similarity, chance, why);
    Found { cue: Some(cue.kind), ..found.at(one, two) }
}

/// The break is a plain one, whatever else is said with reserve.
fn denies_plainly(cue: &Cue, pair: &PairReading) -> bool {
    const PLAIN: f32 = 0.75;
    denies(cue) && cue.strength >= PLAIN && pair.feature(Feature::HedgeDifference) == 0.0
}

/// "Not every", "not always".
fn denies_all(text: &Reading<'_>) -> bool {
    text.content().clauses.iter().any(|clause| clause.not_all)
}

const LITTLE: &str = "it leaves a little out";

/// Nothing breaks: the same, to the same extent or another.
fn extent(
    pair: &PairReading,
    held: Reserve,
    holds: Reserve,
    similarity: f64,
    again: bool,
) -> Found {
    let spans = (held.span, holds.span);
    let (outcome, why) = match (held.reach, holds.reach) {
        (Reach::Full | Reach::Nearly, Reach::Partly) => {
            (QUALIFIED, "it now holds only in part or under a condition")
        }
        (Reach::Full, Reach::Nearly) => (REFINED, LITTLE),
        (Reach::Partly | Reach::Nearly, Reach::Full) => (REFINED, "it drops a reserve"),
        (Reach::Partly, Reach::Nearly) => (REFINED, "it goes further than before"),
        _ if more_exact(pair) && !again => (REFINED, "it says more exactly what holds"),
        _ => (FlipOutcome::Same, "it says the same"),
    };
    let sure = if outcome == FlipOutcome::Same { similarity } else { 0.4 + 0.5 * similarity };
    // All words in common and none of them denied: a model could only guess.
    let settled = outcome == FlipOutcome::Same && (again || similarity >= WHOLE);
    let adjusts = why == LITTLE;
    Found { settled, adjusts, ..Found::new(outcome, similarity, sure, why).at(spans.0, spans.1) }
}

/// Everything is said again, and a little more.
fn more_exact(pair: &PairReading) -> bool {
    let new = pair.feature(Feature::NewWords);
    pair.feature(Feature::CoverageA) >= 1.0 && new > 0.0 && new <= MORE_EXACT
}
