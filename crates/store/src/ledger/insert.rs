//! Taking positions in: many at a time, each id once.

use std::collections::HashMap;

use jiff::Timestamp;
use rebuttal_model::{Position, PositionId};

use super::position_rows::position_columns;
use super::ready::{Batch, Content, Ready, Records};
use super::{StoredPosition, Writer, each_text};
use crate::sql::{Args, Sql, Tx};
use crate::{Durability, Result, Store};

/// What is there under these ids, as far as it takes to tell a repeat from a clash.
const KNOWN: Sql =
    each_text!("SELECT p.id, p.content, p.created_at", "JOIN positions AS p ON p.id = given.value");

/// The positions that are there under these ids, whole, to be shown beside those that clash.
const KEPT: Sql = each_text!(
    concat!("SELECT ", position_columns!("p")),
    "JOIN positions AS p ON p.id = given.value"
);

/// What became of positions that were handed in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inserted {
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
    /// Its place among those that were handed in, counted from 0.
    pub place: usize,
    /// The one in the ledger.
    pub kept: Position,
}

impl Store {
    /// Takes positions into the ledger, in one transaction. What is there already is counted and
    /// skipped, so that an import that was interrupted is simply run again.
    ///
    /// Times are kept to the microsecond, and a NUL in a text becomes U+FFFD.
    pub async fn insert_positions(
        &self,
        at: Timestamp,
        positions: Vec<Position>,
        durability: Durability,
    ) -> Result<Inserted> {
        let mut inserted = Inserted::default();
        let mut writer = Writer::begin(self, durability).await?;
        let engine = writer.tx.engine();
        let mut records = Records::of(positions);
        let mut next = records.next(writer.fold.positions, engine)?;
        while let Some(batch) = next {
            let before = writer.fold.positions;
            next = match sort_out(&mut writer.tx, batch, before, &mut inserted).await? {
                Some(ready) => {
                    inserted.added += ready.positions.len() as u64;
                    let made = |before| records.next(before, engine);
                    writer.write_ready(at, ready, made).await??
                }
                None => records.next(before, engine)?,
            };
        }
        writer.commit().await?;
        Ok(inserted)
    }
}

/// The positions of a batch that are new, `None` if none is; the others are counted.
async fn sort_out(
    tx: &mut Tx<'_>,
    batch: Batch,
    before: u64,
    inserted: &mut Inserted,
) -> Result<Option<Ready>> {
    let Batch { place, contents, ids, repeats, ready } = batch;
    let rows = tx.rows(KNOWN, ids).await?;
    if rows.is_empty() && !repeats {
        return Ok(Some(ready));
    }
    let mut known: HashMap<PositionId, Content> = HashMap::new();
    for mut row in rows {
        let id = PositionId::new(row.text()?);
        known.insert(id, Content { fingerprint: row.int()?, at: row.int()? });
    }
    let (mut fresh, mut fresh_contents, mut clashing) = (Vec::new(), Vec::new(), Vec::new());
    for ((place, position), content) in (place..).zip(ready.positions).zip(contents) {
        match known.get(&position.id) {
            Some(kept) if content.is(kept, &position) => inserted.same += 1,
            Some(_) => clashing.push((place, position)),
            None => {
                known.insert(position.id.clone(), content);
                fresh.push(position);
                fresh_contents.push(content);
            }
        }
    }
    if !clashing.is_empty() {
        inserted.clashes.extend(clashes(tx, clashing, &fresh).await?);
    }
    let is_new = !fresh.is_empty();
    is_new.then(|| Ready::new(fresh, &fresh_contents, before, tx.engine())).transpose()
}

/// Puts the one that is kept beside each position that is left out.
async fn clashes(
    tx: &mut Tx<'_>,
    clashing: Vec<(usize, Position)>,
    fresh: &[Position],
) -> Result<Vec<Clash>> {
    let ids: Vec<&str> = clashing.iter().map(|(_, position)| position.id.as_str()).collect();
    let mut kept: HashMap<PositionId, Position> =
        fresh.iter().map(|position| (position.id.clone(), position.clone())).collect();
    for mut row in tx.rows(KEPT, Args::none().json(&ids)).await? {
        let held = StoredPosition::read(&mut row)?;
        kept.insert(held.position.id.clone(), held.position);
    }
    let pairs = clashing.into_iter().filter_map(|(place, given)| {
        let kept = kept.get(&given.id)?.clone();
        Some(Clash { given, place, kept })
    });
    Ok(pairs.collect())
}
