//! The position ledger at the terminal: positions go in, flips and scores come out.

mod agent;
mod agents;
mod database;
mod draw;
mod export;
mod flips;
mod import;
mod knowledge;
mod list;
mod positions;
mod saving;
mod search;
mod summary;
mod when;

use std::sync::Arc;

use anyhow::Result;
use jiff::Timestamp;
use rebuttal::ledger::{KnownAgent, known_agent};
use rebuttal::store::Store;
use tokio::runtime::Runtime;

pub(crate) use agent::run as agent;
pub(crate) use agents::run as agents;
pub(crate) use database::run as database;
pub(crate) use flips::run as flips;
pub(crate) use knowledge::{remind, run as knowledge};
pub(crate) use positions::run as positions;
pub(crate) use saving::Saving;
pub(crate) use summary::run as summary;

use crate::args::DbArgs;
use crate::output::Output;
use crate::store;
use crate::terminal::one_line;

/// An open ledger, and the moment the command began.
pub(crate) struct Ledger {
    runtime: Runtime,
    store: Arc<Store>,
    now: Timestamp,
}

impl Drop for Ledger {
    /// Ends with everything in the one file: a process that just ends leaves it in the log beside.
    fn drop(&mut self) {
        self.runtime.block_on(self.store.close());
    }
}

impl Ledger {
    pub(crate) fn open(args: &DbArgs) -> Result<Self> {
        let (runtime, store) = store::open(args)?;
        Ok(Self::on(runtime, Arc::new(store)))
    }

    /// The ledger in a database that is open.
    pub(crate) fn on(runtime: Runtime, store: Arc<Store>) -> Self {
        Self { runtime, store, now: store::now() }
    }

    /// For commands that look for damage themselves.
    fn open_as_it_is(args: &DbArgs) -> Result<Self> {
        let (runtime, store) = store::open_as_it_is(args)?;
        Ok(Self { runtime, store: Arc::new(store), now: store::now() })
    }

    /// Waits for the store.
    fn wait<T, E: Into<anyhow::Error>>(
        &self,
        answer: impl Future<Output = std::result::Result<T, E>>,
    ) -> Result<T> {
        self.runtime.block_on(answer).map_err(Into::into)
    }

    /// Says that an agent is not known, and who may have been meant. Nothing is wrong with asking.
    fn unknown_agent(&self, name: &str, out: &mut Output) -> Result<()> {
        let hint = match self.wait(known_agent(&self.store, name))? {
            KnownAgent::Near(near) => format!("did you mean {}?", one_line(&near)),
            KnownAgent::Unknown { instead } => {
                format!("`rebuttal agents` lists those it has, {} among them", one_line(&instead))
            }
            _ => "the ledger is empty; `rebuttal positions import FILE` fills it".to_owned(),
        };
        let name = one_line(name);
        out.note(format_args!("the ledger has no position of “{name}”; {hint}"))?;
        Ok(())
    }
}
