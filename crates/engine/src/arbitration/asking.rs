//! The calls: which there are, who makes them, and what comes back.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rebuttal_llm::{Chat, Request, Wanted};
use rebuttal_model::Contradiction;
use rebuttal_policy::{Authority, Opinion, Order, Refused, prompt, replies};

use super::Limits;

/// Fewest failures in a row after which a model is not asked again. With more calls at once, as many
/// as those: one bad moment fails them all. A model that hangs must not be waited for hundreds of
/// times.
const FAILURES_LEAST: usize = 4;

/// A model's answer on one contradiction.
type Answer = Result<Opinion, Refused>;

/// One call: some contradictions in one order.
#[derive(Debug)]
struct Call {
    /// The contradictions it asks about, by their place.
    asked: Range<usize>,
    order: Order,
    /// What came back, one for each.
    answers: OnceLock<Vec<Answer>>,
}

impl Call {
    /// What came back, one for each contradiction; reasons where it was not asked.
    fn into_answers(self) -> Vec<Answer> {
        let none = || no_answers(self.asked.len(), "it was not asked");
        self.answers.into_inner().unwrap_or_else(none)
    }
}

/// One empty answer for each, with the reason.
fn no_answers(count: usize, reason: &str) -> Vec<Answer> {
    vec![Err(Refused::NoReply(reason.to_owned())); count]
}

/// All calls, and how far they are.
pub(super) struct Asking<'a> {
    contradictions: &'a [Contradiction],
    authority: &'a Authority,
    arbiter: &'a dyn Chat,
    progress: &'a (dyn Fn(usize, usize) + Sync),
    concurrency: usize,
    /// The two orders of a batch stand side by side.
    calls: Vec<Call>,
    /// The first call nobody has taken.
    next: AtomicUsize,
    /// How often the model failed since it last answered, and how the last time.
    failures: Mutex<(usize, String)>,
    settled: Mutex<Settled>,
}

/// How much is settled, for whoever watches.
#[derive(Debug, Default)]
struct Settled {
    contradictions: usize,
    /// For each batch, whether one of its two orders is there.
    halves: Vec<bool>,
}

impl<'a> Asking<'a> {
    /// All calls, none of which was made.
    pub(super) fn new(
        contradictions: &'a [Contradiction],
        authority: &'a Authority,
        arbiter: &'a dyn Chat,
        limits: &Limits,
        progress: &'a (dyn Fn(usize, usize) + Sync),
    ) -> Self {
        let total = contradictions.len();
        let size = if total < limits.batch_from { 1 } else { limits.batch_size.max(1) };
        let batches = (0..total).step_by(size).map(|start| start..total.min(start + size));
        let halves = vec![false; batches.len()];
        let both = |asked: Range<usize>| {
            [Order::AsGiven, Order::Reversed].map(|order| Call {
                asked: asked.clone(),
                order,
                answers: OnceLock::new(),
            })
        };
        Self {
            contradictions,
            authority,
            arbiter,
            progress,
            concurrency: limits.concurrency.max(1),
            calls: batches.flat_map(both).collect(),
            next: AtomicUsize::new(0),
            failures: Mutex::default(),
            settled: Mutex::new(Settled { contradictions: 0, halves }),
        }
    }

    /// Makes all calls. The answers as given and reversed, for each contradiction.
    pub(super) fn run(self) -> Vec<(Answer, Answer)> {
        thread::scope(|scope| {
            // This thread works too, so a machine that has no thread left is slow, not stuck.
            for _ in 1..self.concurrency.min(self.calls.len()) {
                let name = "rebuttal-arbiter".to_owned();
                thread::Builder::new().name(name).spawn_scoped(scope, || self.work()).ok();
            }
            self.work();
        });
        let (given, reversed): (Vec<Call>, Vec<Call>) =
            self.calls.into_iter().partition(|call| call.order == Order::AsGiven);
        let answers = |calls: Vec<Call>| calls.into_iter().flat_map(Call::into_answers);
        answers(given).zip(answers(reversed)).collect()
    }

    /// Takes calls until there are none.
    fn work(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(call) = self.calls.get(index) else { return };
            call.answers.get_or_init(|| self.answers(call));
            self.tell(index);
        }
    }

    /// Asks, and reads what comes: one answer for each contradiction of the call.
    fn answers(&self, call: &Call) -> Vec<Answer> {
        let asked: Vec<&Contradiction> =
            self.contradictions.get(call.asked.clone()).unwrap_or_default().iter().collect();
        if let Some(reason) = self.given_up() {
            return no_answers(asked.len(), &reason);
        }
        // A batch is answered by a list, which servers do not count as a JSON object.
        let wanted = if asked.len() == 1 { Wanted::Json } else { Wanted::Text };
        let request = Request::new(prompt(&asked, self.authority, call.order)).wanting(wanted);
        match self.arbiter.reply(&request) {
            Ok(reply) => {
                lock(&self.failures).0 = 0;
                replies(&reply.text, &asked, call.order)
            }
            Err(error) => {
                let (reason, mut failures) = (error.to_string(), lock(&self.failures));
                let answers = no_answers(asked.len(), &reason);
                *failures = (failures.0 + 1, reason);
                answers
            }
        }
    }

    /// Why the model is not asked again, if it is not.
    fn given_up(&self) -> Option<String> {
        let failures = lock(&self.failures);
        let (count, last) = &*failures;
        (*count >= self.concurrency.max(FAILURES_LEAST)).then(|| {
            format!(
                "it failed {count} times in a row and was not asked again; the last time: {last}"
            )
        })
    }

    /// Reports the batch of a call, once both its orders are there.
    fn tell(&self, index: usize) {
        let mut settled = lock(&self.settled);
        let Some(half) = settled.halves.get_mut(index / 2) else { return };
        if std::mem::replace(half, true) {
            let batch = self.calls.get(index).map_or(0, |call| call.asked.len());
            settled.contradictions += batch;
            // Under the lock, so that the numbers only rise.
            (self.progress)(settled.contradictions, self.contradictions.len());
        }
    }
}

/// Locks, also after a panic: what the thread left behind is still true.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
