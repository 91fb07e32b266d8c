//! The parts agents can play in a round.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part that an agent plays in a round, beside being itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelRole {
    /// Takes the question apart.
    Analyst,
    /// Asks what could be wrong.
    Skeptic,
    /// Argues against what most hold.
    DevilsAdvocate,
    /// Speaks from the field's knowledge.
    DomainExpert,
    /// Brings the views together.
    Synthesizer,
    /// Asks for the evidence behind what is agreed.
    QualityChallenger,
}

impl PanelRole {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Analyst,
        Self::Skeptic,
        Self::DevilsAdvocate,
        Self::DomainExpert,
        Self::Synthesizer,
        Self::QualityChallenger,
    ];

    /// `analyst`, `devils_advocate`, ….
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Skeptic => "skeptic",
            Self::DevilsAdvocate => "devils_advocate",
            Self::DomainExpert => "domain_expert",
            Self::Synthesizer => "synthesizer",
            Self::QualityChallenger => "quality_challenger",
        }
    }
}

impl fmt::Display for PanelRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
