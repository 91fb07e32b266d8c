//! Where detection stands: positions it has not seen, keys to find candidates by, flips found.
//!
//! Taking positions and looking for flips are separate steps, so that neither waits for the
//! other. `detected_through` is the number of the last position that was looked at; it moves in
//! the transaction that writes what was found, so that a run that was killed goes on where it
//! stopped.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use jiff::Timestamp;
use rebuttal_model::{Event, Flip, FlipId, PositionId};

use super::position_rows::position_columns;
use super::{StoredPosition, Writer, each, each_text};
use crate::sql::{Args, Sql, Tx};
use crate::{Durability, Error, Result, Store};

/// The last position that was looked at.
const THROUGH: &str = "SELECT detected_through FROM ledger_state";

/// Positions after the last that was looked at, in the order they came.
const UNSEEN: &str = concat!(
    "SELECT ",
    position_columns!("p"),
    " FROM positions AS p WHERE p.n > $1 ORDER BY p.n LIMIT $2"
);

/// Moves the mark forward; it never goes back while another process is ahead.
const ADVANCE: &str = "UPDATE ledger_state SET detected_through = $1 WHERE detected_through < $1";

/// By which rules the keys were drawn.
const KEYS_VERSION: &str = "SELECT keys_version FROM ledger_state";

/// Begins again at the first position, with keys of another version.
const RESTART: &str = "UPDATE ledger_state SET detected_through = 0, keys_version = $1";

/// Empties the lists of positions under keys.
const FORGET: &str = "DELETE FROM position_lists";

/// Adds positions to the list of a key and keeps the newest, in one statement.
macro_rules! add_to_lists {
    ($each:literal, $last:literal) => {
        concat!(
            "INSERT INTO position_lists (block, numbers)
            SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1 FROM ",
            $each,
            " WHERE true ON CONFLICT (block) DO UPDATE SET numbers = ",
            $last
        )
    };
}

/// Adds to the lists, each of which keeps so many characters at its end.
const ADD_TO_LISTS: Sql = Sql {
    sqlite: add_to_lists!(
        "json_each($1) AS given",
        "substr(position_lists.numbers || excluded.numbers, -$2)"
    ),
    postgres: add_to_lists!(
        "json_array_elements(CAST($1 AS json)) AS given(value)",
        "right(position_lists.numbers || excluded.numbers, CAST($2 AS INTEGER))"
    ),
};

/// The newest positions that are kept under a [block](PositionKeys::blocks).
pub const BLOCK_KEPT: usize = 32;

/// The newest positions that are kept of an agent in a domain, whatever they are about.
pub const LATEST_KEPT: usize = 64;

/// Digits of a number in a list: as many positions as there will ever be, all of one length, so that
/// the database can cut a list.
const DIGITS: usize = 9;

/// Keys whose positions come back in one row: rows are dear, and a row must not grow without end.
const BUNCH: usize = 64;

/// The newest positions under each of several keys, before a number.
const NEWEST: Sql = each!(
    "SELECT string_agg((given.value ->> 1) || ':' || list.numbers, ';')",
    "JOIN position_lists AS list ON list.block = CAST(given.value ->> 2 AS BIGINT)
    GROUP BY given.value ->> 0"
);

/// Positions by their numbers.
const NUMBERED: Sql = each_text!(
    concat!("SELECT ", position_columns!("p")),
    "JOIN positions AS p ON p.n = CAST(given.value AS BIGINT)"
);

/// A sample of the domains of an agent that has very many.
const HABITS: Sql = each_text!(
    "SELECT t.agent_name, t.unordered, d.domain",
    "JOIN agent_totals AS t ON t.agent_name = given.value
    JOIN agent_domain_totals AS d ON d.agent_name = t.agent_name
        AND d.domain IN (SELECT e.domain FROM agent_domain_totals AS e
            WHERE e.agent_name = t.agent_name ORDER BY e.domain LIMIT 64)"
);

/// The flips that lead to each of several positions.
const FLIPS_TO: Sql = each_text!(
    "SELECT f.new_position_id, f.id",
    "JOIN detected_flips AS f ON f.new_position_id = given.value"
);

/// Which of several flips the ledger has.
const KNOWN_FLIPS: Sql =
    each_text!("SELECT f.id", "JOIN detected_flips AS f ON f.id = given.value");

