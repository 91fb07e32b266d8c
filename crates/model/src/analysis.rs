//! What was seen of a panel at the end of a round: evidence, agreement, echoes, novelty.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Quote};

/// How well a turn is supported, each part 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct Quality {
    /// The share of claims with a source.
    pub citation_density: f64,
    /// Figures and names against vague words.
    pub specificity_score: f64,
    /// Premises that lead to a conclusion.
    pub logical_chain_score: f64,
    /// Kinds of evidence.
    pub evidence_diversity: f64,
    /// All four by their weights.
    pub overall: f64,
}

/// Agreement with nothing behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HollowAlert {
    /// Whether it is one: the answers are alike and the evidence is thin.
    pub detected: bool,
    /// `(1 − average quality) · similarity · (1 + variance)`, at most 1.
    pub severity: f64,
    /// The value before it was cut to 1.
    pub raw_severity: f64,
    /// The mean of the agents' evidence quality.
    pub avg_quality: f64,
    /// The variance of the agents' evidence quality.
    pub quality_variance: f64,
    /// How alike the agents are.
    pub similarity: f64,
    /// Why, in a sentence.
    pub reason: String,
}

impl HollowAlert {
    /// `(1 − average quality) · similarity · (1 + variance)`, before it is cut to 1.
    pub fn raw_severity_of(avg_quality: f64, similarity: f64, quality_variance: f64) -> f64 {
        (1.0 - avg_quality) * similarity * (1.0 + quality_variance)
    }
}

/// A claim that several agents make and nobody supports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceGap {
    /// The claim, in the words of the first.
    pub claim: String,
    /// Who makes it.
    pub agents: Vec<AgentId>,
    /// The quotes that show it.
    pub quotes: Vec<Quote>,
}

/// Sources that are the same few for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Echo {
    /// The share of citations that repeat a source another agent gave for the same claim.
    pub redundancy: f64,
    /// Different sources.
    pub unique_sources: u32,
    /// All citations.
    pub total_citations: u32,
    /// The sources that are repeated.
    pub sources: Vec<String>,
    /// Who repeats them.
    pub agents: Vec<AgentId>,
}

/// A claim that independent sources support.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corroboration {
    /// The claim.
    pub claim: String,
    /// Who supports it, each with a source of its own.
    pub agents: Vec<AgentId>,
    /// The sources.
    pub sources: Vec<String>,
}

/// What was seen of a panel at the end of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct RoundAnalysis {
    /// The round.
    pub round: u32,
    /// How well each agent's turn is supported.
    pub quality: BTreeMap<AgentId, Quality>,
    /// How alike the agents are to each other, 0 to 1; `None` with fewer than two.
    pub convergence: Option<f64>,
    /// How alike each agent is to itself in the round before.
    pub stability: BTreeMap<AgentId, f64>,
    /// The share of this round's lines that their speakers had said before, by their vectors; `None` in
    /// the first round, and where a finished debate is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<f64>,
    /// How much of what each agent says was not said before by anybody, 0 to 1.
    pub novelty: BTreeMap<AgentId, f64>,
    /// Agreement with nothing behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hollow: Option<HollowAlert>,
    /// Claims of several that nobody supports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<EvidenceGap>,
    /// Every agent cites these sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
    /// Claims that independent sources support.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corroborations: Vec<Corroboration>,
    /// What the voices of this round are worth, counted as independent ones.
    pub independent_voices: f64,
    /// Of all who gave an answer, judged or not, the share that gives the most frequent one; `None`
    /// where nobody gave one, and in the oldest journals (see [`RoundAnalysis::counts_answers`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_answer: Option<f64>,
    /// Agents whose turn could not be judged, and why: empty, not English, no prose.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_judged: BTreeMap<AgentId, String>,
}

impl RoundAnalysis {
    /// True when how many give one answer was looked at: always since policy version 1. The oldest
    /// journals of version 0 lack it, and were decided without it.
    pub fn counts_answers(&self, policy: u32) -> bool {
        policy > 0 || self.one_answer.is_some()
    }
}
