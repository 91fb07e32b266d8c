//! Limits on requests and tokens a minute, as providers set them: whoever comes first goes first,
//! and whoever must wait is told for how long.
//!
//! [`Window`] is pure, the time handed in. [`Gate`] lets callers wait for it on tokio's clock.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use rebuttal_model::limits;
use tokio::time::Instant;

use crate::error::Fault;

/// How much a provider may be asked in any sixty seconds. Nothing is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate {
    /// Most requests, repeated ones included.
    pub requests_per_minute: Option<u32>,
    /// Most tokens, read and written. What a reply will have is not known before, so a request
    /// counts with the most it may have until the server has counted.
    pub tokens_per_minute: Option<u64>,
}

/// The length of time that providers count over.
const MINUTE: Duration = Duration::from_mins(1);

/// The requests of the last minute.
#[derive(Debug, Default)]
pub(crate) struct Window {
    rate: Rate,
    entries: VecDeque<Entry>,
    tokens: u64,
    next: u64,
}

/// A request that was let through, and the tokens it was counted with.
#[derive(Debug)]
struct Entry {
    id: u64,
    at: Instant,
    tokens: u64,
}

impl Window {
    /// A window nothing has gone through.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, ..Self::default() }
    }

    /// Lets a request of so many tokens through and gives its number; or says how long to wait
    /// before it is worth asking again.
    pub(crate) fn admit(&mut self, now: Instant, tokens: u64) -> Result<u64, Duration> {
        while let Some(oldest) = self.entries.front()
            && now.saturating_duration_since(oldest.at) >= MINUTE
        {
            self.tokens -= oldest.tokens;
            self.entries.pop_front();
        }
        // What is more than a minute's worth goes when nothing else does.
        let tokens = self.rate.tokens_per_minute.map_or(tokens, |most| tokens.min(most));
        let must_leave = self.excess_requests().max(self.excess_tokens(tokens));
        if let Some(last) = must_leave.checked_sub(1).and_then(|last| self.entries.get(last)) {
            return Err(MINUTE.saturating_sub(now.saturating_duration_since(last.at)));
        }
        let id = self.next;
        self.next += 1;
        self.tokens += tokens;
        self.entries.push_back(Entry { id, at: now, tokens });
        Ok(id)
    }

    /// Says what an admitted request really took.
    pub(crate) fn settle(&mut self, id: u64, tokens: u64) {
        let Ok(at) = self.entries.binary_search_by_key(&id, |entry| entry.id) else { return };
        if let Some(entry) = self.entries.get_mut(at) {
            self.tokens = self.tokens - entry.tokens + tokens;
            entry.tokens = tokens;
        }
    }

    /// How many of the oldest must leave before one more request fits.
    fn excess_requests(&self) -> usize {
        let most = self.rate.requests_per_minute.map_or(limits::RATE_ENTRIES, |most| {
            usize::try_from(most.max(1)).unwrap_or(usize::MAX)
        });
        (self.entries.len() + 1).saturating_sub(most.min(limits::RATE_ENTRIES))
    }

    /// How many of the oldest must leave before so many tokens fit.
    fn excess_tokens(&self, tokens: u64) -> usize {
        let Some(most) = self.rate.tokens_per_minute else { return 0 };
        let mut left = self.tokens;
        let fits = |left: u64| left.saturating_add(tokens) <= most;
        let mut leave = 0;
        for entry in &self.entries {
            if fits(left) {
                break;
            }
            left -= entry.tokens;
            leave += 1;
        }
        leave
    }
}

/// Where the callers of one provider wait.
#[derive(Debug)]
pub(crate) struct Gate {
    rate: Rate,
    window: Mutex<Window>,
    /// Whoever holds it is next. It is handed on in the order in which it was asked for.
    turn: tokio::sync::Mutex<()>,
}

/// An admitted request.
#[derive(Debug)]
pub(crate) struct Ticket(u64);