/// Which of several positions the ledger has.
const KNOWN_POSITIONS: Sql = each_text!("SELECT p.id", "JOIN positions AS p ON p.id = given.value");

/// The keys of one position, by which later ones find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionKeys {
    /// The position's number.
    pub n: u64,
    /// The keys, each mixed with agent and domain.
    pub blocks: Vec<i64>,
    /// One more that all positions of the agent in that domain have, so that the latest are found
    /// whatever they are about.
    pub latest: i64,
}

impl PositionKeys {
    /// The keys of a position of this agent and domain, `None` being a domain of its own.
    pub fn new(n: u64, agent: &str, domain: Option<&str>, keys: &[u64]) -> Self {
        let block = block_of(agent, domain);
        let latest = block(LATEST);
        Self { n, blocks: keys.iter().map(|key| block(*key)).collect(), latest }
    }

    /// All that it is found by.
    pub fn all(&self) -> impl Iterator<Item = i64> + '_ {
        self.blocks.iter().copied().chain([self.latest])
    }
}

/// The key that all positions have. That of a claim is a hash, and as good as never this.
const LATEST: u64 = 0x6c61_7465_7374;

/// What is to be known of an agent before its positions are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// True when a position of it came after a later one, so that the order in which the ledger took
    /// them is not that of time.
    pub unordered: bool,
    /// Its domains; the first sixty-four by name, and `None` where it took positions without one.
    pub domains: Vec<Option<String>>,
}

/// What a step of detection came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Keys of the positions that were looked at.
    pub keys: Vec<PositionKeys>,
    /// Flips of the ledger that are none any more: a position came late that lies between.
    pub withdrawn: Vec<FlipId>,
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
    pub async fn positions_after(&self, after: u64, limit: u32) -> Result<Vec<StoredPosition>> {
        let args = Args::none().count(after).int(i64::from(limit));
        let rows = self.db.rows_by_writer(UNSEEN, args).await?;
        rows.into_iter().map(|mut row| StoredPosition::read(&mut row)).collect()
    }

    /// For each of the [blocks](PositionKeys::blocks) the numbers of the positions that have it, in
    /// order: the newest `limit` below a number, as far as they are [kept](BLOCK_KEPT). One statement,
    /// whatever the number of blocks.
    pub async fn newest(&self, blocks: &[i64], below: u64, limit: u32) -> Result<Vec<Vec<u64>>> {
        let mut found: Vec<Vec<u64>> = vec![Vec::new(); blocks.len()];
        if blocks.is_empty() {
            return Ok(found);
        }
        let asked: Vec<(usize, usize, i64)> =
            blocks.iter().enumerate().map(|(i, block)| (i / BUNCH, i, *block)).collect();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        for mut row in self.db.rows_by_writer(NEWEST, Args::none().json(&asked)).await? {
            let bunch = row.take::<Option<String>>()?.unwrap_or_default();
            for list in bunch.split_terminator(';') {
                let (i, mut numbers) = listed(list)?;
                numbers.truncate(numbers.partition_point(|n| *n < below));
                numbers.drain(..numbers.len().saturating_sub(limit));
                if let Some(list) = found.get_mut(i) {
                    *list = numbers;
                }
            }
        }
        Ok(found)
    }

    /// What is known of agents, by name. One statement.
    pub async fn habits(&self, agents: &[&str]) -> Result<HashMap<String, Habits>> {
        let mut habits: HashMap<String, Habits> = HashMap::new();
        for mut row in self.db.rows_by_writer(HABITS, Args::none().json(&agents)).await? {
            let (agent, unordered, domain) = (row.text()?, row.int()? != 0, row.text()?);
            let own = habits.entry(agent).or_default();
            own.unordered = unordered;
            own.domains.push(Some(domain).filter(|domain| !domain.is_empty()));
        }
        Ok(habits)
    }

    /// The flips that ended with these positions, as far as there are any. One statement.
    pub async fn flips_to(&self, positions: &[&str]) -> Result<Vec<(PositionId, FlipId)>> {
        let rows = self.db.rows(FLIPS_TO, Args::none().json(&positions)).await?;
        let read = rows
            .into_iter()
            .map(|mut row| Ok((PositionId::new(row.text()?), FlipId::new(row.text()?))));
        read.collect()
    }

    /// The positions that have these numbers, in no order. One statement.
    pub async fn positions_numbered(&self, numbers: &[u64]) -> Result<Vec<StoredPosition>> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.db.rows_by_writer(NUMBERED, Args::none().json(&numbers)).await?;
        rows.into_iter().map(|mut row| StoredPosition::read(&mut row)).collect()
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
        let through = writer.tx.row(THROUGH, Args::none()).await?;
        let through = through.map_or(Ok(0), |mut row| row.count())?;
        if detection.through > 0 && detection.through <= through {
            // Somebody else has looked at all of these meanwhile.
            return Ok(0);
        }
        write_keys(&mut writer.tx, &detection.keys, through).await?;
        if !detection.withdrawn.is_empty() {
            writer.write(at, &Event::FlipsWithdrawn { flips: detection.withdrawn }).await?;
        }
        let fresh = fresh(&mut writer.tx, detection.flips).await?;
        let count = fresh.len() as u64;
        if !fresh.is_empty() {
            writer.write(at, &Event::FlipsDetected { flips: fresh }).await?;
        }
        writer.tx.run(ADVANCE, Args::none().count(detection.through)).await?;
        writer.commit().await?;
        Ok(count)
    }

    /// Which version of the keys the ledger has; 0 before there are any.
    pub async fn keys_version(&self) -> Result<u64> {
        let row = self.db.row(KEYS_VERSION, Args::none()).await?;
        row.map_or(Ok(0), |mut row| row.count())
    }

    /// Forgets all keys and begins detection anew, with keys of this version. Flips that were found
    /// stay.
    pub async fn restart_detection(&self, keys_version: u32) -> Result<()> {
        let mut writer = Writer::begin(self, self.durability).await?;
        writer.tx.run(FORGET, Args::none()).await?;
        writer.tx.run(RESTART, Args::none().count(u64::from(keys_version))).await?;
        writer.commit().await
    }
}

