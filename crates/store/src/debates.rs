//! Every debate in short: a table that is derived from the journal, so that a list reads no journals.
//!
//! A row changes in the transaction of each append. `Store::rebuild_debates` makes all of them anew,
//! and `Store::verify_debates` compares them with what the journal says.

mod fold;
mod list;
mod whole;

use rebuttal_model::{DebateId, StreamId};

pub(crate) use list::holder;
pub use list::{Cursor, DebateFilter, DebatePage, DebateRow, DebateStatus};

use crate::journal::Entry;
use crate::sql::{Args, Row, Tx};
use crate::{Result, Store};
use fold::Fold;

/// What a debate's stream is called before its id.
const PREFIX: &str = "debate/";

/// The columns of a debate's row after its stream, in the order in which a fold is read and
/// written.
macro_rules! debate_columns {
    () => {
        "question, agents, started, latest, records, status, answer, calls, input_tokens, \
         output_tokens, micro_usd, damage, overrode"
    };
}
pub(crate) use debate_columns;

/// The row of one debate.
const READ: &str = concat!("SELECT ", debate_columns!(), " FROM debates WHERE stream = $1");

/// Writes the row of a debate, or replaces it: a row is always the whole fold, never a change to
/// it.
const WRITE: &str = concat!(
    "INSERT INTO debates (stream, ",
    debate_columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    ON CONFLICT (stream) DO UPDATE SET question = $2, agents = $3, started = $4, latest = $5,
        records = $6, status = $7, answer = $8, calls = $9, input_tokens = $10,
        output_tokens = $11, micro_usd = $12, damage = $13,
        overrode = $14"
);

/// The debate whose stream this is, if it is one's.
pub(crate) fn debate_of(stream: &StreamId) -> Option<DebateId> {
    stream.as_str().strip_prefix(PREFIX).map(DebateId::new)
}

/// Takes records that are being appended to a debate into its row.
pub(crate) async fn update(tx: &mut Tx<'_>, stream: &StreamId, entries: &[Entry]) -> Result<()> {
    if debate_of(stream).is_none() || entries.is_empty() {
        return Ok(());
    }
    let row = tx.row(READ, Args::none().text(stream.as_str())).await?;
    let mut fold = row.map_or(Ok(Fold::default()), |mut row| Fold::read(&mut row))?;
    for entry in entries {
        fold.entry(entry);
    }
    write(tx, stream, &fold).await
}

/// Stores what a debate has come to, in the transaction that appended to its stream.
async fn write(tx: &mut Tx<'_>, stream: &StreamId, fold: &Fold) -> Result<()> {
    let args = Args::none()
        .text(stream.as_str())
        .text(fold.question.as_str())
        .count(fold.agents)
        .int(fold.started)
        .int(fold.latest)
        .count(fold.records)
        .text(fold.status.as_str())
        .text(fold.answer.as_deref())
        .count(fold.calls)
        .count(fold.input_tokens)
        .count(fold.output_tokens)
        .count(fold.micro_usd)
        .text(fold.damage.as_deref())
        .text(fold.overrode.as_deref());
    tx.run(WRITE, args).await.map(drop)
}

impl Store {
    /// What is stored of a debate in short; `None` if the list does not have it.
    async fn debate_row(&self, stream: &StreamId) -> Result<Option<Fold>> {
        let row = self.db.row(READ, Args::none().text(stream.as_str())).await?;
        row.map(|mut row: Row| Fold::read(&mut row)).transpose()
    }
}
