//! Positions made ready for the database: all that can be made of them before it is asked.
//!
//! Hashing, writing JSON and laying out rows take about as long as the database takes to store
//! them, and are done for the next record while it stores the last.

use std::collections::HashSet;
use std::iter::Peekable;
use std::vec::IntoIter;

use jiff::Timestamp;
use rebuttal_model::{AgentId, DebateId, Event, Position, PositionId, limits};

use super::position_rows::{Printed, Rows, fingerprint};
use crate::Result;
use crate::journal;
use crate::sql::{Args, EngineKind, clean};

/// As many positions at a time as one record holds.
pub(super) struct Records {
    rest: Peekable<IntoIter<Position>>,
    place: usize,
}

impl Records {
    /// Positions that are to be written, in the order they were handed in.
    pub(super) fn of(positions: Vec<Position>) -> Self {
        Self { rest: positions.into_iter().peekable(), place: 0 }
    }

    /// The next of them, if there are more, to go behind the `before` positions of the ledger.
    pub(super) fn next(&mut self, before: u64, engine: EngineKind) -> Result<Option<Batch>> {
        let Some(first) = self.rest.next() else { return Ok(None) };
        let place = self.place;
        let mut bytes = first.claim.len();
        let mut positions = Vec::with_capacity(limits::RECORD_POSITIONS);
        positions.push(tidy(first));
        while positions.len() < limits::RECORD_POSITIONS {
            let fits = |next: &Position| bytes + next.claim.len() <= limits::RECORD_CLAIM_BYTES;
            let Some(position) = self.rest.next_if(fits) else { break };
            bytes += position.claim.len();
            positions.push(tidy(position));
        }
        self.place += positions.len();
        Batch::new(place, positions, before, engine).map(Some)
    }
}

/// The positions of one record, made ready as if the ledger had none of them.
pub(super) struct Batch {
    /// The place of the first among all that were handed in.
    pub(super) place: usize,
    pub(super) contents: Vec<Content>,
    /// Their ids, to ask for those that are known.
    pub(super) ids: Args,
    /// True when an id comes twice.
    pub(super) repeats: bool,
    pub(super) ready: Ready,
}

impl Batch {
    /// A batch of them, with what is needed to ask the ledger which it has.
    fn new(
        place: usize,
        positions: Vec<Position>,
        before: u64,
        engine: EngineKind,
    ) -> Result<Self> {
        let contents: Vec<Content> = positions.iter().map(Content::of).collect();
        let ids: Vec<&str> = positions.iter().map(|position| position.id.as_str()).collect();
        let mut seen = HashSet::with_capacity(ids.len());
        let repeats = !ids.iter().all(|id| seen.insert(*id));
        let ids = Args::none().json(&ids);
        let ready = Ready::new(positions, &contents, before, engine)?;
        Ok(Self { place, contents, ids, repeats, ready })
    }
}

/// Positions that are new, with the bytes and the statements that they become.
pub(super) struct Ready {
    pub(super) positions: Vec<Position>,
    pub(super) payload: Vec<u8>,
    pub(super) rows: Rows,
}

impl Ready {
    /// Positions with the record and the rows they become.
    pub(super) fn new(
        positions: Vec<Position>,
        contents: &[Content],
        before: u64,
        engine: EngineKind,
    ) -> Result<Self> {
        let prints = contents.iter().map(|content| content.fingerprint);
        let printed: Vec<Printed<'_>> = positions.iter().zip(prints).collect();
        let rows = Rows::new(engine, before, &printed);
        let event = Event::PositionsTaken { positions };
        let payload = journal::payload(&event)?;
        let Event::PositionsTaken { positions } = event else {
            return Ok(Self { positions: Vec::new(), payload, rows });
        };
        Ok(Self { positions, payload, rows })
    }
}

/// What must be the same for two positions with one id to be the same.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) fingerprint: i64,
    pub(super) at: i64,
}

impl Content {
    /// What makes two positions of one id the same.
    pub(super) fn of(position: &Position) -> Self {
        Self { fingerprint: fingerprint(position), at: position.at.as_microsecond() }
    }

    /// A time that was only assumed, as the id shows, makes no difference.
    pub(super) fn is(&self, other: &Self, position: &Position) -> bool {
        self.fingerprint == other.fingerprint
            && (self.at == other.at || position.derive_id(false) == position.id)
    }
}

/// The position as both engines can hold it.
fn tidy(mut position: Position) -> Position {
    // Rounding down to the microsecond cannot leave the range of times.
    position.at = Timestamp::from_microsecond(position.at.as_microsecond()).unwrap_or(position.at);
    let has_nul = |text: &str| text.contains('\0');
    if has_nul(position.id.as_str()) {
        position.id = PositionId::new(clean(position.id.as_str()).into_owned());
    }
    if has_nul(position.agent.as_str()) {
        position.agent = AgentId::new(clean(position.agent.as_str()).into_owned());
    }
    if has_nul(&position.claim) {
        position.claim = clean(&position.claim).into_owned();
    }
    for text in [&mut position.question, &mut position.domain].into_iter().flatten() {
        if has_nul(text) {
            *text = clean(text).into_owned();
        }
    }
    if let Some(debate) = position.debate.as_ref().filter(|debate| has_nul(debate.as_str())) {
        position.debate = Some(DebateId::new(clean(debate.as_str()).into_owned()));
    }
    position
}
