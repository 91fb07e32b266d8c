//! How much an agent's vote should count, and why.

use serde::Serialize;

use super::{AgentConsistencyScore, DomainCalibration, ELO_START, real};

/// A weight is never less: who has a vote has one that can be seen.
const WEIGHT_MIN: f64 = 0.1;
/// Nor more: no agent outvotes a table.
const WEIGHT_MAX: f64 = 5.0;

/// What saying one half to everything scores: who does no better than that knows nothing about how
/// sure to be.
const BRIER_CHANCE: f64 = 0.25;
/// A handful of outcomes is luck: the record counts as if so many tosses of a coin stood before it.
const TOSSES: f64 = 10.0;

/// What a vote's weight is made of. All three factors are 1 for an agent of whom nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VoteWeight {
    /// `0.5 + 0.5·consistency`: 0.5 for who always flips, 1 for who never does.
    pub consistency: f64,
    /// `1 + 2·(0.25 − Brier)` within 0.5 and 1.5, ten tosses of a coin (0.25 each) counted in: above 1
    /// only for who is better than chance.
    pub calibration: f64,
    /// `1 + 0.3·(Elo − 1500) / 500`, within 0.5 and 2.
    pub rating: f64,
}

impl VoteWeight {
    /// The factors of what is known of an agent; what is not, counts as 1.
    ///
    /// ```
    /// use rebuttal_detect::scores::VoteWeight;
    ///
    /// assert_eq!(VoteWeight::new(None, None, None).weight(), 1.0);
    /// assert!(VoteWeight::new(None, None, Some(1700.0)).weight() > 1.0);
    /// ```
    pub fn new(
        consistency: Option<&AgentConsistencyScore>,
        calibration: Option<&DomainCalibration>,
        elo: Option<f64>,
    ) -> Self {
        let elo = elo.filter(|elo| elo.is_finite()).unwrap_or(ELO_START);
        Self {
            consistency: consistency
                .map_or(1.0, |score| 0.5f64.mul_add(score.consistency_score(), 0.5)),
            calibration: calibration.map_or(1.0, calibrated),
            rating: 0.3f64.mul_add((elo - ELO_START) / 500.0, 1.0).clamp(0.5, 2.0),
        }
    }

    /// The product, within 0.1 and 5.
    pub fn weight(&self) -> f64 {
        (self.consistency * self.calibration * self.rating).clamp(WEIGHT_MIN, WEIGHT_MAX)
    }
}

fn calibrated(known: &DomainCalibration) -> f64 {
    let brier = TOSSES.mul_add(BRIER_CHANCE, known.brier_sum) / (TOSSES + real(known.predictions));
    2.0f64.mul_add(BRIER_CHANCE - brier, 1.0).clamp(0.5, 1.5)
}

#[cfg(test)]
mod tests {
    use rebuttal_model::AgentId;

    use super::*;

    #[test]
    fn each_factor_moves_the_weight() {
        let mut fickle = AgentConsistencyScore::new(AgentId::new("a"), 4);
        fickle.contradictions = 4;
        assert!((VoteWeight::new(Some(&fickle), None, None).weight() - 0.5).abs() < 1e-12);
        let known = DomainCalibration { predictions: 10, correct: 9, brier_sum: 1.0 };
        assert!((VoteWeight::new(None, Some(&known), None).weight() - 1.15).abs() < 1e-12);
        let weak = VoteWeight::new(Some(&fickle), None, Some(-9000.0));
        assert!((weak.weight() - 0.25).abs() < 1e-12, "{weak:?}");
    }

    #[test]
    fn only_who_is_better_than_chance_gains_by_calibration() {
        let weight = |predictions: u32, brier: f64| {
            let brier_sum = brier * f64::from(predictions);
            let known =
                DomainCalibration { predictions: predictions.into(), correct: 0, brier_sum };
            VoteWeight::new(None, Some(&known), None).weight()
        };
        assert!((weight(40, 0.25) - 1.0).abs() < 1e-12, "a coin");
        assert!((weight(0, 0.0) - 1.0).abs() < 1e-12, "nothing known");
        for predictions in [1, 10, 1000] {
            assert!(weight(predictions, 0.26) < 1.0 && weight(predictions, 0.24) > 1.0);
        }
        assert!(weight(1, 0.0) < 1.05, "one lucky guess");
        assert!((weight(1_000_000, 0.0) - 1.5).abs() < 1e-4);
        assert!((weight(1_000_000, 1.0) - 0.5).abs() < 1e-12);
    }
}
