//! The position ledger: tables derived from the stream `ledger`, and nothing else.
//!
//! Every change is one transaction: a record in the journal, and what follows from it in the
//! tables. [`Fold`] is the only code that writes them, so that making them anew from the journal
//! gives the same.

mod check;
mod detection;
mod flip_rows;
mod insert;
mod outcomes;
mod position_rows;
mod ready;
mod rebuild;
mod tables;
mod topics;
mod totals;

use jiff::Timestamp;
use rebuttal_model::{Event, Position, Record, StreamId};

pub use check::KeyCheck;
pub use detection::{BLOCK_KEPT, Detection, Habits, LATEST_KEPT, PositionKeys};
pub(crate) use flip_rows::{Found, flip_columns};
pub use insert::{Clash, Inserted};
pub use position_rows::StoredPosition;
pub(crate) use position_rows::position_columns;
pub(crate) use topics::{Topic, excerpt};
pub(crate) use totals::{DAY_US, MINUTE_US};

use crate::beside::beside;
use crate::journal::{self, Head};
use crate::sql::{Args, Tx};
use crate::{Durability, Error, Result, Store};
use detection::write_keys;
use position_rows::{Printed, Rows, fingerprint};
use ready::Ready;
use totals::Counts;

/// A statement over rows given as JSON in `$1`: each row is a list, `given.value`.
macro_rules! each {
    ($before:expr, $after:expr) => {
        crate::sql::Sql {
            sqlite: concat!($before, " FROM json_each($1) AS given ", $after),
            postgres: concat!(
                $before,
                " FROM json_array_elements(CAST($1 AS json)) AS given(value) ",
                $after
            ),
        }
    };
}
pub(crate) use each;

/// Tells a query to take a list of texts: `given.value` is one.
macro_rules! each_text {
    ($before:expr, $after:expr) => {
        crate::sql::Sql {
            sqlite: concat!($before, " FROM json_each($1) AS given ", $after),
            postgres: concat!(
                $before,
                " FROM json_array_elements_text(CAST($1 AS json)) AS given(value) ",
                $after
            ),
        }
    };
}
pub(crate) use each_text;

/// How far the ledger's tables have come with the journal.
const STATE: &str = "SELECT folded, positions, flips, withdrawn FROM ledger_state";

/// Says that the tables hold everything up to a record, in the transaction that changed them.
const ADVANCE: &str =
    "UPDATE ledger_state SET folded = $1, positions = $2, flips = $3, withdrawn = $4";

/// The ledger, locked for one writer until it commits.
struct Writer<'s> {
    tx: Tx<'s>,
    head: Head,
    fold: Fold,
}

impl<'s> Writer<'s> {
    /// Opens a transaction that appends to the ledger's stream and changes its tables with it.
    async fn begin(store: &'s Store, durability: Durability) -> Result<Self> {
        let mut tx = store.db.begin(durability).await?;
        let head = journal::lock(&mut tx, &StreamId::ledger(), None).await?;
        let fold = Fold::begin(&mut tx).await?;
        Ok(Self { tx, head, fold })
    }

    /// Writes an event to the ledger's stream, and what follows from it to the tables.
    async fn write(&mut self, at: Timestamp, event: &Event) -> Result<()> {
        let stream = StreamId::ledger();
        let entry = journal::put(&mut self.tx, &stream, self.head, at, event).await?;
        self.head = Head { seq: entry.seq, hash: entry.hash };
        self.fold.apply(&mut self.tx, entry.seq, journal::time(entry.at)?, event).await
    }

    /// Writes positions that were made ready, and does something else while the database is at it:
    /// it is told how many positions there are then.
    async fn write_ready<T>(
        &mut self,
        at: Timestamp,
        ready: Ready,
        meanwhile: impl FnOnce(u64) -> T,
    ) -> Result<T> {
        let Ready { positions, payload, rows } = ready;
        let stream = StreamId::ledger();
        let entry = journal::put_written(&mut self.tx, &stream, self.head, at, payload).await?;
        self.head = Head { seq: entry.seq, hash: entry.hash };
        let Self { tx, fold, .. } = self;
        fold.follow(entry.seq)?;
        let (inserted, worked) = beside(rows.insert(tx), || {
            fold.count(&positions);
            meanwhile(fold.positions)
        })
        .await;
        inserted?;
        Ok(worked)
    }

