//! Looking for flips at the positions that were not looked at yet, and passing them on.

use jiff::Timestamp;
use rebuttal_detect::Reader;
use rebuttal_detect::flips::LOOKBACK;
use rebuttal_engine::ledger::{Explain, Ledger as Detection, Progress};
use rebuttal_store::Store;

use crate::error::Result;

/// Flips passed on at a time to the store that later debates ask.
const SYNCED: u32 = 1_000;

/// Hears how far a search for flips is: what was done, of how many positions.
pub type Watch<'w> = dyn Fn(Progress, u64) + Sync + 'w;

/// How flips are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search<'m> {
    /// Who decides what is one.
    pub reader: Reader<'m>,
    /// With how many earlier positions of its agent one is compared at most.
    pub lookback: usize,
}

impl<'m> Search<'m> {
    /// A search with the usual look back.
    pub fn new(reader: Reader<'m>) -> Self {
        Self { reader, lookback: LOOKBACK }
    }
}

/// Looks for flips, however many positions wait for it.
pub async fn look(
    (store, now): (&Store, Timestamp),
    search: Search<'_>,
    explain: &Explain<'_>,
    watch: &Watch<'_>,
) -> Result<Progress> {
    let summary = store.summary(now, 0).await?;
    let detection = Detection::new(store, search.reader).lookback(search.lookback);
    let heard = |progress: Progress| watch(progress, summary.unseen);
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
