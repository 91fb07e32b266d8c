//! What is asked of the ledger, each a constant number of statements whatever its size.

mod agents;
mod flips;
mod history;
mod outcomes;
mod summary;

pub use agents::{AgentTotals, Exposure, RankPage};
pub use flips::{FlipFilter, FlipRow};
pub use history::HistoryPage;
pub use outcomes::{DebateScore, Resolved};
pub use summary::{Contested, DayFlips, DomainTotals, HeatCell, Summary};

/// Most rows one page holds, whatever was asked for.
pub(crate) const PAGE_MAX: u32 = 10_000;

/// A limit that an answer can keep.
pub(crate) fn bounded(limit: u32) -> i64 {
    i64::from(limit.min(PAGE_MAX))
}
