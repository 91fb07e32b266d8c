//! The one error of this library.

use std::error::Error as StdError;
use std::fmt;

/// What went wrong, to what, and what to try.
///
/// [`Display`](fmt::Display) says the outermost part; the rest follows by [`StdError::source`].
#[derive(Debug)]
pub struct Error(Box<Kind>);

/// What this library gives back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Source = Box<dyn StdError + Send + Sync>;

#[derive(Debug)]
enum Kind {
    /// A sentence of its own.
    Message(String),
    /// What was being done when another error came.
    Context(String, Source),
    /// Another error as it is.
    Other(Source),
}

impl Error {
    /// An error with a sentence of its own.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Kind::Message(message.into())))
    }

    /// Says what was being done, or to what, when `source` came.
    pub fn about(
        message: impl Into<String>,
        source: impl StdError + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(Kind::Context(message.into(), Box::new(source))))
    }

    fn other(source: impl StdError + Send + Sync + 'static) -> Self {
        Self(Box::new(Kind::Other(Box::new(source))))
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
        let mut next: Option<&(dyn StdError + 'static)> = match &*self.0 {
            Kind::Message(_) => None,
            Kind::Context(_, source) | Kind::Other(source) => Some(&**source),
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
        match &*self.0 {
            Kind::Message(text) | Kind::Context(text, _) => f.write_str(text),
            Kind::Other(source) => source.fmt(f),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &*self.0 {
            Kind::Message(_) => None,
            Kind::Context(_, source) => Some(&**source),
            Kind::Other(source) => source.source(),
        }
    }
}

/// Errors that say all there is to say by themselves.
macro_rules! from {
    ($($other:ty),+ $(,)?) => {
        $(impl From<$other> for Error {
            fn from(other: $other) -> Self {
                Self::other(other)
            }
        })+
    };
}

from!(
    rebuttal_engine::debate::FoldError,
    rebuttal_engine::debate::RunError,
    rebuttal_llm::LlmError,
    rebuttal_llm::LocalError,
    rebuttal_semantics::SemanticsError,
    rebuttal_store::Error,
    serde_json::Error,
    std::io::Error,
);

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
        self.ok_or_else(|| Error::new(message))
    }

    fn with_context(self, message: impl FnOnce() -> String) -> Result<T> {
        self.ok_or_else(|| Error::new(message()))
    }
}

/// An error from a format string.
macro_rules! err {
    ($($text:tt)+) => { $crate::error::Error::new(format!($($text)+)) };
}

/// Returns an error from a format string unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err($crate::error::Error::new(format!($($text)+)));
        }
    };
}

pub(crate) use {ensure, err};
