//! Flips as positions come: each new one is compared with the latest earlier one on its proposition.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_model::{Acknowledgment, Cause, Confidence, Flip, FlipId, Position};

use super::compare::compare;
use super::keys::position_keys;
use super::{Comparison, Outcome};
use crate::reader::Reader;

/// How many earlier positions are looked at under one key, unless told otherwise.
pub const LOOKBACK: usize = 50;

/// Takes positions in the order of time and hands out the flips they make. The cost of one position
/// does not grow with how many came before: it has few keys, and few earlier ones are kept under each.
#[derive(Debug)]
pub struct Detector<'m> {
    reader: Reader<'m>,
    lookback: usize,
    taken: u64,
    /// The latest positions under each key of each agent, newest last.
    by_key: HashMap<(Arc<str>, u64), VecDeque<(u64, Arc<Position>)>>,
}

impl<'m> Detector<'m> {
    /// A detector that has seen nothing yet.
    pub fn new(reader: Reader<'m>, lookback: usize) -> Self {
        Self { reader, lookback, taken: 0, by_key: HashMap::new() }
    }

    /// Takes a position; returns the flip it makes, if it makes one. `detected_at` is when that is.
    pub fn push(&mut self, position: Position, detected_at: Timestamp) -> Vec<Flip> {
        let agent: Arc<str> = Arc::from(position.agent.as_str());
        let keys = position_keys(&position);
        let mut earlier: Vec<(u64, Arc<Position>)> = Vec::new();
        for key in &keys {
            let kept = self.by_key.get(&(agent.clone(), *key));
            earlier.extend(kept.into_iter().flatten().cloned());
        }
        earlier.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        earlier.dedup_by_key(|(number, _)| *number);
        let candidates = earlier.iter().map(|(_, position)| position.as_ref());
        let found = latest_flip(candidates, &position, self.reader, detected_at);
        let position = Arc::new(position);
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
    earlier: impl IntoIterator<Item = &'p Position>,
    after: &Position,
    reader: Reader<'_>,
    detected_at: Timestamp,
) -> Option<Flip> {
    for before in earlier {
        if before.id == after.id || !comparable(before, after) {
            continue;
        }
        let question = after.question.as_deref().filter(|_| before.question == after.question);
        let found = compare(&before.claim, &after.claim, question, reader);
        match found.outcome {
            Outcome::Unrelated => {}
            Outcome::Same => return None,
            Outcome::Changed(_) => return flip(before, after, &found, detected_at),
        }
    }
    None
}

/// Positions of two agents, or of two known and different fields, are never compared.
fn comparable(before: &Position, after: &Position) -> bool {
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
