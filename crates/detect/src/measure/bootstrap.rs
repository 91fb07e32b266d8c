//! How far a figure would wander had other rows been drawn: percentile bootstrap, fixed seed.

use super::share;

/// How often the rows are drawn again. Percentiles at 2.5 % move in the third digit beyond this.
pub const RESAMPLES: usize = 1000;

/// Most rows drawn for one resample, so that ten million rows take no longer than these. Fewer
/// draws spread wider by the square root of the ratio, which is taken back out.
const DRAWS_MAX: usize = 100_000;

/// Where the generator starts. Any number would do; it must stay the same.
const SEED: u64 = 0x5eed_ba7e;

/// A figure, and how far it would wander.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure on the rows as they are.
    pub value: f64,
    /// The interval that holds it 95 times in 100. `None` when the figure is undefined on half of
    /// the resamples or more: then an interval would describe the lucky half only.
    pub interval: Option<Interval>,
}

/// The middle 95 % of the resamples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// 2.5 % of the resamples lie below.
    pub low: f64,
    /// 2.5 % lie above.
    pub high: f64,
}

/// `SplitMix64`: tiny, fast, and the same on every machine. Not for secrets.
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn new() -> Self {
        Self(SEED)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound` (which must not be 0), by multiplication instead of division.
    #[expect(clippy::cast_possible_truncation, reason = "the product's high half is below bound")]
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// Turns the metric's value on the rows and on every resample into an estimate.
pub(super) fn estimate(
    value: Option<f64>,
    resampled: Vec<Option<f64>>,
    size: Size,
) -> Option<Estimate> {
    let value = value?;
    let pulled = |bound: f64| value + (bound - value) * size.shrink;
    let interval = interval(resampled)
        .map(|Interval { low, high }| Interval { low: pulled(low), high: pulled(high) });
    Some(Estimate { value, interval })
}

/// How many rows a resample draws, and how much its spread has to shrink in return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) draws: usize,
    shrink: f64,
}

impl Size {
    pub(super) fn of(rows: usize) -> Self {
        let draws = rows.min(DRAWS_MAX);
        let kept = share(draws as u64, rows as u64).unwrap_or(1.0);
        Self { draws, shrink: kept.sqrt() }
    }
}

fn interval(resampled: Vec<Option<f64>>) -> Option<Interval> {
    let needed = resampled.len() / 2;
    let mut defined: Vec<f64> = resampled.into_iter().flatten().collect();
    if defined.len() <= needed {
        return None;
    }
    defined.sort_unstable_by(f64::total_cmp);
    let low = *defined.get(defined.len() * 25 / 1000)?;
    let high = *defined.get((defined.len() * 975).div_ceil(1000).saturating_sub(1))?;
    Some(Interval { low, high })
}

/// Estimates every metric of a table of counts at once: each resample draws rows
/// and only counts which cell they fall in, so the rows themselves are never walked again.
pub fn estimate_counts<const M: usize>(
    cells: &[u64],
    metrics: impl Fn(&[u64]) -> [Option<f64>; M],
) -> [Option<Estimate>; M] {
    let cell_of_row = rows(cells);
    let size = Size::of(cell_of_row.len());
    let mut draws = Draws::new();
    let mut counts = vec![0u64; cells.len()];
    let mut resampled: [Vec<Option<f64>>; M] = std::array::from_fn(|_| Vec::new());
    for _ in 0..RESAMPLES {
        counts.fill(0);
        for _ in 0..size.draws {
            let row = draws.below(cell_of_row.len());
            if let Some(&cell) = cell_of_row.get(row)
                && let Some(count) = counts.get_mut(usize::from(cell))
            {
                *count += 1;
            }
        }
        for (values, value) in resampled.iter_mut().zip(metrics(&counts)) {
            values.push(value);
        }
    }
    let mut values = metrics(cells).into_iter();
    resampled.map(|resampled| estimate(values.next().flatten(), resampled, size))
}

/// The cell each row falls in, one small number per row.
fn rows(cells: &[u64]) -> Vec<u16> {
    let mut rows = Vec::new();
    for (cell, &count) in cells.iter().enumerate() {
        let cell = u16::try_from(cell).unwrap_or(u16::MAX);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        rows.extend(std::iter::repeat_n(cell, count));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::Confusion;
    use super::*;

    fn proportion(hits: u64, misses: u64) -> Option<Estimate> {
        let [estimate] =
            estimate_counts(&[hits, misses], |cells| [share(cells[0], cells[0] + cells[1])]);
        estimate
    }

    #[test]
    fn a_proportion_spreads_as_the_binomial_says() {
        // Standard error sqrt(.3 * .7 / 1000) = .0145, so about .3 ± 1.96 * .0145.
        let estimate = proportion(300, 700).expect("defined");
        assert!((estimate.value - 0.3).abs() < 1e-12);
        let Interval { low, high } = estimate.interval.expect("defined");
        assert!((low - 0.2716).abs() < 0.004 && (high - 0.3284).abs() < 0.004, "{low} {high}");
    }

    #[test]
    fn a_million_rows_are_as_narrow_as_a_million_and_as_quick_as_a_few() {
        // Standard error sqrt(.3 * .7 / 1e6) = .00046.
        let Interval { low, high } = proportion(300_000, 700_000).unwrap().interval.unwrap();
        assert!((high - low - 2.0 * 1.96 * 0.000_458).abs() < 0.000_2, "{low} {high}");
        assert_eq!(Size::of(1_000_000).draws, DRAWS_MAX);
        assert_eq!(Size::of(50), Size { draws: 50, shrink: 1.0 });
    }

    #[test]
    fn the_same_rows_give_the_same_interval() {
        assert_eq!(proportion(30, 70), proportion(30, 70));
    }

    #[test]
    fn no_spread_no_interval() {
        let sure = proportion(50, 0).expect("defined");
        assert_eq!(sure.interval, Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(proportion(0, 0), None);
    }

    #[test]
    fn an_interval_of_the_lucky_half_is_none() {
        let half = estimate(Some(1.0), vec![Some(1.0), None], Size::of(2));
        assert_eq!(half, Some(Estimate { value: 1.0, interval: None }));
        assert_eq!(estimate(None, vec![Some(1.0)], Size::of(1)), None);
    }

    #[test]
    fn many_metrics_from_the_same_draws() {
        let [precision, recall, mcc] = estimate_counts(&[60, 20, 30, 90], |cells| {
            let table = Confusion::from_cells(cells);
            [table.precision(), table.recall(), table.mcc()]
        });
        for estimate in [precision, recall, mcc] {
            let Estimate { value, interval } = estimate.expect("defined");
            let Interval { low, high } = interval.expect("defined");
            assert!(low < value && value < high && high - low < 0.3);
        }
    }

    #[test]
    fn draws_stay_below_their_bound() {
        let mut draws = Draws::new();
        let mut seen = [0u32; 3];
        for _ in 0..3000 {
            seen[draws.below(3)] += 1;
        }
        assert!(seen.iter().all(|&count| (900..1100).contains(&count)), "{seen:?}");
    }
}
