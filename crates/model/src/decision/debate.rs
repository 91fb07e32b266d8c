//! What happened between the first answers and the last: who moved, what a moderator said, and why it
//! ended. The names of the metrics are those of the seed document.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence};

/// What an agent stands for, and how firmly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldAnswer {
    /// The option it stands for.
    pub action: String,
    /// How firmly, 0 to 1.
    pub conviction: f64,
}

/// What of a position changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    /// What it stands for.
    Action,
    /// Its conviction.
    Conviction,
    /// Both.
    Both,
}

impl ChangeType {
    /// True when the agent stands for something else than before.
    pub fn is_action(self) -> bool {
        matches!(self, Self::Action | Self::Both)
    }

    /// True when the agent is surer or less sure than before.
    pub fn is_conviction(self) -> bool {
        matches!(self, Self::Conviction | Self::Both)
    }
}

/// One agent that moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionChange {
    /// The agent.
    pub agent: AgentId,
    /// What changed.
    pub change_type: ChangeType,
    /// What it held before.
    pub from: HeldAnswer,
    /// What it holds now.
    pub to: HeldAnswer,
    /// How much surer it is than before; negative when less sure.
    pub delta: f64,
}

/// What moved, in one round or over a whole debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct DebateMetrics {
    /// How many stand for something else than before.
    pub agents_changed_action: usize,
    /// How many are surer or less sure than before, whether or not they also changed sides.
    pub agents_changed_conviction: usize,
    /// The sum of those shifts, each without its sign.
    pub total_conviction_shift: f64,
    /// True when all agree, whether or not anyone moved.
    pub converged: bool,
    /// How well the sides answered each other, 0 to 1; `None` when nobody debated.
    pub debate_quality: Option<f64>,
}

/// One round after the blind one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// Its number, counted from 1.
    pub round: u32,
    /// Who debated.
    pub debating: Vec<AgentId>,
    /// Who kept its position and looked on.
    pub observing: Vec<AgentId>,
    /// Who moved.
    pub changes: Vec<PositionChange>,
    /// What that adds up to.
    pub metrics: DebateMetrics,
}

/// What a moderator hands in, field by field as the seed document has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct ModeratorEvaluation {
    /// The best that was said.
    #[serde(default)]
    pub strongest_arguments: Vec<String>,
    /// The worst.
    #[serde(default)]
    pub weakest_arguments: Vec<String>,
    /// What it would do.
    pub recommended_action: String,
    /// How sure it is, 0 to 1.
    pub recommended_conviction: f64,
    /// Why.
    #[serde(default)]
    pub rationale: String,
    /// What to watch.
    #[serde(default)]
    pub risks: Vec<String>,
}

/// A vote that a moderator set aside. Never silent: the decision carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// What the vote had decided; `None` when it had not.
    pub from: Option<String>,
    /// How sure the panel was.
    pub from_confidence: Option<Confidence>,
    /// What the moderator put in its place.
    pub to: String,
    /// How sure the moderator said it was.
    pub moderator_conviction: f64,
    /// The bar it had to be above.
    pub threshold: f64,
    /// What its conviction was multiplied with.
    pub factor: f64,
}

/// What a moderator said, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moderation {
    /// Who moderated.
    pub moderator: AgentId,
    /// What it said.
    pub evaluation: ModeratorEvaluation,
    /// The override, if it came to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrode: Option<Override>,
    /// Why it did or did not, for a person.
    pub words: String,
}

/// A stop rule that fired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fired {
    /// The rule in its text form: `rounds:3`.
    pub rule: String,
    /// What was seen, for a person: "3 of 3 rounds are done".
    pub seen: String,
}

/// Why a debate ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopReason {
    /// The whole rule as configured.
    pub rule: String,
    /// The parts of it that fired.
    pub fired: Vec<Fired>,
    /// The reasons in words.
    pub words: String,
}
