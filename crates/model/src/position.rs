//! What an agent holds, and when it stops holding it.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, DebateId, FindingId, Span, TurnId};

/// Which side of a proposition or question a text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// For it.
    Yes,
    /// Against it.
    No,
    /// The text does not say, or says both.
    Unclear,
}

impl Stance {
    /// The other side; unclear stays unclear.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unclear => Self::Unclear,
        }
    }

    /// True for yes against no, in either order.
    pub fn opposes(self, other: Self) -> bool {
        self != Self::Unclear && other == self.opposite()
    }

    /// `yes`, `no` or `unclear`, as the labelled data spells them.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }
}

/// What an agent holds on one proposition at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Who holds it.
    pub agent: AgentId,
    /// The debate it was taken in.
    pub debate: DebateId,
    /// The proposition or question.
    pub proposition: String,
    /// Which side.
    pub stance: Stance,
    /// How sure, and according to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The turn that said so.
    pub turn: TurnId,
    /// The bytes of the turn's text that said so.
    pub span: Span,
}

/// Whether an agent that changed its position said that it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acknowledgment {
    /// It said so: an honest change of mind.
    Acknowledged,
    /// It did not: the text reads as if it had always held the new position.
    Silent,
}

/// What became of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlipKind {
    /// A small adjustment: "X is mostly true".
    Refinement,
    /// Nuance added: "X is sometimes true".
    Qualification,
    /// Withdrawn: "I was wrong about X".
    Retraction,
    /// The direct opposite: "X is bad" after "X is good".
    Contradiction,
}

impl FlipKind {
    /// How much one such flip weighs against an agent's consistency.
    pub fn weight(self) -> f64 {
        match self {
            Self::Contradiction => 1.0,
            Self::Retraction => 0.7,
            Self::Qualification => 0.3,
            Self::Refinement => 0.1,
        }
    }
}

/// Two positions of one agent that do not go together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// The finding that reports it.
    pub finding: FindingId,
    /// What the agent held.
    pub before: Position,
    /// What it holds now.
    pub after: Position,
    /// What became of the position.
    pub kind: FlipKind,
    /// Whether the agent said so.
    pub acknowledgment: Acknowledgment,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclear_opposes_nothing() {
        assert!(Stance::Yes.opposes(Stance::No));
        assert!(!Stance::Yes.opposes(Stance::Yes));
        assert!(!Stance::Unclear.opposes(Stance::Unclear));
        assert!(!Stance::No.opposes(Stance::Unclear));
    }
}
