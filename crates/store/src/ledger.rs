//! The position ledger: tables derived from the stream `ledger`, and nothing else.
//!
//! Every change is one transaction: a record in the journal, and what follows from it in the
//! tables. [`fold`] is the only code that writes them, so that making them anew from the journal
//! gives the same.

mod detection;
mod flip_rows;
mod outcomes;
mod position_rows;
mod rebuild;
mod take;
mod topics;
mod totals;

use rebuttal_model::{Event, Record, StreamId};

pub use detection::{Detection, Lookup, PositionKeys};
pub(crate) use flip_rows::{Found, flip_columns};
pub use position_rows::Held;
pub(crate) use position_rows::position_columns;
pub use take::{Clash, Taken};
pub(crate) use topics::{Topic, excerpt};
pub(crate) use totals::{DAY_US, MINUTE_US};

use crate::journal::{self, Head};
use crate::sql::{Args, Tx};
use crate::{Error, Result};

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

const STATE: &str = "SELECT folded, positions, flips FROM ledger_state";

const ADVANCE: &str = "UPDATE ledger_state
    SET folded = $1, positions = positions + $2, flips = flips + $3";

/// How far the tables are.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The last record that is in them.
    folded: u64,
    positions: u64,
    flips: u64,
}

impl State {
    async fn read(tx: &mut Tx<'_>) -> Result<Self> {
        let row = tx.row(STATE, Args::none()).await?;
        let mut row = row.ok_or_else(|| Error::Invalid("ledger_state is empty".to_owned()))?;
        Ok(Self { folded: row.count()?, positions: row.count()?, flips: row.count()? })
    }
}

/// The ledger, locked for one writer until the transaction ends.
async fn lock(tx: &mut Tx<'_>) -> Result<Head> {
    journal::lock(tx, &StreamId::ledger(), None).await
}

/// Writes an event to the ledger's stream, and what follows from it to the tables.
async fn write(tx: &mut Tx<'_>, head: Head, at: jiff::Timestamp, event: &Event) -> Result<Head> {
    let stream = StreamId::ledger();
    let entry = journal::put(tx, &stream, head, at, event).await?;
    apply(tx, entry.seq, journal::time(entry.at)?, event).await?;
    Ok(Head { seq: entry.seq, hash: entry.hash })
}

/// What follows from a record of the ledger.
pub(crate) async fn fold(tx: &mut Tx<'_>, record: &Record) -> Result<()> {
    apply(tx, record.seq, record.at, &record.event).await
}

async fn apply(tx: &mut Tx<'_>, seq: u64, at: jiff::Timestamp, event: &Event) -> Result<()> {
    let state = State::read(tx).await?;
    if seq != state.folded + 1 {
        let message = format!(
            "the ledger's tables are at record {} and cannot take record {seq}: make them anew \
             with `rebuttal db rebuild`",
            state.folded
        );
        return Err(Error::Invalid(message));
    }
    let (mut positions, mut flips) = (0, 0);
    match event {
        Event::PositionsTaken { positions: taken } => {
            position_rows::insert(tx, state.positions, taken).await?;
            totals::of_positions(tx, taken).await?;
            positions = taken.len() as u64;
        }
        Event::FlipsDetected { flips: found } => {
            flip_rows::insert(tx, state.flips, found).await?;
            totals::of_flips(tx, found).await?;
            topics::of_flips(tx, found).await?;
            flips = found.len() as u64;
        }
        Event::PositionResolved { position, outcome } => {
            outcomes::resolve(tx, at, position, *outcome).await?;
        }
        Event::DebateScored { debate, domain, scores } => {
            outcomes::score(tx, seq, at, debate, domain.as_deref(), scores).await?;
        }
        // What happens inside a debate is in the debate's own stream.
        _ => {}
    }
    let args = Args::none().count(seq).count(positions).count(flips);
    tx.run(ADVANCE, args).await.map(drop)
}
