//! How fresh the years are that a text goes by.

use rebuttal_text::Reading;

/// What a text that names no year gets: neither fresh nor stale.
const NO_YEAR: f64 = 0.8;
/// After so many years a source is stale.
const STALE: f64 = 10.0;
/// What a text gets whose years are all stale.
const ALL_STALE: f64 = 0.3;

/// 0 to 1: 1 for years of `now`, less the older they are. A year to come is as fresh as this one,
/// and a number that is no year (a port, a count) is none.
pub fn freshness(text: &str, now: i32) -> f64 {
    let ages: Vec<f64> = Reading::new(text)
        .periods()
        .iter()
        .filter_map(|period| period.dates)
        .map(|(from, _)| f64::from((now - i32::from(from.year())).max(0)))
        .collect();
    if ages.is_empty() {
        return NO_YEAR;
    }
    if ages.iter().all(|age| *age > STALE) {
        return ALL_STALE;
    }
    #[expect(clippy::cast_precision_loss, reason = "a text names few years")]
    let mean = ages.iter().sum::<f64>() / ages.len() as f64;
    (1.0 - mean / STALE).clamp(0.0, 1.0)
}
