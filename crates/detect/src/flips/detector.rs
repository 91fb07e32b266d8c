//! Flips as positions come: each new one is compared with the latest earlier one on its proposition.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use rebuttal_model::{Acknowledgment, Cause, Confidence, Flip, FlipId, FlipKind, Position, Stance};

use super::compare::{Claim, compare_all, compare_read};
use super::keys::{position_keys, terms};
use super::line::is_reversal;
use super::sharing::Sharing;
use super::toward::toward;
use super::{Comparison, FlipOutcome, Statements};
use crate::reader::Reader;

/// Most earlier positions compared with a new one, unless told otherwise: those that share most with
/// it.
pub const LOOKBACK: usize = 50;

/// The newest positions under one key that are looked at. A key that more have tells so little that the
/// others are not missed: what is found, is found under its rarer keys (`examples/flip_recall.rs`).
pub const LISTED: usize = 32;

/// Pairs that a model is asked about at once.
const ASKED: usize = 24;

/// Positions with their numbers, newest last.
type Latest = VecDeque<(u64, Arc<Said>)>;

/// A position that is compared with many others: its claim is read when that is first needed, and once.
#[derive(Debug)]
pub struct Said {
    position: Position,
    claim: OnceLock<Claim>,
    /// What the claim is about, sorted.
    terms: OnceLock<Vec<u64>>,
}

impl Said {
    /// A position whose claim was not read yet.
    pub fn new(position: Position) -> Self {
        Self { position, claim: OnceLock::new(), terms: OnceLock::new() }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// True for a line that says that its speaker changed its mind or takes something back. Its words
    /// need not be those of what it takes back: "I retract my last statement."
    pub fn takes_back(&self) -> bool {
        self.claim().takes_back()
    }

    /// Whether an earlier position that shares no key with this one is worth a comparison: it shares a
    /// third of the words that the shorter of the two is about, or this one takes back what was said.
    pub fn may_answer(&self, earlier: &Self) -> bool {
        let (one, two) = (self.terms(), earlier.terms());
        let shared = one.iter().filter(|term| two.binary_search(term).is_ok()).count();
        shared * 3 >= one.len().min(two.len()).max(1) || self.takes_back()
    }

    fn claim(&self) -> &Claim {
        self.claim.get_or_init(|| Claim::new(&self.position.claim))
    }

    fn terms(&self) -> &[u64] {
        self.terms
            .get_or_init(|| terms(&self.position.claim).into_iter().map(|(term, _)| term).collect())
    }
}

/// Takes positions in the order of time and hands out the flips they make. The cost of one position
/// does not grow with how many came before: it has few keys, and few earlier ones are kept under each.
#[derive(Debug)]
pub struct Detector<'m> {
    reader: Reader<'m>,
    lookback: usize,
    taken: u64,
    /// The latest positions under each key of each agent, newest last.
    by_key: HashMap<(Arc<str>, u64), Latest>,
    /// The latest of each agent, whatever they are about.
    latest: HashMap<Arc<str>, Latest>,
}

impl<'m> Detector<'m> {
    /// A detector that has seen nothing yet.
    pub fn new(reader: Reader<'m>, lookback: usize) -> Self {
        Self { reader, lookback, taken: 0, by_key: HashMap::new(), latest: HashMap::new() }
    }

    /// How many places earlier positions are kept at.
    pub fn kept(&self) -> usize {
        self.by_key.values().map(VecDeque::len).sum()
    }

    /// Takes a position; returns the flip it makes, if it makes one. `detected_at` is when that is.
    pub fn push(&mut self, position: Position, detected_at: Timestamp) -> Vec<Flip> {
        let agent: Arc<str> = Arc::from(position.agent.as_str());
        let keys = position_keys(&position);
        let position = Arc::new(Said::new(position));
        let earlier = self.candidates(&agent, &keys, &position);
        let candidates = earlier.iter().map(AsRef::as_ref);
        let found = latest_flip(candidates, &position, self.reader, detected_at);
        let entry = |kept: &mut Latest, most: usize| {
            if kept.len() >= most {
                kept.pop_front();
            }
            kept.push_back((self.taken, position.clone()));
        };
        for key in keys {
            entry(
                self.by_key.entry((agent.clone(), key)).or_default(),
                self.lookback.clamp(1, LISTED),
            );
        }
        entry(self.latest.entry(agent).or_default(), self.lookback.max(1));
        self.taken += 1;
        found.into_iter().collect()
    }

