//! What an agent votes for, in every form a decision rule can read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, Whose};

/// Why an agent has no vote although it is on the panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Silence {
    /// It chose to abstain.
    Abstained,
    /// It could not be asked, or gave no usable answer.
    Failed {
        /// What happened, without secrets.
        reason: String,
    },
}

/// What an agent votes for. A ballot in which nothing is filled in is an abstention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    /// Who votes.
    pub agent: AgentId,
    /// The round the vote was cast in; 0 is blind.
    pub round: u32,
    /// The options, best first. What is not listed comes last, all alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<String>,
    /// The options the agent could live with, where that was asked. Else its first choice counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approves: Vec<String>,
    /// Points spread over options, where that was asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, f64>,
    /// How likely the agent finds each option, where that was asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub probabilities: BTreeMap<String, f64>,
    /// The options the agent blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vetoes: Vec<String>,
    /// The number it answers with, where the question asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// How sure the agent says it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conviction: Option<Confidence>,
    /// Why it says nothing, where it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Silence>,
}

impl Ballot {
    /// A ballot with nothing filled in.
    pub fn new(agent: AgentId, round: u32) -> Self {
        Self {
            agent,
            round,
            ranking: Vec::new(),
            approves: Vec::new(),
            points: BTreeMap::new(),
            probabilities: BTreeMap::new(),
            vetoes: Vec::new(),
            number: None,
            conviction: None,
            silence: None,
        }
    }

    /// A vote for one option.
    pub fn choice(agent: AgentId, round: u32, option: impl Into<String>) -> Self {
        Self { ranking: vec![option.into()], ..Self::new(agent, round) }
    }

    /// A vote that ranks options, best first.
    pub fn ranked<S: Into<String>>(
        agent: AgentId,
        round: u32,
        ranking: impl IntoIterator<Item = S>,
    ) -> Self {
        Self { ranking: ranking.into_iter().map(Into::into).collect(), ..Self::new(agent, round) }
    }

    /// A vote for a number.
    pub fn number(agent: AgentId, round: u32, number: f64) -> Self {
        Self { number: Some(number), ..Self::new(agent, round) }
    }

    /// A ballot of an agent that chose to abstain.
    pub fn abstention(agent: AgentId, round: u32) -> Self {
        Self { silence: Some(Silence::Abstained), ..Self::new(agent, round) }
    }

    /// A ballot of an agent that could not vote.
    pub fn failed(agent: AgentId, round: u32, reason: impl Into<String>) -> Self {
        let silence = Some(Silence::Failed { reason: reason.into() });
        Self { silence, ..Self::new(agent, round) }
    }

    /// Sets how sure the agent says it is. What is no confidence is left out.
    #[must_use]
    pub fn sure(mut self, conviction: f64) -> Self {
        self.conviction = Confidence::new(conviction, Whose::Stated);
        self
    }

    /// The option it puts first.
    pub fn first(&self) -> Option<&str> {
        self.ranking.first().map(String::as_str)
    }

    /// True when nothing is voted for.
    pub fn is_silent(&self) -> bool {
        self.silence.is_some()
            || (self.ranking.is_empty()
                && self.approves.is_empty()
                && self.points.is_empty()
                && self.probabilities.is_empty()
                && self.number.is_none())
    }
}
