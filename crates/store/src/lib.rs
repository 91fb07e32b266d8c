//! The journal, the position ledger and what is derived from them; the only SQL.
//!
//! Everything that happened is a [`Record`](rebuttal_model::Record) in the journal, chained to the
//! one before by its hash ([`Store::append`], [`Store::verify`]). The ledger's tables, positions,
//! flips and totals, are derived from the stream `ledger` and can be made anew from it
//! ([`Store::rebuild`]). Both change in one transaction, so that a process killed at any point
//! leaves a ledger that verifies.
//!
//! SQLite by default, PostgreSQL by [`Location`]; the same tests run on both.

mod error;
mod journal;
mod knowledge;
mod ledger;
mod location;
mod migrate;
mod query;
mod sql;
mod store;

pub use error::{Broken, Error, Fault};
pub use journal::{Entry, Head, seal, verify_file};
pub use knowledge::{Answer, Knowledge, KnowledgeStore, KnownFlip, Synced};
pub use ledger::{Clash, Detection, Held, Lookup, PositionKeys, Taken};
pub use location::Location;
pub use query::{
    AgentTotals, Contested, DayFlips, DebateScore, DomainTotals, Exposure, FlipFilter, FlipRow,
    HeatCell, HistoryPage, RankPage, Resolved, Summary,
};
pub use sql::Durability;
pub use store::{Options, Store};

/// What the store answers.
pub type Result<T> = std::result::Result<T, Error>;
