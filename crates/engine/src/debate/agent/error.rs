//! Why an agent gives no answer.

use std::fmt;

use rebuttal_llm::{LlmError, Usage};

/// What kept an agent from answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentErrorKind {
    /// It would not answer.
    Refused,
    /// It took too long.
    TimedOut,
    /// Its answer ended before it was finished.
    Truncated,
    /// It panicked.
    Panicked,
    /// What it said could not be recorded though that was asked for. The debate stops, and can be resumed.
    NotRecorded,
    /// Anything else.
    Failed,
}

/// Why an agent gave no answer. The agent abstains in that round, with this reason.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentError {
    kind: AgentErrorKind,
    message: String,
    pub(in crate::debate) usage: Usage,
    /// True when it may cost something although nobody says how much.
    pub(in crate::debate) charged: bool,
    pub(in crate::debate) requests: u32,
}

impl AgentError {
    /// An error of a kind.
    fn new(kind: AgentErrorKind, message: impl fmt::Display) -> Self {
        let (message, usage) = (message.to_string(), Usage::default());
        Self { kind, message, usage, charged: false, requests: 1 }
    }

    /// The agent would not answer.
    pub fn refused(why: impl fmt::Display) -> Self {
        Self::new(AgentErrorKind::Refused, why)
    }

    /// The agent took too long.
    pub fn timed_out(why: impl fmt::Display) -> Self {
        Self { charged: true, ..Self::new(AgentErrorKind::TimedOut, why) }
    }

    /// The answer was cut off before its end.
    pub fn truncated(why: impl fmt::Display) -> Self {
        Self { charged: true, ..Self::new(AgentErrorKind::Truncated, why) }
    }

    /// Something else went wrong.
    pub fn failed(why: impl fmt::Display) -> Self {
        Self::new(AgentErrorKind::Failed, why)
    }

    pub(in crate::debate) fn panicked(why: impl fmt::Display) -> Self {
        Self { charged: true, ..Self::new(AgentErrorKind::Panicked, why) }
    }

    /// Sets how many tokens the call took all the same.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// What kept it from answering.
    pub fn kind(&self) -> AgentErrorKind {
        self.kind
    }

    /// How many tokens it took all the same, as far as that is known.
    pub fn usage(&self) -> Usage {
        self.usage
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AgentError {}

impl From<LlmError> for AgentError {
    fn from(error: LlmError) -> Self {
        let kind = if error.is_refusal() {
            AgentErrorKind::Refused
        } else if error.is_cut_short() {
            AgentErrorKind::Truncated
        } else if error.is_about_recording() {
            AgentErrorKind::NotRecorded
        } else {
            AgentErrorKind::Failed
        };
        Self {
            usage: error.usage(),
            charged: error.may_have_cost(),
            requests: error.requests(),
            ..Self::new(kind, &error)
        }
    }
}
