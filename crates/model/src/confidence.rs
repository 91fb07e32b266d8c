//! Confidence never stands alone: it says whose it is.

use serde::{Deserialize, Serialize};

/// Who is that sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// The agent said so about itself. Rarely worth its face value.
    Stated,
    /// A detector computed it; its scale is the detector's own.
    Detector,
    /// Corrected against outcomes, so that 0.8 is right four times in five.
    Calibrated,
}

/// How sure somebody is. Invariant: finite and within `0.0..=1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Confidence {
    value: f64,
    whose: Whose,
}

impl Confidence {
    /// Refuses what is not a number within `0.0..=1.0`. `0.0` stays `0.0`.
    pub fn new(value: f64, whose: Whose) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self { value, whose })
    }

    /// A detector's confidence, pulled into range; not-a-number becomes 0.
    pub fn detector(value: f64) -> Self {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        Self { value, whose: Whose::Detector }
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Whose confidence it is.
    pub fn whose(self) -> Whose {
        self.whose
    }
}

/// The shape on the wire: both fields, always.
#[derive(Serialize, Deserialize)]
struct Raw {
    value: f64,
    whose: Whose,
}

impl From<Confidence> for Raw {
    fn from(Confidence { value, whose }: Confidence) -> Self {
        Self { value, whose }
    }
}

impl TryFrom<Raw> for Confidence {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, Self::Error> {
        Self::new(raw.value, raw.whose)
            .ok_or_else(|| format!("confidence {} is not within 0..=1", raw.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_confidence() {
        for bad in [-0.1, 1.1, 85.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Confidence::new(bad, Whose::Stated), None, "{bad}");
        }
        assert!(serde_json::from_str::<Confidence>(r#"{"value":85,"whose":"stated"}"#).is_err());
    }

    #[test]
    fn zero_stays_zero() {
        let zero = Confidence::new(0.0, Whose::Stated).unwrap();
        let json = serde_json::to_string(&zero).unwrap();
        assert_eq!(json, r#"{"value":0.0,"whose":"stated"}"#);
        assert_eq!(serde_json::from_str::<Confidence>(&json).unwrap(), zero);
    }
}
