//! Who runs when: sequences that write at the same time go through the weights together.
//!
//! Reading the weights is what a token costs, and up to four tokens share one reading. Whoever
//! wants a step hands it in; the first to find that everybody has done so runs them all, and the
//! others wait for theirs. There is no thread in the background and no wait without an end.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::forward::{Scratch, Step, forward};
use super::weights::Weights;

/// How long a step waits for the company of others. A fraction of what a step takes.
const PATIENCE: Duration = Duration::from_millis(2);

/// Runs steps of any number of sequences.
#[derive(Debug)]
pub(crate) struct Runner {
    pub(crate) weights: Weights,
    pool: ThreadPool,
    scratch: Mutex<Scratch>,
    desk: Mutex<Desk>,
    changed: Condvar,
}

/// The steps that wait to be computed, and who waits for them.
#[derive(Debug, Default)]
struct Desk {
    /// Sequences that are being written.
    writing: usize,
    next: u64,
    waiting: Vec<(u64, Step)>,
    /// `None` where a step was lost to a panic.
    done: BTreeMap<u64, Option<Step>>,
    busy: bool,
}

/// A sequence counts as being written while this is held.
#[derive(Debug)]
pub(crate) struct Writing<'r> {
    runner: &'r Runner,
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let mut desk = lock(&self.runner.desk);
        desk.writing = desk.writing.saturating_sub(1);
        drop(desk);
        self.runner.changed.notify_all();
    }
}

impl Runner {
    /// A runner with nothing to do.
    pub(crate) fn new(weights: Weights, pool: ThreadPool) -> Self {
        let (scratch, desk) = (Mutex::default(), Mutex::default());
        Self { weights, pool, scratch, desk, changed: Condvar::new() }
    }

    /// Says that one more reply is being written: whoever computes waits a moment for its step.
    pub(crate) fn writing(&self) -> Writing<'_> {
        lock(&self.desk).writing += 1;
        Writing { runner: self }
    }

    /// Runs one step, with others if there are any. `None` if it was lost.
    pub(crate) fn run(&self, step: Step) -> Option<Step> {
        let begun = Instant::now();
        let mut desk = lock(&self.desk);
        let ticket = desk.next;
        desk.next += 1;
        desk.waiting.push((ticket, step));
        loop {
            if let Some(step) = desk.done.remove(&ticket) {
                return step;
            }
            let complete = desk.waiting.len() >= desk.writing || begun.elapsed() >= PATIENCE;
            if !desk.busy && complete && !desk.waiting.is_empty() {
                desk.busy = true;
                let steps = std::mem::take(&mut desk.waiting);
                drop(desk);
                self.run_all(steps);
                desk = lock(&self.desk);
                continue;
            }
            let waited = self.changed.wait_timeout(desk, PATIENCE);
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Computes the steps of several replies in one pass.
    fn run_all(&self, steps: Vec<(u64, Step)>) {
        let (tickets, mut steps): (Vec<u64>, Vec<Step>) = steps.into_iter().unzip();
        let mut hand_back = HandBack { runner: self, tickets, steps: Vec::new() };
        let mut scratch = lock(&self.scratch);
        let scratch: &mut Scratch = &mut scratch;
        self.pool.install(|| forward(&self.weights, &mut steps, scratch));
        hand_back.steps = steps;
    }
}

/// Hands steps back even if running them panicked, so that nobody waits for ever.
struct HandBack<'r> {
    runner: &'r Runner,
    tickets: Vec<u64>,
    steps: Vec<Step>,
}

impl Drop for HandBack<'_> {
    fn drop(&mut self) {
        let mut desk = lock(&self.runner.desk);
        let mut steps = self.steps.drain(..);
        for ticket in &self.tickets {
            desk.done.insert(*ticket, steps.next());
        }
        desk.busy = false;
        drop(desk);
        self.runner.changed.notify_all();
    }
}

/// Locks; a thread that panicked meanwhile left the value whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
