//! What can be seen of a running debate, by any number of watchers, each at its own pace.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream::{self, BoxStream, StreamExt as _};
use rebuttal_model::{AgentId, Call, Record};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// How many updates wait for a slow watcher. One that falls further behind misses words, never records.
const WAITING: usize = 1_024;

/// Something that can be seen of a running debate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// A record, once it is in the journal.
    Recorded(Arc<Record>),
    /// An agent is being asked.
    Asked {
        /// The number of the last record before it.
        seq: u64,
        /// Who is asked, and for what.
        call: Call,
    },
    /// Words of an answer as they come. They are no answer until a record says so.
    Words {
        /// The number of the last record before them.
        seq: u64,
        /// Who speaks.
        agent: AgentId,
        /// The words.
        words: String,
    },
}

impl Update {
    /// The number of the record, or of the last record before it: where to go on from after a break.
    pub fn seq(&self) -> u64 {
        match self {
            Self::Recorded(record) => record.seq,
            Self::Asked { seq, .. } | Self::Words { seq, .. } => *seq,
        }
    }
}

/// Where the updates of one run go.
#[derive(Debug)]
pub(super) struct Feed(Mutex<Shown>);

/// What was shown so far, and to whom.
#[derive(Debug)]
struct Shown {
    records: Vec<Arc<Record>>,
    /// `None` once the run has ended.
    updates: Option<broadcast::Sender<Update>>,
    /// Listens since before the run began: for the first watcher, which asks for it only afterwards.
    opening: Option<Opening>,
}

/// A watcher that has not seen the first records yet.
#[derive(Debug)]
struct Opening {
    updates: broadcast::Receiver<Update>,
    /// The records that were there before the run.
    records: usize,
}

impl Feed {
    /// A feed that begins with these records.
    pub(super) fn new(records: Vec<Arc<Record>>) -> Self {
        let updates = broadcast::Sender::new(WAITING);
        let opening = Some(Opening { updates: updates.subscribe(), records: records.len() });
        Self(Mutex::new(Shown { records, updates: Some(updates), opening }))
    }

    /// What was shown; a thread that panicked meanwhile left it whole.
    fn lock(&self) -> MutexGuard<'_, Shown> {
        // What a panic leaves behind is still true: records are only added.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows records that are in the journal.
    pub(super) fn record(&self, records: impl IntoIterator<Item = Record>) {
        let mut shown = self.lock();
        for record in records {
            let record = Arc::new(record);
            shown.records.push(Arc::clone(&record));
            shown.send(Update::Recorded(record));
        }
    }

    /// Tells that an agent is being asked.
    pub(super) fn asked(&self, call: &Call) {
        let shown = self.lock();
        shown.send(Update::Asked { seq: shown.seq(), call: call.clone() });
    }

    /// Tells words of an answer on its way.
    pub(super) fn words(&self, agent: &AgentId, words: &str) {
        let shown = self.lock();
        let (agent, words) = (agent.clone(), words.to_owned());
        shown.send(Update::Words { seq: shown.seq(), agent, words });
    }

    /// The records after a number.
    pub(super) fn after(&self, seq: u64) -> Vec<Arc<Record>> {
        self.lock().after(seq)
    }
}

impl Shown {
    /// The number of the last record that was shown.
    fn seq(&self) -> u64 {
        self.records.last().map_or(0, |record| record.seq)
    }

    /// The records after a number.
    fn after<C: FromIterator<Arc<Record>>>(&self, seq: u64) -> C {
        let from = self.records.partition_point(|record| record.seq <= seq);
        self.records.iter().skip(from).cloned().collect()
    }

    /// Sends an update to whoever watches; nobody has to.
    fn send(&self, update: Update) {
        if let Some(updates) = &self.updates {
            // That nobody watches is no error.
            updates.send(update).ok();
        }
    }
}

/// Ends the updates when the run does, however it does.
#[derive(Debug)]
pub(super) struct Closing(pub(super) Arc<Feed>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.lock().updates = None;
    }
}

/// The updates of a debate, from a record on until the run ends.
#[derive(Debug)]
pub struct Events {
    feed: Arc<Feed>,
    updates: broadcast::Receiver<Update>,
    /// The number of the last record that was given.
    seen: u64,
    waiting: VecDeque<Arc<Record>>,
}

impl Events {
    /// Updates after a record of this number.
    pub(super) fn new(feed: &Arc<Feed>, after: u64) -> Self {
        let mut shown = feed.lock();
        let opening = shown.opening.take_if(|_| after == 0);
        let (updates, waiting) = match (opening, &shown.updates) {
            (Some(opening), _) => {
                (opening.updates, shown.records.iter().take(opening.records).cloned().collect())
            }
            (None, Some(updates)) => (updates.subscribe(), shown.after(after)),
            (None, None) => (broadcast::Sender::new(1).subscribe(), shown.after(after)),
        };
        Self { feed: Arc::clone(feed), updates, seen: after, waiting }
    }

    /// The next update; `None` once the run has ended and everything was given.
    pub async fn next(&mut self) -> Option<Update> {
        loop {
            if let Some(record) = self.waiting.pop_front() {
                self.seen = record.seq;
                return Some(Update::Recorded(record));
            }
            match self.updates.recv().await {
                Ok(Update::Recorded(record)) if record.seq <= self.seen => {}
                Ok(Update::Recorded(record)) => {
                    self.seen = record.seq;
                    return Some(Update::Recorded(record));
                }
                Ok(update) => return Some(update),
                Err(RecvError::Lagged(_)) => self.waiting = self.feed.after(self.seen).into(),
                Err(RecvError::Closed) => {
                    self.waiting = self.feed.after(self.seen).into();
                    if self.waiting.is_empty() {
                        return None;
                    }
                }
            }
        }
    }

    /// Gives the updates as a stream.
    pub fn into_stream(self) -> BoxStream<'static, Update> {
        let next = |mut events: Self| async move { events.next().await.map(|one| (one, events)) };
        stream::unfold(self, next).boxed()
    }
}
