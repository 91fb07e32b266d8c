//! What follows from findings, and what a debate ends with.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, FindingId};

/// What the engine can do about findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionKind {
    /// A challenge put into the next round's prompt.
    Challenge,
    /// A role given to an agent.
    Role,
    /// A further round.
    ExtraRound,
    /// A pause until a human has spoken.
    Breakpoint,
    /// A demand to support a claim nobody supports.
    EvidenceGap,
    /// A warning that all cite the same few sources.
    EchoChamber,
    /// A demand for something not said before.
    Novelty,
}

/// What the engine did about findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// What it did.
    pub kind: InterventionKind,
    /// Because of these.
    pub findings: Vec<FindingId>,
    /// To whom.
    pub targets: Vec<AgentId>,
    /// The words the targets were given.
    pub text: String,
}

/// What an agent votes for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    /// Who votes.
    pub agent: AgentId,
    /// The round the vote was cast in; 0 is blind.
    pub round: u32,
    /// The options, best first. Empty is an abstention.
    pub ranking: Vec<String>,
    /// How sure the agent says it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conviction: Option<Confidence>,
}

/// What the debate ends with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The answer; `None` is an explicit "no decision".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How sure the panel is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Agents that hold something else, kept and quoted.
    pub dissent: Vec<Ballot>,
    /// How it came to this, for a person.
    pub narrative: String,
}
