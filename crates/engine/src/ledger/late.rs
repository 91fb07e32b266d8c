//! Positions that come late: later ones of the same agent are in the ledger already.
//!
//! What became of a position is told from the latest before it in time, whenever that came. So a
//! position that comes late is compared with what lies before it, like any other, and the next later
//! one on its matter is looked at again: it may have left the late one, not the one it was thought to
//! have left. A flip that then lies between no neighbours any more is withdrawn.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use rebuttal_detect::flips::related;
use rebuttal_model::{Flip, PositionId};
use rebuttal_store::{Detection, Habits, Result};

use super::near::{Beside, Candidate, Looked};
use super::recent::Recent;
use super::{Explain, Ledger};

/// What a batch was looked at with.
pub(super) struct Batch<'b> {
    pub(super) looked: &'b [(Looked, Vec<Candidate>)],
    pub(super) habits: &'b HashMap<String, Habits>,
    pub(super) beside: &'b Beside,
    pub(super) first: u64,
    pub(super) now: Timestamp,
    pub(super) explain: &'b Explain<'b>,
}

impl Ledger<'_> {
    /// Looks again at the positions that follow on late ones. The flips of the batch and of the step
    /// are put right, and what the ledger has is withdrawn.
    pub(super) async fn look_again(
        &self,
        batch: &Batch<'_>,
        recent: &mut Recent<'_>,
        flips: &mut Vec<Flip>,
        detection: &mut Detection,
    ) -> Result<()> {
        let late = batch.looked.iter().filter(|(looked, _)| looked.unordered);
        let again: BTreeSet<u64> = late
            .filter_map(|(looked, earlier)| self.next_later(looked.n, earlier, recent))
            .collect();
        if again.is_empty() {
            return Ok(());
        }
        let looked: Vec<Looked> = again
            .iter()
            .filter_map(|n| Some(Looked::new(*n, recent.said(*n)?.position(), batch.habits).1))
            .collect();
        recent.list(&looked, batch.first).await?;
        let mut found: BTreeMap<PositionId, Option<Flip>> = BTreeMap::new();
        for looked in &looked {
            let earlier = looked.candidates(u64::MAX, batch.beside, recent, self.lookback);
            let missing = recent.touch(earlier.iter().map(|candidate| &candidate.n));
            recent.read(&missing).await?;
            let Some(said) = recent.said(looked.n) else { continue };
            let id = said.position().id.clone();
            let flip = self.flip(looked, &earlier, recent, batch.now, batch.explain);
            found.insert(id, flip.ok().flatten());
        }
        self.put_right(found, flips, detection).await
    }

    /// The next position in time on the matter of the one numbered `n`, if the ledger took it before.
    fn next_later(&self, n: u64, earlier: &[Candidate], recent: &Recent<'_>) -> Option<u64> {
        let said = recent.said(n)?;
        let mut later: Vec<(Timestamp, u64)> = earlier
            .iter()
            .filter_map(|candidate| Some((recent.said(candidate.n)?.position().at, candidate.n)))
            .filter(|(at, _)| *at > said.position().at)
            .collect();
        later.sort_unstable();
        later
            .into_iter()
            .map(|(_, n)| n)
            .find(|n| recent.said(*n).is_some_and(|later| related(said, later, self.reader)))
    }

    /// Replaces the flips that a late position has made wrong.
    async fn put_right(
        &self,
        found: BTreeMap<PositionId, Option<Flip>>,
        flips: &mut Vec<Flip>,
        detection: &mut Detection,
    ) -> Result<()> {
        let ids: Vec<&str> = found.keys().map(PositionId::as_str).collect();
        for (position, flip) in self.store.flips_to(&ids).await? {
            let stays = found.get(&position).and_then(Option::as_ref);
            if stays.is_none_or(|stays| stays.id != flip) && !detection.withdrawn.contains(&flip) {
                detection.withdrawn.push(flip);
            }
        }
        flips.retain(|flip| !found.contains_key(&flip.after.id));
        detection.flips.retain(|flip| !found.contains_key(&flip.after.id));
        for flip in found.into_values().flatten() {
            detection.withdrawn.retain(|withdrawn| *withdrawn != flip.id);
            flips.push(flip);
        }
        Ok(())
    }
}