    /// Writes how far the tables have come, and ends the transaction.
    async fn commit(self) -> Result<()> {
        let Self { mut tx, fold, .. } = self;
        fold.finish(&mut tx).await?;
        tx.commit().await
    }
}

/// Whether flips are added to the counts or taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Way {
    /// What one flip counts.
    fn one(self) -> i64 {
        match self {
            Self::In => 1,
            Self::Out => -1,
        }
    }
}

/// Records becoming tables, within one transaction.
pub(crate) struct Fold {
    /// The last record that is in the tables.
    folded: u64,
    positions: u64,
    flips: u64,
    /// Flips that were found and are none: they keep their numbers.
    withdrawn: u64,
    /// Counts of positions, written once for all records: most of an import's totals are the same
    /// few rows again and again.
    counts: Counts,
}

impl Fold {
    /// Reads how far the tables have come.
    pub(crate) async fn begin(tx: &mut Tx<'_>) -> Result<Self> {
        let row = tx.row(STATE, Args::none()).await?;
        let mut row = row.ok_or_else(|| Error::Invalid("ledger_state is empty".to_owned()))?;
        let (folded, positions) = (row.count()?, row.count()?);
        let (flips, withdrawn) = (row.count()?, row.count()?);
        Ok(Self { folded, positions, flips, withdrawn, counts: Counts::default() })
    }

    /// Brings the tables up to date with a record.
    pub(crate) async fn record(&mut self, tx: &mut Tx<'_>, record: &Record) -> Result<()> {
        self.apply(tx, record.seq, record.at, &record.event).await
    }

    /// Changes the tables by one record. It is the only way in which they change.
    async fn apply(
        &mut self,
        tx: &mut Tx<'_>,
        seq: u64,
        at: Timestamp,
        event: &Event,
    ) -> Result<()> {
        self.follow(seq)?;
        match event {
            Event::PositionsTaken { positions } => {
                let printed: Vec<Printed<'_>> =
                    positions.iter().map(|position| (position, fingerprint(position))).collect();
                Rows::new(tx.engine(), self.positions, &printed).insert(tx).await?;
                self.count(positions);
            }
            Event::FlipsDetected { flips } => {
                flip_rows::insert(tx, self.flips + self.withdrawn, flips).await?;
                totals::of_flips(tx, flips, Way::In).await?;
                topics::of_flips(tx, flips, Way::In).await?;
                self.flips += flips.len() as u64;
            }
            Event::FlipsWithdrawn { flips } => {
                let flips = flip_rows::withdraw(tx, flips).await?;
                totals::of_flips(tx, &flips, Way::Out).await?;
                topics::of_flips(tx, &flips, Way::Out).await?;
                self.flips = self.flips.saturating_sub(flips.len() as u64);
                self.withdrawn += flips.len() as u64;
            }
            Event::PositionResolved { position, outcome, resolved_at } => {
                outcomes::resolve(tx, resolved_at.unwrap_or(at), position, *outcome).await?;
            }
            Event::DebateScored { debate, domain, scores } => {
                outcomes::score(tx, seq, at, debate, domain.as_deref(), scores).await?;
            }
            // What happens inside a debate is in the debate's own stream.
            _ => {}
        }
        Ok(())
    }

    /// The next record is this one.
    fn follow(&mut self, seq: u64) -> Result<()> {
        if seq != self.folded + 1 {
            let message = format!(
                "the ledger's tables are at record {} and cannot take record {seq}: make them \
                 anew with `rebuttal db rebuild`",
                self.folded
            );
            return Err(Error::Invalid(message));
        }
        self.folded = seq;
        Ok(())
    }

    /// Counts positions that were added.
    fn count(&mut self, positions: &[Position]) {
        self.counts.positions(positions);
        self.positions += positions.len() as u64;
    }

    /// Writes what was only counted. Without this the tables are out of step.
    pub(crate) async fn finish(self, tx: &mut Tx<'_>) -> Result<()> {
        self.counts.write(tx).await?;
        let args = Args::none().count(self.folded).count(self.positions).count(self.flips);
        tx.run(ADVANCE, args.count(self.withdrawn)).await.map(drop)
    }
}
