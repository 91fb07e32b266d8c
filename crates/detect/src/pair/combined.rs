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

use rebuttal_semantics::{Embedder, Inference, Leaning, Pair, SemanticsError, Verdict};

use super::score;
use super::weights::{BACK, COUNTED_MODEL, COUNTED_RULES, OFFSET, RULES, THERE};
use super::{Feature, PairReading};

/// No witness is surer than one in ten thousand.
const SUREST: f32 = 1e-4;

/// Cosine of the cheap vectors below which two texts without a word in common are far apart.
const FAR: f32 = 0.2;
/// The most that a contradiction of texts on different matters can be.
const APART: f32 = 0.45;

/// The most a model can say for a contradiction.
const SURE: Verdict = Verdict { entailment: 0.0, neutral: 0.0, contradiction: 1.0 };

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

    fn judge(
        &self,
        pair: &Pair<'_>,
        rules: &PairReading,
        there: Verdict,
        back: Verdict,
    ) -> Result<Verdict, SemanticsError> {
        let verdict = together(there, back, rules);
        let shared = rules.feature(Feature::CoverageA).max(rules.feature(Feature::CoverageB));
        let apart = shared <= 0.0 && rules.cues.is_empty() && verdict.contradiction > APART;
        if apart && self.far(pair)? { Ok(parted(verdict)) } else { Ok(verdict) }
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
        let both: Vec<Pair<'_>> =
            pairs.iter().copied().chain(pairs.iter().map(|pair| pair.reversed())).collect();
        let verdicts = self.model.infer(&both)?;
        let (there, back) = verdicts.split_at(pairs.len().min(verdicts.len()));
        let said = pairs.iter().zip(there).zip(back);
        said.map(|((pair, there), back)| {
            let rules = PairReading::new(pair.premise, pair.hypothesis);
            self.judge(pair, &rules, *there, *back)
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
        let most = |there, back| together(there, back, &rules).contradiction;
        if most(SURE, SURE) < at_least {
            return Ok(None);
        }
        let ask = |pair| Ok(self.model.infer(&[pair])?.first().copied());
        let Some(there) = ask(pair)?.filter(|there| most(*there, SURE) >= at_least) else {
            return Ok(None);
        };
        let Some(back) = ask(pair.reversed())? else { return Ok(None) };
        let verdict = self.judge(&pair, &rules, there, back)?;
        Ok(Some(verdict).filter(|verdict| verdict.contradiction >= at_least))
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.model.lean(pairs)
    }

    fn classes(
        &self,
        head: &str,
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        self.model.classes(head, pairs)
    }
}

/// Whether numbers or times of one text stand against those of the other.
fn counts(rules: &PairReading) -> bool {
    [Feature::Number, Feature::NumberAgreement, Feature::Period]
        .iter()
        .any(|feature| rules.feature(*feature) > 0.0)
}

/// The verdict of all three witnesses in the light of the figures: the surer the model is of a
/// contradiction, the surer it is as well.
fn together(there: Verdict, back: Verdict, rules: &PairReading) -> Verdict {
    score::settle(weigh(there, back, rules.verdict(), counts(rules)), rules)
}

/// The verdict of all three witnesses.
fn weigh(there: Verdict, back: Verdict, rules: Verdict, counted: bool) -> Verdict {
    let (of_model, of_rules) = if counted { (COUNTED_MODEL, COUNTED_RULES) } else { (1.0, 1.0) };
    let model = THERE * odds(there.contradiction) + BACK * odds(back.contradiction);
    let sum = of_model * model + of_rules * RULES * odds(rules.contradiction) + OFFSET;
    let contradiction = 1.0 / (1.0 + (-sum).exp());
    let rest = (there.entailment + there.neutral).max(f32::MIN_POSITIVE);
    let entailment = (1.0 - contradiction) * there.entailment / rest;
    Verdict { entailment, neutral: 1.0 - contradiction - entailment, contradiction }
}

/// The same verdict on texts that are on different matters; the order of such pairs is kept.
fn parted(verdict: Verdict) -> Verdict {
    let contradiction = APART + (0.5 - APART) / 2.0 * verdict.contradiction;
    let (share, rest) = (1.0 - contradiction, 1.0 - verdict.contradiction);
    let entailment = share * verdict.entailment / rest.max(f32::MIN_POSITIVE);
    Verdict { entailment, neutral: share - entailment, contradiction }
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
    fn witnesses_add_up_and_shares_sum_to_one() {
        let unsure = weigh(verdict(0.5), verdict(0.5), verdict(0.5), false);
        let model_says = weigh(verdict(0.9), verdict(0.9), verdict(0.5), false);
        let all_say = weigh(verdict(0.9), verdict(0.9), verdict(0.9), false);
        let rules_deny = weigh(verdict(0.9), verdict(0.9), verdict(0.1), false);
        assert!(unsure.contradiction < model_says.contradiction);
        assert!(model_says.contradiction < all_say.contradiction);
        assert!(rules_deny.contradiction < model_says.contradiction);
        for verdict in [unsure, all_say] {
            let sum = verdict.entailment + verdict.neutral + verdict.contradiction;
            assert!((sum - 1.0).abs() < 1e-6, "{verdict:?}");
            assert!((verdict.entailment - 3.0 * verdict.neutral).abs() < 1e-6, "{verdict:?}");
        }
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
            let weighed = weigh(verdict(share), verdict(share), verdict(share), true);
            assert!(weighed.contradiction.is_finite() && weighed.entailment.is_finite());
        }
    }
}
