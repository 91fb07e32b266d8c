//! What moved an agent from one position to the next, as far as the transcript shows it.
//!
//! Everything the agent was shown between its two turns is gone through, and what its new turn takes
//! up counts before what was merely said: evidence it had not seen, an argument whose words it repeats
//! while it agrees, the number of those who hold what it now holds, somebody's standing, and plain
//! insistence. Where several could have moved it, the first of these that it takes up is named.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rebuttal_model::{
    AgentId, Because, Cause, DebateId, Flip, FlipKind, Position, Role, Span, Stance, Turn, TurnId,
};
use rebuttal_text::{Reading, Term, Topic};

use super::{FlipOutcome, compare, options, pressure};
use crate::reader::Reader;
use crate::view::{DebateView, quote};

/// What moved the agent from `before` to `after`, and the words that did. Both positions must be of
/// this transcript; what lies outside it cannot be seen. For many positions of one transcript, make
/// [`Causes`] once.
pub fn cause(
    view: &DebateView<'_>,
    before: &Position,
    after: &Position,
) -> (Cause, Option<Because>) {
    Causes::new(view).cause(before, after)
}

/// A transcript, gone through once for what can move an agent.
#[derive(Debug)]
pub struct Causes<'v, 't> {
    turns: Vec<(&'t Turn, &'v Reading<'t>)>,
    /// The evidence each turn gives.
    evidence: Vec<Vec<(Thing, Span)>>,
    /// The turn in which each piece of evidence is given first.
    first: HashMap<Thing, usize>,
    /// The side each turn takes.
    sides: Vec<Stance>,
    /// The turn that asks the question.
    asking: Option<usize>,
    topic: Option<Topic>,
    /// What each turn chooses, where the question asks for one of several.
    picks: Vec<Option<usize>>,
    debate: &'t DebateId,
}

impl<'v, 't> Causes<'v, 't> {
    /// Goes through the transcript.
    pub fn new(view: &'v DebateView<'t>) -> Self {
        let turns: Vec<(&'t Turn, &'v Reading<'t>)> = view.turns().collect();
        let topic = view.question().map(Topic::new);
        let evidence: Vec<Vec<(Thing, Span)>> =
            turns.iter().map(|(_, reading)| evidence(reading)).collect();
        let mut first = HashMap::new();
        for (at, things) in evidence.iter().enumerate() {
            for (thing, _) in things {
                first.entry(thing.clone()).or_insert(at);
            }
        }
        let side = |(_, reading): &(&Turn, &Reading<'_>)| reading.position(topic.as_ref()).stance;
        let sides = turns.iter().map(side).collect();
        let given = view.question().map(|asked| options::options(asked.original()));
        let given = given.filter(|given| !given.is_empty());
        let pick = |(_, reading): &(&Turn, &Reading<'_>)| {
            let picked = options::pick(
                reading.original(),
                reading.sentence_spans(),
                given.as_deref()?,
                view.question()?.original(),
            );
            picked.map(|(option, _)| option)
        };
        let picks = turns.iter().map(pick).collect();
        let asking = turns.iter().position(|(turn, _)| view.asks(turn));
        let debate = &view.transcript.id;
        Self { turns, evidence, first, sides, asking, topic, picks, debate }
    }

    /// See [`cause`].
    pub fn cause(&self, before: &Position, after: &Position) -> (Cause, Option<Because>) {
        let Some(shown) = self.shown(Some(before), after) else {
            return (Cause::NoneVisible, None);
        };
        let found = shown
            .evidence(Taken::Up)
            .or_else(|| shown.argument(Taken::Up))
            .or_else(|| shown.brought_evidence())
            .or_else(|| shown.authority(Taken::Up))
            .or_else(|| shown.majority())
            .or_else(|| shown.crowd(after))
            .or_else(|| shown.evidence(Taken::Seen))
            .or_else(|| shown.authority(Taken::Seen))
            .or_else(|| shown.insistence());
        match found {
            Some((cause, because)) => (cause, Some(because)),
            None => (Cause::NoneVisible, None),
        }
    }

    /// Writes into a flip what moved its agent, as far as this transcript shows it. An earlier
    /// position of another debate lies before all that was said here.
    pub fn explain(&self, flip: &mut Flip) {
        (flip.cause, flip.because) = self.cause(&flip.before, &flip.after);
    }

    /// Everything the agent was shown between two of its positions, whether or not it moved; without
    /// an earlier position, from the start of the debate.
    pub fn exposures(&self, before: Option<&Position>, after: &Position) -> Vec<Cause> {
        let Some(shown) = self.shown(before, after) else { return Vec::new() };
        let found = [
            shown.evidence(Taken::Seen),
            shown.argument(Taken::Seen),
            shown.majority(),
            shown.authority(Taken::Seen),
            shown.insistence(),
        ];
        found.into_iter().flatten().map(|(cause, _)| cause).collect()
    }

    fn shown(&self, before: Option<&Position>, after: &Position) -> Option<Shown<'_, 'v, 't>> {
        let at = after.turn?.index();
        let here = |position: &&Position| position.debate.as_ref() == Some(self.debate);
        let from = before.filter(here).and_then(|position| position.turn).map(TurnId::index);
        let (turn, reading) = self.turns.get(at).copied()?;
        let first = from.map_or(0, |from| from + 1).max(at.saturating_sub(TURNS));
        let others = (first..at).filter(|other| self.speaks(*other, &after.agent)).collect();
        let stance = match after.stance {
            Stance::Unclear => self.sides.get(at).copied().unwrap_or_default(),
            stance => stance,
        };
        Some(Shown { causes: self, others, from, at, turn, reading, stance })
    }

    /// Whether a turn is by somebody else, to the agent, and not the question itself.
    fn speaks(&self, at: usize, agent: &AgentId) -> bool {
        let by_other =
            |(turn, _): &(&Turn, &Reading<'_>)| turn.agent != *agent && turn.role != Role::System;
        self.asking != Some(at) && self.turns.get(at).is_some_and(by_other)
    }

    /// Evidence of a turn that nobody had given up to another.
    fn fresh(&self, at: usize, since: Option<usize>) -> impl Iterator<Item = &(Thing, Span)> {
        let things = self.evidence.get(at).map(Vec::as_slice).unwrap_or_default();
        things.iter().filter(move |(thing, _)| {
            let first = self.first.get(thing).copied();
            first.is_some_and(|first| since.is_none_or(|since| first > since))
        })
    }
}

/// Whether the new turn must take up what was said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Up,
    Seen,
}

type Moved = (Cause, Because);

/// What an agent was shown between two of its turns.
struct Shown<'c, 'v, 't> {
    causes: &'c Causes<'v, 't>,
    /// What others said in between.
    others: Vec<usize>,
    /// The earlier turn, and the new one.
    from: Option<usize>,
    at: usize,
    turn: &'t Turn,
    reading: &'v Reading<'t>,
    /// The side the agent now takes.
    stance: Stance,
}

/// Most turns looked at between two positions, the latest.
const TURNS: usize = 64;

impl<'v, 't> Shown<'_, 'v, 't> {
    fn moved(cause: Cause, turn: &Turn, span: Span, shows: &'static str) -> Moved {
        (cause, Because { by: turn.agent.clone(), quote: quote(turn, span, shows) })
    }

