//! All flips in four numbers, for a dashboard.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{AgentId, Flip, FlipKind};
use serde::Serialize;

/// What counts as recent.
const RECENT: SignedDuration = SignedDuration::from_hours(24);

/// The seed document's summary; as JSON it has its names. Kinds and agents without a flip are left
/// out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FlipSummary {
    /// All flips.
    pub total_flips: u64,
    /// Flips of each kind.
    pub by_type: BTreeMap<FlipKind, u64>,
    /// Flips of each agent.
    pub by_agent: BTreeMap<AgentId, u64>,
    /// Flips whose new position was taken in the 24 hours before now. Times are points in time, so that no zone matters; one
    /// that lies in the future is not recent.
    pub recent_24h: u64,
}

impl FlipSummary {
    /// Sums up.
    pub fn of<'f>(flips: impl IntoIterator<Item = &'f Flip>, now: Timestamp) -> Self {
        let mut summary = Self::default();
        flips.into_iter().for_each(|flip| summary.add(flip, now));
        summary
    }

    /// Counts one more.
    pub fn add(&mut self, flip: &Flip, now: Timestamp) {
        self.total_flips += 1;
        *self.by_type.entry(flip.kind).or_default() += 1;
        *self.by_agent.entry(flip.after.agent.clone()).or_default() += 1;
        let age = now.duration_since(flip.after.at);
        self.recent_24h += u64::from(!age.is_negative() && age < RECENT);
    }
}
