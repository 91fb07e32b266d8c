//! Whether two numbers rise together in a straight line.

use super::bootstrap::{Draws, Size, estimate};
use super::{Estimate, RESAMPLES, ratio, real};

/// Pearson's correlation. `None` when either side is constant.
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    correlation(pairs.iter().copied())
}

/// [`pearson`] with its interval.
pub fn pearson_estimate(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let size = Size::of(pairs.len());
    let mut draws = Draws::new();
    let mut sample = Vec::with_capacity(size.draws);
    let mut resampled = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        sample.clear();
        sample.extend((0..size.draws).filter_map(|_| pairs.get(draws.below(pairs.len())).copied()));
        resampled.push(correlation(sample.iter().copied()));
    }
    estimate(pearson(pairs), resampled, size)
}

/// In two passes, so that large numbers with a small spread do not cancel out.
fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let (mut rows, mut sum) = (0u64, (0.0, 0.0));
    for (first, second) in pairs.clone() {
        rows += 1;
        sum = (sum.0 + first, sum.1 + second);
    }
    let mean = (sum.0 / real(rows), sum.1 / real(rows));
    let (mut both, mut spread_first, mut spread_second) = (0.0, 0.0, 0.0);
    for (first, second) in pairs {
        let (first, second) = (first - mean.0, second - mean.1);
        both += first * second;
        spread_first += first * first;
        spread_second += second * second;
    }
    ratio(both, (spread_first * spread_second).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let close = |found: Option<f64>, expected: f64| {
            assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?}");
        };
        close(pearson(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), 1.0);
        // Deviations -1 0 1 against -1 1 0: 1 over the root of 2 times 2.
        close(pearson(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)]), 0.5);
        assert_eq!(pearson(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(pearson(&[]), None);
        assert_eq!(pearson_estimate(&[]), None);
    }
}
