//! Model and rules together: each sees what the other misses.
//!
//! The model judges the pair in both directions, the rules judge it once. Their log odds of a
//! contradiction are added, as for witnesses that err each on their own, and calibrated. Where
//! numbers are compared, rules count and the model guesses, so it has less to say. What each part is
//! worth, `training/combine.py` measures. How the rest is shared between entailment and neutral, the
//! model says.
//!
//! Two texts without a word in common that the cheap vectors find far apart are on different matters:
//! they cannot contradict each other, whatever the model makes of them.

use std::sync::OnceLock;

use rebuttal_semantics::{Embedder, Inference, Leaning, Pair, Related, SemanticsError, Verdict};

use super::score;
use super::weights::{BACK, COUNTED_MODEL, COUNTED_RULES, OFFSET, RULES, THERE};
use super::{Feature, PairReading};

/// No witness is surer than one in ten thousand.
const SUREST: f32 = 1e-4;

/// Cosine of the cheap vectors below which two texts without a word in common are far apart.
const FAR: f32 = 0.2;
/// The most that a contradiction of texts on different matters can be.
const APART: f32 = 0.45;

/// A model weighed together with the rules.
#[derive(Debug)]
pub struct Combined<I, V> {
    model: I,
    vectors: V,
    /// Made when first asked: a model may load only then.
    id: OnceLock<String>,
}

impl<I: Inference, V: Embedder> Combined<I, V> {
    /// Adds the rules to a model; `vectors` tell what is on the same matter.
    pub fn new(model: I, vectors: V) -> Self {
        Self { model, vectors, id: OnceLock::new() }
    }

    /// The chance of a contradiction, given what the model says of it there and back.
    fn judge(
        &self,
        pair: &Pair<'_>,
        rules: &PairReading,
        there: f32,
        back: f32,
    ) -> Result<f32, SemanticsError> {
        let contradiction = together(there, back, rules);
        let shared = rules.feature(Feature::CoverageA).max(rules.feature(Feature::CoverageB));
        let apart = shared <= 0.0 && rules.cues.is_empty() && contradiction > APART;
        Ok(if apart && self.far(pair)? { parted(contradiction) } else { contradiction })
    }

    fn far(&self, pair: &Pair<'_>) -> Result<bool, SemanticsError> {
        let vectors = self.vectors.embed(&[pair.premise, pair.hypothesis])?;
        Ok(matches!(vectors.as_slice(), [a, b] if a.cosine(b) < FAR))
    }
}

impl<I: Inference, V: Embedder> Inference for Combined<I, V> {
    fn id(&self) -> &str {
        self.id.get_or_init(|| format!("{}+rules-{}", self.model.id(), env!("CARGO_PKG_VERSION")))
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        Ok(self.relations(pairs)?.into_iter().map(Verdict::from).collect())
    }