    /// The earlier positions that share most keys, newest first; of an agent with few positions all
    /// that may be answered.
    fn candidates(&self, agent: &Arc<str>, keys: &[u64], after: &Said) -> Vec<Arc<Said>> {
        let mut sharing = Sharing::default();
        let mut under: HashMap<u64, &Arc<Said>> = HashMap::new();
        for key in keys {
            let Some(kept) = self.by_key.get(&(agent.clone(), *key)) else { continue };
            sharing.add(kept.iter().map(|(number, _)| *number), kept.len());
            under.extend(kept.iter().map(|(number, said)| (*number, said)));
        }
        let best = sharing.best(self.lookback.max(1));
        let mut counted: Vec<(u64, &Arc<Said>)> =
            best.into_iter().filter_map(|number| Some((number, *under.get(&number)?))).collect();
        let latest = self.latest.get(agent);
        for (number, position) in
            latest.into_iter().flat_map(|latest| recent(latest, self.lookback, after))
        {
            if !under.contains_key(number) && after.may_answer(position) {
                counted.push((*number, position));
            }
        }
        counted.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        counted.into_iter().map(|(_, position)| position.clone()).collect()
    }
}

/// The latest positions of an agent that are looked at without a key in common: all of one that has
/// few, and the last of one that takes something back.
fn recent<'l>(
    latest: &'l Latest,
    lookback: usize,
    after: &Said,
) -> impl Iterator<Item = &'l (u64, Arc<Said>)> {
    let most = match (latest.len() < lookback, after.takes_back()) {
        (true, _) => lookback,
        (false, true) => 1,
        (false, false) => 0,
    };
    latest.iter().rev().take(most)
}

/// All flips among these positions, in the order of time.
pub fn detect_flips(
    positions: impl IntoIterator<Item = Position>,
    lookback: usize,
    reader: Reader<'_>,
    detected_at: Timestamp,
) -> Vec<Flip> {
    let mut positions: Vec<Position> = positions.into_iter().collect();
    positions.sort_by_key(|position| (position.at, position.round, position.turn));
    let mut detector = Detector::new(reader, lookback);
    positions.into_iter().flat_map(|position| detector.push(position, detected_at)).collect()
}

/// The flip from the latest of `earlier`, newest first, that is on the same proposition as `after`.
/// An earlier one that says the same ends the search: whoever repeats itself does not flip again.
pub fn latest_flip<'p>(
    earlier: impl IntoIterator<Item = &'p Said>,
    after: &Said,
    reader: Reader<'_>,
    detected_at: Timestamp,
) -> Option<Flip> {
    let comparable = |before: &&Said| {
        let (before, after) = (&before.position, &after.position);
        before.id != after.id && same_matter_possible(before, after)
    };
    let mut earlier = earlier.into_iter().filter(comparable);
    // Rules stop at the first that is on the same matter; a model is asked about all at once.
    let (before, found) = match (reader, reader.models()) {
        (Reader::Rules | Reader::Model(_), None) => {
            earlier.find_map(|before| Some((before, by_rules(before, after)?)))?
        }
        (_, Some(_)) => by_all(earlier, after, reader, ASKED)?,
        (Reader::Seed, None) => by_all(earlier, after, reader, 1)?,
    };
    flip(&before.position, &after.position, &found, detected_at)
}

/// Whether two positions are on one matter, changed or not.
pub fn related(before: &Said, after: &Said, reader: Reader<'_>) -> bool {
    let (one, two) = (&before.position, &after.position);
    if !same_matter_possible(one, two) || one.id == two.id {
        return false;
    }
    match reader.models() {
        None => by_rules(before, after).is_some(),
        Some(_) => by_all(std::iter::once(before), after, reader, 1).is_some(),
    }
}

/// What became of a claim, by rules; `None` for one on another matter.
fn by_rules(before: &Said, after: &Said) -> Option<Comparison> {
    let (one, two) = (&before.position, &after.position);
    let (outcome, told) = compare_read(statements(one, two), before.claim(), after.claim());
    // Most are on other matters, and nobody reads why.
    ends_search(one, two, outcome).then(|| judged(one, two, told()))
}

