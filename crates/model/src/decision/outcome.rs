//! What a count leaves behind: scores, ties, who voted and which ballots did not count.

use serde::{Deserialize, Serialize};

use crate::AgentId;

/// What one option got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionScore {
    /// The option.
    pub option: String,
    /// Its score, on the rule's own scale: votes, points, pairwise wins, a probability.
    pub score: f64,
    /// Who put it first.
    pub supporters: Vec<AgentId>,
}

/// How a tie ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Broken {
    /// Not at all: there is no decision.
    Not,
    /// The option that stands first in the question won.
    OptionOrder,
    /// The option that did best in an earlier round won.
    EarlierRound {
        /// The round.
        round: u32,
    },
    /// One was drawn at random. Journals say `lot`.
    #[serde(rename = "lot")]
    Random {
        /// The number it was drawn with, so that it can be drawn again.
        seed: u64,
    },
}

/// Several options that the rule could not tell apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// Which, in the question's order.
    pub options: Vec<String>,
    /// How it ended.
    pub broken: Broken,
}

/// Who voted, and who did not. The panel is the sum of the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Turnout {
    /// How many could vote. Shares are of these.
    pub panel: usize,
    /// Whose ballots counted.
    pub voted: Vec<AgentId>,
    /// Who chose not to vote.
    pub abstained: Vec<AgentId>,
    /// Who gave no ballot, or could not be asked.
    pub failed: Vec<AgentId>,
    /// Whose only ballot was rejected.
    pub rejected: Vec<AgentId>,
}

/// A ballot that did not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The agent whose ballot it is.
    pub agent: AgentId,
    /// The round it is from.
    pub round: u32,
    /// Why, for a person.
    pub reason: String,
}