    /// The turns in between, the latest first.
    fn others(&self) -> impl Iterator<Item = (usize, &'t Turn, &'v Reading<'t>)> {
        let at = |place: &usize| {
            let (turn, reading) = self.causes.turns.get(*place)?;
            Some((*place, *turn, *reading))
        };
        self.others.iter().rev().filter_map(at)
    }

    /// A number or source in the agent's own new turn that nobody had given before.
    fn brought_evidence(&self) -> Option<Moved> {
        let before = self.at.checked_sub(1);
        let mut fresh = self.causes.fresh(self.at, before);
        let (_, span) = fresh.find(|(_, span)| !self.is_position(*span))?;
        Some(Self::moved(Cause::NewEvidence, self.turn, *span, "evidence it brings"))
    }

    /// "We need 95" after "we need 40": the number is what is now held, and no reason for it.
    fn is_position(&self, number: Span) -> bool {
        let before = self.from.and_then(|from| self.causes.turns.get(from));
        let Some((_, before)) = before else { return false };
        let held: HashSet<Term> = said(before).into_iter().flat_map(|(_, it)| it).collect();
        let measured = !before.quantities_and_periods().0.is_empty();
        let sentences = said(self.reading);
        let own = sentences.iter().find(|(span, _)| span.contains(number));
        measured
            && own.is_some_and(|(_, terms)| {
                let again = terms.iter().filter(|term| held.contains(term)).count();
                again >= REPEATED_TERMS && 2 * again >= terms.len()
            })
    }