impl Gate {
    /// A gate with an empty window.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, window: Mutex::new(Window::new(rate)), turn: tokio::sync::Mutex::default() }
    }

    /// The gate of everybody who asks the same provider with the same key under the same limits.
    pub(crate) fn shared(whose: &str, rate: Rate) -> Arc<Self> {
        static GATES: Mutex<BTreeMap<(String, Rate), Weak<Gate>>> = Mutex::new(BTreeMap::new());
        if rate == Rate::default() {
            return Arc::new(Self::new(rate));
        }
        let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| gate.strong_count() > 0);
        let entry = gates.entry((whose.to_owned(), rate)).or_default();
        entry.upgrade().unwrap_or_else(|| {
            let gate = Arc::new(Self::new(rate));
            *entry = Arc::downgrade(&gate);
            gate
        })
    }

    /// Waits for room, at most until `deadline`; `waits` is told before each wait.
    pub(crate) async fn enter(
        &self,
        tokens: u64,
        deadline: Instant,
        waits: &(dyn Fn(Duration) + Send + Sync),
    ) -> Result<Ticket, Fault> {
        if self.rate == Rate::default() {
            return Ok(Ticket(u64::MAX));
        }
        let no_room = |wait| Fault::Queue(wait);
        let turn = tokio::time::timeout_at(deadline, self.turn.lock());
        let _turn = turn.await.map_err(|_| no_room(MINUTE))?;
        loop {
            let now = Instant::now();
            let wait = match self.window().admit(now, tokens) {
                Ok(id) => return Ok(Ticket(id)),
                Err(wait) => wait,
            };
            if now + wait >= deadline {
                return Err(no_room(wait));
            }
            waits(wait);
            tokio::time::sleep(wait).await;
        }
    }

    /// Says what an admitted request really took.
    pub(crate) fn settle(&self, ticket: &Ticket, tokens: u64) {
        self.window().settle(ticket.0, tokens);
    }

    /// The window; a thread that panicked meanwhile left it whole.
    fn window(&self) -> MutexGuard<'_, Window> {
        // Nothing in here can panic half-way.
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio::runtime::Builder;
    use tokio::task::JoinSet;

    fn rate(requests: u32, tokens: u64) -> Rate {
        Rate { requests_per_minute: Some(requests), tokens_per_minute: Some(tokens) }
    }

    #[test]
    fn whoever_is_one_too_many_waits_until_the_first_is_a_minute_old() {
        let (mut window, start) = (Window::new(rate(2, 100)), Instant::now());
        let second = Duration::from_secs(1);
        assert_eq!(window.admit(start, 10), Ok(0));
        assert_eq!(window.admit(start + second, 10), Ok(1));
        assert_eq!(window.admit(start + second * 2, 10), Err(second * 58));
        assert_eq!(window.admit(start + second * 60, 10), Ok(2));
    }

    #[test]
    fn tokens_are_counted_as_feared_until_they_are_known() {
        let (mut window, start) = (Window::new(rate(100, 100)), Instant::now());
        let first = window.admit(start, 90).unwrap();
        assert_eq!(window.admit(start, 20), Err(MINUTE));
        window.settle(first, 30);
        window.admit(start, 70).unwrap();
        assert_eq!(window.admit(start, 1), Err(MINUTE));
        assert!(window.admit(start + MINUTE, 5000).is_ok(), "more than fits goes alone");
    }

    #[test]
    fn callers_wait_in_order_and_are_told() {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.unwrap().block_on(async {
            let gate = Arc::new(Gate::new(rate(1, 1000)));
            let told: Arc<Mutex<Vec<(u32, u64)>>> = Arc::default();
            let start = Instant::now();
            let deadline = start + Duration::from_secs(150);
            let mut callers = JoinSet::new();
            for n in 0..4 {
                let (gate, told) = (Arc::clone(&gate), Arc::clone(&told));
                callers.spawn(async move {
                    let waits = |wait: Duration| told.lock().unwrap().push((n, wait.as_secs()));
                    let entered = gate.enter(1, deadline, &waits).await;
                    (n, start.elapsed().as_secs(), entered.is_ok())
                });
            }
            let mut order = Vec::new();
            while let Some(ended) = callers.join_next().await {
                order.push(ended.unwrap());
            }
            assert_eq!(order, [(0, 0, true), (1, 60, true), (2, 120, true), (3, 120, false)]);
            assert_eq!(*told.lock().unwrap(), [(1, 60), (2, 60)]);
        });
    }

    #[test]
    fn the_same_provider_is_one_gate() {
        let one = Gate::shared("https://a", rate(1, 1));
        assert!(Arc::ptr_eq(&one, &Gate::shared("https://a", rate(1, 1))));
        assert!(!Arc::ptr_eq(&one, &Gate::shared("https://b", rate(1, 1))));
        assert!(!Arc::ptr_eq(&one, &Gate::shared("https://a", rate(2, 1))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// P4: no sixty seconds hold more than the limit, and nobody waits for ever.
        #[test]
        fn no_minute_holds_more_than_the_limit(
            requests in 1_u32..20,
            most in 1_u64..2000,
            arrivals in prop::collection::vec((0_u64..20_000, 0_u64..500, 0_u64..500), 250),
        ) {
            let mut window = Window::new(rate(requests, most));
            let start = Instant::now();
            let (mut now, mut admitted) = (start, Vec::new());
            for (gap, feared, real) in arrivals {
                now += Duration::from_millis(gap);
                let mut tries = 0;
                let id = loop {
                    match window.admit(now, feared) {
                        Ok(id) => break id,
                        Err(wait) => now += wait,
                    }
                    tries += 1;
                    prop_assert!(tries < 3, "one wait is enough");
                };
                let real = real.min(feared).min(most);
                window.settle(id, real);
                admitted.push((now, feared.min(most), real));
            }
            for (at, (end, feared, real)) in admitted.iter().enumerate() {
                let minute: Vec<_> = admitted[..=at]
                    .iter()
                    .filter(|(begin, ..)| end.duration_since(*begin) < MINUTE)
                    .collect();
                prop_assert!(minute.len() <= requests as usize);
                let tokens: u64 = minute.iter().map(|(_, _, real)| real).sum();
                prop_assert!(tokens - real + feared <= most);
            }
        }
    }
}
