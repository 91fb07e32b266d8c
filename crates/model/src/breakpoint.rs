//! Where a debate waits for a person, and what the person says.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A place where a debate waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// The how-many-eth of its debate, from 1.
    pub number: u32,
    /// After which round.
    pub round: u32,
    /// Why, in words.
    pub reason: String,
    /// How bad it is, 0 to 1.
    pub severity: f64,
    /// When it is answered for the person; never if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// How a breakpoint is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum BreakpointAnswer {
    /// The debate goes on as it was.
    #[default]
    Continue,
    /// It goes on, and the agents are given a note.
    Redirect,
    /// It goes on, and the agents are given evidence.
    #[serde(alias = "add-evidence")]
    AddEvidence,
    /// The rounds end here; what was voted is counted.
    Abort,
}

impl BreakpointAnswer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Continue, Self::Redirect, Self::AddEvidence, Self::Abort];

    /// `continue`, `redirect`, `add_evidence` or `abort`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Redirect => "redirect",
            Self::AddEvidence => "add_evidence",
            Self::Abort => "abort",
        }
    }
}

impl fmt::Display for BreakpointAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for BreakpointAnswer {
    type Err = UnknownAnswer;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let same = |answer: &Self| answer.as_str() == text.replace('-', "_");
        Self::ALL.into_iter().find(same).ok_or_else(|| UnknownAnswer(text.to_owned()))
    }
}

/// A word that answers no breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` answers no breakpoint: say continue, redirect, add-evidence or abort")]
pub struct UnknownAnswer(pub String);

/// What becomes of a breakpoint that nobody answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BreakpointPolicy {
    /// How long it waits, in seconds; for ever if `None`.
    pub timeout_seconds: Option<f64>,
    /// What is done then.
    pub on_timeout: BreakpointAnswer,
}

impl Default for BreakpointPolicy {
    /// Half an hour, then it goes on: the answer that loses nothing.
    fn default() -> Self {
        Self { timeout_seconds: Some(1_800.0), on_timeout: BreakpointAnswer::Continue }
    }
}
