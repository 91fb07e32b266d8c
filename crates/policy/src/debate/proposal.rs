//! What an agent proposes, with the seed document's field names.

use rebuttal_model::{AgentId, Ballot, Confidence, HeldAnswer, Structured, Whose};
use serde::{Deserialize, Serialize};

use super::policy::{DebatePolicy, Evidence};
use crate::voting::{Answer, Options};

/// What an agent proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The agent.
    pub agent: AgentId,
    /// The option it stands for, by its name.
    pub action: String,
    /// How sure it is, from 0 to 1.
    pub conviction: Confidence,
    /// The claim it argues for.
    #[serde(default)]
    pub thesis: String,
    /// What it offers in support.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// Its answers to the other side's evidence, one each.
    #[serde(default)]
    pub rebuttal: Vec<String>,
    /// True when it takes no side.
    #[serde(default)]
    pub neutral: bool,
}

impl Proposal {
    /// A proposal with nothing to support it. What is no conviction is 0.
    pub fn new(agent: AgentId, action: impl Into<String>, conviction: f64) -> Self {
        let conviction = Confidence::new(conviction, Whose::Stated);
        Self {
            agent,
            action: action.into(),
            conviction: conviction.unwrap_or(Confidence::detector(0.0)),
            thesis: String::new(),
            evidence: Vec::new(),
            rebuttal: Vec::new(),
            neutral: false,
        }
    }

    /// The proposal in the structured part of a turn, or why there is none. An agent that does not
    /// say how sure it is counts as half sure.
    pub fn of_turn(agent: AgentId, turn: &Structured, options: &Options) -> Result<Self, String> {
        let Some(answer) = &turn.answer else { return Err("it gives no answer".to_owned()) };
        let action = match options.read(answer) {
            Answer::Outside(why) => return Err(why),
            inside => inside.name().unwrap_or_default(),
        };
        let mut proposal = Self::new(agent, action, 0.5);
        proposal.conviction = turn.conviction.unwrap_or(proposal.conviction);
        proposal.thesis = turn.thesis.clone().unwrap_or_default();
        proposal.evidence = said(&turn.evidence);
        proposal.rebuttal = turn.rebuttals.iter().map(|rebuttal| rebuttal.text.clone()).collect();
        Ok(proposal)
    }

    /// What it stands for and how firmly.
    pub fn held(&self) -> HeldAnswer {
        HeldAnswer { action: self.action.clone(), conviction: self.conviction.value() }
    }

    /// The vote that follows from it.
    pub fn ballot(&self, round: u32) -> Ballot {
        let ballot = Ballot::choice(self.agent.clone(), round, self.action.clone());
        Ballot { conviction: Some(self.conviction), ..ballot }
    }

    /// The proposal under the policy's demand for evidence: without any, it takes no side, holds
    /// where the question lets it, and is at most so sure.
    #[must_use]
    pub fn under(mut self, policy: &DebatePolicy, options: &Options) -> Self {
        let Evidence::Required { conviction_max } = policy.evidence else { return self };
        if self.evidence.iter().any(|item| !item.trim().is_empty()) {
            return self;
        }
        self.neutral = true;
        let most =
            Confidence::new(self.conviction.value().min(conviction_max), self.conviction.whose());
        self.conviction = most.unwrap_or(self.conviction);
        if let Some(holding) = options.names().into_iter().find(|name| policy.is_holding(name)) {
            self.action = holding;
        }
        self
    }
}

/// Items that say something.
fn said(items: &[String]) -> Vec<String> {
    items.iter().filter(|item| !item.trim().is_empty()).cloned().collect()
}
