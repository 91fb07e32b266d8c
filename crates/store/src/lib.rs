//! The journal, the position ledger and what is derived from them; the only SQL.
//!
//! Everything that happened is a [`Record`](rebuttal_model::Record) in the journal, chained to the
//! one before by its hash (`Store::append`, `Store::verify`). The ledger's tables, positions,
//! flips and totals, are derived from the stream `ledger` and can be made anew from it
//! (`Store::rebuild`). Both change in one transaction, so that a process killed at any point
//! leaves a ledger that verifies.
//!
//! SQLite by default, PostgreSQL by [`Location`]; the same tests run on both. Without the feature
//! `sql` only [`verify_file`] and [`read_file`] are left, which need no database.

#[cfg(feature = "sql")]
mod access;
#[cfg(feature = "sql")]
mod beside;
#[cfg(feature = "sql")]
mod debates;
mod error;
#[cfg(feature = "sql")]
mod evidence;
mod journal;
#[cfg(feature = "sql")]
mod knowledge;
#[cfg(feature = "sql")]
mod lease;
#[cfg(feature = "sql")]
mod ledger;
mod location;
#[cfg(feature = "sql")]
mod migrate;
#[cfg(feature = "sql")]
mod orders;
#[cfg(feature = "sql")]
mod query;
#[cfg(feature = "sql")]
mod sql;
#[cfg(feature = "sql")]
mod store;

#[cfg(feature = "sql")]
pub use access::{Scope, Token, TokenKind, User};
#[cfg(feature = "sql")]
pub use debates::{Cursor, DebateFilter, DebatePage, DebateRow, DebateStatus};
pub use error::{Broken, Differs, Error, Fault};
#[cfg(feature = "sql")]
pub use evidence::KeptDocument;
pub use journal::{Entry, Head, read_file, seal, verify_file};
#[cfg(feature = "sql")]
pub use knowledge::{Answer, Knowledge, KnowledgeStore, KnownFlip, Synced};
#[cfg(feature = "sql")]
pub use lease::{Holder, Lease};
#[cfg(feature = "sql")]
pub use ledger::{
    BLOCK_KEPT, Clash, Detection, Habits, Inserted, KeyCheck, LATEST_KEPT, PositionKeys,
    StoredPosition,
};
pub use location::Location;
#[cfg(feature = "sql")]
pub use orders::{DebateOrder, Placed, Wanted};
#[cfg(feature = "sql")]
pub use query::{
    AgentTotals, Contested, DayFlips, DebateScore, DomainTotals, Exposure, FlipFilter, FlipRow,
    HeatCell, HistoryPage, RankPage, Resolved, Summary,
};
#[cfg(feature = "sql")]
pub use sql::Durability;
#[cfg(feature = "sql")]
pub use store::{Store, StoreOptions};

/// What the store answers.
pub type Result<T> = std::result::Result<T, Error>;
