//! Where detection stands: positions it has not seen, keys to find candidates by, flips found.
//!
//! Taking positions and looking for flips are separate steps, so that neither waits for the
//! other. `detected_through` is the number of the last position that was looked at; it moves in
//! the transaction that writes what was found, so that a run that was killed goes on where it
//! stopped.

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;
use rebuttal_model::{Event, Flip, PositionId};
use serde_json::{Value, json};

use super::position_rows::position_columns;
use super::{Held, Writer, each, each_text};
use crate::sql::{Args, Sql, Tx};
use crate::{Durability, Error, Result, Store};

const THROUGH: &str = "SELECT detected_through FROM ledger_state";

const UNSEEN: &str = concat!(
    "SELECT ",
    position_columns!("p"),
    " FROM positions AS p WHERE p.n > $1 ORDER BY p.n LIMIT $2"
);

const ADVANCE: &str = "UPDATE ledger_state SET detected_through = $1 WHERE detected_through < $1";

const RESTART: &str = "UPDATE ledger_state SET detected_through = 0";

const FORGET: &str = "DELETE FROM position_keys";

const KEYS: Sql = each!(
    "INSERT INTO position_keys (block, n)
    SELECT CAST(given.value ->> 0 AS BIGINT), CAST(given.value ->> 1 AS BIGINT)",
    "WHERE true ON CONFLICT DO NOTHING"
);

macro_rules! sharing {
    () => {
        concat!(
            " hits AS (SELECT asked.i, k.n, count(*) AS shared FROM asked
                JOIN position_keys AS k ON k.block = asked.block AND k.n < asked.below
                WHERE k.n >= coalesce((SELECT m.n FROM position_keys AS m
                    WHERE m.block = asked.block AND m.n < asked.below
                    ORDER BY m.n DESC LIMIT 1 OFFSET $2), 0)
                GROUP BY asked.i, k.n),
            ranked AS (SELECT i, n, shared,
                row_number() OVER (PARTITION BY i ORDER BY shared DESC, n DESC) AS place
                FROM hits)
            SELECT ranked.i, ranked.shared, ",
            position_columns!("p"),
            " FROM ranked JOIN positions AS p ON p.n = ranked.n
            WHERE ranked.place <= $3 ORDER BY ranked.i, p.n DESC"
        )
    };
}

/// For each key only the newest are looked at, however many share it: the cost does not grow with
/// the ledger.
const SHARING: Sql = Sql {
    sqlite: concat!(
        "WITH asked AS (SELECT given.value ->> 0 AS i, given.value ->> 1 AS block,
            given.value ->> 2 AS below FROM json_each($1) AS given),",
        sharing!()
    ),
    postgres: concat!(
        "WITH asked AS (SELECT CAST(given.value ->> 0 AS BIGINT) AS i,
            CAST(given.value ->> 1 AS BIGINT) AS block, CAST(given.value ->> 2 AS BIGINT) AS below
            FROM json_array_elements(CAST($1 AS json)) AS given(value)),",
        sharing!()
    ),
};

const KNOWN_FLIPS: Sql =
    each_text!("SELECT f.id", "JOIN detected_flips AS f ON f.id = given.value");

const KNOWN_POSITIONS: Sql = each_text!("SELECT p.id", "JOIN positions AS p ON p.id = given.value");

/// The keys of one position, by which later ones find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionKeys {
    /// The position's number.
    pub n: u64,
    /// Only positions of this agent will find it,
    pub agent: String,
    /// and only those of this domain; `None` is a domain of its own.
    pub domain: Option<String>,
    /// The keys.
    pub keys: Vec<u64>,
}

/// Whose positions are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Positions of this agent,
    pub agent: String,
    /// of this domain; `None` is a domain of its own,
    pub domain: Option<String>,
    /// that have any of these keys,
    pub keys: Vec<u64>,
    /// and a number below this one.
    pub below: u64,
}

/// A position that shares keys with a lookup.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// How many.
    pub keys: u64,
    /// Which position.
    pub held: Held,
}

/// What a step of detection came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Keys of the positions that were looked at.
    pub keys: Vec<PositionKeys>,
    /// The flips that were found. One that the ledger has already is not written again.
    pub flips: Vec<Flip>,
    /// The number of the last position that was looked at.
    pub through: u64,
}

impl Store {
    /// The number of the last position that flips were looked for at; 0 at the beginning.
    pub async fn detected_through(&self) -> Result<u64> {
        let row = self.db.row(THROUGH, Args::none()).await?;
        row.map_or(Ok(0), |mut row| row.count())
    }

    /// Positions whose number is above `after`, in order.
    pub async fn positions_after(&self, after: u64, limit: u32) -> Result<Vec<Held>> {
        let args = Args::none().count(after).int(i64::from(limit));
        let rows = self.db.rows(UNSEEN, args).await?;
        rows.into_iter().map(|mut row| Held::read(&mut row)).collect()
    }

