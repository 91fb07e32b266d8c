//! Flips: what became of a position, found by comparing what an agent holds with what it held.
//!
//! [`compare`] puts two statements side by side and says whether they are the [same](FlipOutcome::Same),
//! on [different matters](FlipOutcome::Unrelated), or [changed](FlipOutcome::Changed), and in which way.
//! [`keys`] finds the earlier positions worth comparing without trying all, [`Detector`] goes through
//! positions as they come, [`positions_of`] reads them from a transcript and [`cause`] says what moved
//! the agent.
//!
//! ```
//! use rebuttal_detect::{Reader, flips::{FlipOutcome, compare}};
//! use rebuttal_model::FlipKind;
//!
//! let found = compare("The cache is safe.", "The cache is not safe.", None, Reader::Rules);
//! assert_eq!(found.outcome, FlipOutcome::Changed(FlipKind::Contradiction));
//! let found = compare("The cache is safe.", "We meet in June.", None, Reader::Rules);
//! assert_eq!(found.outcome, FlipOutcome::Unrelated);
//! ```

mod added;
mod answer;
mod cause;
mod choice;
mod compare;
mod detector;
mod doubt;
mod keys;
mod line;
mod matched;
mod options;
mod own;
mod plain;
mod pressure;
mod sharing;
mod statements;
mod steady;
mod subjects;
mod taken;
mod toward;

use rebuttal_model::{FlipKind, Method, Span};

use crate::relate::{reserve, roles, words};

pub use cause::{Causes, cause};
pub use compare::{compare, compare_all};
pub use detector::{Detector, LISTED, LOOKBACK, Said, detect_flips, flip, latest_flip, related};
pub use keys::{KEYS_VERSION, MOST_KEYS, keys, position_keys};
pub use sharing::Sharing;
pub use taken::positions_of;

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlipOutcome {
    /// It is said again, in the same or in other words.
    Same,
    /// The later statement is on something else.
    Unrelated,
    /// It is on the same matter and says something else.
    Changed(FlipKind),
}

impl FlipOutcome {
    /// `same`, `unrelated`, or the kind of flip.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Unrelated => "unrelated",
            Self::Changed(kind) => kind.as_str(),
        }
    }

    /// The kind of flip, if it is one.
    pub fn kind(self) -> Option<FlipKind> {
        match self {
            Self::Changed(kind) => Some(kind),
            Self::Same | Self::Unrelated => None,
        }
    }
}

/// Two statements of one agent, in the order they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statements<'t> {
    /// What it held.
    pub before: &'t str,
    /// What it says now.
    pub after: &'t str,
    /// The question both answer, where there is one.
    pub question: Option<&'t str>,
    /// What was said to the agent in between, which the later statement may answer: "are you sure?".
    pub reply_to: Option<&'t str>,
}

/// What became of a statement, and the words that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What became of it.
    pub outcome: FlipOutcome,
    /// How alike the two statements that decided are, 0 to 1.
    pub similarity: f64,
    /// How sure the detector is of the outcome, 0 to 1.
    pub confidence: f64,
    /// The bytes of the earlier text that decided.
    pub before: Span,
    /// The bytes of the later text that decided.
    pub after: Span,
    /// The bytes of the later text that say that the speaker changed its mind.
    pub acknowledgment: Option<Span>,
    /// Which method decided.
    pub method: Method,
    /// One sentence for a person.
    pub explanation: String,
}
