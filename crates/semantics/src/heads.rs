//! What the heads of a reader say, with names for their classes.
//!
//! The order of the classes is that of `training/reader_rows.py`.

use crate::Verdict;

/// Which side of a question a turn is on: no, none, yes.
pub(crate) const STANCE: &str = "stance";
/// What one statement is to another; see [`Related`].
pub(crate) const RELATION: &str = "relation";
/// What became of a position; see [`Changed`].
pub(crate) const CHANGE: &str = "change";
/// Whether a change is said to be one.
pub(crate) const ACKNOWLEDGED: &str = "acknowledged";
/// How well a text is supported.
pub(crate) const SUPPORT: &str = "support";

/// What the second of two statements is to the first: probabilities that sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Related {
    /// It says the same.
    pub same: f32,
    /// It follows from the first, which says more.
    pub entails: f32,
    /// Both cannot hold.
    pub contradicts: f32,
    /// It narrows the first, or holds it only under a condition.
    pub qualifies: f32,
    /// Neither says anything about the other.
    pub unrelated: f32,
}

impl Related {
    /// No share for any, to be filled in.
    pub const NONE: Self =
        Self { same: 0.0, entails: 0.0, contradicts: 0.0, qualifies: 0.0, unrelated: 0.0 };
    /// Nothing is known to join them.
    pub const UNRELATED: Self = Self { unrelated: 1.0, ..Self::NONE };

    pub(crate) fn of(classes: &[f32]) -> Self {
        match shares(classes).as_slice() {
            &[same, entails, contradicts, qualifies, unrelated] => {
                Self { same, entails, contradicts, qualifies, unrelated }
            }
            _ => Self::UNRELATED,
        }
    }

    /// From what a model of three classes says there and back. What follows both ways is the same; what
    /// the first follows from, and not the other way round, says more than it.
    pub fn of_both_ways(there: Verdict, back: Verdict) -> Self {
        let follows = |it: Verdict| it.entailment / (it.entailment + it.neutral).max(f32::EPSILON);
        let contradicts = there.contradiction;
        let (left, forth, back) = (1.0 - contradicts, follows(there), follows(back));
        Self {
            same: left * forth * back,
            entails: left * forth * (1.0 - back),
            contradicts,
            qualifies: left * (1.0 - forth) * back,
            unrelated: left * (1.0 - forth) * (1.0 - back),
        }
    }

    /// The same shares of what is left beside another chance that both cannot hold.
    #[must_use]
    pub fn with_contradiction(self, contradicts: f32) -> Self {
        let rest = (1.0 - self.contradicts).max(f32::MIN_POSITIVE);
        let factor = (1.0 - contradicts) / rest;
        let [same, entails, qualifies] =
            [self.same, self.entails, self.qualifies].map(|share| share * factor);
        let unrelated = (1.0 - contradicts - same - entails - qualifies).max(0.0);
        Self { same, entails, contradicts, qualifies, unrelated }
    }
}

impl From<Related> for Verdict {
    fn from(related: Related) -> Self {
        let Related { same, entails, contradicts, qualifies, unrelated } = related;
        Self {
            entailment: same + entails,
            neutral: qualifies + unrelated,
            contradiction: contradicts,
        }
    }
}

/// What became of a position from one turn to the next: the five kinds are probabilities that sum to
/// one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Changed {
    /// It is held on to.
    pub none: f32,
    /// It is put more exactly.
    pub refinement: f32,
    /// It is narrowed.
    pub qualification: f32,
    /// It is withdrawn.
    pub retraction: f32,
    /// The opposite is held now.
    pub contradiction: f32,
    /// The chance that the later turn says that something changed.
    pub acknowledged: f32,
}

impl Changed {
    pub(crate) fn of(classes: &[f32]) -> Self {
        let (kinds, said) = classes.split_at(classes.len().min(5));
        let acknowledged = said.first().map_or(0.0, |said| logistic(*said));
        match shares(kinds).as_slice() {
            &[none, refinement, qualification, retraction, contradiction] => {
                Self { none, refinement, qualification, retraction, contradiction, acknowledged }
            }
            _ => Self {
                none: 1.0,
                refinement: 0.0,
                qualification: 0.0,
                retraction: 0.0,
                contradiction: 0.0,
                acknowledged,
            },
        }
    }

    /// The chance that the position was left, said or not.
    pub fn left(self) -> f32 {
        self.retraction + self.contradiction
    }
}

/// Shares that sum to one.
pub(crate) fn shares(classes: &[f32]) -> Vec<f32> {
    let highest = classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raised: Vec<f32> = classes.iter().map(|class| (class - highest).exp()).collect();
    let sum: f32 = raised.iter().sum();
    raised.into_iter().map(|class| class / sum).collect()
}

pub(crate) fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_verdicts_make_shares_that_sum_to_one() {
        let values = [0.0, 0.1, 0.5, 0.9, 1.0];
        let verdicts =
            || {
                let pairs = values.iter().flat_map(|one| values.map(|two| (*one, two)));
                pairs.filter(|(one, two)| one + two <= 1.0).map(|(entailment, contradiction)| {
                    Verdict { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
                })
            };
        for (there, back) in verdicts().flat_map(|one| verdicts().map(move |two| (one, two))) {
            let related = Related::of_both_ways(there, back);
            let Related { same, entails, contradicts, qualifies, unrelated } = related;
            let all = [same, entails, contradicts, qualifies, unrelated];
            assert!(all.iter().all(|share| (0.0..=1.0).contains(share)), "{there:?} {back:?}");
            assert!((all.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{there:?} {back:?} {related:?}");
        }
    }

    #[test]
    fn what_follows_both_ways_is_the_same_and_one_way_entails() {
        let says =
            |entailment| Verdict { entailment, neutral: 1.0 - entailment, contradiction: 0.0 };
        assert!(Related::of_both_ways(says(0.9), says(0.9)).same > 0.8);
        assert!(Related::of_both_ways(says(0.9), says(0.1)).entails > 0.8);
        assert!(Related::of_both_ways(says(0.1), says(0.9)).qualifies > 0.8);
        assert!(Related::of_both_ways(says(0.1), says(0.1)).unrelated > 0.8);
    }
}
