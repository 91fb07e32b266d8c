//! Whether a score puts rows in the right order: AUROC and Spearman, ties counted as ties.
//!
//! Rows are sorted once; a resample only changes how often each row counts, so it costs one walk.

use super::bootstrap::{Draws, Estimate, RESAMPLES, Size, estimate};
use super::{ratio, real, share};

/// The chance that a positive row scores above a negative one; a tie is half a chance. `None`
/// without a row of each kind. Scores that are not a number rank lowest.
pub fn auroc(rows: &[(f64, bool)]) -> Option<f64> {
    let (places, groups) = places(rows.iter().map(|&(score, _)| score));
    let mut counts = vec![[0u64; 2]; groups];
    for (&place, &(_, positive)) in places.iter().zip(rows) {
        count(&mut counts, place, positive);
    }
    auroc_of_groups(&counts)
}

/// [`auroc`] with its interval.
pub fn auroc_estimate(rows: &[(f64, bool)]) -> Option<Estimate> {
    let (places, groups) = places(rows.iter().map(|&(score, _)| score));
    let grouped: Vec<(u32, bool)> =
        places.into_iter().zip(rows).map(|(place, &(_, positive))| (place, positive)).collect();
    let size = Size::of(rows.len());
    let mut draws = Draws::new();
    let mut counts = vec![[0u64; 2]; groups];
    let mut resampled = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        counts.fill([0; 2]);
        for _ in 0..size.draws {
            if let Some(&(place, positive)) = grouped.get(draws.below(grouped.len())) {
                count(&mut counts, place, positive);
            }
        }
        resampled.push(auroc_of_groups(&counts));
    }
    estimate(auroc(rows), resampled, size)
}

/// Adds a row to the group of equal scores it belongs to.
fn count(groups: &mut [[u64; 2]], place: u32, positive: bool) {
    if let Some([negatives, positives]) = groups.get_mut(place as usize) {
        *(if positive { positives } else { negatives }) += 1;
    }
}

/// AUROC from `[negatives, positives]` per score, lowest score first.
fn auroc_of_groups(groups: &[[u64; 2]]) -> Option<f64> {
    let mut negatives_below = 0;
    let mut positives_all = 0;
    let mut wins_doubled = 0;
    for &[negatives, positives] in groups {
        wins_doubled += positives * (2 * negatives_below + negatives);
        negatives_below += negatives;
        positives_all += positives;
    }
    share(wins_doubled, 2 * negatives_below * positives_all)
}

/// Spearman's rank correlation, ties at their mean rank. `None` when either side is constant.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    Ranked::new(pairs).correlation(&vec![1; pairs.len()], &mut Ranks::default())
}

/// [`spearman`] with its interval.
pub fn spearman_estimate(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let ranked = Ranked::new(pairs);
    let size = Size::of(pairs.len());
    let mut draws = Draws::new();
    let mut ranks = Ranks::default();
    let mut weights = vec![0u32; pairs.len()];
    let mut resampled = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        weights.fill(0);
        for _ in 0..size.draws {
            if let Some(weight) = weights.get_mut(draws.below(pairs.len())) {
                *weight += 1;
            }
        }
        resampled.push(ranked.correlation(&weights, &mut ranks));
    }
    estimate(spearman(pairs), resampled, size)
}

/// Rows with the place of each side among that side's different values.
struct Ranked {
    places: Vec<(u32, u32)>,
    groups: (usize, usize),
}

/// Buffers kept between resamples.
#[derive(Default)]
struct Ranks {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Ranked {
    fn new(pairs: &[(f64, f64)]) -> Self {
        let (first, groups_first) = places(pairs.iter().map(|&(first, _)| first));
        let (second, groups_second) = places(pairs.iter().map(|&(_, second)| second));
        Self {
            places: first.into_iter().zip(second).collect(),
            groups: (groups_first, groups_second),
        }
    }

