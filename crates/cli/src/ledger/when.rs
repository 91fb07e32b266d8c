//! Times as people type them.

use anyhow::{Result, anyhow};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

pub(super) use rebuttal::ledger::is_future;
pub(super) use rebuttal_report::{day, stamps};

/// A time: `2026-11-16T08:00:00Z`, with any offset, or `2026-11-16`, which begins in UTC.
pub(super) fn time(text: &str) -> Result<Timestamp> {
    let text = text.trim();
    // A date parser takes a time without a zone too, and drops the time.
    let is_day = !text.contains(['T', 't', ' ', ':']);
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    text.parse().ok().or_else(|| day().filter(|_| is_day)).ok_or_else(|| {
        anyhow!(
            "{text:?} is no time; write 2026-11-16T08:00:00Z (the zone is needed) or 2026-11-16"
        )
    })
}

/// A time, or how long ago: `90m`, `24h`, `7d`, `4w`.
pub(super) fn since(text: &str, now: Timestamp) -> Result<Timestamp> {
    let wrong = || anyhow!("{text:?} is neither a time (2026-11-16) nor an age (24h, 7d, 4w)");
    let Some(age) = age(text.trim()) else { return time(text).map_err(|_| wrong()) };
    now.checked_sub(age).map_err(|_| wrong())
}

fn age(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().next_back()?;
    let minutes: i64 = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        'w' => 7 * 24 * 60,
        _ => return None,
    };
    let number: i64 = text.strip_suffix(unit)?.parse().ok().filter(|number| *number >= 0)?;
    Some(SignedDuration::from_secs(number.checked_mul(minutes)?.checked_mul(60)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_ages() {
        let now = time("2026-11-16T08:00:00Z").unwrap();
        assert_eq!(time("2026-11-16").unwrap().to_string(), "2026-11-16T00:00:00Z");
        assert_eq!(time("2026-11-16T10:00:00+02:00").unwrap(), now);
        assert_eq!(since("24h", now).unwrap().to_string(), "2026-11-15T08:00:00Z");
        assert_eq!(since("2w", now).unwrap().to_string(), "2026-11-02T08:00:00Z");
        assert_eq!(day(now), "2026-11-16");
        for wrong in [
            "",
            "d",
            "-3d",
            "yesterday",
            "99999999999999999w",
            "2026-13-01",
            "ä",
            "2026-01-01T10:00:00",
        ] {
            assert!(since(wrong, now).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_may_be_a_little_ahead() {
        let now = time("2026-11-16").unwrap();
        assert!(!is_future(time("2026-11-16T00:04:00Z").unwrap(), now));
        assert!(is_future(time("2026-11-16T05:00:00Z").unwrap(), now));
    }
}
