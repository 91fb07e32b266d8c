//! Numbers, quotes and days as a person reads them.

use jiff::Timestamp;

/// "1 file", "2 files", "12,345 files".
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number for people: 1,234,567.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// At most `limit` characters of a quote, for places where a person skims.
pub fn excerpt(text: &str, limit: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(limit).collect();
    if characters.next().is_some() {
        short.truncate(short.trim_end().len());
        short.push('…');
    }
    short
}

/// "1 flip", "2 flips".
pub fn flips(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "flip")
}

/// "1 position", "2 positions".
pub fn positions(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "position")
}

/// A part of a whole; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "no ledger has 2^52 flips")]
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// `2026-11-16`.
pub fn day(at: Timestamp) -> String {
    let text = at.to_string();
    text.split_once('T').map_or(text.clone(), |(day, _)| day.to_owned())
}

/// Days; with the time of day where two of them are the same.
///
/// ```
/// let at = |text: &str| text.parse().unwrap();
/// let times = [at("2026-11-16T08:00:00Z"), at("2026-11-16T09:30:00Z")];
/// assert_eq!(rebuttal_report::stamps(times), ["2026-11-16 08:00:00", "2026-11-16 09:30:00"]);
/// ```
pub fn stamps(times: impl IntoIterator<Item = Timestamp>) -> Vec<String> {
    let times: Vec<Timestamp> = times.into_iter().collect();
    let days: Vec<String> = times.iter().map(|at| day(*at)).collect();
    let mut known = std::collections::BTreeSet::new();
    if days.iter().all(|day| known.insert(day)) {
        return days;
    }
    times.iter().map(|at| at.strftime("%Y-%m-%d %H:%M:%S").to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let wanted = ["0", "999", "1,000", "123,456", "1,234,567"];
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(grouped), wanted);
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(1200, "file"), "1,200 files");
    }

    #[test]
    fn excerpts_never_split_a_character() {
        assert_eq!(excerpt("äöü", 3), "äöü");
        assert_eq!(excerpt("äöü", 2), "äö…");
        assert_eq!(excerpt("one two", 4), "one…");
    }
}
