//! The numbers and choices of the debate policy, as configuration.

use serde::{Deserialize, Serialize};

/// What agents that hold do while others are in conflict. They are a camp in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Holders {
    /// They look on and keep their position; holding against one other camp is no conflict.
    #[default]
    Observe,
    /// They look on while others are in conflict, and debate where they are the only other side.
    Join,
    /// They debate like every other camp.
    Debate,
}

/// What is done about a position without evidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// An answer may leave it out.
    #[default]
    Optional,
    /// It counts as holding, with at most this conviction.
    Required {
        /// 0.3 in the seed document.
        conviction_max: f64,
    },
}

impl Evidence {
    /// As the seed document's program has it.
    pub const SEED: Self = Self::Required { conviction_max: 0.3 };
}

/// How debates are run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DebatePolicy {
    /// Actions that mean to hold.
    pub holding: Vec<String>,
    /// What agents that hold do.
    pub holders: Holders,
    /// A conviction has changed when it moved by more than this.
    pub conviction_step: f64,
    /// A moderator overrides when it is surer than this.
    pub moderator_threshold: f64,
    /// What its conviction is multiplied with when it does.
    pub moderator_factor: f64,
    /// The most confidence there can be while a conflict remains.
    pub conflict_cap: f64,
    /// What is done about a position without evidence.
    pub evidence: Evidence,
}

impl Default for DebatePolicy {
    fn default() -> Self {
        Self {
            holding: ["HOLD", "NEUTRAL", "ABSTAIN", "UNDECIDED"].map(str::to_owned).to_vec(),
            holders: Holders::default(),
            conviction_step: 0.1,
            moderator_threshold: 0.7,
            moderator_factor: 0.9,
            conflict_cap: 0.6,
            evidence: Evidence::default(),
        }
    }
}

impl DebatePolicy {
    /// True for an action that means to hold.
    pub fn is_holding(&self, action: &str) -> bool {
        let action = crate::voting::plain(action);
        self.holding.iter().any(|holding| crate::voting::plain(holding) == action)
    }
}
