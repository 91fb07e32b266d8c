//! Times as logs write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::value::Value;

/// The time a JSON value stands for: text, or a number of seconds, milliseconds or more since 1970.
pub(crate) fn of(value: Value<'_>) -> Option<Timestamp> {
    if value.is_string() {
        let text = value.str()?;
        return parse(&text);
    }
    from_number(value.number()?)
}

/// The time a text stands for. A time without a zone is taken as UTC: what counts is the order.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if let Ok(at) = text.parse::<DateTime>() {
        return at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
    }
    if text.len() > 15 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Nanoseconds do not survive a detour through floating point.
        let nanos: i128 = text.parse().ok()?;
        let unit = match text.len() {
            16 => 1_000,
            17..=18 => return None,
            _ => 1,
        };
        return Timestamp::from_nanosecond(nanos.checked_mul(unit)?).ok();
    }
    from_number(text.parse().ok()?)
}

/// Seconds since 1970, or a finer unit where seconds would lie beyond the year 5000.
fn from_number(number: f64) -> Option<Timestamp> {
    const SECONDS_MAX: f64 = 1e11;
    if !number.is_finite() || number <= 0.0 {
        return None;
    }
    let mut seconds = number;
    for _ in 0..3 {
        if seconds < SECONDS_MAX {
            break;
        }
        seconds /= 1_000.0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be below 1e11 milliseconds · 1000"
    )]
    let millis = (seconds * 1_000.0).round() as i64;
    (seconds < SECONDS_MAX).then(|| Timestamp::from_millisecond(millis).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_the_same_moment() {
        let expected: Timestamp = "2024-05-10T12:00:00Z".parse().unwrap();
        for text in [
            "2024-05-10T12:00:00Z",
            "2024-05-10T14:00:00+02:00",
            "2024-05-10T12:00:00",
            "2024-05-10 12:00:00",
            "1715342400",
            "1715342400.0",
            "1715342400000",
            "1715342400000000",
            "1715342400000000000",
        ] {
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        for text in ["", "soon", "-5", "NaN", "99999999999999999999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
