//! What each tool takes. The comments on the fields are what a client reads in the tool's schema.

use rebuttal::model::{BreakpointAnswer, FlipKind, Method, Severity};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

/// Who decides what a text says.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum By {
    /// Rules, and the models in the program where rules are in doubt
    #[default]
    Model,
    /// Rules alone: fastest
    Rules,
    /// The word lists of the seed documents, for comparison
    Seed,
}

impl From<By> for Method {
    fn from(by: By) -> Self {
        match by {
            By::Model => Self::Model,
            By::Rules => Self::Rules,
            By::Seed => Self::Seed,
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AtLeast {
    #[default]
    Info,
    Low,
    Medium,
    High,
}

impl From<AtLeast> for Severity {
    fn from(at_least: AtLeast) -> Self {
        match at_least {
            AtLeast::Info => Self::Info,
            AtLeast::Low => Self::Low,
            AtLeast::Medium => Self::Medium,
            AtLeast::High => Self::High,
        }
    }
}

/// `debate_start`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Start {
    /// What is asked
    pub(crate) question: String,
    /// What everybody should know beside the question
    #[serde(default)]
    pub(crate) context: String,
    /// The answers to choose from; found in the question if not given
    #[serde(default)]
    pub(crate) options: Vec<String>,
    /// Who debates: names from rebuttal.toml, or claude, gpt4, gemini, ollama, local; NAME:PERSONA gives
    /// one a persona (pragmatist, skeptic, advocate, analyst, engineer, economist, ethicist,
    /// devils-advocate). If not given, those whose key is set
    #[serde(default)]
    pub(crate) agents: Vec<String>,
    /// Who moderates at the end and may override the vote when sure; not one of the agents
    pub(crate) moderator: Option<String>,
    /// Who judges, for the rules judge and judge-panel
    #[serde(default)]
    pub(crate) judges: Vec<String>,
    /// A protocol to start from: quick, hybrid, strict, brainstorm, or one of the user's own
    pub(crate) preset: Option<String>,
    /// Most rounds after the blind one
    pub(crate) rounds: Option<u32>,
    /// How votes are counted: majority, plurality, supermajority:0.66, borda, schulze, judge, …
    pub(crate) rule: Option<String>,
    /// When it ends early: "unanimity or no-change", "stable:2 and rounds:2", …
    pub(crate) stop: Option<String>,
    /// Agents take roles (analyst, skeptic, …), another one each round
    pub(crate) roles: Option<bool>,
    /// After each round a devil's advocate speaks against what most hold
    pub(crate) critique: Option<bool>,
    /// Look for agreement with nothing behind it, and challenge it; on unless switched off
    pub(crate) trickster: Option<bool>,
    /// Most requests to models; if not given, a share of what this server may spend
    pub(crate) budget_calls: Option<u64>,
    /// Most tokens, read and written
    pub(crate) budget_tokens: Option<u64>,
    /// Most US dollars; needs the price of every agent in rebuttal.toml
    pub(crate) budget_usd: Option<f64>,
    /// Most seconds on the clock
    pub(crate) budget_seconds: Option<f64>,
    /// A word of your own for this debate: the same word starts it once, however often it is sent, so a
    /// call that was cut off can be sent again
    pub(crate) key: Option<String>,
}

/// `debate_status`, `debate_resume` and `debate_stop`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Which {
    /// Its id, the beginning of it, or `last`
    #[serde(default = "last")]
    pub(crate) debate: String,
}

fn last() -> String {
    "last".to_owned()
}

/// `debate_result`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WhatOf {
    /// Its id, the beginning of it, or `last`
    #[serde(default = "last")]
    pub(crate) debate: String,
    /// How the result is written
    #[serde(default)]
    pub(crate) format: Written,
    /// How long to wait for the end if it is still running, at most 45
    #[serde(default)]
    pub(crate) wait_seconds: f64,
}