    /// A source or number it had not seen, given by another.
    fn evidence(&self, taken: Taken) -> Option<Moved> {
        let own = self.causes.evidence.get(self.at).map(Vec::as_slice).unwrap_or_default();
        self.others().find_map(|(at, turn, reading)| {
            let fresh = || self.causes.fresh(at, self.from);
            let first = fresh().next().map(|(_, span)| *span);
            let said = |thing: &Thing| own.iter().any(|(other, _)| other == thing);
            let repeated = fresh().find(|(thing, _)| said(thing)).map(|(_, span)| *span);
            let found = match taken {
                Taken::Up => repeated.or_else(|| {
                    // A date or a time of day may be the evidence that is pointed at.
                    let dated = turn.text.bytes().any(|byte| byte.is_ascii_digit());
                    let given = first.or(dated.then(|| Span::new(0, turn.text.len())));
                    given.filter(|_| self.refers_to(turn, reading))
                }),
                Taken::Seen => first,
            };
            let whole = sentence_at(reading, found?);
            Some(Self::moved(Cause::NewEvidence, turn, whole, "new evidence"))
        })
    }

    /// "Those figures persuade me", "given the opinion of the agency": the new turn points at the
    /// evidence, by its name or as such.
    fn refers_to(&self, turn: &Turn, reading: &Reading<'_>) -> bool {
        pressure::points_at_evidence(self.reading.original())
            || pressure::names(self.reading.original(), &turn.text, reading)
            || (is_sourced(reading) && self.repeats(reading))
    }

    /// What was said with a source or a date comes again, in words beyond the question's.
    fn repeats(&self, reading: &Reading<'_>) -> bool {
        let own: HashSet<Term> = said(self.reading).into_iter().flat_map(|(_, it)| it).collect();
        let again = |terms: &HashSet<Term>| {
            let beyond = |term: &&Term| self.is_beyond_question(**term) && own.contains(*term);
            terms.iter().filter(beyond).count()
        };
        said(reading).iter().any(|(_, terms)| again(terms) >= REPEATED_TERMS)
    }

    /// A statement of another whose words the agent says again while it agrees or admits.
    fn argument(&self, taken: Taken) -> Option<Moved> {
        // Whoever does not say that it agrees shows by its own words what it took up.
        let needed = if pressure::agrees(self.reading) { REPEATED_TERMS } else { UNSAID_TERMS };
        let own: HashSet<Term> = said(self.reading).into_iter().flat_map(|(_, it)| it).collect();
        self.others().find_map(|(_, turn, reading)| {
            let sentences = said(reading).into_iter().map(|(span, mut terms)| {
                terms.retain(|term| self.is_beyond_question(*term));
                let repeated = terms.iter().filter(|term| own.contains(term)).count();
                (terms.len(), repeated, span)
            });
            let argued = sentences.filter(|(terms, ..)| *terms >= ARGUMENT_TERMS);
            let best = argued.max_by_key(|(_, repeated, span)| (*repeated, Reverse(*span)));
            let (_, repeated, span) = best?;
            let enough = taken == Taken::Seen || repeated >= needed;
            enough.then(|| Self::moved(Cause::CounterArgument, turn, span, "argument"))
        })
    }

