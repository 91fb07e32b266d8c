//! Numbers on their way into words and priorities.

/// Within 0 and 1; what is no number is 0.
pub(super) fn share(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// `0.853` as `85%`.
pub(super) fn percent(value: f64) -> String {
    format!("{:.0}%", share(value) * 100.0)
}

/// The mean of some numbers; `None` of none.
pub(super) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then_some(sum / count)
}

/// A count as a number to reckon with.
pub(super) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_counts_nothing() {
        assert_eq!(share(f64::NAN).to_bits(), 0.0_f64.to_bits());
        assert_eq!(percent(7.0), "100%");
        assert_eq!(percent(0.853), "85%");
        assert_eq!(mean([]), None);
    }
}