/// How a debate's result is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Written {
    /// The decision with its votes, dissent and metrics
    #[default]
    Json,
    /// A report to read: who said what, who moved, what was challenged
    Markdown,
}

/// `breakpoint_answer`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AnswerTo {
    /// The debate that waits: its id, the beginning of it, or `last`
    #[serde(default = "last")]
    pub(crate) debate: String,
    /// What the person says
    pub(crate) answer: Says,
    /// The words for the agents: needed to redirect and to add evidence
    pub(crate) note: Option<String>,
    /// Which breakpoint is meant, so that an answer to an earlier one is refused
    pub(crate) number: Option<u32>,
}

/// How a breakpoint is answered.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Says {
    /// The debate goes on as it was
    Continue,
    /// It goes on, and the agents are given the note
    Redirect,
    /// It goes on, and the agents are given the note as evidence
    AddEvidence,
    /// The rounds end here, and the votes are counted
    Abort,
}

impl From<Says> for BreakpointAnswer {
    fn from(says: Says) -> Self {
        match says {
            Says::Continue => Self::Continue,
            Says::Redirect => Self::Redirect,
            Says::AddEvidence => Self::AddEvidence,
            Says::Abort => Self::Abort,
        }
    }
}

/// A conversation, as text or as messages.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Conversation {
    /// The log as it is: "NAME: words" lines, JSON or JSON lines of messages, Markdown, CSV, or the log of
    /// an agent framework. Either this or `messages`
    pub(crate) text: Option<String>,
    /// The messages in order, each {"agent" or "role": …, "content": …}. Either this or `text`
    pub(crate) messages: Option<Vec<Value>>,
    /// What the text is, instead of finding out; `rebuttal formats` lists the names
    pub(crate) from: Option<String>,
    /// Who decides
    #[serde(default)]
    pub(crate) method: By,
}

/// `audit_text`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Audit {
    #[serde(flatten)]
    pub(crate) conversation: Conversation,
    /// Leave milder findings out
    #[serde(default)]
    pub(crate) min_severity: AtLeast,
    /// Most findings shown, the gravest first, at most 500
    #[serde(default = "fifty")]
    pub(crate) limit: usize,
}

fn fifty() -> usize {
    50
}

/// `find_contradictions`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FindContradictions {
    /// The reports, each {"agent": …, "text": …} or {"agent": …, "findings": [{"claim": …, "source": …,
    /// "confidence": …}]}
    pub(crate) reports: Vec<Value>,
    /// Values may differ by this share, 0.05 unless configured otherwise
    pub(crate) tolerance: Option<f64>,
    /// Who decides
    #[serde(default)]
    pub(crate) method: By,
}

/// `compare`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Pair {
    /// The first statement
    pub(crate) a: String,
    /// The second statement
    pub(crate) b: String,
    /// Who decides
    #[serde(default)]
    pub(crate) method: By,
}

/// `agent_consistency`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Who {
    /// The agent; without it, all agents, the least consistent first
    pub(crate) agent: Option<String>,
    /// Most positions and flips of it, or most agents, at most 500
    #[serde(default = "twenty")]
    pub(crate) limit: u32,
}

fn twenty() -> u32 {
    20
}

/// `flips`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Flips {
    /// Of this agent only
    pub(crate) agent: Option<String>,
    /// Of this kind only
    pub(crate) kind: Option<Kind>,
    /// Only those that the agent did not own up to
    #[serde(default)]
    pub(crate) silent_only: bool,
    /// At most so many, the latest found first, at most 500
    #[serde(default = "twenty")]
    pub(crate) limit: u32,
}

/// What became of a position.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A small adjustment
    Refinement,
    /// Nuance added
    Qualification,
    /// Withdrawn
    Retraction,
    /// The direct opposite
    Contradiction,
}

impl From<Kind> for FlipKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Refinement => Self::Refinement,
            Kind::Qualification => Self::Qualification,
            Kind::Retraction => Self::Retraction,
            Kind::Contradiction => Self::Contradiction,
        }
    }
}
