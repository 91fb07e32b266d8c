//! Flips as positions come: each new one is compared with the latest earlier one on its proposition.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use rebuttal_model::{Acknowledgment, Cause, Confidence, Flip, FlipId, FlipKind, Position};

use super::compare::{Claim, compare_all, compare_read};
use super::keys::position_keys;
use super::{Comparison, Outcome, Statements};
use crate::reader::Reader;

/// How many earlier positions are looked at under one key, unless told otherwise.
pub const LOOKBACK: usize = 50;

/// Most earlier positions compared with a new one: those that share most keys with it.
pub const COMPARED: usize = 24;

/// Positions with their numbers, newest last.
type Latest = VecDeque<(u64, Arc<Said>)>;

/// A position that is compared with many others: its claim is read when that is first needed, and once.
#[derive(Debug)]
pub struct Said {
    position: Position,
    claim: OnceLock<Claim>,
}

impl Said {
    /// A position whose claim was not read yet.
    pub fn new(position: Position) -> Self {
        Self { position, claim: OnceLock::new() }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn claim(&self) -> &Claim {
        self.claim.get_or_init(|| Claim::new(&self.position.claim))
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
}

impl<'m> Detector<'m> {
    /// A detector that has seen nothing yet.
    pub fn new(reader: Reader<'m>, lookback: usize) -> Self {
        Self { reader, lookback, taken: 0, by_key: HashMap::new() }
    }

    /// How many places earlier positions are kept at.
    pub fn kept(&self) -> usize {
        self.by_key.values().map(VecDeque::len).sum()
    }

    /// Takes a position; returns the flip it makes, if it makes one. `detected_at` is when that is.
    pub fn push(&mut self, position: Position, detected_at: Timestamp) -> Vec<Flip> {
        let agent: Arc<str> = Arc::from(position.agent.as_str());
        let keys = position_keys(&position);
        let earlier = self.candidates(&agent, &keys);
        let candidates = earlier.iter().map(AsRef::as_ref);
        let position = Arc::new(Said::new(position));
        let found = latest_flip(candidates, &position, self.reader, detected_at);
        for key in keys {
            let kept = self.by_key.entry((agent.clone(), key)).or_default();
            if kept.len() >= self.lookback.max(1) {
                kept.pop_front();
            }
            kept.push_back((self.taken, position.clone()));
        }
        self.taken += 1;
        found.into_iter().collect()
    }

    /// The earlier positions that share most keys, newest first.
    fn candidates(&self, agent: &Arc<str>, keys: &[u64]) -> Vec<Arc<Said>> {
        let mut under: Vec<(u64, &Arc<Said>)> = keys
            .iter()
            .filter_map(|key| self.by_key.get(&(agent.clone(), *key)))
            .flat_map(|kept| kept.iter().map(|(number, position)| (*number, position)))
            .collect();
        under.sort_unstable_by_key(|(number, _)| std::cmp::Reverse(*number));
        let mut counted: Vec<(usize, u64, &Arc<Said>)> = Vec::new();
        for (number, position) in under {
            match counted.last_mut() {
                Some((count, last, _)) if *last == number => *count += 1,
                _ => counted.push((1, number, position)),
            }
        }
        counted.sort_by_key(|(count, number, _)| std::cmp::Reverse((*count, *number)));
        counted.truncate(COMPARED);
        counted.sort_by_key(|(_, number, _)| std::cmp::Reverse(*number));
        counted.into_iter().map(|(_, _, position)| position.clone()).collect()
    }
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
        (_, Some(_)) => by_all(earlier, after, reader, COMPARED)?,
        (Reader::Seed, None) => by_all(earlier, after, reader, 1)?,
    };
    flip(&before.position, &after.position, &found, detected_at)
}

/// What became of a claim, by rules; `None` for one on another matter.
fn by_rules(before: &Said, after: &Said) -> Option<Comparison> {
    let (one, two) = (&before.position, &after.position);
    let (outcome, told) = compare_read(statements(one, two), before.claim(), after.claim());
    // Most are on other matters, and nobody reads why.
    let related = outcome != Outcome::Unrelated || turned(one, two);
    related.then(|| judged(one, two, told()))
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
        let found = batch.into_iter().zip(compare_all(&pairs, reader));
        let mut judged =
            found.map(|(before, found)| (before, judged(&before.position, &after.position, found)));
        let related = judged.find(|(_, found)| found.outcome != Outcome::Unrelated);
        if related.is_some() {
            return related;
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

/// Whoever recorded the positions may know their sides better than their words tell.
fn judged(before: &Position, after: &Position, found: Comparison) -> Comparison {
    if !turned(before, after) || matches!(found.outcome, Outcome::Changed(_)) {
        return found;
    }
    let (was, is) = (before.stance.as_str(), after.stance.as_str());
    Comparison {
        outcome: Outcome::Changed(FlipKind::Contradiction),
        confidence: SIDES,
        explanation: format!("Contradiction: it answered {was} and now answers {is}."),
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
        explanation: found.explanation.clone(),
        detected_at,
    })
}
