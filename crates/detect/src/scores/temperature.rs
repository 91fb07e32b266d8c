//! One number that makes an agent's confidence honest: the temperature.
//!
//! `scaled = sigmoid(logit(p) / T)`. Above 1 it pulls towards one half (the agent is too sure of
//! itself), below 1 it pushes away. It is fitted by the likelihood of the outcomes, which has a single
//! best point in `1 / T`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Prediction;

/// What scaled confidences stay within: nobody is certain.
const RANGE: (f64, f64) = (0.05, 0.95);
/// What temperatures are looked for in.
const LIMITS: (f64, f64) = (0.1, 10.0);
/// Predictions without which no temperature is fitted: a handful of outcomes fits anything.
pub(crate) const PREDICTIONS_MIN: usize = 10;
/// Halvings of the search interval: enough for every digit of a double.
const STEPS: u32 = 60;

/// A temperature. 1 changes nothing but the range.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Temperature(f64);

impl Temperature {
    /// A given temperature.
    pub fn new(value: f64) -> Self {
        Self(value)
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The scaled confidence, within 0.05 and 0.95. A temperature that is not above 0 scales nothing.
    ///
    /// ```
    /// use rebuttal_detect::scores::Temperature;
    ///
    /// assert!(Temperature::new(1.5).scale(0.9) < 0.9);
    /// assert_eq!(Temperature::new(0.0).scale(0.7), 0.7);
    /// assert_eq!(Temperature::new(0.5).scale(0.99), 0.95);
    /// ```
    pub fn scale(self, confidence: f64) -> f64 {
        let (low, high) = RANGE;
        let confidence = if confidence.is_nan() { 0.5 } else { confidence.clamp(low, high) };
        if self.0.is_nan() || self.0 <= 0.0 {
            return confidence;
        }
        sigmoid(logit(confidence) / self.0).clamp(low, high)
    }

    /// The temperature under which the outcomes are most likely, within 0.1 and 10; `None` with fewer
    /// than ten predictions.
    pub fn fit(predictions: &[Prediction]) -> Option<Self> {
        if predictions.len() < PREDICTIONS_MIN {
            return None;
        }
        let (coldest, hottest) = LIMITS;
        let (mut low, mut high) = (hottest.recip(), coldest.recip());
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            // The slope falls as the factor grows, so the best point is where it changes its sign.
            if slope(predictions, middle) > 0.0 { low = middle } else { high = middle }
        }
        Some(Self(f64::midpoint(low, high).recip()))
    }
}

/// How the log likelihood changes with the factor on the log odds: Σ x·(outcome − sigmoid(factor·x)).
fn slope(predictions: &[Prediction], factor: f64) -> f64 {
    let term = |made: &Prediction| {
        let odds = logit(made.confidence.clamp(RANGE.0, RANGE.1));
        odds * (f64::from(u8::from(made.correct)) - sigmoid(factor * odds))
    };
    predictions.iter().map(term).sum()
}

/// A temperature for each field with enough predictions.
pub fn temperatures_by_domain<'d>(
    predictions: impl IntoIterator<Item = (&'d str, Prediction)>,
) -> BTreeMap<String, Temperature> {
    let mut fields: BTreeMap<&str, Vec<Prediction>> = BTreeMap::new();
    for (domain, made) in predictions {
        fields.entry(domain).or_default().push(made);
    }
    let fitted = fields.into_iter();
    fitted
        .filter_map(|(domain, made)| Some((domain.to_owned(), Temperature::fit(&made)?)))
        .collect()
}

fn logit(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

fn sigmoid(odds: f64) -> f64 {
    (1.0 + (-odds).exp()).recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predictions of one confidence, `right` of them true.
    fn made(confidence: f64, right: usize, of: usize) -> Vec<Prediction> {
        (0..of).map(|at| Prediction { confidence, correct: at < right }).collect()
    }

    #[test]
    fn who_is_too_sure_is_cooled_to_the_truth() {
        let rows = made(0.9, 70, 100);
        let fitted = Temperature::fit(&rows).unwrap();
        assert!(fitted.value() > 1.0);
        assert!((fitted.scale(0.9) - 0.7).abs() < 1e-9, "{}", fitted.scale(0.9));
    }

    #[test]
    fn who_is_right_is_left_alone() {
        let fitted = Temperature::fit(&made(0.8, 80, 100)).unwrap();
        assert!((fitted.value() - 1.0).abs() < 1e-9, "{fitted:?}");
    }

    #[test]
    fn the_search_ends_at_its_limits() {
        // Always right, never wrong: colder is always better.
        assert!((Temperature::fit(&made(0.6, 50, 50)).unwrap().value() - 0.1).abs() < 1e-9);
        // Always wrong: no temperature helps, and the hottest harms least.
        assert!((Temperature::fit(&made(0.6, 0, 50)).unwrap().value() - 10.0).abs() < 1e-9);
        assert_eq!(Temperature::fit(&made(0.6, 5, 9)), None);
    }

    #[test]
    fn fields_are_fitted_apart() {
        let rows = made(0.9, 14, 20).into_iter().map(|row| ("law", row));
        let rows = rows.chain(made(0.7, 14, 20).into_iter().map(|row| ("tax", row)));
        let fitted = temperatures_by_domain(rows.chain([("art", made(0.5, 1, 1)[0])]));
        assert_eq!(fitted.keys().collect::<Vec<_>>(), ["law", "tax"]);
        assert!(fitted["law"] > fitted["tax"]);
    }
}