    /// The correlation when row i counts `weights[i]` times.
    fn correlation(&self, weights: &[u32], ranks: &mut Ranks) -> Option<f64> {
        let first = self.places.iter().map(|&(first, _)| first);
        mean_ranks(first.zip(weights.iter().copied()), self.groups.0, &mut ranks.first);
        let second = self.places.iter().map(|&(_, second)| second);
        mean_ranks(second.zip(weights.iter().copied()), self.groups.1, &mut ranks.second);
        let rows: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let mean = f64::midpoint(real(rows), 1.0);
        let (mut both, mut spread_first, mut spread_second) = (0.0, 0.0, 0.0);
        for (&(first, second), &weight) in self.places.iter().zip(weights) {
            let (Some(first), Some(second)) =
                (ranks.first.get(first as usize), ranks.second.get(second as usize))
            else {
                continue;
            };
            let (first, second, weight) = (first - mean, second - mean, f64::from(weight));
            both += weight * first * second;
            spread_first += weight * first * first;
            spread_second += weight * second * second;
        }
        ratio(both, (spread_first * spread_second).sqrt())
    }
}

/// The mean rank (from 1) of each group of equal values, given how often each row counts.
fn mean_ranks(rows: impl Iterator<Item = (u32, u32)>, groups: usize, ranks: &mut Vec<f64>) {
    ranks.clear();
    ranks.resize(groups, 0.0);
    for (place, weight) in rows {
        if let Some(rank) = ranks.get_mut(place as usize) {
            *rank += f64::from(weight);
        }
    }
    let mut below = 0.0;
    for rank in ranks {
        let size = *rank;
        *rank = below + f64::midpoint(size, 1.0);
        below += size;
    }
}

/// The place of each value among the different values, lowest first, and how many there are.
fn places(values: impl Iterator<Item = f64>) -> (Vec<u32>, usize) {
    // Not-a-number ranks lowest, and -0.0 equals 0.0.
    let clean = |value: f64| if value.is_nan() { f64::NEG_INFINITY } else { value + 0.0 };
    let mut sorted: Vec<(f64, usize)> = values.map(clean).zip(0..).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut places = vec![0; sorted.len()];
    let mut place = 0u32;
    let mut previous = None;
    for (value, index) in sorted {
        if previous.is_some_and(|previous: f64| previous.total_cmp(&value).is_ne()) {
            place = place.saturating_add(1);
        }
        previous = Some(value);
        if let Some(slot) = places.get_mut(index) {
            *slot = place;
        }
    }
    let groups = if places.is_empty() { 0 } else { place as usize + 1 };
    (places, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: Option<f64>, expected: f64) {
        let actual = actual.expect("defined");
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    }

    #[test]
    fn auroc_by_hand() {
        // Positives .8 and .4, negatives .6, .4 and .2: wins 3 + 1 + half a tie, of 6 pairs.
        let rows = [(0.8, true), (0.6, false), (0.4, true), (0.4, false), (0.2, false)];
        close(auroc(&rows), 4.5 / 6.0);
    }

    #[test]
    fn auroc_at_the_ends() {
        close(auroc(&[(2.0, true), (1.0, false)]), 1.0);
        close(auroc(&[(1.0, true), (2.0, false)]), 0.0);
        close(auroc(&[(0.0, true), (-0.0, false)]), 0.5);
        assert_eq!(auroc(&[(1.0, true), (2.0, true)]), None);
        assert_eq!(auroc(&[]), None);
    }

    #[test]
    fn not_a_number_ranks_lowest() {
        close(auroc(&[(f64::NAN, true), (-9.0, false)]), 0.0);
        close(auroc(&[(f64::NAN, true), (-f64::NAN, false)]), 0.5);
    }

    #[test]
    fn spearman_by_hand() {
        // Ranks 1 2 3 4 5 against 2 1 4 3 5: 1 - 6 * 4 / (5 * 24) = 0.8.
        let pairs = [(1.0, 20.0), (2.0, 10.0), (3.0, 40.0), (4.0, 30.0), (9.0, 99.0)];
        close(spearman(&pairs), 0.8);
        // Ties: ranks 1.5 1.5 3 4 against 1 2 3.5 3.5, Pearson of those is 4 / 4.5.
        let tied = [(1.0, 1.0), (1.0, 2.0), (2.0, 7.0), (3.0, 7.0)];
        close(spearman(&tied), 4.0 / 4.5);
    }

    #[test]
    fn a_constant_has_no_correlation() {
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(spearman(&[]), None);
        assert_eq!(spearman_estimate(&[]), None);
    }

    fn holds(found: Estimate) -> bool {
        found.interval.is_some_and(|at| at.low < found.value && found.value < at.high)
    }

    #[test]
    fn intervals_hold_their_value() {
        let rows: Vec<(f64, bool)> = (0..400u32)
            .map(|row| (f64::from(row * 37 % 101), row * 37 % 101 > 40 + row % 30))
            .collect();
        let found = auroc_estimate(&rows).expect("defined");
        assert_eq!(Some(found.value), auroc(&rows));
        assert!(holds(found), "{found:?}");
        let pairs: Vec<(f64, f64)> =
            (0..400u32).map(|row| (f64::from(row), f64::from(row + row * 37 % 101))).collect();
        let found = spearman_estimate(&pairs).expect("defined");
        assert!(holds(found), "{found:?}");
        assert_eq!(spearman_estimate(&pairs), Some(found), "same rows, same interval");
    }

    /// The definition, pair by pair.
    fn auroc_slowly(rows: &[(f64, bool)]) -> Option<f64> {
        let mut wins = 0.0;
        let mut pairs = 0u32;
        for positive in rows.iter().filter(|row| row.1) {
            for negative in rows.iter().filter(|row| !row.1) {
                pairs += 1;
                wins += match positive.0.total_cmp(&negative.0) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        (pairs > 0).then(|| wins / f64::from(pairs))
    }

    proptest::proptest! {
        #[test]
        fn auroc_agrees_with_its_definition(
            rows in proptest::collection::vec((0u8..9, proptest::bool::ANY), 0..40),
        ) {
            let rows: Vec<(f64, bool)> =
                rows.into_iter().map(|(score, positive)| (f64::from(score), positive)).collect();
            match (auroc(&rows), auroc_slowly(&rows)) {
                (Some(fast), Some(slow)) => assert!((fast - slow).abs() < 1e-12),
                (fast, slow) => assert_eq!(fast, slow),
            }
        }

        #[test]
        fn spearman_stays_in_range(
            pairs in proptest::collection::vec((0u8..9, 0u8..9), 0..40),
        ) {
            let pairs: Vec<(f64, f64)> =
                pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            if let Some(value) = spearman(&pairs) {
                assert!((-1.0 - 1e-9..=1.0 + 1e-9).contains(&value));
            }
        }
    }
}
