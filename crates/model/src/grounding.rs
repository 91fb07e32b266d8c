//! What a debate took from the user's documents: passages that agents were given, figures that documents
//! dispute, and what became of citations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Passage, PassageId, RuleId, Severity, TurnId};

/// What a check of a citation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CitationVerdict {
    /// The passage says so.
    Supported,
    /// It says nothing of the kind, or the opposite.
    Unsupported,
    /// The words in quotation marks do not stand there.
    Misquoted,
    /// It gives another number.
    WrongNumber,
    /// It gives the number in another unit.
    WrongUnit,
    /// It gives the number for another time.
    WrongPeriod,
    /// Another document says so, and not this one.
    WrongDocument,
    /// It gives orders to agents, and is no evidence for anything.
    Instructions,
    /// There is no such passage or document.
    NotFound,
    /// It could not be checked; this says nothing about whether it is right.
    Unchecked,
}

/// Whether a claim named what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cites {
    /// It did.
    Named,
    /// It did not, and the nearest passages were looked at.
    Nothing,
}

impl CitationVerdict {
    /// All verdicts.
    pub const ALL: [Self; 10] = [
        Self::Supported,
        Self::Unsupported,
        Self::Misquoted,
        Self::WrongNumber,
        Self::WrongUnit,
        Self::WrongPeriod,
        Self::WrongDocument,
        Self::Instructions,
        Self::NotFound,
        Self::Unchecked,
    ];

    /// The rule of a finding with this verdict: `citation/misquoted`.
    pub fn rule(self) -> RuleId {
        RuleId::new(match self {
            Self::Supported => "citation/supported",
            Self::Unsupported => "citation/unsupported",
            Self::Misquoted => "citation/misquoted",
            Self::WrongNumber => "citation/wrong-number",
            Self::WrongUnit => "citation/wrong-unit",
            Self::WrongPeriod => "citation/wrong-period",
            Self::WrongDocument => "citation/wrong-document",
            Self::Instructions => "citation/instructions",
            Self::NotFound => "citation/not-found",
            Self::Unchecked => "citation/unchecked",
        })
    }

    /// The word for it in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Unsupported => "unsupported",
            Self::Misquoted => "misquoted",
            Self::WrongNumber => "wrong-number",
            Self::WrongUnit => "wrong-unit",
            Self::WrongPeriod => "wrong-period",
            Self::WrongDocument => "wrong-document",
            Self::Instructions => "instructions",
            Self::NotFound => "not-found",
            Self::Unchecked => "unchecked",
        }
    }

    /// Whether it was checked and failed.
    pub fn failed(self) -> bool {
        !matches!(self, Self::Supported | Self::Unchecked)
    }

    /// How much it matters. That no document speaks of a claim which names none is worth knowing and
    /// nothing more.
    pub fn severity(self, cites: Cites) -> Severity {
        match (self, cites) {
            (Self::Supported | Self::Unchecked, _) => Severity::Info,
            (Self::NotFound, Cites::Nothing) => Severity::Low,
            (Self::Unsupported | Self::WrongDocument, _) => Severity::Medium,
            _ => Severity::High,
        }
    }
}

/// What agents were given before a round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvidenceGiven {
    /// Before which round.
    pub round: u32,
    /// The passages, each once.
    pub passages: Vec<Passage>,
    /// Which of them each agent was given, the nearest to what it is asked first.
    pub given: BTreeMap<AgentId, Vec<PassageId>>,
    /// What the documents give differently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<DisputedFact>,
}

/// A figure that documents give differently, and which of them is to be gone by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisputedFact {
    /// What it is a figure of.
    pub about: String,
    /// What each document says: its name, and the value as it stands there.
    pub values: Vec<(String, String)>,
    /// Which is gone by, and why; or that nothing decides.
    pub ruling: String,
}

/// What became of one piece of evidence that an agent brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CitationCheck {
    /// Who brought it.
    pub agent: AgentId,
    /// In which turn.
    pub turn: TurnId,
    /// Its words.
    pub text: String,
    /// Whether it names a passage or a document.
    pub named: bool,
    /// What became of it.
    pub verdict: CitationVerdict,
    /// A sentence for people.
    pub why: String,
    /// Where it stands: `costs.md, line 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}
