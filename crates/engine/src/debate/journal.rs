//! Where a debate's records go before anything else happens: a store, or memory.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rebuttal_model::{Event, Record, StreamId};
use rebuttal_store::{Error, Head, Lease, Store, seal};

/// What a journal is doing.
pub type Writing<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Where records go. [`Store`] is one; [`MemoryJournal`] is for tests, simulations and debates that
/// nobody wants to keep.
pub trait Journal: Send + Sync {
    /// Adds events after the first `seen` records, all or none. Once it answers, they are as durable
    /// as they will ever be; if somebody else wrote meanwhile, nothing is written.
    fn append<'a>(
        &'a self,
        stream: &'a StreamId,
        seen: u64,
        at: Timestamp,
        events: &'a [Event],
    ) -> Writing<'a, Vec<Record>>;

    /// Acquires the right to run a stream's debate, which one has at a time. Where nobody else can get
    /// at the journal, it is there for the asking.
    fn lease<'a>(&'a self, _stream: &'a StreamId) -> Writing<'a, Lease> {
        Box::pin(async { Ok(Lease::unshared()) })
    }

    /// All records of a stream, in order. An error if one is not what was written.
    fn records<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Vec<Record>>;
}

impl<J: Journal + ?Sized> Journal for Arc<J> {
    fn append<'a>(
        &'a self,
        stream: &'a StreamId,
        seen: u64,
        at: Timestamp,
        events: &'a [Event],
    ) -> Writing<'a, Vec<Record>> {
        (**self).append(stream, seen, at, events)
    }

    fn records<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Vec<Record>> {
        (**self).records(stream)
    }

    fn lease<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Lease> {
        (**self).lease(stream)
    }
}

impl Journal for Store {
    fn append<'a>(
        &'a self,
        stream: &'a StreamId,
        seen: u64,
        at: Timestamp,
        events: &'a [Event],
    ) -> Writing<'a, Vec<Record>> {
        Box::pin(Store::append(self, stream, Some(seen), at, events))
    }

    fn records<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Vec<Record>> {
        Box::pin(Store::records(self, stream))
    }

    fn lease<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Lease> {
        Box::pin(Store::lease(self, stream))
    }
}

/// Records that live as long as the process. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    streams: Arc<Mutex<HashMap<StreamId, Vec<Record>>>>,
}

impl MemoryJournal {
    /// Appends to a stream, unless it is not as long as the caller believes.
    fn add(
        &self,
        stream: &StreamId,
        seen: u64,
        at: Timestamp,
        events: &[Event],
    ) -> Result<Vec<Record>, Error> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let records = streams.entry(stream.clone()).or_default();
        let head = records.last().map_or(Head::EMPTY, Head::of);
        if head.seq != seen {
            return Err(Error::Conflict {
                stream: stream.clone(),
                expected: seen,
                found: head.seq,
            });
        }
        let mut written = Vec::with_capacity(events.len());
        let mut head = head;
        for event in events {
            let record = seal(stream, head, at, event)?;
            head = Head::of(&record);
            written.push(record);
        }
        records.extend(written.iter().cloned());
        Ok(written)
    }
}

impl Journal for MemoryJournal {
    fn append<'a>(
        &'a self,
        stream: &'a StreamId,
        seen: u64,
        at: Timestamp,
        events: &'a [Event],
    ) -> Writing<'a, Vec<Record>> {
        Box::pin(async move { self.add(stream, seen, at, events) })
    }

    fn records<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Vec<Record>> {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let records = streams.get(stream).cloned().unwrap_or_default();
        Box::pin(async move { Ok(records) })
    }
}
