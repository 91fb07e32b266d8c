//! What it means to infer one statement from another.

use std::fmt::Debug;

use crate::SemanticsError;

/// Judges pairs of statements.
pub trait Inference: Debug + Send + Sync {
    /// Which model answers, down to its weights: two with one id give the same verdicts.
    fn id(&self) -> &str;

    /// One verdict a pair, in order.
    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError>;
}

/// Does the hypothesis follow from the premise, or break with it?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair<'t> {
    /// What is taken as said.
    pub premise: &'t str,
    /// What is asked about.
    pub hypothesis: &'t str,
}

impl Pair<'_> {
    /// The same question the other way round.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { premise: self.hypothesis, hypothesis: self.premise }
    }
}

/// Probabilities that sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The hypothesis follows.
    pub entailment: f32,
    /// The hypothesis may or may not hold.
    pub neutral: f32,
    /// Both cannot hold.
    pub contradiction: f32,
}
