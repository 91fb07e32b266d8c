//! One agent's positions, newest first.

use jiff::Timestamp;

use super::bounded;
use crate::ledger::{StoredPosition, each_text, position_columns};
use crate::sql::{Args, Sql};
use crate::{Result, Store};

/// Positions of an agent, the latest first, after a place in that order.
const HISTORY: &str = concat!(
    "SELECT ",
    position_columns!("p"),
    " FROM positions AS p WHERE p.agent_name = $1
        AND (p.created_at < $2 OR (p.created_at = $2 AND p.n < $3))
    ORDER BY p.created_at DESC, p.n DESC LIMIT $4"
);

/// Positions by their ids, in one statement.
const BY_ID: Sql = each_text!(
    concat!("SELECT ", position_columns!("p")),
    "JOIN positions AS p ON p.id = given.value ORDER BY p.n"
);

/// Which page of an agent's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryPage {
    /// Time and number of the last position of the page before; `None` for the first page.
    pub before: Option<(Timestamp, u64)>,
    /// At most so many.
    pub limit: u32,
}

impl Default for HistoryPage {
    /// The latest fifty.
    fn default() -> Self {
        Self { before: None, limit: 50 }
    }
}

impl Store {
    /// An agent's positions, the latest taken first. One statement.
    pub async fn history(&self, agent: &str, page: &HistoryPage) -> Result<Vec<StoredPosition>> {
        let (at, n) = page.before.map_or((i64::MAX, u64::MAX), |(at, n)| (at.as_microsecond(), n));
        let args = Args::none().text(agent).int(at).count(n).int(bounded(page.limit));
        let rows = self.db.rows(HISTORY, args).await?;
        rows.into_iter().map(|mut row| StoredPosition::read(&mut row)).collect()
    }

    /// Positions by their ids, in the order the ledger took them; unknown ones are left out. One
    /// statement.
    pub async fn positions(&self, ids: &[&str]) -> Result<Vec<StoredPosition>> {
        let rows = self.db.rows(BY_ID, Args::none().json(&ids)).await?;
        rows.into_iter().map(|mut row| StoredPosition::read(&mut row)).collect()
    }
}
