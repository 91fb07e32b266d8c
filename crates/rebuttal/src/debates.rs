//! Debates that are stored: listed, found, read, verified, branched, counted again.
//!
//! [`find`] takes an id, the beginning of one, or `last`; [`StoredDebate`] is one as it was read, with its
//! state folded, and [`StoredDebate::document`] is its JSON.
//!
//! ```
//! use rebuttal::debates;
//! use rebuttal::prelude::*;
//!
//! # async fn example(store: &Store) -> Result<()> {
//! let id = debates::find(store, "last").await?;
//! println!("{id}: {}", debates::verify(store, &id, None).await?);
//! let debate = debates::read(store, &id).await?;
//! for outcome in debates::redecide(&debate.state).outcomes {
//!     println!("{}: {}", outcome.rule, outcome.winner.as_deref().unwrap_or("no decision"));
//! }
//! # Ok(())
//! # }
//! ```

mod again;
mod document;
mod verify;

use jiff::Timestamp;
use rebuttal_engine::debate::{Journal, State, replay};
use rebuttal_model::{DebateId, Record, StreamId};
use rebuttal_report::debate::quality::Quality;
use rebuttal_store::{Cursor, DebateFilter, DebateRow, DebateStatus, Store};
use rebuttal_text::nearest;
use serde::Serialize;

pub use again::{fork, redecide, seat};
pub use document::DebateDocument;
pub use rebuttal_store::DebatePage;
pub use verify::{Verified, parse_head, verify, verify_file};

use crate::error::{Context, Error, Result, err};

/// How many debates are read at a time.
const PAGE: usize = 100;

/// How many ids are gone through for one that is like what was typed.
const NAMES: usize = 10_000;

/// What is said where there is no debate.
pub const NOTHING_STORED: &str = "no debate is stored yet; rebuttal debate \"…\" runs one";

/// A stored debate: its records, and what they come to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredDebate {
    /// The stream it stands in.
    pub stream: StreamId,
    /// All of its records.
    pub records: Vec<Record>,
    /// What they come to.
    pub state: State,
}

impl StoredDebate {
    /// A debate from its records.
    pub fn of(stream: StreamId, records: Vec<Record>) -> Result<Self> {
        let state = State::fold(&records)?;
        Ok(Self { stream, records, state })
    }

    /// Its id.
    pub fn id(&self) -> &DebateId {
        &self.state.spec().id
    }

    /// The debate as one JSON document; `None` while it has not ended.
    pub fn document(&self) -> Option<DebateDocument<'_>> {
        DebateDocument::new(&self.state, &self.records)
    }

    /// Runs it again without asking anybody, and fails where a record does not follow from those before.
    pub fn replay(&self) -> Result<State> {
        replay(&self.records).context("the debate does not replay")
    }
}

/// The id that a user means by an id, the beginning of one, or `last`.
pub async fn find(store: &Store, wanted: &str) -> Result<DebateId> {
    if wanted == "last" {
        let filter = DebateFilter { limit: 1, ..DebateFilter::default() };
        let page = store.debates(&filter).await?;
        let last = page.debates.into_iter().next().map(|row| row.id);
        return last.ok_or_else(|| err!(Debate; "{NOTHING_STORED}"));
    }
    let begin = store.debate_ids(wanted, PAGE).await?;
    // In order, the one that is not longer comes first.
    match begin.as_slice() {
        [id, ..] if id.as_str() == wanted => Ok(id.clone()),
        [id] => Ok(id.clone()),
        [] => {
            let known = store.debate_ids("", NAMES).await?;
            let known: Vec<&str> = known.iter().map(DebateId::as_str).collect();
            let hint = nearest(wanted, &known).map(|near| format!("; did you mean {near}?"));
            Err(err!(Debate; "no debate is called {wanted:?}{}", hint.unwrap_or_default()))
        }
        several if several.len() == PAGE => {
            Err(err!(Debate; "{wanted:?} is the beginning of {PAGE} debates or more"))
        }
        several => Err(err!(Debate; "{wanted:?} is the beginning of {} debates", several.len())),
    }
}

/// Reads a debate that was [found](find).
pub async fn read(store: &Store, id: &DebateId) -> Result<StoredDebate> {
    let stream = StreamId::debate(id);
    let records = Journal::records(store, &stream).await?;
    StoredDebate::of(stream, records)
}

/// A debate in a list, as it stands in JSON.
#[derive(Debug, Serialize)]
pub struct DebateEntry<'r> {
    #[serde(flatten)]
    row: &'r DebateRow,
    at: Timestamp,
    ended: bool,
    cursor: Cursor,
}

impl<'r> From<&'r DebateRow> for DebateEntry<'r> {
    fn from(row: &'r DebateRow) -> Self {
        let ended = matches!(row.status, DebateStatus::Decided | DebateStatus::Undecided);
        Self { row, at: row.started, ended, cursor: row.cursor() }
    }
}

/// Every stored debate that stands there, or every one, in no order. Those that are damaged are told and
/// passed over.
pub async fn all(
    store: &Store,
    status: Option<DebateStatus>,
    damaged: &mut impl FnMut(&DebateId, &Error) -> Result<()>,
) -> Result<Vec<State>> {
    let mut filter = DebateFilter { status, limit: PAGE, ..DebateFilter::default() };
    let mut found = Vec::new();
    loop {
        let page = store.debates(&filter).await?;
        for row in &page.debates {
            match read(store, &row.id).await {
                Ok(debate) => found.push(debate.state),
                Err(error) => damaged(&row.id, &error)?,
            }
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return Ok(found),
        }
    }
}

/// How well the latest debates were supported: at most `limit` of those that were looked at, the oldest
/// first, and what they come to together.
pub async fn quality(
    store: &Store,
    limit: usize,
    damaged: &mut impl FnMut(&DebateId, &Error) -> Result<()>,
) -> Result<(Quality, Vec<State>)> {
    let mut states = all(store, None, damaged).await?;
    states.retain(|state| !state.steering.analyses.is_empty());
    states.sort_by_key(State::began);
    states.drain(..states.len().saturating_sub(limit));
    Ok((Quality::of(&states), states))
}
