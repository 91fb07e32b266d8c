//! The position ledger at work: positions are taken, and flips are looked for in what was taken.
//!
//! Both steps can be cut off at any point and run again: an id is taken once, and where detection
//! stopped is written in the same transaction as what it found.

mod recent;

use std::collections::HashMap;

use jiff::Timestamp;
use rayon::prelude::*;
use rebuttal_detect::Reader;
use rebuttal_detect::flips::{LOOKBACK, latest_flip, position_keys};
use rebuttal_model::{Because, Cause, Flip};
use rebuttal_store::{Detection, Durability, Held, HistoryPage, PositionKeys, Result, Store};

use recent::Recent;

/// How many positions are written down in one transaction: the keys of one touch most pages of a small
/// index, so that few transactions write much less than many.
const STEP: u32 = 10_000;

/// How many positions are looked at side by side. Of each key the newest before them are looked at, and
/// the newest among them.
const BATCH: usize = 2_000;

/// Says what moved an agent, where somebody knows the debate it happened in.
pub type Explain<'e> = dyn Fn(&Flip) -> Option<(Cause, Option<Because>)> + Sync + 'e;

/// How far detection has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many positions were looked at.
    pub looked_at: u64,
    /// How many flips were found that the ledger did not have.
    pub flips: u64,
}

/// Looks for flips in a store's ledger.
#[derive(Clone, Copy, Debug)]
pub struct Ledger<'l> {
    store: &'l Store,
    reader: Reader<'l>,
    lookback: usize,
}

impl<'l> Ledger<'l> {
    /// A ledger read by these methods.
    pub fn new(store: &'l Store, reader: Reader<'l>) -> Self {
        Self { store, reader, lookback: LOOKBACK }
    }

    /// The same, comparing a position with at most so many earlier ones.
    #[must_use]
    pub fn lookback(mut self, lookback: usize) -> Self {
        self.lookback = lookback.max(1);
        self
    }

