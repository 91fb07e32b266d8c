//! Whether a probability means what it says.

use super::{real, share};

/// Bins of equal width: enough to see a bend, few enough to be filled.
const BINS: usize = 15;

/// Expected calibration error: how far, on average over the rows, the probability of a bin lies
/// from the share of positives in it. `None` without rows.
pub fn calibration_error(rows: &[(f64, bool)]) -> Option<f64> {
    let mut bins = [(0u64, 0u64, 0.0); BINS];
    for &(probability, positive) in rows {
        let probability = if probability.is_nan() { 0.0 } else { probability.clamp(0.0, 1.0) };
        if let Some((count, positives, sum)) = bins.get_mut(bin(probability)) {
            *count += 1;
            *positives += u64::from(positive);
            *sum += probability;
        }
    }
    let gaps = bins.iter().map(|&(_, positives, sum)| (real(positives) - sum).abs());
    share(1, rows.len() as u64).map(|weight| weight * gaps.sum::<f64>())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the probability is within 0 to 1"
)]
fn bin(probability: f64) -> usize {
    ((probability * real(BINS as u64)) as usize).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn by_hand() {
        // One bin: said 0.8 twice, right once. Another: said 0, rightly.
        close(calibration_error(&[(0.8, true), (0.8, false), (0.0, false)]), 0.6 / 3.0);
        close(calibration_error(&[(1.0, true), (0.0, false)]), 0.0);
        assert_eq!(calibration_error(&[]), None);
    }
}
