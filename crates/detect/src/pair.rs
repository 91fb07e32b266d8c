//! Two statements side by side: can both hold?
//!
//! The words of both are [aligned](align), and what differs where the rest agrees is a [`Cue`]: a
//! negation on one side, opposites, two of a kind, other numbers. No model is asked. What was found
//! is also handed out as numbers, to be weighed together with a model's answer.
//!
//! ```
//! use rebuttal_detect::pair::{CueKind, PairReading};
//!
//! let pair = PairReading::new("The cache is safe.", "The cache is not safe.");
//! assert_eq!(pair.cues.first().map(|cue| cue.kind), Some(CueKind::Negation));
//! assert!(pair.verdict().contradiction > 0.5);
//! ```

mod align;
mod combined;
mod features;
mod figures;
mod likeness;
mod numbers;
mod polarity;
mod score;
mod side;
#[cfg(test)]
mod tests;
mod things;
mod veto;
mod weights;

use rebuttal_model::Span;
use rebuttal_semantics::{Inference, Pair, Related, SemanticsError, Verdict};
use rebuttal_text::{Content, Reading};

use figures::{Figures, Measured};
use side::{Sides, Text};

pub use combined::Combined;
pub use features::{FEATURES, Feature};
pub(crate) use likeness::Wording;
pub use likeness::{is_same, likeness};
pub use things::Apart;
pub use veto::Veto;

/// In what way two statements break with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CueKind {
    /// One denies what the other says.
    Negation,
    /// The same, by "un-" or "-less".
    Prefix,
    /// Words that exclude each other: open, closed.
    Opposite,
    /// Two of a kind: red, blue.
    Kind,
    /// Two of a kind that rarely go together.
    LooseKind,
    /// Numbers that cannot both be right.
    Number,
    /// Two times of what happens once.
    Period,
    /// Who did it to whom.
    Role,
}

impl CueKind {
    /// A word for explanations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Prefix => "negative form",
            Self::Opposite => "opposites",
            Self::Kind => "two of a kind",
            Self::LooseKind => "two alike",
            Self::Number => "numbers",
            Self::Period => "times",
            Self::Role => "roles",
        }
    }
}

/// Something that speaks against both statements holding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// In what way.
    pub kind: CueKind,
    /// The words in the first text.
    pub span_a: Span,
    /// The words in the second text.
    pub span_b: Span,
    /// How much else the two have in common around them, and how plainly they are said; up to 1.
    pub strength: f32,
}

/// One text, ready to be compared with any other.
#[derive(Debug)]
pub(crate) struct Side {
    text: Text,
    measured: Measured,
}

impl Side {
    /// A text that has been read, and its words.
    pub(crate) fn new((reading, words): (&Reading<'_>, Content)) -> Self {
        Self { text: Text::new((reading, words)), measured: Measured::of(reading) }
    }
}

/// What is known of two texts side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairReading {
    /// What speaks against both holding, the strongest first.
    pub cues: Vec<Cue>,
    /// What was found, as numbers; named by [`Feature`].
    pub features: [f32; FEATURES],
    /// Where it is known what each number is of: true if two of the same thing conflict, false if
    /// numbers are of different things and none conflict.
    pub settled: Option<bool>,
    /// The two things that the texts are about, where these make two statements of them.
    pub apart: Option<Apart>,
    /// What lets both hold for certain, whatever words break.
    pub veto: Option<Veto>,
}

impl PairReading {
    /// Reads both texts and compares them.
    pub fn new(a: &str, b: &str) -> Self {
        Self::of(&Reading::new(a), &Reading::new(b))
    }

    /// The same for texts that have been read.
    pub fn of(a: &Reading<'_>, b: &Reading<'_>) -> Self {
        Self::with_content((a, a.content()), (b, b.content()))
    }

    /// The same for texts whose words are known as well.
    pub(crate) fn with_content(
        (a, words_a): (&Reading<'_>, Content),
        (b, words_b): (&Reading<'_>, Content),
    ) -> Self {
        let first = Side::new((a, words_a));
        let text = Text::new((b, words_b));
        // Figures are compared with figures: without any in the first, those of the second say nothing.
        let measured =
            if first.measured.is_empty() { Measured::default() } else { Measured::of(b) };
        Self::between(&first, &Side { text, measured })
    }

    /// The same for texts that are compared with many others, and are got ready once.
    pub(crate) fn between(a: &Side, b: &Side) -> Self {
        let sides = Sides { a: &a.text, b: &b.text };
        let alignment = align::align(&sides);
        let polarity = polarity::compare(&sides, &alignment);
        let figures = Figures::new(&a.measured, &b.measured);
        let numbers = numbers::compare(&sides, &alignment, &figures);
        let role = align::swapped_roles(&sides, &alignment);
        let settled = numbers.settled;
        let (cues, features) = features::gather(&sides, &alignment, polarity, numbers, role);
        let apart = things::apart(&sides, &alignment, &cues);
        let veto = veto::veto(&sides, &cues);
        Self { cues, features, settled, apart, veto }
    }

    /// One of the numbers.
    pub fn feature(&self, feature: Feature) -> f32 {
        self.features.get(feature as usize).copied().unwrap_or(0.0)
    }

    /// How far the texts say the same, 0 to 1: the content words they share, less what breaks.
    pub fn similarity(&self) -> f32 {
        score::similarity(&self.features)
    }

    /// What the rules make of it.
    pub fn verdict(&self) -> Verdict {
        score::settle(score::verdict(&self.features), self)
    }

    /// The same among five relations of the second text to the first.
    pub fn related(&self) -> Related {
        score::related(self)
    }
}

/// Inference by rules alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleInference;

impl Inference for RuleInference {
    fn id(&self) -> &'static str {
        concat!("rules-", env!("CARGO_PKG_VERSION"))
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        let judge = |pair: &Pair<'_>| PairReading::new(pair.premise, pair.hypothesis).verdict();
        Ok(pairs.iter().map(judge).collect())
    }

    fn relations(&self, pairs: &[Pair<'_>]) -> Result<Vec<Related>, SemanticsError> {
        let judge = |pair: &Pair<'_>| PairReading::new(pair.premise, pair.hypothesis).related();
        Ok(pairs.iter().map(judge).collect())
    }
}
