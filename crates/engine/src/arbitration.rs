//! Ruling on contradictions: by the rules, or by a model that is asked in both orders.
//!
//! Calls run side by side, up to a limit; many contradictions share calls. What a model gets wrong,
//! and every call that fails, costs the contradictions it was about and no others: there the rules
//! decide, and a step says why. Equal replies give equal rulings, in the order of the
//! contradictions, whichever reply comes first.

mod asking;

use rebuttal_llm::Chat;
use rebuttal_model::{AgentId, Contradiction, Resolution};
use rebuttal_policy::{Authority, settle};

use asking::Asking;

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most calls under way at once.
    pub concurrency: usize,
    /// From how many contradictions on several share a call.
    pub batch_from: usize,
    /// Most contradictions in one call.
    pub batch_size: usize,
}

impl Default for Limits {
    /// Few enough calls at once for the smallest accounts, and few enough rulings in one reply that
    /// it stays short and a failure costs little.
    fn default() -> Self {
        Self { concurrency: 8, batch_from: 10, batch_size: 5 }
    }
}

/// One ruling for each contradiction, in their order. `progress` hears how many are settled, of how
/// many; the numbers only rise.
///
/// ```
/// use rebuttal_engine::arbitration::{Limits, arbitrate};
/// use rebuttal_policy::Authority;
///
/// let rulings = arbitrate(&[], &Authority::default(), None, &Limits::default(), &|_, _| ());
/// assert!(rulings.is_empty());
/// ```
pub fn arbitrate(
    contradictions: &[Contradiction],
    authority: &Authority,
    arbiter: Option<&dyn Chat>,
    limits: &Limits,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Resolution> {
    let by_rules = |contradiction| rebuttal_policy::arbitrate(contradiction, authority);
    let Some(arbiter) = arbiter else {
        let total = contradictions.len();
        let ruled = contradictions.iter().enumerate().map(|(index, contradiction)| {
            let ruling = by_rules(contradiction);
            progress(index + 1, total);
            ruling
        });
        return ruled.collect();
    };
    let by = AgentId::new(arbiter.id());
    let answers = Asking::new(contradictions, authority, arbiter, limits, progress).run();
    let settled = contradictions.iter().zip(answers).map(|(contradiction, (given, reversed))| {
        settle(contradiction, given, reversed, &by, by_rules(contradiction))
    });
    settled.collect()
}

#[cfg(test)]
mod tests;
