//! A watcher of one debate: every record once and in order, from wherever it left off.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use rebuttal::model::StreamId;
use rebuttal::store::Store;
use tokio::sync::{broadcast, watch};
use tokio::time::sleep;

use super::App;
use super::feed::{Feed, Shown};
use crate::auth::Caller;
use crate::metrics::Watching;
use crate::problem::Problem;

/// How often something is sent when nothing happens, so that both sides know that the other is there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How long to wait when the store cannot be read.
const RETRY: Duration = Duration::from_millis(500);

/// What a watcher wants to see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Everything after this record.
    pub(crate) after: u64,
    /// Only events of these kinds; all if there are none.
    pub(crate) kinds: BTreeSet<String>,
    /// Words as they are said, too.
    pub(crate) words: Words,
}

/// Whether words are shown before they are a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Words {
    Shown,
    #[default]
    Hidden,
}

/// Something to send to a watcher.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Record(Shown),
    /// Words of an answer that is still being made.
    Words(Bytes),
    /// Nothing happened for a while.
    Heartbeat,
    /// The debate has ended, and everything was sent.
    Ended,
    /// The server stops; another one, or this one later, goes on from the last record.
    Stopping,
}

/// A watcher of one debate.
#[derive(Debug)]
pub(crate) struct Subscription {
    store: Arc<Store>,
    stream: StreamId,
    feed: Arc<Feed>,
    head: watch::Receiver<u64>,
    words: Option<broadcast::Receiver<Bytes>>,
    stopping: watch::Receiver<bool>,
    kinds: BTreeSet<String>,
    after: u64,
    ready: VecDeque<Shown>,
    state: Watch,
    _watching: Watching,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watch {
    Open,
    /// The last record was handed out.
    AtEnd,
    Closed,
}

impl App {
    /// Begins to watch a debate.
    pub(crate) async fn subscribe(
        &self,
        caller: &Caller,
        id: &str,
        wanted: Wanted,
    ) -> Result<Subscription, Problem> {
        let (debate, _) = self.visible(caller, id).await?;
        let stream = StreamId::debate(&debate);
        let mut state = Watch::Open;
        // Who has seen the last record of a debate that has ended waits for nothing.
        let head = self.store.head(&stream).await?.seq;
        if head > 0 && wanted.after >= head {
            let last = self.store.read(&stream, head - 1).await?;
            if last.iter().filter_map(Shown::of).any(|shown| shown.is_end) {
                state = Watch::AtEnd;
            }
        }
        let feed = self.feeds.of(&debate, &self.store, &self.jobs);
        Ok(Subscription {
            store: Arc::clone(&self.store),
            stream,
            head: feed.head(),
            words: (wanted.words == Words::Shown).then(|| feed.words()),
            stopping: self.stopping.subscribe(),
            feed,
            kinds: wanted.kinds,
            after: wanted.after,
            ready: VecDeque::new(),
            state,
            _watching: self.metrics.watching(),
        })
    }
}

impl Subscription {
    /// What to send next; `None` when there will be nothing more.
    pub(crate) async fn next(&mut self) -> Option<Seen> {
        loop {
            match self.state {
                Watch::Closed => return None,
                Watch::AtEnd => {
                    self.state = Watch::Closed;
                    return Some(Seen::Ended);
                }
                Watch::Open => {}
            }
            if let Some(shown) = self.taken() {
                return Some(Seen::Record(shown));
            }
            if self.state != Watch::Open {
                continue;
            }
            self.head.mark_unchanged();
            match self.more().await {
                Ok(true) => {}
                Ok(false) => {
                    if let Some(seen) = self.wait().await {
                        return Some(seen);
                    }
                }
                Err(_) => sleep(RETRY).await,
            }
        }
    }

    /// The next record that is wanted, of those that were read.
    fn taken(&mut self) -> Option<Shown> {
        while let Some(shown) = self.ready.pop_front() {
            self.after = shown.seq;
            if shown.is_end {
                self.state = Watch::AtEnd;
            }
            if self.kinds.is_empty() || self.kinds.contains(&shown.kind) {
                return Some(shown);
            }
        }
        None
    }

    /// Reads what is new; whether there was something.
    async fn more(&mut self) -> Result<bool, rebuttal::store::Error> {
        let new = if let Some(latest) = self.feed.after(self.after) {
            latest
        } else {
            let records = self.store.read(&self.stream, self.after).await?;
            records.iter().filter_map(Shown::of).collect()
        };
        self.ready = new.into();
        Ok(!self.ready.is_empty())
    }

    /// Waits until there may be something new.
    async fn wait(&mut self) -> Option<Seen> {
        if *self.stopping.borrow() {
            self.state = Watch::Closed;
            return Some(Seen::Stopping);
        }
        let words = async {
            match &mut self.words {
                Some(words) => loop {
                    match words.recv().await {
                        Ok(said) => return said,
                        Err(broadcast::error::RecvError::Lagged(_)) => {}
                        Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
                    }
                },
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.head.changed() => None,
            said = words => Some(Seen::Words(said)),
            _ = self.stopping.changed() => None,
            () = sleep(HEARTBEAT) => Some(Seen::Heartbeat),
        }
    }
}