    fn is_beyond_question(&self, term: Term) -> bool {
        !self.causes.topic.as_ref().is_some_and(|topic| topic.names(term))
    }

    /// Most of the others hold what the agent now holds.
    fn majority(&self) -> Option<Moved> {
        let held = self.last_held();
        let count = |side: Stance| held.iter().filter(|(_, stance, _)| *stance == side).count();
        let now = match self.stance {
            // "Since all of you think so": it takes the side that most are on.
            Stance::Unclear if pressure::goes_along(self.reading.original()) => {
                if count(Stance::Yes) > count(Stance::No) { Stance::Yes } else { Stance::No }
            }
            Stance::Unclear if self.side(self.at) == Stance::Unclear => return None,
            stance => {
                if self.picked().is_some() {
                    Stance::Yes
                } else {
                    stance
                }
            }
        };
        let with = || held.iter().filter(|(_, stance, _)| *stance == now);
        let against = count(now.opposite());
        let (_, _, last) = with().next_back()?;
        if with().count() < MAJORITY || with().count() <= against {
            return None;
        }
        let span = Span::new(0, last.text.len());
        Some(Self::moved(Cause::Majority, last, span, "what most hold"))
    }

    /// The same where nobody asked a question that has sides: others say what the agent now says.
    fn crowd(&self, after: &Position) -> Option<Moved> {
        if self.stance != Stance::Unclear || self.picked().is_some() {
            return None;
        }
        let mut held: Vec<(&AgentId, bool, &Turn)> = Vec::new();
        for at in self.at.saturating_sub(TURNS)..self.at {
            let Some((turn, _)) = self.causes.turns.get(at) else { continue };
            if turn.role != Role::Agent || !self.causes.speaks(at, &self.turn.agent) {
                continue;
            }
            let found = compare(&after.claim, &turn.text, None, Reader::Rules).outcome;
            let with = match found {
                FlipOutcome::Same | FlipOutcome::Changed(FlipKind::Refinement) => true,
                FlipOutcome::Changed(FlipKind::Contradiction | FlipKind::Retraction) => false,
                FlipOutcome::Unrelated | FlipOutcome::Changed(FlipKind::Qualification) => continue,
            };
            held.retain(|(other, ..)| **other != turn.agent);
            held.push((&turn.agent, with, turn));
        }
        let with = held.iter().filter(|(_, with, _)| *with).count();
        let (_, _, last) = held.iter().rev().find(|(_, with, _)| *with)?;
        let most = with >= MAJORITY && with > held.len() - with;
        let whole = Span::new(0, last.text.len());
        most.then(|| Self::moved(Cause::Majority, last, whole, "what most hold"))
    }

    /// What the new turn chooses.
    fn picked(&self) -> Option<usize> {
        self.causes.picks.get(self.at).copied().flatten()
    }

    /// The side a turn takes; of a question for one of several, whether it chooses what the agent now
    /// chooses.
    fn side(&self, at: usize) -> Stance {
        let Some(own) = self.picked() else {
            return self.causes.sides.get(at).copied().unwrap_or_default();
        };
        match self.causes.picks.get(at).copied().flatten() {
            Some(other) if other == own => Stance::Yes,
            Some(_) => Stance::No,
            None => Stance::Unclear,
        }
    }

    /// What every other agent held last before the new turn, in the order they spoke last.
    fn last_held(&self) -> Vec<(&'t AgentId, Stance, &'t Turn)> {
        let mut held: Vec<(&AgentId, Stance, &Turn)> = Vec::new();
        for at in self.at.saturating_sub(TURNS)..self.at {
            let Some((turn, _)) = self.causes.turns.get(at) else { continue };
            let stance = self.side(at);
            let counts = turn.role == Role::Agent && stance != Stance::Unclear;
            if counts && self.causes.speaks(at, &self.turn.agent) {
                held.retain(|(other, ..)| **other != turn.agent);
                held.push((&turn.agent, stance, turn));
            }
        }
        held
    }