    /// For each lookup the positions that share most of its keys, at most `limit`, of which the
    /// newer ones where several share as many; newest first. One statement, whatever the number of
    /// lookups.
    pub async fn sharing(&self, lookups: &[Lookup], limit: u32) -> Result<Vec<Vec<Sharing>>> {
        let rows: Vec<Value> = lookups
            .iter()
            .enumerate()
            .flat_map(|(i, lookup)| {
                let block = block_of(&lookup.agent, lookup.domain.as_deref());
                let below = i64::try_from(lookup.below).unwrap_or(i64::MAX);
                lookup.keys.iter().map(move |key| json!([i, block(*key), below]))
            })
            .collect();
        let mut found: Vec<Vec<Sharing>> = lookups.iter().map(|_| Vec::new()).collect();
        if limit == 0 || rows.is_empty() {
            return Ok(found);
        }
        let args = Args::none().json(&rows).int(i64::from(limit) - 1).int(i64::from(limit));
        for mut row in self.db.rows(SHARING, args).await? {
            let i = usize::try_from(row.count()?).unwrap_or(usize::MAX);
            let keys = row.count()?;
            let held = Held::read(&mut row)?;
            // Two agents' keys may meet by chance, once in ten million ledgers.
            let is_right = |lookup: &Lookup| {
                held.position.agent.as_str() == lookup.agent
                    && held.position.domain == lookup.domain
            };
            if lookups.get(i).is_some_and(is_right)
                && let Some(list) = found.get_mut(i)
            {
                list.push(Sharing { keys, held });
            }
        }
        Ok(found)
    }

    /// Writes what a step of detection found and that it was done, in one transaction. How many of
    /// the flips are new.
    pub async fn record_detection(
        &self,
        at: Timestamp,
        detection: Detection,
        durability: Durability,
    ) -> Result<u64> {
        let mut writer = Writer::begin(self, durability).await?;
        write_keys(&mut writer.tx, &detection.keys).await?;
        let fresh = fresh(&mut writer.tx, detection.flips).await?;
        let count = fresh.len() as u64;
        if !fresh.is_empty() {
            writer.write(at, &Event::FlipsDetected { flips: fresh }).await?;
        }
        writer.tx.run(ADVANCE, Args::none().count(detection.through)).await?;
        writer.commit().await?;
        Ok(count)
    }

    /// Forgets all keys and begins detection anew: for a detector that makes other keys. Flips that
    /// were found stay.
    pub async fn restart_detection(&self) -> Result<()> {
        let mut writer = Writer::begin(self, self.durability).await?;
        writer.tx.run(FORGET, Args::none()).await?;
        writer.tx.run(RESTART, Args::none()).await?;
        writer.commit().await
    }
}

async fn write_keys(tx: &mut Tx<'_>, keys: &[PositionKeys]) -> Result<()> {
    let rows: Vec<Value> = keys
        .iter()
        .flat_map(|position| {
            let block = block_of(&position.agent, position.domain.as_deref());
            position.keys.iter().map(move |key| json!([block(*key), position.n]))
        })
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(KEYS, Args::none().json(&rows)).await.map(drop)
}

/// The flips that are new, each once. Their positions must be in the ledger.
async fn fresh(tx: &mut Tx<'_>, flips: Vec<Flip>) -> Result<Vec<Flip>> {
    if flips.is_empty() {
        return Ok(flips);
    }
    let ids: Vec<&str> = flips.iter().map(|flip| flip.id.as_str()).collect();
    let mut known: HashSet<String> = HashSet::new();
    for mut row in tx.rows(KNOWN_FLIPS, Args::none().json(&ids)).await? {
        known.insert(row.text()?);
    }
    let fresh: Vec<Flip> =
        flips.into_iter().filter(|flip| known.insert(flip.id.as_str().to_owned())).collect();
    let wanted: BTreeSet<&str> =
        fresh.iter().flat_map(|flip| [flip.before.id.as_str(), flip.after.id.as_str()]).collect();
    let mut there: HashSet<String> = HashSet::new();
    for mut row in tx.rows(KNOWN_POSITIONS, Args::none().json(&wanted)).await? {
        there.insert(row.text()?);
    }
    match wanted.iter().find(|id| !there.contains(**id)) {
        Some(id) => Err(Error::NoPosition(PositionId::new(*id))),
        None => Ok(fresh),
    }
}

/// Mixes an agent and a domain into a key, so that one index of two numbers is enough.
fn block_of(agent: &str, domain: Option<&str>) -> impl Fn(u64) -> i64 + use<> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(agent.len() as u64).to_le_bytes());
    hasher.update(agent.as_bytes());
    hasher.update(&[u8::from(domain.is_some())]);
    hasher.update(domain.unwrap_or_default().as_bytes());
    let hash = hasher.finalize();
    let first = hash.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
    let seed = u64::from_le_bytes(first);
    move |key| spread(seed.wrapping_add(spread(key))).cast_signed()
}

/// The finaliser of `SplitMix64`: every bit of the number moves every bit of the answer.
fn spread(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
