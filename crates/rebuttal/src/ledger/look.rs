//! Looking for flips at the positions that were not looked at yet, and passing them on.

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_detect::Reader;
use rebuttal_detect::flips::LOOKBACK;
use rebuttal_engine::ledger::{Explain, Ledger as Detection, Progress};
use rebuttal_store::Store;

use super::off_executor::off_executor;
use crate::error::Result;
use crate::models::Analyzer;

/// Flips passed on at a time to the store that later debates ask.
const SYNCED: u32 = 1_000;

/// Hears how far a search for flips is: what was done, of how many positions.
pub type Watch = Arc<dyn Fn(Progress, u64) + Send + Sync>;

/// A watch that nobody looks at.
pub fn unwatched() -> Watch {
    Arc::new(|_, _| ())
}

/// How flips are looked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Search {
    /// Who decides what is one.
    pub analyzer: Analyzer,
    /// With how many earlier positions of its agent one is compared at most.
    pub lookback: usize,
}

impl Search {
    /// A search with the usual look back.
    pub fn new(analyzer: Analyzer) -> Self {
        Self { analyzer, lookback: LOOKBACK }
    }

    /// Compares each position with at most so many earlier ones of its agent.
    #[must_use]
    pub fn lookback(mut self, lookback: usize) -> Self {
        self.lookback = lookback;
        self
    }
}

/// Looks for flips, however many positions wait for it, beside the executor.
pub async fn look(
    store: &Arc<Store>,
    now: Timestamp,
    search: Search,
    watch: Watch,
) -> Result<Progress> {
    let store = Arc::clone(store);
    off_executor(move || async move {
        let reader = search.analyzer.reader();
        look_here((&store, now), (reader, search.lookback), &|_| None, &watch).await
    })
    .await
}

/// The search itself, on the thread it is called on; `explain` says what moved an agent.
pub(super) async fn look_here(
    (store, now): (&Store, Timestamp),
    (reader, lookback): (Reader<'_>, usize),
    explain: &Explain<'_>,
    watch: &Watch,
) -> Result<Progress> {
    let waiting = store.summary(now, 0).await?.unseen;
    let detection = Detection::new(store, reader).lookback(lookback);
    let heard = |progress: Progress| watch(progress, waiting);
    let found = detection.catch_up(now, explain, &heard).await?;
    pass_on(store, now).await?;
    Ok(found)
}

/// Passes flips on to the store that later debates ask. What it refuses waits for the next time.
pub async fn pass_on(store: &Store, now: Timestamp) -> Result<()> {
    let knowledge = store.knowledge();
    loop {
        let synced = store.sync_knowledge(&knowledge, now, SYNCED).await?;
        if synced.done < u64::from(SYNCED) || synced.failed > 0 {
            return Ok(());
        }
    }
}