/// Whether an earlier position tells what became of this one. Of the answers to one question, those
/// whose side is known tell: two of one side say the same and two of both sides break, in whatever
/// words. One that takes no side hides none before it.
fn ends_search(before: &Position, after: &Position, outcome: FlipOutcome) -> bool {
    if after.stance == Stance::Unclear || !same_question(before, after) {
        return outcome != FlipOutcome::Unrelated;
    }
    before.stance != Stance::Unclear || matches!(outcome, FlipOutcome::Changed(_))
}

/// The first that is on the same matter, compared so many at once.
fn by_all<'p>(
    mut earlier: impl Iterator<Item = &'p Said>,
    after: &Said,
    reader: Reader<'_>,
    at_once: usize,
) -> Option<(&'p Said, Comparison)> {
    loop {
        let batch: Vec<&Said> = earlier.by_ref().take(at_once).collect();
        if batch.is_empty() {
            return None;
        }
        let pairs: Vec<Statements<'_>> =
            batch.iter().map(|before| statements(&before.position, &after.position)).collect();
        let mut found = batch.into_iter().zip(compare_all(&pairs, reader));
        let ends = |(before, found): &(&Said, Comparison)| {
            ends_search(&before.position, &after.position, found.outcome)
        };
        if let Some((before, found)) = found.find(ends) {
            return Some((before, judged(&before.position, &after.position, found)));
        }
    }
}

fn statements<'p>(before: &'p Position, after: &'p Position) -> Statements<'p> {
    let question = after.question.as_deref().filter(|_| same_question(before, after));
    Statements { before: &before.claim, after: &after.claim, question, reply_to: None }
}

fn same_question(before: &Position, after: &Position) -> bool {
    let asked = before.question.as_deref().zip(after.question.as_deref());
    asked.is_some_and(|(one, two)| one.trim().eq_ignore_ascii_case(two.trim()))
}

/// Whoever recorded the positions may know their sides better than their words tell: from one side to
/// the other is no qualification. With words that acknowledge it, what was held is given up.
fn judged(before: &Position, after: &Position, found: Comparison) -> Comparison {
    if !turned(before, after) || is_reversal(found.outcome) {
        return found;
    }
    let (was, is) = (before.stance.as_str(), after.stance.as_str());
    let (kind, what) = match found.acknowledgment {
        Some(_) => (FlipKind::Retraction, "Retraction"),
        None => (FlipKind::Contradiction, "Contradiction"),
    };
    Comparison {
        outcome: FlipOutcome::Changed(kind),
        confidence: SIDES,
        explanation: format!("{what}: it answered {was} and now answers {is}."),
        ..found
    }
}

fn turned(before: &Position, after: &Position) -> bool {
    before.stance.opposes(after.stance) && same_question(before, after)
}

/// How sure two recorded sides make.
const SIDES: f64 = 0.6;

/// Positions of two agents, or of two known and different fields, are never compared.
fn same_matter_possible(before: &Position, after: &Position) -> bool {
    let fields = before.domain.as_ref().zip(after.domain.as_ref());
    before.agent == after.agent && fields.is_none_or(|(one, two)| one == two)
}

/// The flip from one position to another, if the comparison found one. What moved the agent is not
/// known here: see [`cause`](super::cause).
pub fn flip(
    before: &Position,
    after: &Position,
    found: &Comparison,
    detected_at: Timestamp,
) -> Option<Flip> {
    let kind = found.outcome.kind()?;
    let acknowledged = found.acknowledgment.is_some();
    Some(Flip {
        id: FlipId::of(&before.id, &after.id),
        before: before.clone(),
        after: after.clone(),
        kind,
        similarity: found.similarity,
        confidence: Confidence::detector(found.confidence),
        method: found.method,
        acknowledgment: if acknowledged {
            Acknowledgment::Acknowledged
        } else {
            Acknowledgment::Silent
        },
        acknowledged_in: found.acknowledgment,
        before_span: found.before,
        after_span: found.after,
        cause: Cause::NoneVisible,
        because: None,
        toward: toward(before, after, kind),
        explanation: found.explanation.clone(),
        detected_at,
    })
}
