//! One debate as many watch it: its records are read once from the store and shown to all.
//!
//! A broadcast only wakes; what a watcher has not seen it takes from the latest records kept here, or, when
//! it is further behind, from the store. So nobody can miss a record, whoever writes it: a debate that runs on
//! another server is asked for now and then.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::body::Bytes;
use rebuttal::engine::debate::Update;
use rebuttal::jobs::Jobs;
use rebuttal::model::{DebateId, Event, Record, StreamId};
use rebuttal::store::Store;
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};
use tokio::time::{sleep, timeout};

/// How often a debate is looked at that does not run here.
const LOOK: Duration = Duration::from_millis(400);

/// How many records are kept for those who watch.
const KEPT: usize = 256;

/// How many pieces of words wait for a slow watcher, who misses what is more.
const WORDS: usize = 256;

/// A record as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) seq: u64,
    /// What kind of event it is, as in the journal: `round_started`, ….
    pub(crate) kind: String,
    pub(crate) is_end: bool,
    /// The whole server-sent event; all watchers share it.
    pub(crate) frame: Bytes,
}

impl Shown {
    /// A turn in words: who says what, as Markdown.
    pub(crate) fn said(&self) -> Option<String> {
        if self.kind != "turn_taken" {
            return None;
        }
        let data = self
            .frame
            .split(|byte| *byte == b'\n')
            .find_map(|line| line.strip_prefix(b"data: "))?;
        let record: Record = serde_json::from_slice(data).ok()?;
        let Event::TurnTaken { turn, .. } = record.event else { return None };
        Some(format!("**{}**: {}\n\n", turn.agent, turn.text))
    }

    pub(super) fn of(record: &Record) -> Option<Self> {
        let document = serde_json::to_value(record).ok()?;
        let kind = document.pointer("/event/type").and_then(Value::as_str)?.to_owned();
        let seq = record.seq;
        let frame = format!("id: {seq}\nevent: {kind}\ndata: {document}\n\n");
        let is_end = matches!(record.event, Event::Decided { .. });
        Some(Self { seq, kind, is_end, frame: frame.into() })
    }
}

/// The debates that are watched.
#[derive(Debug, Default)]
pub(super) struct Feeds(Mutex<HashMap<DebateId, Weak<Feed>>>);

/// One debate that is watched.
#[derive(Debug)]
pub(super) struct Feed {
    latest: Mutex<VecDeque<Shown>>,
    /// The number of the last record that is known.
    head: watch::Sender<u64>,
    words: broadcast::Sender<Bytes>,
}

impl Feeds {
    /// The feed of a debate, begun if nobody watches it yet.
    pub(super) fn of(&self, id: &DebateId, store: &Arc<Store>, jobs: &Jobs) -> Arc<Feed> {
        let mut feeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(feed) = feeds.get(id).and_then(Weak::upgrade) {
            return feed;
        }
        feeds.retain(|_, feed| feed.strong_count() > 0);
        let feed = Arc::new(Feed {
            latest: Mutex::default(),
            head: watch::Sender::new(0),
            words: broadcast::Sender::new(WORDS),
        });
        feeds.insert(id.clone(), Arc::downgrade(&feed));
        // Ends by itself when the last watcher has gone.
        tokio::spawn(follow(Arc::downgrade(&feed), id.clone(), Arc::clone(store), jobs.clone()));
        feed
    }
}

impl Feed {
    pub(super) fn head(&self) -> watch::Receiver<u64> {
        self.head.subscribe()
    }

    pub(super) fn words(&self) -> broadcast::Receiver<Bytes> {
        self.words.subscribe()
    }

    /// What comes after a record, if it is kept here; `None` where the store has to be asked.
    pub(super) fn after(&self, seq: u64) -> Option<Vec<Shown>> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let first = latest.front()?.seq;
        (first <= seq + 1).then(|| latest.iter().filter(|shown| shown.seq > seq).cloned().collect())
    }

    fn push(&self, records: &[Record]) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.extend(records.iter().filter_map(Shown::of));
        let more = latest.len().saturating_sub(KEPT);
        latest.drain(..more);
        drop(latest);
        if let Some(last) = records.last() {
            self.head.send_replace(last.seq);
        }
    }
}

/// Reads what is new as long as somebody watches.
async fn follow(feed: Weak<Feed>, id: DebateId, store: Arc<Store>, jobs: Jobs) {
    let stream = StreamId::debate(&id);
    let mut seq = match store.head(&stream).await {
        // What was there before, each watcher reads for itself.
        Ok(head) => head.seq,
        Err(_) => 0,
    };
    if let Some(feed) = feed.upgrade() {
        feed.head.send_replace(seq);
    }
    let mut updates = None;
    loop {
        updates = updates.or_else(|| jobs.updates(&id));
        let read = store.read(&stream, seq).await;
        {
            let Some(feed) = feed.upgrade() else { return };
            if let Ok(records) = &read
                && let Some(last) = records.last()
            {
                seq = last.seq;
                feed.push(records);
                continue;
            }
        }
        match &mut updates {
            None => sleep(LOOK).await,
            Some(running) => match timeout(LOOK, running.recv()).await {
                Ok(Ok(update)) => {
                    if let (Some(words), Some(feed)) = (words(&update), feed.upgrade()) {
                        feed.words.send(words).ok();
                    }
                }
                Ok(Err(broadcast::error::RecvError::Closed)) => updates = None,
                Ok(Err(broadcast::error::RecvError::Lagged(_))) | Err(_) => {}
            },
        }
    }
}

/// What is said right now, before it is a record: an event without an id, so that nobody resumes after it.
fn words(update: &Update) -> Option<Bytes> {
    let (kind, document) = match update {
        Update::Asked { call, .. } => {
            ("asked", json!({ "agent": call.agent, "round": call.round, "purpose": call.purpose }))
        }
        Update::Words { agent, words, .. } => ("words", json!({ "agent": agent, "words": words })),
        _ => return None,
    };
    Some(format!("event: {kind}\ndata: {document}\n\n").into())
}
