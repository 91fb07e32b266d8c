//! What it means to infer one statement from another.

use std::fmt::Debug;

use crate::SemanticsError;

/// Judges pairs of statements.
pub trait Inference: Debug + Send + Sync {
    /// Which model answers, down to its weights: two with one id give the same verdicts.
    fn id(&self) -> &str;

    /// One verdict a pair, in order.
    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError>;

    /// The verdict, if both cannot hold with at least this probability. One that asks several may stop
    /// as soon as that is out of reach; the answer is that of [`infer`](Self::infer) all the same.
    fn contradicts(
        &self,
        pair: Pair<'_>,
        at_least: f32,
    ) -> Result<Option<Verdict>, SemanticsError> {
        let verdict = self.infer(&[pair])?.first().copied();
        Ok(verdict.filter(|verdict| verdict.contradiction >= at_least))
    }

    /// How the hypothesis, a whole turn, leans on the premise, a proposition or question; in order.
    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.lean_by_inference(pairs)
    }

    /// What the head of this name says of each pair, before softmax; `None` where the model has no
    /// such head. Each pair is read in one pass, its texts cut to fit.
    fn classes(
        &self,
        _head: &str,
        _pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        Ok(None)
    }

    /// A text that entails the proposition is for it, one that contradicts it against.
    fn lean_by_inference(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        let reversed: Vec<Pair<'_>> = pairs.iter().map(|pair| pair.reversed()).collect();
        Ok(self.infer(&reversed)?.into_iter().map(Leaning::from).collect())
    }
}

impl<I: Inference + ?Sized> Inference for Box<I> {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        (**self).infer(pairs)
    }

    fn contradicts(
        &self,
        pair: Pair<'_>,
        at_least: f32,
    ) -> Result<Option<Verdict>, SemanticsError> {
        (**self).contradicts(pair, at_least)
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        (**self).lean(pairs)
    }

    fn classes(
        &self,
        head: &str,
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        (**self).classes(head, pairs)
    }
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
    /// Swaps premise and hypothesis.
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

impl Verdict {
    pub(crate) fn of([entailment, neutral, contradiction]: [f32; 3]) -> Self {
        Self { entailment, neutral, contradiction }
    }
}

/// For or against a proposition: probabilities that sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaning {
    /// Against.
    pub no: f32,
    /// Neither, or not about it.
    pub unclear: f32,
    /// How much speaks for it.
    pub yes: f32,
}

impl Leaning {
    /// Nothing is known.
    pub const UNCLEAR: Self = Self { no: 0.0, unclear: 1.0, yes: 0.0 };

    /// -1 surely against … 1 surely for.
    pub fn score(self) -> f32 {
        self.yes - self.no
    }
}

impl From<Verdict> for Leaning {
    fn from(verdict: Verdict) -> Self {
        Self { no: verdict.contradiction, unclear: verdict.neutral, yes: verdict.entailment }
    }
}
