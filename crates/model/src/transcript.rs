//! What was said: a transcript and its turns, wherever they came from.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, DebateId, Rebuttal, Span, TurnId};

/// What a speaker is in its conversation. Only [`Role::Agent`] turns are audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// An agent whose consistency is in question (in chat formats: `assistant`).
    #[default]
    Agent,
    /// The human, or whoever puts the question.
    User,
    /// Instructions that frame the conversation.
    System,
    /// The output of a tool: data, not an opinion.
    Tool,
    /// Whoever leads the conversation: hosts, moderators, secretaries, managers of a group chat.
    Moderator,
    /// Whoever rules on what the agents said.
    Judge,
    /// What runs the agents' code and says what came of it.
    Executor,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Agent,
        Self::User,
        Self::System,
        Self::Tool,
        Self::Moderator,
        Self::Judge,
        Self::Executor,
    ];

    /// `agent`, `user`, `system`, `tool`, `moderator`, `judge` or `executor`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::User => "user",
            Self::System => "system",
            Self::Tool => "tool",
            Self::Moderator => "moderator",
            Self::Judge => "judge",
            Self::Executor => "executor",
        }
    }

    /// True for what takes no part in the conversation: instructions, and what programs gave back.
    pub fn is_machinery(self) -> bool {
        matches!(self, Self::System | Self::Tool | Self::Executor)
    }
}

/// Where a turn came from, so that every finding can point at a file and line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The file as the user named it; a member of an archive is `archive!member`.
    pub file: Arc<str>,
    /// The line the turn starts on, counted from 1.
    pub line: u32,
    /// The bytes of the file that hold the turn, in its encoded form.
    pub bytes: Span,
}

/// Tokens a turn cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Usage {
    /// Tokens read by the model.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
}

/// The structured part of a turn, where the agent gave one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Structured {
    /// The answer or action the agent stands for (`BUY`, `yes`, an option letter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How sure the agent says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conviction: Option<Confidence>,
    /// The claim it argues for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thesis: Option<String>,
    /// What it offers in support.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// Its answers to the other side's evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rebuttals: Vec<Rebuttal>,
}

impl Structured {
    /// True when the turn carries text only.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One text by one agent in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Where the turn stands in its transcript.
    pub id: TurnId,
    /// Who spoke.
    pub agent: AgentId,
    /// What the speaker is in the conversation.
    #[serde(default)]
    pub role: Role,
    /// The round, counted from 0, where the format has rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// What was said, exactly as it was said.
    pub text: String,
    /// The model behind the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Answer, conviction and evidence, where the agent gave them apart from the text.
    #[serde(default, skip_serializing_if = "Structured::is_empty")]
    pub structured: Structured,
    /// The file and bytes the turn came from; `None` for turns made in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Turn {
    /// A turn with nothing but a speaker and a text; importers fill in the rest.
    pub fn new(agent: AgentId, role: Role, text: impl Into<String>) -> Self {
        Self {
            id: TurnId::default(),
            agent,
            role,
            round: None,
            text: text.into(),
            model: None,
            at: None,
            usage: None,
            structured: Structured::default(),
            source: None,
        }
    }
}

/// A side that somebody else chose for an agent: it argues it, whatever it thinks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedSide {
    /// Who argues it.
    pub agent: AgentId,
    /// What it is called: `PRO`, `no`, `bull`.
    pub side: String,
}

/// One conversation, read from somebody's file or taken from a live debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// The debate's own id where the format has one, else the file's name and a number.
    pub id: DebateId,
    /// What was asked, where the format says so apart from the turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The sides that were assigned, where the log or its owner says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<AssignedSide>,
    /// The turns in the order they were spoken; `turns[i].id` is always `i`.
    pub turns: Vec<Turn>,
}

impl Transcript {
    /// Numbers the turns in the order given.
    pub fn new(id: DebateId, question: Option<String>, mut turns: Vec<Turn>) -> Self {
        for (index, turn) in turns.iter_mut().enumerate() {
            turn.id = TurnId::new(index);
        }
        Self { id, question, sides: Vec::new(), turns }
    }

    /// The side an agent was given to argue; the last one told of it.
    pub fn side_of(&self, agent: &AgentId) -> Option<&str> {
        let told = self.sides.iter().rfind(|told| told.agent == *agent);
        told.map(|told| told.side.as_str())
    }

    /// The turn a finding or claim refers to.
    pub fn turn(&self, id: TurnId) -> Option<&Turn> {
        self.turns.get(id.index())
    }
}
