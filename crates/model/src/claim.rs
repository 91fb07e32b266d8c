//! One statement inside a turn.

use serde::{Deserialize, Serialize};

use crate::{Span, TurnId};

/// Whether a statement is made or denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// "X is safe".
    Affirmed,
    /// "X is not safe".
    Denied,
}

impl Polarity {
    /// The opposite.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Affirmed => Self::Denied,
            Self::Denied => Self::Affirmed,
        }
    }
}

/// How firmly a statement is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// "might", "perhaps", "I am not sure".
    Tentative,
    /// "sometimes", "mostly", "under certain conditions".
    Qualified,
    /// No hedge and no emphasis.
    Plain,
    /// "definitely", "always", "there is no doubt".
    Emphatic,
}

/// Whose statement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The speaker says it.
    Speaker,
    /// The speaker reports what somebody else says: "critics say X is false", a quotation.
    Other,
}

/// One statement, with the place it stands at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The turn it stands in.
    pub turn: TurnId,
    /// Its bytes in the turn's original text.
    pub span: Span,
    /// Made or denied.
    pub polarity: Polarity,
    /// How firmly it is stated.
    pub certainty: Certainty,
    /// The speaker's own, or somebody else's.
    pub owner: Owner,
}
