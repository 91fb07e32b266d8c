//! How right a detector is: counts, ranks and intervals, pure and reproducible.
//!
//! A metric that is not defined on the rows at hand (precision without a single alarm, AUROC with
//! one class) is `None`, never not-a-number. Every interval comes from a bootstrap with a fixed
//! seed, so that the same rows print the same interval on every machine.
//!
//! ```
//! use rebuttal_detect::measure::Confusion;
//!
//! let counts: Confusion = [(true, true), (true, false), (false, false)].into_iter().collect();
//! assert_eq!(counts.recall(), Some(0.5));
//! assert_eq!(counts.precision(), Some(1.0));
//! ```

mod bootstrap;
mod calibration;
mod confusion;
mod labels;
mod linear;
mod rank;

pub use bootstrap::{Estimate, Interval, RESAMPLES, estimate_counts};
pub use calibration::calibration_error;
pub use confusion::Confusion;
pub use labels::Labels;
pub use linear::{pearson, pearson_estimate};
pub use rank::{auroc, auroc_estimate, spearman, spearman_estimate};

/// The share `part / whole`; `None` when there is no whole.
#[expect(clippy::cast_precision_loss, reason = "row counts stay far below 2^52")]
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A ratio of two numbers; `None` when it is not one.
fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let value = numerator / denominator;
    value.is_finite().then_some(value)
}

/// A count as a number to compute with.
#[expect(clippy::cast_precision_loss, reason = "row counts stay far below 2^52")]
fn real(count: u64) -> f64 {
    count as f64
}
