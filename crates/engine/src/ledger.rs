//! The position ledger at work: positions are taken, and flips are looked for in what was taken.
//!
//! Both steps can be cut off at any point and run again: an id is taken once, and where detection
//! stopped is written in the same transaction as what it found.

mod late;
mod meaning;
mod near;
mod recall;
mod recent;
mod verify;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::Timestamp;
use rayon::prelude::*;
use rebuttal_detect::Reader;
use rebuttal_detect::flips::{KEYS_VERSION, LISTED, LOOKBACK, Said, latest_flip};
use rebuttal_model::{Because, Cause, Flip};
use rebuttal_store::{
    BLOCK_KEPT, Detection, Durability, HistoryPage, LATEST_KEPT, PositionKeys, Result, Store,
    StoredPosition,
};

pub use meaning::nearest;
pub use recall::{Recalled, is_on, recall};
pub use verify::verify_keys;

use near::{Beside, Candidate, Looked};
use recent::Recent;

/// How many positions are written down in one transaction: the keys of one touch most pages of a small
/// index, so that few transactions write much less than many.
const STEP: u32 = 10_000;

/// How many positions are looked at side by side. Of each key the newest before them are looked at, and
/// the newest among them.
const BATCH: usize = 2_000;

// What is looked at is kept.
const _: () = assert!(LISTED <= BLOCK_KEPT && LOOKBACK < LATEST_KEPT);

/// Candidates that are read first, of those not remembered: agents come back to what they said lately,
/// and what says the same or the opposite ends the search.
const FIRST_READ: usize = 6;

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

    /// Compares a position with at most so many earlier ones; with fewer than are
    /// [kept](LATEST_KEPT) of an agent.
    #[must_use]
    pub fn lookback(mut self, lookback: usize) -> Self {
        self.lookback = lookback.clamp(1, LATEST_KEPT - 1);
        self
    }

    /// Looks for flips at all positions that were not looked at yet, in the order they came.
    pub async fn catch_up(
        &self,
        now: Timestamp,
        explain: &Explain<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Progress> {
        if self.store.keys_version().await? != u64::from(KEYS_VERSION) {
            // Under keys of another version nothing is found. All positions are looked at again, which
            // adds no flip twice.
            self.store.restart_detection(KEYS_VERSION).await?;
        }
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

    /// Looks for flips at the positions of one batch, which is in the order in which they came.
    async fn look(
        &self,
        batch: Vec<StoredPosition>,
        recent: &mut Recent<'_>,
        detection: &mut Detection,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> Result<()> {
        let first = batch.first().map_or(0, |held| held.n);
        let agents: BTreeSet<&str> =
            batch.iter().map(|held| held.position.agent.as_str()).collect();
        let agents: Vec<&str> = agents.into_iter().collect();
        let habits = self.store.habits(&agents).await?;
        let look = |held: &StoredPosition| Looked::new(held.n, &held.position, &habits);
        let (keys, looked): (Vec<PositionKeys>, Vec<Looked>) = batch.par_iter().map(look).unzip();
        recent.list(&looked, first).await?;
        recent.add(batch);
        let beside = Beside::new(&keys);
        let looked: Vec<(Looked, Vec<Candidate>)> = looked
            .into_par_iter()
            .map(|one| {
                let earlier = one.candidates(one.n, &beside, recent, self.lookback);
                (one, earlier)
            })
            .collect();
        let mut flips = self.flips(&looked, recent, now, explain).await?;
        let batch =
            late::Batch { looked: &looked, habits: &habits, beside: &beside, first, now, explain };
        self.look_again(&batch, recent, &mut flips, detection).await?;
        recent.end(&keys);
        detection.keys.extend(keys);
        detection.flips.extend(flips);
        Ok(())
    }

    /// The flips that positions make.
    async fn flips(
        &self,
        looked: &[(Looked, Vec<Candidate>)],
        recent: &mut Recent<'_>,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> Result<Vec<Flip>> {
        // A model is asked about all candidates at once, and what is out of order must be put in
        // order. Rules go from the newest to the oldest and seldom as far as those that are not
        // remembered: these are read for the few that do.
        let is_read = |looked: &Looked| looked.unordered || self.reader.models().is_some();
        let numbers = |earlier: &[Candidate]| earlier.iter().map(|one| one.n).collect::<Vec<u64>>();
        let (now_read, others): (Vec<_>, Vec<_>) = looked.iter().partition(|(one, _)| is_read(one));
        let read: Vec<u64> = now_read.iter().flat_map(|(_, earlier)| numbers(earlier)).collect();
        let missing = recent.touch(read.iter());
        recent.read(&missing).await?;
        let rest: Vec<u64> = others.iter().flat_map(|(_, earlier)| numbers(earlier)).collect();
        recent.touch(rest.iter());
        let look = |recent: &Recent<'_>, (one, earlier): &(Looked, Vec<Candidate>)| {
            self.flip(one, earlier, recent, now, explain)
        };
        let mut found: Vec<std::result::Result<Option<Flip>, Unread>> =
            looked.par_iter().map(|one| look(recent, one)).collect();
        for most in [FIRST_READ, usize::MAX] {
            let open = looked.iter().zip(&found).filter(|(_, found)| found.is_err());
            let open = open.flat_map(|((_, earlier), _)| earlier.iter().take(most));
            let open: Vec<u64> = open.map(|candidate| candidate.n).collect();
            if open.is_empty() {
                break;
            }
            let missing = recent.touch(open.iter());
            recent.read(&missing).await?;
            let again = looked.par_iter().zip(&mut found).filter(|(_, found)| found.is_err());
            again.for_each(|(one, found)| *found = look(recent, one));
        }
        Ok(found.into_iter().filter_map(|found| found.ok().flatten()).collect())
    }

    /// The flip that a position makes, if it makes one, as far as what was said before is remembered.
    fn flip(
        &self,
        looked: &Looked,
        earlier: &[Candidate],
        recent: &Recent<'_>,
        now: Timestamp,
        explain: &Explain<'_>,
    ) -> std::result::Result<Option<Flip>, Unread> {
        let Some(said) = recent.said(looked.n) else { return Err(Unread) };
        let position = said.position();
        let mut unread = false;
        let remembered = earlier.iter().map_while(|candidate| {
            let before = recent.said(candidate.n);
            unread |= before.is_none();
            before.map(|before| (candidate, before))
        });
        // What was said later is nothing to have left; of what was said at once, what came first.
        let before = remembered.filter(|(candidate, before)| {
            let when = (before.position().at, candidate.n);
            when < (position.at, looked.n) && (candidate.keyed || said.may_answer(before))
        });
        let found = if looked.unordered {
            let mut before: Vec<(&Candidate, &Said)> = before.collect();
            before.sort_by_key(|(candidate, said)| Reverse((said.position().at, candidate.n)));
            let before = before.into_iter().map(|(_, said)| said);
            latest_flip(before, said, self.reader, now)
        } else {
            latest_flip(before.map(|(_, said)| said), said, self.reader, now)
        };
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
