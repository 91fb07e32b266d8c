//! Whether debating helped, and what it cost.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::AgentId;

/// What was spent. Money is whole millionths of a dollar, so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Spent {
    /// Calls to models.
    pub calls: u64,
    /// Tokens they read.
    pub input_tokens: u64,
    /// Tokens they wrote.
    pub output_tokens: u64,
    /// Millionths of a US dollar.
    pub micro_usd: u64,
    /// Milliseconds on the clock.
    pub millis: u64,
    /// Calls that had to wait for each other, one after the other.
    pub serial_depth: u64,
    /// What may have been spent on top: calls whose cost nobody told.
    #[serde(skip_serializing_if = "Uncertain::is_nothing")]
    pub uncertain: Uncertain,
}

/// What may have been spent on calls that were cut off, lost or killed: at most this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Uncertain {
    /// How many of the calls.
    pub calls: u64,
    /// Most tokens they took.
    pub tokens: u64,
    /// Most millionths of a US dollar they cost.
    pub micro_usd: u64,
}

impl Uncertain {
    /// True when everything is known.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Spent {
    /// The most that it can have been: what is uncertain is counted in full.
    #[must_use]
    pub fn at_most(self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(self.uncertain.tokens),
            micro_usd: self.micro_usd.saturating_add(self.uncertain.micro_usd),
            uncertain: Uncertain::default(),
            ..self
        }
    }

    /// Marks it as something that may or may not have been spent: the calls count, the rest is
    /// uncertain.
    #[must_use]
    pub fn in_doubt(self) -> Self {
        let Self { calls, micro_usd, .. } = self;
        let uncertain = Uncertain { calls, tokens: self.tokens(), micro_usd };
        Self { calls, uncertain, ..Self::default() }
    }

    /// Tokens read and written.
    pub fn tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl Add for Spent {
    type Output = Self;

    /// One after the other: times and depths add up too.
    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
            millis: self.millis.saturating_add(other.millis),
            serial_depth: self.serial_depth.saturating_add(other.serial_depth),
            uncertain: Uncertain {
                calls: self.uncertain.calls.saturating_add(other.uncertain.calls),
                tokens: self.uncertain.tokens.saturating_add(other.uncertain.tokens),
                micro_usd: self.uncertain.micro_usd.saturating_add(other.uncertain.micro_usd),
            },
        }
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// An agent whose last vote is not its first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The agent.
    pub agent: AgentId,
    /// What it voted for blind; `None` when it had no vote.
    pub from: Option<String>,
    /// What it voted for in the end.
    pub to: Option<String>,
    /// The first round in which it voted so.
    pub round: u32,
}

/// How votes compare with an answer known to be right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The right answer.
    pub answer: String,
    /// True when the blind vote was right.
    pub before_right: bool,
    /// True when the final decision is.
    pub after_right: bool,
    /// Agents that went from wrong to right.
    pub corrections: Vec<AgentId>,
    /// Agents that went from right to wrong.
    pub subversions: Vec<AgentId>,
}

/// What the same number of calls would have bought as independent votes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Independent {
    /// How many votes: one for each call the debate made.
    pub votes: u64,
    /// The answer they are counted for: the right one where it is known, else the blind vote's.
    pub answer: String,
    /// The share of the panel that gave this answer blind.
    pub share: f64,
    /// The chance that more than half of the votes give this answer; a draw counts half.
    pub chance: f64,
    /// What that takes for granted, in words.
    pub assumption: String,
}

/// From the blind vote to the decision: what the debate changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Lift {
    /// What the rule makes of the blind ballots.
    pub before: Option<String>,
    /// What was decided in the end.
    pub after: Option<String>,
    /// Who moved, from what to what.
    pub moves: Vec<Move>,
    /// Right and wrong, where the truth was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Truth>,
    /// What independent votes would have bought; `None` when nobody voted blind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub independent: Option<Independent>,
    /// What the blind round alone cost.
    pub blind_cost: Spent,
    /// What all of it cost.
    pub cost: Spent,
    /// All of this in a sentence or two.
    pub words: String,
}
