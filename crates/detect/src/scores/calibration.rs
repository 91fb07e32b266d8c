//! Whether agents are as often right as they say they will be.

use std::collections::BTreeMap;

use rebuttal_model::{Outcome, Position};
use serde::Serialize;

use super::real;
use crate::measure::{calibration_error, share};

/// How many buckets a reliability table has.
const BUCKETS: usize = 10;

/// What an agent said how sure it was, and whether it was right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// How sure, 0 to 1.
    pub confidence: f64,
    /// Whether it was right.
    pub correct: bool,
}

impl Prediction {
    /// A position with an outcome; `None` without a confidence, or while nobody knows.
    pub fn of(position: &Position, outcome: Outcome) -> Option<Self> {
        let confidence = position.confidence?.value();
        match outcome {
            Outcome::Correct => Some(Self { confidence, correct: true }),
            Outcome::Incorrect => Some(Self { confidence, correct: false }),
            Outcome::Unresolved => None,
        }
    }

    /// `(confidence − outcome)²`.
    fn brier(self) -> f64 {
        (self.confidence - f64::from(u8::from(self.correct))).powi(2)
    }
}

/// Predictions of about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBucket {
    /// The lowest confidence in it.
    pub start: f64,
    /// Below this; the last bucket holds 1 too.
    pub end: f64,
    /// Predictions in it.
    pub predictions: u64,
    /// Those that were right.
    pub correct: u64,
}

impl CalibrationBucket {
    /// `0.8-0.9`.
    pub fn key(&self) -> String {
        format!("{:.1}-{:.1}", self.start, self.end)
    }

    /// The share that should be right: the middle of the bucket.
    pub fn expected(&self) -> f64 {
        f64::midpoint(self.start, self.end)
    }

    /// The share that was right; `None` in an empty bucket.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.correct, self.predictions)
    }

    /// How far the two are apart; 0 in an empty bucket.
    pub fn error(&self) -> f64 {
        self.accuracy().map_or(0.0, |accuracy| (accuracy - self.expected()).abs())
    }
}

/// How far to believe what an agent says about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Predictions with an outcome.
    pub predictions: u64,
    /// Mean of `(confidence − outcome)²`: 0 is perfect, 0.25 is always saying one half.
    pub brier: Option<f64>,
    /// Expected calibration error, see [`calibration_error`].
    pub ece: Option<f64>,
    /// Ten buckets by key, the empty ones left out.
    pub buckets: BTreeMap<String, CalibrationBucket>,
}

impl Calibration {
    /// Measures.
    ///
    /// ```
    /// use rebuttal_detect::scores::{Calibration, Prediction};
    ///
    /// let sure = |correct| Prediction { confidence: 0.8, correct };
    /// let found = Calibration::of(&[sure(true), sure(true), sure(true), sure(false)]);
    /// assert_eq!(found.buckets["0.8-0.9"].accuracy(), Some(0.75));
    /// assert!((found.brier.unwrap() - 0.19).abs() < 1e-12);
    /// ```
    pub fn of(predictions: &[Prediction]) -> Self {
        let total = predictions.len() as u64;
        let rows: Vec<(f64, bool)> =
            predictions.iter().map(|made| (made.confidence, made.correct)).collect();
        let sum: f64 = predictions.iter().map(|made| made.brier()).sum();
        let mut buckets: BTreeMap<String, CalibrationBucket> = BTreeMap::new();
        for made in predictions {
            let empty = bucket(made.confidence);
            let bucket = buckets.entry(empty.key()).or_insert(empty);
            bucket.predictions += 1;
            bucket.correct += u64::from(made.correct);
        }
        Self {
            predictions: total,
            brier: share(1, total).map(|weight| weight * sum),
            ece: calibration_error(&rows),
            buckets,
        }
    }
}

/// The empty bucket a confidence belongs to.
fn bucket(confidence: f64) -> CalibrationBucket {
    // 0.7 is stored as a little less; a hair keeps what was typed on an edge in the upper bucket.
    let at = (confidence.clamp(0.0, 1.0) * real(BUCKETS as u64) + 1e-9).floor();
    let at = if at.is_nan() { 0.0 } else { at.min(real(BUCKETS as u64 - 1)) };
    let tenths = real(BUCKETS as u64);
    CalibrationBucket { start: at / tenths, end: (at + 1.0) / tenths, predictions: 0, correct: 0 }
}

/// An agent's calibration in one field, kept as sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DomainCalibration {
    /// Predictions with an outcome.
    pub predictions: u64,
    /// Those that were right.
    pub correct: u64,
    /// The sum of `(confidence − outcome)²`.
    pub brier_sum: f64,
}

impl DomainCalibration {
    /// Counts one more.
    pub fn add(&mut self, made: Prediction) {
        self.predictions += 1;
        self.correct += u64::from(made.correct);
        self.brier_sum += made.brier();
    }

    /// `1 − mean Brier`; 0.5 while there is none, which neither helps nor harms.
    pub fn score(&self) -> f64 {
        share(1, self.predictions).map_or(0.5, |weight| weight.mul_add(-self.brier_sum, 1.0))
    }

    /// The share that was right; 0 while there is none.
    pub fn accuracy(&self) -> f64 {
        share(self.correct, self.predictions).unwrap_or(0.0)
    }
}

/// Calibration in each field.
pub fn calibration_by_domain<'d>(
    predictions: impl IntoIterator<Item = (&'d str, Prediction)>,
) -> BTreeMap<String, DomainCalibration> {
    let mut fields: BTreeMap<String, DomainCalibration> = BTreeMap::new();
    for (domain, made) in predictions {
        fields.entry(domain.to_owned()).or_default().add(made);
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_upper_bucket() {
        let key = |confidence| bucket(confidence).key();
        assert_eq!(key(0.0), "0.0-0.1");
        for tenth in 1..10u8 {
            let expected = format!("0.{tenth}-");
            assert!(key(f64::from(tenth) / 10.0).starts_with(&expected), "{tenth}");
        }
        assert_eq!(key(0.299), "0.2-0.3");
        assert_eq!(key(1.0), "0.9-1.0");
        assert_eq!(key(f64::NAN), "0.0-0.1");
    }

    #[test]
    fn nothing_is_measured_without_predictions() {
        let none = Calibration::of(&[]);
        assert_eq!((none.brier, none.ece, none.buckets.len()), (None, None, 0));
    }
}
