//! What it means to infer one statement from another.

use std::fmt::Debug;

use crate::SemanticsError;
use crate::heads::{ACKNOWLEDGED, CHANGE, Changed, RELATION, Related, SUPPORT, logistic};

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

    /// What the heads of these names say of each pair, one after another, before softmax; `None` where
    /// the model lacks one. Each pair is read in one pass, its texts cut to fit.
    fn classes(
        &self,
        _heads: &[&str],
        _pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        Ok(None)
    }

    /// What the hypothesis is to the premise; in order. A model without a head for it is asked both
    /// ways whether one follows from the other.
    fn relations(&self, pairs: &[Pair<'_>]) -> Result<Vec<Related>, SemanticsError> {
        if let Some(read) = self.classes(&[RELATION], pairs)? {
            return Ok(read.iter().map(|classes| Related::of(classes)).collect());
        }
        let both: Vec<Pair<'_>> = pairs.iter().flat_map(|pair| [*pair, pair.reversed()]).collect();
        let verdicts = self.infer(&both)?;
        let related = |both: &[Verdict]| match both {
            [there, back] => Related::of_both_ways(*there, *back),
            _ => Related::UNRELATED,
        };
        Ok(verdicts.chunks_exact(2).map(related).collect())
    }

    /// What became of a position: the premise is the question and the turn before, the hypothesis the
    /// turn after. `None` where the model has not learned it.
    fn changes(&self, pairs: &[Pair<'_>]) -> Result<Option<Vec<Changed>>, SemanticsError> {
        let read = self.classes(&[CHANGE, ACKNOWLEDGED], pairs)?;
        Ok(read.map(|read| read.iter().map(|classes| Changed::of(classes)).collect()))
    }

    /// How well each text argues for what it says, 0 hollow to 1 supported; `None` where the model has
    /// not learned it.
    fn supports(&self, texts: &[&str]) -> Result<Option<Vec<f32>>, SemanticsError> {
        let pairs: Vec<Pair<'_>> =
            texts.iter().map(|premise| Pair { premise, hypothesis: "" }).collect();
        let read = self.classes(&[SUPPORT], &pairs)?;
        let share = |classes: &Vec<f32>| logistic(classes.first().copied().unwrap_or(0.0));
        Ok(read.map(|read| read.iter().map(share).collect()))
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
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        (**self).classes(heads, pairs)
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