/// Which block, and the numbers under it in order, from `3:000000002000000007`.
fn listed(list: &str) -> Result<(usize, Vec<u64>)> {
    let wrong = || Error::Invalid(format!("“{list}” is no list of positions"));
    let (i, numbers) = list.split_once(':').ok_or_else(wrong)?;
    let numbers = numbers.as_bytes().chunks(DIGITS).map(|digits| {
        let digits = std::str::from_utf8(digits).ok()?;
        u64::from_str_radix(digits, 16).ok()
    });
    let numbers = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
    Ok((i.parse().map_err(|_| wrong())?, numbers))
}

/// Puts positions under their keys, those after `through`: whatever is before that is stored.
pub(super) async fn write_keys(tx: &mut Tx<'_>, keys: &[PositionKeys], through: u64) -> Result<()> {
    let fresh = || keys.iter().filter(|position| position.n > through);
    let drawn = fresh().flat_map(|one| one.blocks.iter().map(|block| (*block, one.n)));
    let latest = fresh().map(|one| (one.latest, one.n));
    add_to_lists(tx, drawn.collect(), BLOCK_KEPT).await?;
    add_to_lists(tx, latest.collect(), LATEST_KEPT).await
}

/// Writes the lists of all keys of a step, in the order of the keys, so that each page is touched
/// once.
async fn add_to_lists(tx: &mut Tx<'_>, mut rows: Vec<(i64, u64)>, kept: usize) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    // In the order of the index, so that each of its pages is come to once.
    rows.sort_unstable();
    rows.dedup();
    let lists: Vec<(i64, String)> = rows
        .chunk_by(|one, two| one.0 == two.0)
        .filter_map(|same| {
            let newest = same.get(same.len().saturating_sub(kept)..)?;
            let mut numbers = String::with_capacity(newest.len() * DIGITS);
            for (_, n) in newest {
                write!(numbers, "{n:0DIGITS$x}").ok()?;
            }
            Some((same.first()?.0, numbers))
        })
        .collect();
    let args = Args::none().json(&lists).int(i64::try_from(kept * DIGITS).unwrap_or(i64::MAX));
    tx.run(ADD_TO_LISTS, args).await.map(drop)
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
    let mut stored: HashSet<String> = HashSet::new();
    for mut row in tx.rows(KNOWN_POSITIONS, Args::none().json(&wanted)).await? {
        stored.insert(row.text()?);
    }
    match wanted.iter().find(|id| !stored.contains(**id)) {
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
