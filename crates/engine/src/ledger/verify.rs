//! Whether positions are found under all their keys, and no others.

use rayon::prelude::*;
use rebuttal_detect::flips::{KEYS_VERSION, position_keys};
use rebuttal_store::{Error, PositionKeys, Result, Store, StoredPosition};

/// Positions whose keys are made at a time.
const PAGE: u32 = 10_000;

/// Checks the index by which flips are found: the keys of all positions that were looked at are made a
/// second time, beside. Keys of another version are made anew before they are used, and not looked at.
/// `watch` is told how many positions were read.
pub async fn verify_keys(store: &Store, watch: &(dyn Fn(u64) + Sync)) -> Result<()> {
    if store.keys_version().await? != u64::from(KEYS_VERSION) {
        return Ok(());
    }
    let through = store.detected_through().await?;
    let check = store.check_keys().await?;
    let mut done = 0;
    while done < through {
        let mut held = store.positions_after(done, PAGE).await?;
        held.retain(|held| held.n <= through);
        let Some(last) = held.last() else { break };
        done = last.n;
        let keys: Vec<PositionKeys> = held.par_iter().map(keys_of).collect();
        check.add(&keys).await?;
        watch(done);
    }
    match check.end().await {
        Err(Error::Differs(_)) if store.detected_through().await? != through => {
            Err(Error::Invalid(
                "the ledger was written to while it was checked; check it again".to_owned(),
            ))
        }
        compared => compared,
    }
}

/// The keys under which a position should be found.
fn keys_of(held: &StoredPosition) -> PositionKeys {
    let position = &held.position;
    let (agent, domain) = (position.agent.as_str(), position.domain.as_deref());
    PositionKeys::new(held.n, agent, domain, &position_keys(position))
}