    /// Looks for flips at all positions that were not looked at yet, in the order they came.
    pub async fn catch_up(
        &self,
        now: Timestamp,
        explain: &Explain<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Progress> {
        let mut progress = Progress::default();
        let mut through = self.store.detected_through().await?;
        let mut recent = Recent::new(self.store, self.lookback);
        loop {
            let mut held = self.store.positions_after(through, STEP).await?;
            let Some(last) = held.last().map(|held| held.n) else { return Ok(progress) };
            progress.looked_at += held.len() as u64;
            through = last;
            let mut detection = Detection { through, ..Detection::default() };
            while !held.is_empty() {
                let rest = held.split_off(held.len().min(BATCH));
                let batch = std::mem::replace(&mut held, rest);
                self.look(batch, &mut recent, &mut detection, now, explain).await?;
            }
            progress.flips += self.store.record_detection(now, detection, Durability::Fast).await?;
            // Not before: the store does not know the keys until they are written.
            recent.forget();
            watch(progress);
        }
    }

    async fn look(
        &self,
        batch: Vec<Held>,
        recent: &mut Recent<'_>,
        detection: &mut Detection,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> Result<()> {
        let keys: Vec<PositionKeys> = batch.par_iter().map(keys_of).collect();
        recent.list(&keys, batch.first().map_or(0, |held| held.n)).await?;
        let beside = Beside::new(&keys);
        let earlier: Vec<(u64, Vec<u64>)> =
            keys.par_iter().map(|one| (one.n, self.candidates(one, &beside, recent))).collect();
        recent.add(batch);
        let missing = recent.touch(earlier.iter().flat_map(|(_, earlier)| earlier));
        // A model is asked about all candidates at once. Rules go from the newest to the oldest and
        // seldom as far as those that are not remembered: these are read for the few that do.
        if self.reader.models().is_some() {
            recent.read(&missing).await?;
        }
        let look = |recent: &Recent<'_>, (n, earlier): &(u64, Vec<u64>)| {
            self.flip(*n, earlier, recent, now, explain)
        };
        let found: Vec<std::result::Result<Option<Flip>, Unread>> =
            earlier.par_iter().map(|one| look(recent, one)).collect();
        let open = earlier.iter().zip(&found).filter(|(_, found)| found.is_err());
        let missing = recent.touch(open.flat_map(|((_, earlier), _)| earlier));
        recent.read(&missing).await?;
        let flips = earlier
            .par_iter()
            .zip(found)
            .filter_map(|(one, found)| found.or_else(|Unread| look(recent, one)).ok().flatten());
        let flips: Vec<Flip> = flips.collect();
        recent.end(&keys);
        detection.keys.extend(keys);
        detection.flips.extend(flips);
        Ok(())
    }

    /// The earlier positions that share most keys, newer ones where several share as many; newest
    /// first.
    fn candidates(&self, one: &PositionKeys, beside: &Beside, recent: &Recent<'_>) -> Vec<u64> {
        let mut found: Vec<u64> = Vec::new();
        for block in &one.blocks {
            found.extend(recent.under(*block));
            found.extend(beside.before(one.n, *block, self.lookback));
        }
        #[expect(
            clippy::stable_sort_primitive,
            reason = "it merges runs that are in order already"
        )]
        found.sort();
        let together = found.chunk_by(|one, two| one == two);
        let mut shared: Vec<(usize, u64)> =
            together.filter_map(|same| Some((same.len(), *same.first()?))).collect();
        if shared.len() > self.lookback {
            shared.sort_unstable_by(|one, two| two.cmp(one));
            shared.truncate(self.lookback);
        }
        let mut best: Vec<u64> = shared.into_iter().map(|(_, n)| n).collect();
        best.sort_unstable_by(|one, two| two.cmp(one));
        best
    }

    /// The flip that a position makes, if it makes one, as far as what was said before is remembered.
    fn flip(
        &self,
        n: u64,
        earlier: &[u64],
        recent: &Recent<'_>,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> std::result::Result<Option<Flip>, Unread> {
        let Some(said) = recent.said(n) else { return Err(Unread) };
        let position = said.position();
        let mut unread = false;
        let remembered = earlier.iter().map_while(|n| {
            let said = recent.said(*n);
            unread |= said.is_none();
            said
        });
        let before = remembered.filter(|before| {
            let before = before.position();
            // Positions may come out of order; what was said later is nothing to have left. And two
            // agents' keys may meet by chance, once in ten million ledgers.
            before.at <= position.at
                && before.agent == position.agent
                && before.domain == position.domain
        });
        let found = latest_flip(before, said, self.reader, now);
        if unread {
            return Err(Unread);
        }
        Ok(found.map(|mut flip| {
            if let Some((cause, because)) = explain(&flip) {
                (flip.cause, flip.because) = (cause, because);
            }
            flip
        }))
    }

    /// The flips of one agent among its latest positions, found anew: the seed's call. Nothing is
    /// written.
    pub async fn detect_flips_for_agent(
        &self,
        agent: &str,
        lookback_positions: u32,
        now: Timestamp,
    ) -> Result<Vec<Flip>> {
        let page = HistoryPage { limit: lookback_positions, ..HistoryPage::default() };
        let mut history = self.store.history(agent, &page).await?;
        history.reverse();
        let positions = history.into_iter().map(|held| held.position);
        Ok(rebuttal_detect::flips::detect_flips(positions, self.lookback, self.reader, now))
    }
}

/// A candidate that decides is not remembered, and must be read first.
#[derive(Debug)]
struct Unread;

fn keys_of(held: &Held) -> PositionKeys {
    let position = &held.position;
    let keys = position_keys(position);
    PositionKeys::new(held.n, position.agent.as_str(), position.domain.as_deref(), &keys)
}

/// Which positions of a batch share keys: the store does not know them yet.
struct Beside {
    /// By key, in order.
    by_block: HashMap<i64, Vec<u64>>,
}

impl Beside {
    fn new(keys: &[PositionKeys]) -> Self {
        let mut by_block: HashMap<i64, Vec<u64>> = HashMap::new();
        for one in keys {
            for block in &one.blocks {
                by_block.entry(*block).or_default().push(one.n);
            }
        }
        Self { by_block }
    }

    /// Those under a key before the one numbered `n`; of these the newest.
    fn before(&self, n: u64, block: i64, most: usize) -> &[u64] {
        let sharing = self.by_block.get(&block).map(Vec::as_slice).unwrap_or_default();
        let end = sharing.partition_point(|other| *other < n);
        sharing.get(end.saturating_sub(most)..end).unwrap_or_default()
    }
}
