//! One text, read once.

use rebuttal_model::{Span, Stance};

/// A piece of the original text that decided something.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Its bytes in the original text.
    pub span: Span,
    /// Which group of which lexicon it belongs to.
    pub group: &'static str,
}

/// How far a text hedges.
#[derive(Clone, Debug, PartialEq)]
pub struct Hedging {
    /// 0 plain, towards 1 the more of it is hedged.
    pub score: f64,
    /// What hedges.
    pub cues: Vec<Cue>,
}

/// Which side a text is on.
#[derive(Clone, Debug, PartialEq)]
pub struct StanceReading {
    /// The side.
    pub stance: Stance,
    /// -1 surely no, 1 surely yes, 0 no idea.
    pub score: f64,
    /// The words that show it.
    pub span: Option<Span>,
}

/// A text, read once; every question about it is then cheap.
#[derive(Clone, Debug)]
pub struct Reading<'t> {
    original: &'t str,
}

impl<'t> Reading<'t> {
    /// Reads a text.
    pub fn new(original: &'t str) -> Self {
        Self { original }
    }

    /// The text as it was given.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// Which side the text is on, towards `question` or, without one, towards whatever is at issue.
    pub fn stance(&self, _question: Option<&Reading<'_>>) -> StanceReading {
        StanceReading { stance: Stance::Unclear, score: 0.0, span: None }
    }

    /// Where the text acknowledges a change of mind.
    pub fn acknowledgment(&self) -> Option<Cue> {
        None
    }

    /// How far the text hedges.
    pub fn hedging(&self) -> Hedging {
        Hedging { score: 0.0, cues: Vec::new() }
    }

    /// How specific the text is, 1 (general) to 5 (names, numbers, places).
    pub fn specificity(&self) -> f64 {
        1.0
    }
}
