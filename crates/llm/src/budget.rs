//! How many requests may be repeats: in an outage everybody tries again, and a server that is on its
//! knees gets four times its load. A budget for repeats keeps that to a fifth more.
//!
//! Pure but for its lock: the time is handed in, so that tests need no clock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::time::Instant;

/// How many requests of any sixty seconds may be repeats, for all agents of one provider together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetryBudget {
    /// Retries allowed for each hundred first requests.
    pub percent: u32,
    /// Retries that are always allowed: a single call must be able to try again.
    pub least: u32,
}

impl Default for RetryBudget {
    /// A fifth more, and what three agents need to give up in their own time.
    fn default() -> Self {
        Self { percent: 20, least: 10 }
    }
}

/// What was sent in one second.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    firsts: u64,
    repeats: u64,
}

/// What was sent to one provider in the last minute, second by second.
#[derive(Debug)]
pub(crate) struct Repeats {
    budget: RetryBudget,
    since: Instant,
    /// By the number of the second.
    seconds: Mutex<BTreeMap<u64, Sent>>,
}

impl Repeats {
    /// A budget nothing was taken from.
    pub(crate) fn new(budget: RetryBudget) -> Self {
        Self { budget, since: Instant::now(), seconds: Mutex::default() }
    }

    /// The budget of everybody who asks the same provider with the same key.
    pub(crate) fn shared(whose: &str, budget: RetryBudget) -> Arc<Self> {
        static ALL: Mutex<BTreeMap<(String, RetryBudget), Weak<Repeats>>> =
            Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, repeats| repeats.strong_count() > 0);
        let entry = all.entry((whose.to_owned(), budget)).or_default();
        entry.upgrade().unwrap_or_else(|| {
            let repeats = Arc::new(Self::new(budget));
            *entry = Arc::downgrade(&repeats);
            repeats
        })
    }

    /// A request is sent that was not sent before.
    pub(crate) fn first(&self, now: Instant) {
        self.at(now, &mut self.seconds()).firsts += 1;
    }

    /// Whether a request may be sent again now; if so, it counts.
    pub(crate) fn again(&self, now: Instant) -> bool {
        let mut seconds = self.seconds();
        let has_room = self.room(now, &mut seconds);
        if has_room {
            self.at(now, &mut seconds).repeats += 1;
        }
        has_room
    }

    /// Whether it could be, for whoever would wait first.
    pub(crate) fn has_room(&self, now: Instant) -> bool {
        self.room(now, &mut self.seconds())
    }

    /// Whether one more repeat fits into the seconds that count; older ones are forgotten on the
    /// way.
    fn room(&self, now: Instant, seconds: &mut BTreeMap<u64, Sent>) -> bool {
        self.at(now, seconds);
        let last = seconds.keys().next_back().copied().unwrap_or_default();
        // A second that is a minute old in part counts with its repeats and not with its first
        // requests, so that no sixty seconds hold too much.
        let whole = seconds.range((last + 1).saturating_sub(60)..);
        let firsts: u64 = whole.map(|(_, sent)| sent.firsts).sum();
        let repeats: u64 = seconds.values().map(|sent| sent.repeats).sum();
        let share = firsts.saturating_mul(u64::from(self.budget.percent)) / 100;
        repeats < share.saturating_add(u64::from(self.budget.least))
    }

    /// The second that is now; those that are more than a minute old are forgotten.
    fn at<'s>(&self, now: Instant, seconds: &'s mut BTreeMap<u64, Sent>) -> &'s mut Sent {
        let passed = now.saturating_duration_since(self.since).as_secs();
        // Callers read the clock before they wait for the lock, so that it may seem to go back.
        let number = seconds.keys().next_back().map_or(passed, |last| passed.max(*last));
        *seconds = seconds.split_off(&number.saturating_sub(60));
        seconds.entry(number).or_default()
    }

    /// What was sent in each second that counts.
    fn seconds(&self) -> MutexGuard<'_, BTreeMap<u64, Sent>> {
        // Nothing in here can panic half-way.
        self.seconds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use proptest::prelude::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn one_call_may_try_again_and_an_outage_is_not_multiplied() {
        let repeats = Repeats::new(RetryBudget { percent: 20, least: 3 });
        let start = repeats.since;
        assert_eq!((0..5).filter(|_| repeats.again(start)).count(), 3);
        (0..100).for_each(|_| repeats.first(start));
        assert_eq!((0..100).filter(|_| repeats.again(start)).count(), 20);
        assert!(!repeats.has_room(start + MINUTE), "a minute is not over before it is over");
        let later = start + MINUTE + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| repeats.again(later)).count(), 3, "all is forgotten");
    }

    #[test]
    fn the_same_provider_has_one_budget() {
        let (usual, other) = (RetryBudget::default(), RetryBudget { percent: 0, least: 0 });
        let one = Repeats::shared("https://a", usual);
        assert!(Arc::ptr_eq(&one, &Repeats::shared("https://a", usual)));
        assert!(!Arc::ptr_eq(&one, &Repeats::shared("https://b", usual)));
        let none = Repeats::shared("https://a", other);
        assert!(!none.has_room(Instant::now()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// P2: no sixty seconds hold more repeats than the budget.
        #[test]
        fn no_minute_holds_more_repeats_than_the_budget(
            percent in 0_u32..100,
            least in 0_u32..10,
            sent in prop::collection::vec((0_u64..3_000, any::<bool>()), 300),
        ) {
            let repeats = Repeats::new(RetryBudget { percent, least });
            let mut now = repeats.since;
            let mut log: Vec<(Instant, bool)> = Vec::new();
            for (gap, is_first) in sent {
                now += Duration::from_millis(gap);
                if is_first {
                    repeats.first(now);
                } else if !repeats.again(now) {
                    continue;
                }
                log.push((now, is_first));
            }
            for (at, (end, _)) in log.iter().enumerate() {
                let minute: Vec<bool> = log[..=at]
                    .iter()
                    .filter(|(begin, _)| end.duration_since(*begin) < MINUTE)
                    .map(|(_, is_first)| *is_first)
                    .collect();
                let firsts = minute.iter().filter(|is_first| **is_first).count();
                let most = firsts as u64 * u64::from(percent) / 100 + u64::from(least);
                // Only a repeat can break the budget: first requests that leave the minute cannot.
                prop_assert!(log[at].1 || (minute.len() - firsts) as u64 <= most);
            }
        }
    }
}
