//! The one error of this library.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use rebuttal_detect::beliefs::NetworkError;
use rebuttal_engine::debate::{
    AgentError, AnswerError, ArenaError, Divergence, FoldError, ForkError, FromEnvError,
    RulesError, RunError,
};
use rebuttal_llm::{LlmError, LocalError};
use rebuttal_semantics::SemanticsError;

/// What this library gives back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, to what, and what to try.
///
/// [`Display`](fmt::Display) says the outermost part, [`whole`](Self::whole) all of it in one line.
/// [`kind`](Self::kind) tells programs what it is about, and [`find`](Self::find) gives the error
/// behind it where a program needs more than that.
#[derive(Clone, Debug)]
pub struct Error(Arc<Inner>);

/// What an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting: a file that does not read, an agent or preset nobody knows, a value out of range.
    Config,
    /// An agent: its key, its server, or what it answered.
    Agent,
    /// A local model: it cannot be loaded, or not be fetched.
    Model,
    /// A debate: it cannot begin, does not replay, or was answered too late.
    Debate,
    /// Nobody can debate: there are neither documents to quote from nor agents to ask.
    NoEvidence,
    /// A receipt: not signed, changed since, or signed by another key.
    Receipt,
    /// A text or a file of rows: empty, too large, not UTF-8, or not what it should hold.
    Text,
    /// The database.
    Store,
    /// What a caller gave: a field that is missing, or a value that it cannot have.
    Argument,
    /// Nothing of that name is stored.
    Missing,
    /// What may be spent is spent, or less than was asked for is left.
    Budget,
    /// As much is running as may run: the same call may succeed later.
    Busy,
    /// A file or a stream.
    Io,
    /// Anything else.
    Other,
}

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    /// `None` where the source says it all.
    message: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
    /// What to try, where the message does not say so.
    hint: Option<String>,
}

impl Error {
    /// An error with a sentence of its own.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner { kind, message: Some(message.into()), source: None, hint: None }))
    }

    /// Says what was being done, or to what, when `source` came.
    pub fn about(
        message: impl Into<String>,
        source: impl StdError + Send + Sync + 'static,
    ) -> Self {
        let (kind, message) = (kind_of(&source), Some(message.into()));
        Self(Arc::new(Inner { kind, message, source: Some(Box::new(source)), hint: None }))
    }

    /// Adds what to try.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self(Arc::new(Inner { hint: Some(hint.into()), ..self.inner() }))
    }

    /// Says that it is about something else: an agent nobody knows is, for a client, a matter of what it
    /// sent.
    #[must_use]
    pub fn but(self, kind: ErrorKind) -> Self {
        Self(Arc::new(Inner { kind, ..self.inner() }))
    }

    fn inner(self) -> Inner {
        let (kind, hint) = (self.kind(), self.0.hint.clone());
        Arc::try_unwrap(self.0).unwrap_or_else(|shared| {
            // Somebody else holds it too: it goes behind a new one.
            Inner { kind, message: None, source: Some(Box::new(Self(shared))), hint }
        })
    }

    /// What to try, where the message does not say so.
    pub fn what_to_try(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Why a breakpoint could not be answered, if that is what went wrong.
    pub fn of_answer(&self) -> Option<&AnswerError> {
        match self.find::<RunError>() {
            Some(RunError::Answer(error)) => Some(error),
            _ => self.find(),
        }
    }

    /// What it is about.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// All of it in one line: the outermost part and everything behind it.
    pub fn whole(&self) -> String {
        let mut text = self.to_string();
        let mut next = self.source();
        while let Some(error) = next {
            text.push_str(": ");
            text.push_str(&error.to_string());
            next = error.source();
        }
        text
    }

    /// The error of this type that is behind it, if there is one.
    pub fn find<E: StdError + 'static>(&self) -> Option<&E> {
        let mut next: Option<&(dyn StdError + 'static)> = match &self.0.source {
            Some(source) => Some(&**source),
            None => None,
        };
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref::<E>() {
                return Some(found);
            }
            if let Some(own) = error.downcast_ref::<Self>() {
                return own.find();
            }
            next = error.source();
        }
        None
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.message, &self.0.source) {
            (Some(message), _) => f.write_str(message),
            (None, Some(source)) => source.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.0.source.as_deref()?;
        if self.0.message.is_some() { Some(source) } else { source.source() }
    }
}

/// Errors of the other crates, by what they are about.
macro_rules! errors {
    ($($kind:ident: $($other:ty),+;)+) => {
        $($(impl From<$other> for Error {
            fn from(source: $other) -> Self {
                let kind = ErrorKind::$kind;
                let source = Some(Box::new(source) as Box<dyn StdError + Send + Sync>);
                Self(Arc::new(Inner { kind, message: None, source, hint: None }))
            }
        })+)+

        fn kind_of(error: &(dyn StdError + 'static)) -> ErrorKind {
            if let Some(own) = error.downcast_ref::<Error>() {
                return own.kind();
            }
            $($(if error.is::<$other>() {
                return ErrorKind::$kind;
            })+)+
            ErrorKind::Other
        }
    };
}

errors! {
    Agent: AgentError, FromEnvError, LlmError;
    Model: LocalError, SemanticsError;
    Debate: AnswerError, ArenaError, Divergence, FoldError, ForkError, RulesError, RunError;
    Store: rebuttal_store::Error;
    Io: std::io::Error;
    Text: NetworkError;
    Other: serde_json::Error;
}

/// Says what was being done when an error came.
pub(crate) trait Context<T> {
    fn context(self, message: impl Into<String>) -> Result<T>;

    fn with_context(self, message: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: StdError + Send + Sync + 'static> Context<T> for Result<T, E> {
    fn context(self, message: impl Into<String>) -> Result<T> {
        self.map_err(|error| Error::about(message, error))
    }

    fn with_context(self, message: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::about(message(), error))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, message: impl Into<String>) -> Result<T> {
        self.ok_or_else(|| Error::new(ErrorKind::Config, message))
    }

    fn with_context(self, message: impl FnOnce() -> String) -> Result<T> {
        self.ok_or_else(|| Error::new(ErrorKind::Config, message()))
    }
}

/// An error from a format string: about a setting, or of the kind that is named.
macro_rules! err {
    ($kind:ident; $($text:tt)+) => {
        $crate::error::Error::new($crate::error::ErrorKind::$kind, format!($($text)+))
    };
    ($($text:tt)+) => { $crate::error::err!(Config; $($text)+) };
}

/// Returns an error of a kind from a format string unless a condition holds.
macro_rules! ensure {
    ($kind:ident; $condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err($crate::error::err!($kind; $($text)+));
        }
    };
}

pub(crate) use {ensure, err};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_chain_is_told_and_the_kind_stays() {
        let missing = std::io::Error::other("no such file");
        let error = Error::about("the key k", missing);
        let error = Error::about("agent claude", error);
        assert_eq!(error.to_string(), "agent claude");
        assert_eq!(error.whole(), "agent claude: the key k: no such file");
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.find::<std::io::Error>().unwrap().to_string(), "no such file");
        assert!(error.find::<LlmError>().is_none());
    }

    #[test]
    fn an_error_of_another_crate_is_itself() {
        let error = Error::from(std::io::Error::other("the disk is full"));
        assert_eq!((error.whole().as_str(), error.kind()), ("the disk is full", ErrorKind::Io));
        assert!(error.source().is_none(), "it is not told twice");
    }
}
