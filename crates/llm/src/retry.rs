//! When to ask again, and how long to wait before. The only layer of retries there is.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use crate::budget::RetryBudget;

/// How often and how patiently a request is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// Most requests sent for one batch, the first included.
    pub attempts: u32,
    /// Longest wait before the second request; each later wait may be twice as long.
    pub first_wait: Duration,
    /// Longest wait of our own choosing.
    pub longest_wait: Duration,
    /// Longest wait a server may ask for. Beyond it the call fails and says so.
    pub longest_asked: Duration,
    /// Longest time for a call with all its requests and waits.
    pub deadline: Duration,
    /// How many requests may be repeats, for all agents of the same provider together.
    pub budget: RetryBudget,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(10),
            longest_asked: Duration::from_secs(30),
            deadline: Duration::from_mins(5),
            budget: RetryBudget::default(),
        }
    }
}

/// What to do after a request that may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Send it again after a while.
    Wait(Duration),
    /// It was sent often enough.
    GiveUp,
    /// The server asks for a longer wait than we have patience for.
    TooLong(Duration),
}

impl Retries {
    /// What to do after attempt number `attempt` (from 1) failed. `random` is in `0.0..1.0`: the
    /// wait is drawn from the whole range, so that clients that failed together do not return
    /// together.
    pub(crate) fn next(&self, attempt: u32, asked: Option<Duration>, random: f64) -> Next {
        if attempt >= self.attempts {
            return Next::GiveUp;
        }
        let doubled = self.first_wait.saturating_mul(1 << attempt.saturating_sub(1).min(16));
        let own = doubled.min(self.longest_wait).mul_f64(random.clamp(0.0, 1.0));
        match asked {
            Some(asked) if asked > self.longest_asked => Next::TooLong(asked),
            Some(asked) => Next::Wait(asked.saturating_add(own.min(self.first_wait))),
            None => Next::Wait(own),
        }
    }
}

/// A number in `0.0..1.0`. Spreading waits needs no better source than the keys of the standard
/// library's hash maps.
pub(crate) fn random() -> f64 {
    let bits = RandomState::new().hash_one(0_u8);
    f64::from(u32::try_from(bits >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

/// The wait a server asks for: milliseconds, seconds, or a date, which is measured against the
/// server's own clock so that ours need not be right.
pub(crate) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let millis = text("retry-after-ms").and_then(|text| text.trim().parse().ok());
    if let Some(millis) = millis {
        return Some(Duration::from_millis(millis));
    }
    let after = text(RETRY_AFTER.as_str())?.trim();
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp());
    let wait = date(after)?.duration_since(date(text(DATE.as_str())?)?);
    Some(Duration::try_from(wait).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_longest() {
        let retries = Retries { attempts: 10, first_wait: SECOND, ..Retries::default() };
        let waits: Vec<Next> = (1..=6).map(|attempt| retries.next(attempt, None, 1.0)).collect();
        let expected = [1, 2, 4, 8, 10, 10].map(|seconds| Next::Wait(SECOND * seconds));
        assert_eq!(waits, expected);
        assert_eq!(retries.next(5, None, 0.0), Next::Wait(Duration::ZERO));
        assert_eq!(retries.next(10, None, 0.5), Next::GiveUp);
        assert_eq!(retries.next(u32::MAX, None, 0.5), Next::GiveUp);
    }

    #[test]
    fn a_server_is_waited_for_up_to_a_limit() {
        let retries = Retries::default();
        assert_eq!(retries.next(1, Some(SECOND * 7), 0.0), Next::Wait(SECOND * 7));
        assert_eq!(retries.next(1, Some(SECOND * 86_400), 0.0), Next::TooLong(SECOND * 86_400));
        assert_eq!(retries.next(4, Some(SECOND), 0.0), Next::GiveUp);
    }

    #[test]
    fn waits_are_read_in_every_spelling() {
        let asked = |pairs: &[(&'static str, &'static str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            asked_wait(&pairs.collect::<HeaderMap>())
        };
        assert_eq!(asked(&[("retry-after", "3")]), Some(SECOND * 3));
        assert_eq!(asked(&[("retry-after", "0.5")]), Some(SECOND / 2));
        assert_eq!(asked(&[("retry-after-ms", "250")]), Some(SECOND / 4));
        let date = ("date", "Sun, 15 Nov 2026 10:00:00 GMT");
        assert_eq!(
            asked(&[date, ("retry-after", "Sun, 15 Nov 2026 10:00:20 GMT")]),
            Some(SECOND * 20)
        );
        assert_eq!(
            asked(&[date, ("retry-after", "Sun, 15 Nov 2026 09:00:00 GMT")]),
            Some(Duration::ZERO)
        );
        for none in ["soon", "-1", "NaN", "inf", "Sun, 15 Nov 2026 10:00:20 GMT", ""] {
            assert_eq!(asked(&[("retry-after", none)]), None, "{none}");
        }
    }

    #[test]
    fn random_stays_in_its_range_and_moves() {
        let drawn: Vec<f64> = (0..50).map(|_| random()).collect();
        assert!(drawn.iter().all(|value| (0.0..=1.0).contains(value)));
        assert!(drawn.windows(2).any(|pair| (pair[0] - pair[1]).abs() > 1e-6));
    }
}
