//! The position ledger at work: positions are taken, and flips are looked for in what was taken.
//!
//! Both steps can be cut off at any point and run again: an id is taken once, and where detection
//! stopped is written in the same transaction as what it found.

use std::collections::HashMap;

use jiff::Timestamp;
use rayon::prelude::*;
use rebuttal_detect::Reader;
use rebuttal_detect::flips::{LOOKBACK, latest_flip, position_keys};
use rebuttal_model::{Because, Cause, Flip, Position};
use rebuttal_store::{
    Detection, Durability, Held, HistoryPage, Lookup, PositionKeys, Result, Store,
};

/// How many positions are looked at in one transaction.
const BATCH: u32 = 2_000;

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
        loop {
            let held = self.store.positions_after(through, BATCH).await?;
            let Some(last) = held.last().map(|held| held.n) else { return Ok(progress) };
            let detection = self.look(&held, now, explain).await?;
            through = last;
            progress.looked_at += held.len() as u64;
            progress.flips += self.store.record_detection(now, detection, Durability::Fast).await?;
            watch(progress);
        }
    }

    async fn look(
        &self,
        batch: &[Held],
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> Result<Detection> {
        let keys: Vec<PositionKeys> = batch.par_iter().map(keys_of).collect();
        let first = batch.first().map_or(0, |held| held.n);
        let lookups: Vec<Lookup> = keys.iter().map(|keys| lookup(keys, first)).collect();
        let lookback = u32::try_from(self.lookback).unwrap_or(u32::MAX);
        let earlier = self.store.sharing(&lookups, lookback).await?;
        let beside = Beside::new(&keys);
        let flips: Vec<Flip> = batch
            .par_iter()
            .enumerate()
            .filter_map(|(at, held)| {
                let newest = beside.before(at, self.lookback).into_iter();
                let newest = newest.filter_map(|(index, keys)| Some((keys, batch.get(index)?)));
                let older = earlier.get(at).into_iter().flatten();
                let older = older.map(|found| (found.keys, &found.held));
                let candidates = best(newest.chain(older).collect(), self.lookback);
                let candidates = candidates.iter().map(|(_, held)| &held.position);
                self.flip(candidates, &held.position, now, explain)
            })
            .collect();
        let through = batch.last().map_or(0, |held| held.n);
        Ok(Detection { keys, flips, through })
    }

    fn flip<'p>(
        &self,
        candidates: impl Iterator<Item = &'p Position>,
        position: &Position,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> Option<Flip> {
        // Positions may come out of order; what was said later is nothing to have left.
        let earlier = candidates.filter(|before| before.at <= position.at);
        let mut flip = latest_flip(earlier, position, self.reader, now)?;
        if let Some((cause, because)) = explain(&flip) {
            (flip.cause, flip.because) = (cause, because);
        }
        Some(flip)
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

fn keys_of(held: &Held) -> PositionKeys {
    PositionKeys {
        n: held.n,
        agent: held.position.agent.as_str().to_owned(),
        domain: held.position.domain.clone(),
        keys: position_keys(&held.position),
    }
}

fn lookup(keys: &PositionKeys, below: u64) -> Lookup {
    let PositionKeys { agent, domain, keys, .. } = keys.clone();
    Lookup { agent, domain, keys, below }
}

/// Which positions of a batch share keys: the store does not know them yet.
struct Beside<'k> {
    keys: &'k [PositionKeys],
    by_key: HashMap<(&'k str, Option<&'k str>, u64), Vec<usize>>,
}

impl<'k> Beside<'k> {
    fn new(keys: &'k [PositionKeys]) -> Self {
        let mut by_key: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, one) in keys.iter().enumerate() {
            for key in &one.keys {
                by_key
                    .entry((one.agent.as_str(), one.domain.as_deref(), *key))
                    .or_default()
                    .push(at);
            }
        }
        Self { keys, by_key }
    }

    /// Those before the one at `at`, with how many keys they share; of each key the newest.
    fn before(&self, at: usize, most: usize) -> Vec<(usize, u64)> {
        let Some(one) = self.keys.get(at) else { return Vec::new() };
        let mut found: Vec<usize> = Vec::new();
        for key in &one.keys {
            let sharing = self.by_key.get(&(one.agent.as_str(), one.domain.as_deref(), *key));
            let Some(sharing) = sharing else { continue };
            let end = sharing.partition_point(|other| *other < at);
            let earlier = sharing.get(..end).unwrap_or_default();
            found.extend(earlier.iter().rev().take(most));
        }
        found.sort_unstable();
        let together = found.chunk_by(|one, two| one == two);
        together.filter_map(|same| Some((*same.first()?, same.len() as u64))).collect()
    }
}

/// Those that share most keys, newer ones where several share as many; newest first.
fn best(mut found: Vec<(u64, &Held)>, most: usize) -> Vec<(u64, &Held)> {
    found.sort_unstable_by_key(|(keys, held)| std::cmp::Reverse((*keys, held.n)));
    found.truncate(most);
    found.sort_unstable_by_key(|(_, held)| std::cmp::Reverse(held.n));
    found
}
