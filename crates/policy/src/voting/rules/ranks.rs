//! Points by rank, and what is behind the winner of any rule that reads rankings.

use super::{Tally, shares};
use crate::voting::count::{Count, real};

/// With n options, the first gets n - 1 points, the next n - 2 and so on; the options that a ballot
/// does not list share equally what is left, so that every ballot hands out the same.
pub(super) fn borda(count: &Count) -> Tally {
    let options = count.names.len();
    let mut points = count.zeros();
    for cast in &count.casts {
        let listed = cast.ranking.len();
        if listed == 0 {
            continue;
        }
        let rest = real(options.saturating_sub(listed).saturating_sub(1)) / 2.0;
        for (option, sum) in points.iter_mut().enumerate() {
            *sum += match cast.rank(option) {
                usize::MAX => rest,
                rank => real(options.saturating_sub(rank + 1)),
            };
        }
    }
    let most = real(options.saturating_sub(1)) * real(count.panel());
    let unit = format!("points of at most {}", super::figure(most));
    let shares = if options == 1 { weakest_support(count) } else { shares(&points, most) };
    if options == 1 {
        // One option only: there is nobody to get points against.
        points = shares.iter().map(|share| share * real(count.panel())).collect();
    }
    Tally::by_score(count, points, shares, &unit)
}

/// For each option, the smallest share of the panel that ranks it above a rival.
pub(super) fn weakest_support(count: &Count) -> Vec<f64> {
    let options = 0..count.names.len();
    let panel = real(count.panel()).max(1.0);
    let support = |option: usize| {
        let ranked = count.casts.iter().filter(|cast| cast.rank(option) != usize::MAX).count();
        let against = |rival: usize| {
            count.casts.iter().filter(|cast| cast.rank(option) < cast.rank(rival)).count()
        };
        let rivals = options.clone().filter(|rival| *rival != option).map(against);
        real(rivals.min().unwrap_or(ranked)) / panel
    };
    options.clone().map(support).collect()
}
