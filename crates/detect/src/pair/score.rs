//! From numbers to probabilities: a weighted sum through a logistic curve.

use rebuttal_semantics::{Related, Verdict};

use super::features::{FEATURES, Feature};
use super::{Cue, CueKind, PairReading};

/// What each number is worth, in log odds of a contradiction.
const WEIGHTS: [(Feature, f32); 18] = [
    (Feature::Negation, 3.6),
    (Feature::NegationShare, 1.4),
    (Feature::NegationOneSided, 0.5),
    (Feature::Prefix, 3.4),
    (Feature::Opposite, 3.6),
    (Feature::Kind, 3.2),
    (Feature::LooseKind, 0.8),
    (Feature::Number, 3.0),
    (Feature::Period, 2.4),
    (Feature::Role, 1.4),
    (Feature::Cancelled, -1.2),
    (Feature::Blocked, -1.5),
    (Feature::OtherSubject, -1.2),
    (Feature::NewWords, -0.2),
    (Feature::HedgeDifference, -0.3),
    (Feature::Question, -0.3),
    (Feature::Unbroken, -1.6),
    (Feature::Nothing, -1.0),
];

/// The log odds when the texts share a little and nothing breaks.
const BIAS: f32 = -1.6;

/// Log odds of an entailment, where there is no contradiction, at no and at full coverage.
const FOLLOWS: (f32, f32) = (-2.5, 4.0);

/// What the numbers say, as probabilities that sum to one.
pub(super) fn verdict(features: &[f32; FEATURES]) -> Verdict {
    let get = |feature: Feature| features.get(feature as usize).copied().unwrap_or(0.0);
    let sum: f32 = WEIGHTS.iter().map(|(feature, weight)| weight * get(*feature)).sum();
    let contradiction = logistic(BIAS + sum);
    let covered = get(Feature::CoverageB) - get(Feature::NumberAlone);
    let follows = logistic(FOLLOWS.0 + FOLLOWS.1 * covered);
    let entailment = (1.0 - contradiction) * follows;
    Verdict { entailment, neutral: (1.0 - contradiction - entailment).max(0.0), contradiction }
}

/// What the rules make of a pair: which text follows from which, as far as both can hold.
pub(super) fn related(pair: &PairReading) -> Related {
    let there = pair.verdict();
    let back = logistic(FOLLOWS.0 + FOLLOWS.1 * pair.feature(Feature::CoverageA));
    let entailment = (1.0 - there.contradiction) * back;
    let back = Verdict { entailment, neutral: 1.0 - there.contradiction - entailment, ..there };
    Related::of_both_ways(there, back)
}

/// The chance of a contradiction where two figures of the same thing conflict, at least; and the
/// share of it that is left where all figures agree or are of different things, or the texts are.
const CONFLICT: f32 = 0.95;
const NO_CONFLICT: f32 = 0.1;

/// A chance of a contradiction in the light of the figures, where it is known what each of them is of. A
/// negation or an opposite beside them is its own matter.
pub(super) fn settled(contradiction: f32, pair: &PairReading) -> Option<f32> {
    let denied = |cue: &Cue| matches!(cue.kind, CueKind::Negation | CueKind::Prefix);
    match pair.settled {
        _ if pair.apart.is_some_and(|apart| apart.firm) => Some(contradiction * NO_CONFLICT),
        Some(true) => Some(contradiction.max(CONFLICT)),
        _ if pair.veto.is_some() => Some(contradiction * NO_CONFLICT),
        Some(false) if !pair.cues.iter().any(denied) => Some(contradiction * NO_CONFLICT),
        _ => None,
    }
}

/// A verdict in the light of the figures.
pub(super) fn settle(verdict: Verdict, pair: &PairReading) -> Verdict {
    let Some(contradiction) = settled(verdict.contradiction, pair) else { return verdict };
    let rest = (verdict.entailment + verdict.neutral).max(f32::MIN_POSITIVE);
    let entailment = (1.0 - contradiction) * verdict.entailment / rest;
    Verdict { entailment, neutral: 1.0 - contradiction - entailment, contradiction }
}

/// How much of the similarity a certain contradiction takes.
const OPPOSED: f32 = 0.5;

/// The harmonic mean of both coverages: what only one text says counts against both.
pub(super) fn similarity(features: &[f32; FEATURES]) -> f32 {
    let get = |feature: Feature| features.get(feature as usize).copied().unwrap_or(0.0);
    let (one, two) = (get(Feature::CoverageA), get(Feature::CoverageB));
    let shared = if one + two > 0.0 { 2.0 * one * two / (one + two) } else { 0.0 };
    shared * (1.0 - OPPOSED * verdict(features).contradiction)
}

fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}
