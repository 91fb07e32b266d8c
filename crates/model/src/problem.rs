//! What was wrong with an input. One bad line costs one problem, not the file.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What kind of thing was wrong; stable names for scripts.
///
/// Some kinds mean that content was left out, so that "no findings" does not mean that there are
/// none; [`ProblemKind::is_loss`] tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file could not be opened or read, or not to its end. Content was left out.
    Unreadable,
    /// Nothing in it, and so nothing left out.
    Empty,
    /// No importer recognises it. Content was left out.
    UnknownFormat,
    /// The text does not follow its format (broken JSON, a missing column, …). The broken part
    /// was left out.
    Malformed,
    /// A record of a known format lacks what makes it a turn, and was left out.
    MissingField,
    /// Bytes that are not UTF-8, half a surrogate pair, or control characters. They were replaced
    /// by U+FFFD or kept; nothing was left out.
    Encoding,
    /// Records of more than one format. All were read; nothing was left out.
    Mixed,
    /// A limit of [`crate::limits`] was hit, and content was left out. Always so: a limit that
    /// costs nothing but a cut is [`ProblemKind::Split`].
    Limit,
    /// A limit of [`crate::limits`] was hit, and one conversation became several transcripts.
    /// Nothing was left out, but nothing is compared across the cut either.
    Split,
    /// What it says contradicts itself. All of it was kept.
    Conflicting,
}

impl ProblemKind {
    /// True when a problem of this kind means that something in the input was not read.
    pub fn is_loss(self) -> bool {
        match self {
            Self::Unreadable
            | Self::UnknownFormat
            | Self::Malformed
            | Self::MissingField
            | Self::Limit => true,
            Self::Empty | Self::Encoding | Self::Mixed | Self::Split | Self::Conflicting => false,
        }
    }
}

/// Something wrong with an input, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// The line, counted from 1, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What kind of thing was wrong.
    pub kind: ProblemKind,
    /// What happened, to what, and what to try. Never holds raw input that could be an escape
    /// sequence.
    pub message: String,
}

impl Problem {
    /// A problem with a whole file.
    pub fn new(file: impl Into<Arc<str>>, kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, kind, message: message.into() }
    }

    /// Sets the line it stands on.
    #[must_use]
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{}: {}", self.file, line, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
