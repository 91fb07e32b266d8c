//! Flips, newest first, by whatever the user asks for.

use jiff::Timestamp;
use rebuttal_model::{Flip, FlipId, FlipKind};

use super::bounded;
use crate::ledger::{Found, flip_columns};
use crate::sql::Args;
use crate::{Result, Store};

/// Filters that are not set let everything pass. `$5` is 1 for silent flips only.
const FLIPS: &str = concat!(
    "SELECT ",
    flip_columns!(),
    " FROM detected_flips AS flip
    JOIN positions AS before ON before.id = flip.original_position_id
    JOIN positions AS after ON after.id = flip.new_position_id
    WHERE flip.n < $1
        AND (CAST($2 AS TEXT) IS NULL OR flip.agent_name = $2)
        AND (CAST($3 AS TEXT) IS NULL OR flip.flip_type = $3)
        AND (CAST($4 AS TEXT) IS NULL OR flip.domain = $4)
        AND ($5 = 0 OR flip.acknowledged = 0)
        AND (CAST($6 AS BIGINT) IS NULL OR flip.detected_us >= $6)
        AND (CAST($7 AS BIGINT) IS NULL OR flip.happened_us >= $7)
    ORDER BY flip.n DESC LIMIT $8"
);

/// Flips of one agent, so that its index is used whatever the engine guesses.
const FLIPS_OF_AGENT: &str = concat!(
    "SELECT ",
    flip_columns!(),
    " FROM detected_flips AS flip
    JOIN positions AS before ON before.id = flip.original_position_id
    JOIN positions AS after ON after.id = flip.new_position_id
    WHERE flip.agent_name = $2 AND flip.n < $1
        AND (CAST($3 AS TEXT) IS NULL OR flip.flip_type = $3)
        AND (CAST($4 AS TEXT) IS NULL OR flip.domain = $4)
        AND ($5 = 0 OR flip.acknowledged = 0)
        AND (CAST($6 AS BIGINT) IS NULL OR flip.detected_us >= $6)
        AND (CAST($7 AS BIGINT) IS NULL OR flip.happened_us >= $7)
    ORDER BY flip.n DESC LIMIT $8"
);

/// One flip with both of its positions.
const FLIP: &str = concat!(
    "SELECT ",
    flip_columns!(),
    " FROM detected_flips AS flip
    JOIN positions AS before ON before.id = flip.original_position_id
    JOIN positions AS after ON after.id = flip.new_position_id
    WHERE flip.id = $1"
);

/// Which flips are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipFilter {
    /// If set, only flips of this agent.
    pub agent: Option<String>,
    /// If set, only flips of this kind.
    pub kind: Option<FlipKind>,
    /// If set, only flips in this domain.
    pub domain: Option<String>,
    /// Only those that the agent did not own up to.
    pub silent_only: bool,
    /// Found at this time or later, whenever the agent changed its mind.
    pub detected_since: Option<Timestamp>,
    /// If set, only flips whose new position is of this time or later.
    pub happened_since: Option<Timestamp>,
    /// Only those before this number: the last of the page before.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: u32,
}

impl Default for FlipFilter {
    /// The latest twenty.
    fn default() -> Self {
        Self {
            agent: None,
            kind: None,
            domain: None,
            silent_only: false,
            detected_since: None,
            happened_since: None,
            before: None,
            limit: 20,
        }
    }
}

/// A flip and its number in the ledger; the next page goes on before it.
#[derive(Clone, Debug, PartialEq)]
pub struct FlipRow {
    /// Its number: 1, 2, 3, … in the order they were found.
    pub n: u64,
    /// The flip.
    pub flip: Flip,
}

impl Store {
    /// Flips, the latest found first. One statement.
    pub async fn flips(&self, filter: &FlipFilter) -> Result<Vec<FlipRow>> {
        let args = Args::none()
            .count(filter.before.unwrap_or(u64::MAX))
            .text(filter.agent.as_deref())
            .text(filter.kind.map(FlipKind::as_str))
            .text(filter.domain.as_deref())
            .int(i64::from(filter.silent_only))
            .int(filter.detected_since.map(Timestamp::as_microsecond))
            .int(filter.happened_since.map(Timestamp::as_microsecond))
            .int(bounded(filter.limit));
        let sql = if filter.agent.is_some() { FLIPS_OF_AGENT } else { FLIPS };
        let rows = self.db.rows(sql, args).await?;
        rows.into_iter()
            .map(|mut row| Found::read(&mut row).map(|Found { n, flip }| FlipRow { n, flip }))
            .collect()
    }

    /// One flip, by its id. One statement.
    pub async fn flip(&self, id: &FlipId) -> Result<Option<Flip>> {
        let row = self.db.row(FLIP, Args::none().text(id.as_str())).await?;
        row.map(|mut row| Found::read(&mut row).map(|found| found.flip)).transpose()
    }
}
