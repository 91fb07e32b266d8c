//! What follows from what agents propose: who must debate whom, what they are shown, who moved, when
//! it ends, and what a moderator may do.
//!
//! The rules are those of the seed document on debates, with its slips put right: agents that hold
//! are a camp too, actions are whatever options there are, an agent that changes sides *and* grows
//! surer counts as both, and a panel that agrees has converged whether or not anybody moved.

mod budget;
mod camps;
mod changes;
mod exchange;
mod lift;
mod moderator;
mod policy;
mod proposal;
mod stop;
mod stop_text;
mod verdict;
mod vote;

pub use budget::{Budget, Exceeded, Limited};
pub use camps::{Camp, Conflict, camps, conflicts, converged, requires_debate};
pub use changes::{
    Answered, debate_metrics, debate_quality, debate_quality_with, position_changes,
};
pub use exchange::{Exchange, Opposing, Owed, exchange};
pub use lift::{LiftOf, lift, majority_chance};
pub use moderator::{Moderated, ModeratorError, moderate, read_evaluation};
pub use policy::{DebatePolicy, Evidence, Holders};
pub use proposal::Proposal;
pub use stop::{Said, Stop, StopProgress};
pub use stop_text::StopError;
pub use verdict::{agreement_ratio, net_evidence, verdict};
pub use vote::{WeightedVote, weighted_vote};
