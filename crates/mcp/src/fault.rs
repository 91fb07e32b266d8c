//! What a client is told when it cannot have what it asked for: always a value it can read, never a
//! connection that breaks.

use rebuttal::engine::debate::{AnswerError, RunError};
use rebuttal::{Error, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// Why a tool has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Fault {
    /// What it is about, for programs.
    pub(crate) code: Code,
    /// What happened, to what.
    pub(crate) message: String,
    /// What to try, where the message does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// Whether the same call may succeed later.
    pub(crate) retryable: bool,
}

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// No tool is called so.
    UnknownTool,
    /// The arguments are not what the tool takes.
    InvalidArguments,
    /// Nothing of that name is stored.
    NotFound,
    /// A setting of this machine: `rebuttal.toml`, a key, an agent's name.
    Config,
    /// An agent: its server, or what it answered.
    Agent,
    /// A model of this program.
    Model,
    /// The debate cannot begin, or does not wait.
    Debate,
    /// What this server may spend is spent, or less than was asked for is left.
    Budget,
    /// As much is running as may run.
    Busy,
    /// The text cannot be read.
    Text,
    /// The database.
    Store,
    /// Something in this program broke.
    Internal,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, retryable: false }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// As it is sent: `{ "error": { "code", "message", "hint", "retryable" } }`.
    pub(crate) fn value(&self) -> Value {
        json!({ "error": self })
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let fault = Self::of(&error);
        match error.what_to_try() {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }
}

impl Fault {
    fn of(error: &Error) -> Self {
        if let Some(AnswerError::NoWords(_)) = error.of_answer() {
            return Self::new(Code::InvalidArguments, error.whole()).hint("give `note`");
        }
        if let Some(RunError::Broken(_)) = error.find() {
            return Self::new(Code::Internal, error.whole());
        }
        if let Some(store) = error.find::<rebuttal::store::Error>() {
            let retryable = store.is_retryable() || store.is_leased() || store.is_conflict();
            return Self { retryable, ..Self::new(Code::Store, error.whole()) };
        }
        let code = match error.kind() {
            ErrorKind::Config | ErrorKind::NoEvidence => Code::Config,
            ErrorKind::Agent => Code::Agent,
            ErrorKind::Model => Code::Model,
            ErrorKind::Debate => Code::Debate,
            ErrorKind::Text => Code::Text,
            ErrorKind::Store => Code::Store,
            ErrorKind::Argument => Code::InvalidArguments,
            ErrorKind::Missing => Code::NotFound,
            ErrorKind::Budget => Code::Budget,
            ErrorKind::Busy => return Self::new(Code::Busy, error.whole()).retryable(),
            _ => Code::Internal,
        };
        Self::new(code, error.whole())
    }
}

impl From<rebuttal::store::Error> for Fault {
    fn from(error: rebuttal::store::Error) -> Self {
        Error::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_what_it_is_about_and_what_to_try() {
        let error = Error::new(ErrorKind::Config, "no agent is called \"bob\"");
        let fault = Fault::from(error).hint("name another");
        assert_eq!(
            fault.value(),
            json!({ "error": { "code": "config", "message": "no agent is called \"bob\"",
                "hint": "name another", "retryable": false } })
        );
    }

    #[test]
    fn words_that_are_missing_are_a_matter_of_the_arguments() {
        let answer = rebuttal::model::BreakpointAnswer::Redirect;
        let fault = Fault::from(Error::from(RunError::Answer(AnswerError::NoWords(answer))));
        assert_eq!(fault.code, Code::InvalidArguments);
        assert_eq!(fault.hint.as_deref(), Some("give `note`"));
    }
}