    fn relations(&self, pairs: &[Pair<'_>]) -> Result<Vec<Related>, SemanticsError> {
        let both: Vec<Pair<'_>> =
            pairs.iter().copied().chain(pairs.iter().map(|pair| pair.reversed())).collect();
        let related = self.model.relations(&both)?;
        let (there, back) = related.split_at(pairs.len().min(related.len()));
        let said = pairs.iter().zip(there).zip(back);
        said.map(|((pair, there), back)| {
            let rules = PairReading::new(pair.premise, pair.hypothesis);
            let contradicts = self.judge(pair, &rules, there.contradicts, back.contradicts)?;
            Ok(there.with_contradiction(contradicts))
        })
        .collect()
    }

    /// The rules are heard first, then the model on the pair as given: most pairs are out of reach
    /// by then, whatever the model would say of the pair turned round.
    fn contradicts(
        &self,
        pair: Pair<'_>,
        at_least: f32,
    ) -> Result<Option<Verdict>, SemanticsError> {
        let rules = PairReading::new(pair.premise, pair.hypothesis);
        let most = |there, back| together(there, back, &rules);
        if most(1.0, 1.0) < at_least {
            return Ok(None);
        }
        let ask = |pair| Ok(self.model.infer(&[pair])?.first().copied());
        let sure = |there: &Verdict| most(there.contradiction, 1.0) >= at_least;
        let Some(there) = ask(pair)?.filter(sure) else { return Ok(None) };
        let Some(back) = ask(pair.reversed())? else { return Ok(None) };
        let contradiction = self.judge(&pair, &rules, there.contradiction, back.contradiction)?;
        let rest = (there.entailment + there.neutral).max(f32::MIN_POSITIVE);
        let entailment = (1.0 - contradiction) * there.entailment / rest;
        let neutral = 1.0 - contradiction - entailment;
        let verdict = Verdict { entailment, neutral, contradiction };
        Ok(Some(verdict).filter(|verdict| verdict.contradiction >= at_least))
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.model.lean(pairs)
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        self.model.classes(heads, pairs)
    }
}

/// Whether numbers or times of one text stand against those of the other.
fn counts(rules: &PairReading) -> bool {
    [Feature::Number, Feature::NumberAgreement, Feature::Period]
        .iter()
        .any(|feature| rules.feature(*feature) > 0.0)
}

/// The chance of a contradiction by all three witnesses in the light of the figures: the surer the model
/// is of one, the surer it is as well.
fn together(there: f32, back: f32, rules: &PairReading) -> f32 {
    let weighed = weigh(there, back, rules.verdict().contradiction, counts(rules));
    score::settled(weighed, rules).unwrap_or(weighed)
}

/// The chance of a contradiction by all three witnesses.
fn weigh(there: f32, back: f32, rules: f32, counted: bool) -> f32 {
    let (of_model, of_rules) = if counted { (COUNTED_MODEL, COUNTED_RULES) } else { (1.0, 1.0) };
    let model = THERE * odds(there) + BACK * odds(back);
    let sum = of_model * model + of_rules * RULES * odds(rules) + OFFSET;
    1.0 / (1.0 + (-sum).exp())
}

/// The same chance for texts that are on different matters; the order of such pairs is kept.
fn parted(contradiction: f32) -> f32 {
    APART + (0.5 - APART) / 2.0 * contradiction
}

fn odds(share: f32) -> f32 {
    let share = share.clamp(SUREST, 1.0 - SUREST);
    (share / (1.0 - share)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(contradiction: f32) -> Verdict {
        let rest = 1.0 - contradiction;
        Verdict { entailment: 0.75 * rest, neutral: 0.25 * rest, contradiction }
    }

    #[test]
    fn witnesses_add_up() {
        let unsure = weigh(0.5, 0.5, 0.5, false);
        let model_says = weigh(0.9, 0.9, 0.5, false);
        let all_say = weigh(0.9, 0.9, 0.9, false);
        let rules_deny = weigh(0.9, 0.9, 0.1, false);
        assert!(unsure < model_says && model_says < all_say && rules_deny < model_says);
    }

    /// Says what its first text says, and counts how often it is asked.
    #[derive(Debug, Default)]
    struct Numbered(std::sync::atomic::AtomicUsize);

    impl Inference for Numbered {
        fn id(&self) -> &'static str {
            "numbered"
        }

        fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
            self.0.fetch_add(pairs.len(), std::sync::atomic::Ordering::Relaxed);
            let share = |pair: &Pair<'_>| {
                let number = pair.premise.split_whitespace().last().unwrap_or_default();
                verdict(number.parse::<f32>().unwrap_or(0.0) / 100.0)
            };
            Ok(pairs.iter().map(share).collect())
        }
    }

    #[test]
    fn stopping_early_changes_no_answer() {
        for there in [0, 10, 50, 90, 97, 100] {
            for back in [0, 50, 90, 100] {
                let (a, b) = (format!("It is risk {there}"), format!("It is not risk {back}"));
                for (premise, hypothesis) in [(&a, &b), (&b, &a)] {
                    let pair = Pair { premise, hypothesis };
                    let combined =
                        Combined::new(Numbered::default(), rebuttal_semantics::HashedWords);
                    let whole = combined.infer(&[pair]).unwrap()[0];
                    for bar in [0.3, 0.5, 0.9, 0.99] {
                        let found = combined.contradicts(pair, bar).unwrap();
                        let wanted = Some(whole).filter(|whole| whole.contradiction >= bar);
                        assert_eq!(found, wanted, "{pair:?} {bar}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_out_of_reach_is_asked_once() {
        let combined = Combined::new(Numbered::default(), rebuttal_semantics::HashedWords);
        let pair = Pair { premise: "The tests ran on day 3", hypothesis: "We wait for day 90" };
        assert_eq!(combined.contradicts(pair, 0.9).unwrap(), None);
        assert!(combined.model.0.into_inner() <= 1);
    }

    #[test]
    fn certainty_stays_finite() {
        for share in [0.0, 1.0] {
            assert!(weigh(share, share, share, true).is_finite());
        }
    }
}
