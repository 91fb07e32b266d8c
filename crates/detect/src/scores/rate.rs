//! A share of cases, with how far it may be off.

use serde::Serialize;

use super::real;
use crate::measure::share;

/// The 97.5 % point of the normal distribution: 95 % lie within.
const Z: f64 = 1.959_963_984_540_054;

/// A count of a total, with Wilson's 95 % interval around the share.
///
/// ```
/// use rebuttal_detect::scores::Rate;
///
/// let rate = Rate::new(1, 2);
/// assert_eq!(rate.value, Some(0.5));
/// assert!(rate.low < 0.1 && rate.high > 0.9, "two cases say little");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Cases in which it happened.
    pub count: u64,
    /// Cases in which it could have.
    pub of: u64,
    /// The share; `None` without a case.
    pub value: Option<f64>,
    /// The lower end of the interval; 0 without a case.
    pub low: f64,
    /// The upper end of the interval; 1 without a case.
    pub high: f64,
}

impl Rate {
    /// The rate of `count` in `of`. More than all of them counts as all of them.
    pub fn new(count: u64, of: u64) -> Self {
        let value = share(count.min(of), of);
        let (low, high) = value.map_or((0.0, 1.0), |value| wilson(value, real(of)));
        Self { count, of, value, low, high }
    }
}

/// (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n).
fn wilson(share: f64, cases: f64) -> (f64, f64) {
    let squared = Z * Z / cases;
    let middle = share + squared / 2.0;
    let reach = Z * (share * (1.0 - share) / cases + squared / (4.0 * cases)).sqrt();
    let scale = 1.0 + squared;
    // The share lies within, also where the last digit says otherwise.
    (((middle - reach) / scale).clamp(0.0, share), ((middle + reach) / scale).clamp(share, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_by_hand() {
        // Known values for 8 of 10: 0.4902 to 0.9433.
        let rate = Rate::new(8, 10);
        assert!((rate.low - 0.4902).abs() < 1e-4 && (rate.high - 0.9433).abs() < 1e-4, "{rate:?}");
        let never = Rate::new(0, 10);
        assert!(never.low <= 0.0 && (never.high - 0.2775).abs() < 1e-4, "{never:?}");
    }

    #[test]
    fn nothing_is_known_without_cases() {
        let none = Rate::new(0, 0);
        assert_eq!((none.value, none.low, none.high), (None, 0.0, 1.0));
        assert_eq!(Rate::new(3, 2).value, Some(1.0));
    }

    proptest::proptest! {
        #[test]
        fn the_interval_holds_the_share(of in 1u64..1000, part in 0.0..=1.0f64) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a test")]
            let rate = Rate::new((part * real(of)) as u64, of);
            let value = rate.value.unwrap();
            assert!(0.0 <= rate.low && rate.low <= value);
            assert!(value <= rate.high && rate.high <= 1.0);
        }
    }
}