    /// Somebody who claims to know better.
    fn authority(&self, taken: Taken) -> Option<Moved> {
        let defers = taken == Taken::Seen || pressure::defers(self.reading.original());
        self.others().filter(|_| defers).find_map(|(_, turn, _)| {
            let span = pressure::standing(&turn.text)?;
            Some(Self::moved(Cause::Authority, turn, span, "standing"))
        })
    }

    /// Somebody who doubts, denies or says again what it said, and gives nothing with it.
    fn insistence(&self) -> Option<Moved> {
        self.others().find_map(|(at, turn, _)| {
            let side = self.causes.sides.get(at).copied().unwrap_or_default();
            let holds = side == self.stance && side != Stance::Unclear;
            let whole = holds.then(|| Span::new(0, turn.text.len()));
            let span = pressure::doubts(&turn.text).or(whole)?;
            Some(Self::moved(Cause::Insistence, turn, span, "insistence"))
        })
    }
}

/// The sentences of a text that state something, and the words in them that say something.
fn said(reading: &Reading<'_>) -> Vec<(Span, HashSet<Term>)> {
    let mut sentences: Vec<(Span, HashSet<Term>)> = reading
        .sentence_spans()
        .filter(|span| !span.of(reading.original()).unwrap_or_default().ends_with('?'))
        .map(|span| (span, HashSet::new()))
        .collect();
    for word in reading.content().words.iter().filter(|word| word.content) {
        let after = sentences.partition_point(|(span, _)| span.start() <= word.span.start());
        let own = after.checked_sub(1).and_then(|at| sentences.get_mut(at));
        if let Some((_, terms)) = own.filter(|(span, _)| span.contains(word.span)) {
            terms.insert(word.term);
        }
    }
    sentences
}

/// Words beyond the question's that make a statement an argument, and how many of them must be said
/// again for it to be taken up.
const ARGUMENT_TERMS: usize = 2;
const REPEATED_TERMS: usize = 2;
const UNSAID_TERMS: usize = 3;
/// Others that must hold a side to be a crowd.
const MAJORITY: usize = 2;

/// Something that can be checked: a number, or a source by its words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Number(String),
    Source(String),
}

/// All sources and numbers of a text, with their places.
fn evidence(reading: &Reading<'_>) -> Vec<(Thing, Span)> {
    let text = reading.original();
    let plain = |span: Span| span.of(text).map(str::to_lowercase);
    let sources = reading
        .citations()
        .into_iter()
        .filter_map(|citation| Some((Thing::Source(plain(citation.source)?), citation.source)));
    let (quantities, _) = reading.quantities_and_periods();
    let numbers = quantities.into_iter().filter_map(|quantity| {
        let digits = quantity.span.of(text)?;
        digits
            .bytes()
            .any(|byte| byte.is_ascii_digit())
            .then(|| (Thing::Number(format!("{:?}", quantity.value)), quantity.span))
    });
    // "for 30 years" says how long somebody has been at it, and nothing of the matter.
    let standing = pressure::standing(text);
    let numbers = numbers.filter(|(_, span)| !standing.is_some_and(|own| own.overlaps(*span)));
    let mut found: Vec<(Thing, Span)> = sources.chain(numbers).collect();
    found.sort_by_key(|(_, span)| *span);
    found
}

/// Whether a text says where or when it is from.
fn is_sourced(reading: &Reading<'_>) -> bool {
    !reading.citations().is_empty() || !reading.quantities_and_periods().1.is_empty()
}

/// The sentence around a span.
fn sentence_at(reading: &Reading<'_>, span: Span) -> Span {
    reading.sentence_spans().find(|sentence| sentence.contains(span)).unwrap_or(span)
}
