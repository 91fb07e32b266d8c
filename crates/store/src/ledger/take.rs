//! Taking positions in: many at a time, each id once.

use std::collections::HashMap;

use jiff::Timestamp;
use rebuttal_model::{AgentId, DebateId, Event, Position, PositionId, limits};

use super::position_rows::{fingerprint, position_columns};
use super::{Held, Writer, each_text};
use crate::sql::{Args, Sql, Tx, clean};
use crate::{Durability, Result, Store};

const KNOWN: Sql =
    each_text!("SELECT p.id, p.content, p.created_at", "JOIN positions AS p ON p.id = given.value");

const KEPT: Sql = each_text!(
    concat!("SELECT ", position_columns!("p")),
    "JOIN positions AS p ON p.id = given.value"
);

/// What became of positions that were handed in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// How many are new.
    pub added: u64,
    /// How many the ledger had already, the same in all they say.
    pub same: u64,
    /// Those whose id the ledger has with other content. They were left out; the kept ones stand.
    pub clashes: Vec<Clash>,
}

/// Two positions with one id.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// The one that was handed in, and left out.
    pub given: Position,
    /// The one in the ledger.
    pub kept: Position,
}

impl Store {
    /// Takes positions into the ledger, in one transaction. What is there already is counted and
    /// skipped, so that an import that was interrupted is simply run again.
    ///
    /// Times are kept to the microsecond, and a NUL in a text becomes U+FFFD.
    pub async fn take(
        &self,
        at: Timestamp,
        positions: Vec<Position>,
        durability: Durability,
    ) -> Result<Taken> {
        let mut taken = Taken::default();
        let mut writer = Writer::begin(self, durability).await?;
        for batch in batches(positions) {
            let fresh = sort_out(&mut writer.tx, batch, &mut taken).await?;
            if fresh.is_empty() {
                continue;
            }
            taken.added += fresh.len() as u64;
            writer.write(at, &Event::PositionsTaken { positions: fresh }).await?;
        }
        writer.commit().await?;
        Ok(taken)
    }
}

/// As many at a time as one record holds.
fn batches(positions: Vec<Position>) -> Vec<Vec<Position>> {
    let mut batches: Vec<Vec<Position>> = Vec::new();
    let mut bytes = 0;
    for position in positions {
        bytes += position.claim.len();
        let room = limits::RECORD_POSITIONS;
        match batches.last_mut() {
            Some(batch) if batch.len() < room && bytes <= limits::RECORD_CLAIM_BYTES => {
                batch.push(tidy(position));
            }
            _ => {
                bytes = position.claim.len();
                batches.push(vec![tidy(position)]);
            }
        }
    }
    batches
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

/// What must be the same for two positions with one id to be the same.
struct Content {
    fingerprint: i64,
    at: i64,
}

impl Content {
    fn of(position: &Position) -> Self {
        Self { fingerprint: fingerprint(position), at: position.at.as_microsecond() }
    }

    /// A time that was only assumed, as the id shows, makes no difference.
    fn is(&self, other: &Self, position: &Position) -> bool {
        self.fingerprint == other.fingerprint
            && (self.at == other.at || position.derive_id(false) == position.id)
    }
}

/// The positions of a batch that are new; the others are counted.
async fn sort_out(
    tx: &mut Tx<'_>,
    batch: Vec<Position>,
    taken: &mut Taken,
) -> Result<Vec<Position>> {
    let ids: Vec<&str> = batch.iter().map(|position| position.id.as_str()).collect();
    let mut known: HashMap<PositionId, Content> = HashMap::new();
    for mut row in tx.rows(KNOWN, Args::none().json(&ids)).await? {
        let id = PositionId::new(row.text()?);
        known.insert(id, Content { fingerprint: row.int()?, at: row.int()? });
    }
    let mut fresh: Vec<Position> = Vec::with_capacity(batch.len());
    let mut clashing = Vec::new();
    for position in batch {
        let content = Content::of(&position);
        match known.get(&position.id) {
            Some(kept) if content.is(kept, &position) => taken.same += 1,
            Some(_) => clashing.push(position),
            None => {
                known.insert(position.id.clone(), content);
                fresh.push(position);
            }
        }
    }
    if !clashing.is_empty() {
        taken.clashes.extend(clashes(tx, clashing, &fresh).await?);
    }
    Ok(fresh)
}

/// Puts the one that is kept beside each position that is left out.
async fn clashes(
    tx: &mut Tx<'_>,
    clashing: Vec<Position>,
    fresh: &[Position],
) -> Result<Vec<Clash>> {
    let ids: Vec<&str> = clashing.iter().map(|position| position.id.as_str()).collect();
    let mut kept: HashMap<PositionId, Position> =
        fresh.iter().map(|position| (position.id.clone(), position.clone())).collect();
    for mut row in tx.rows(KEPT, Args::none().json(&ids)).await? {
        let held = Held::read(&mut row)?;
        kept.insert(held.position.id.clone(), held.position);
    }
    let pairs = clashing.into_iter().filter_map(|given| {
        let kept = kept.get(&given.id)?.clone();
        Some(Clash { given, kept })
    });
    Ok(pairs.collect())
}
