//! The position ledger: positions go in, flips, scores and ratings come out.
//!
//! * in: [`import`] for files, [`Saver`] for audited transcripts and debates, `Store::insert_positions` for values;
//! * work: [`look`] finds flips, [`propagate`] passes them on to a stored network of beliefs;
//! * out: [`flips`], [`agents`], [`portrait`], [`summary`], [`overview`], [`positions`],
//!   [`search_knowledge`], [`contested`], [`export`]; each answer serialises ([`json`](crate::json));
//! * the database: [`database_info`], [`verify_database`], [`rebuild_database`].
//!
//! What computes for long runs beside the executor, so a server can call all of it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use rebuttal::ledger::{PositionSource, Search, flips, import, look, unwatched};
//! use rebuttal::prelude::*;
//! use rebuttal::store::{FlipFilter, StoreOptions};
//! use rebuttal::transcripts::PositionOptions;
//!
//! # async fn example(now: jiff::Timestamp) -> Result<()> {
//! let location = Location::file("ledger.db");
//! let store = Arc::new(Store::open(&location, StoreOptions::default()).await?);
//! let file = PositionSource::File("positions.jsonl".into());
//! import(&store, now, file, PositionOptions { now, from: None }, &mut |_| Ok(())).await?;
//! look(&store, now, Search::new(Analyzer::rules()), unwatched()).await?;
//! for flip in flips(&store, &FlipFilter::default()).await?.flips {
//!     println!("{}", flip.explanation);
//! }
//! # Ok(())
//! # }
//! ```

mod agent;
mod beliefs;
mod database;
mod export;
mod import;
mod knowledge;
mod look;
mod off_executor;
mod place;
mod portrait;
mod queries;
pub mod ratings;
mod save;
pub mod scores;

use jiff::Timestamp;
use rebuttal_model::limits;

pub use agent::AgentAnswer;
pub use beliefs::{Propagated, StoredBeliefs, propagate, store_beliefs, stored_beliefs};
pub use database::{
    CheckProgress, DatabaseInfo, StreamInfo, database_info, rebuild_database, restart_detection,
    verify_database,
};
pub use export::export;
pub use import::{ImportNews, Imported, PositionSource, import};
pub use knowledge::{
    ContestedMatters, KnowledgeFound, KnowledgeQuery, contested, search_knowledge,
};
pub use look::{Search, Watch, look, pass_on, unwatched};
pub use place::{VARIABLE, location, now};
pub use portrait::{overview, portrait};
pub use queries::{
    AgentPage, FlipPage, KnownAgent, PositionEntry, PositionPage, agents, flips, known_agent,
    must_know, positions, summary,
};
pub use save::{Saved, Saver};

/// Whether nobody can have said something then: it is still to come.
pub fn is_future(at: Timestamp, now: Timestamp) -> bool {
    at.duration_since(now) > limits::CLOCK_AHEAD
}
