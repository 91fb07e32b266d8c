//! Streams in the database: appended to, read, checked.

use std::cmp::Ordering;

use jiff::Timestamp;
use rebuttal_model::{Event, Hash, Record, StreamId};

use super::chain::{Entry, Head, Walk};
use super::record::{payload, record, sealed};
use crate::sql::{Args, Row, Tx};
use crate::{Broken, Error, Fault, Result, Store, debates};

/// How many records are read at a time: one of the ledger's may hold a thousand positions.
const PAGE: u64 = 32;

/// Locks the stream for the rest of the transaction, and says where it ends.
const LOCK: &str = "INSERT INTO streams (stream, seq, hash) VALUES ($1, 0, $2)
    ON CONFLICT (stream) DO UPDATE SET seq = streams.seq RETURNING seq, hash";

/// Adds a record. The table's triggers refuse every other change.
const INSERT: &str = "INSERT INTO journal (stream, seq, at, prev, hash, payload)
    VALUES ($1, $2, $3, $4, $5, $6)";

/// Moves the head of a stream to its newest record.
const ADVANCE: &str = "UPDATE streams SET seq = $2, hash = $3 WHERE stream = $1";

/// The head of one stream.
const HEAD: &str = "SELECT seq, hash FROM streams WHERE stream = $1";

/// Every stream that has a record, with its head.
const STREAMS: &str = "SELECT stream, seq, hash FROM streams WHERE seq > 0 ORDER BY stream";

/// Records of a stream from a number on, at most so many.
const READ: &str = "SELECT stream, seq, at, prev, hash, payload FROM journal
    WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3";

impl Store {
    /// Adds events to a stream, and returns once they are durable as the store was opened to be.
    ///
    /// `expected` is how many records the caller has seen; if there are more by now, nothing is
    /// written and the answer is [`Error::Conflict`]. With `None` they go wherever the end is. If this
    /// store has the stream's lease and was overtaken, the answer is [`Error::Overtaken`].
    ///
    /// The ledger's stream has writers of its own, which keep its tables in step.
    pub async fn append(
        &self,
        stream: &StreamId,
        expected: Option<u64>,
        at: Timestamp,
        events: &[Event],
    ) -> Result<Vec<Record>> {
        if *stream == StreamId::ledger() {
            let message = "the ledger's stream is written by taking positions, not by appending";
            return Err(Error::Invalid(message.to_owned()));
        }
        let mut tx = self.db.begin(self.durability).await?;
        let mut head = lock(&mut tx, stream, expected).await?;
        self.check_lease(&mut tx, stream).await?;
        let mut entries = Vec::with_capacity(events.len());
        for event in events {
            let entry = put(&mut tx, stream, head, at, event).await?;
            head = Head { seq: entry.seq, hash: entry.hash };
            entries.push(entry);
        }
        debates::update(&mut tx, stream, &entries).await?;
        let records = entries.into_iter().map(record).collect::<Result<_>>()?;
        tx.commit().await?;
        Ok(records)
    }

    /// The records of a stream after the first `after`, a page at a time; an empty page is the end.
    pub async fn read(&self, stream: &StreamId, after: u64) -> Result<Vec<Record>> {
        self.entries(stream, after).await?.into_iter().map(record).collect()
    }

    /// Reads records with their events as bytes.
    pub async fn entries(&self, stream: &StreamId, after: u64) -> Result<Vec<Entry>> {
        let args = Args::none().text(stream.as_str()).count(after).count(PAGE);
        let rows = self.db.rows(READ, args).await?;
        rows.into_iter().map(entry).collect()
    }

    /// Where a stream ends.
    pub async fn head(&self, stream: &StreamId) -> Result<Head> {
        let row = self.db.row(HEAD, Args::none().text(stream.as_str())).await?;
        row.map_or(Ok(Head::EMPTY), |mut row| read_head(&mut row))
    }

    /// All streams that have records, in order of name.
    pub async fn streams(&self) -> Result<Vec<(StreamId, Head)>> {
        let rows = self.db.rows(STREAMS, Args::none()).await?;
        rows.into_iter()
            .map(|mut row| Ok((StreamId::new(row.text()?), read_head(&mut row)?)))
            .collect()
    }

    /// Reads a stream from its beginning and checks every record. `known` is a head that was kept
    /// elsewhere; the stream may have grown since.
    pub async fn verify(&self, stream: &StreamId, known: Option<Head>) -> Result<Head> {
        self.walk(stream, known, |_| Ok(())).await
    }

    /// All records of a stream, in order, checked as by [`Store::verify`].
    pub async fn records(&self, stream: &StreamId) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        self.walk(stream, None, |entry| {
            records.push(record(entry)?);
            Ok(())
        })
        .await?;
        Ok(records)
    }

    /// Goes through a stream page by page, checking each record against the one before.
    async fn walk(
        &self,
        stream: &StreamId,
        known: Option<Head>,
        mut each: impl FnMut(Entry) -> Result<()>,
    ) -> Result<Head> {
        let mut walk = Walk::new(stream.clone(), known);
        loop {
            let page = self.entries(stream, walk.head().seq).await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                walk.step(&entry)?;
                each(entry)?;
            }
        }
        let found = walk.end()?;
        // Asked last: whoever writes meanwhile only moves it on.
        let stored = self.head(stream).await?;
        match stored.seq.cmp(&found.seq) {
            Ordering::Less => Err(walk.at_head(Fault::Extra).into()),
            Ordering::Equal if stored.hash != found.hash => {
                Err(walk.at_head(Fault::Rewritten).into())
            }
            Ordering::Greater if !self.reads_on(stream, found).await? => {
                Err(walk.broken(Fault::Missing { last: stored.seq }).into())
            }
            _ => Ok(found),
        }
    }

    /// True when the stream has a record after `head`.
    async fn reads_on(&self, stream: &StreamId, head: Head) -> Result<bool> {
        Ok(!self.entries(stream, head.seq).await?.is_empty())
    }
}

/// Locks a stream and checks that it ends where the caller thinks.
pub(crate) async fn lock(
    tx: &mut Tx<'_>,
    stream: &StreamId,
    expected: Option<u64>,
) -> Result<Head> {
    let args = Args::none().text(stream.as_str()).bytes(Hash::ZERO.as_bytes());
    let row = tx.row(LOCK, args).await?;
    let head = row.map_or(Ok(Head::EMPTY), |mut row| read_head(&mut row))?;
    match expected {
        Some(expected) if expected != head.seq => {
            Err(Error::Conflict { stream: stream.clone(), expected, found: head.seq })
        }
        _ => Ok(head),
    }
}

/// Adds an event after `head`, in a stream that is locked.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    stream: &StreamId,
    head: Head,
    at: Timestamp,
    event: &Event,
) -> Result<Entry> {
    put_written(tx, stream, head, at, payload(event)?).await
}

/// Seals an event that is written already.
pub(crate) async fn put_written(
    tx: &mut Tx<'_>,
    stream: &StreamId,
    head: Head,
    at: Timestamp,
    payload: Vec<u8>,
) -> Result<Entry> {
    let entry = sealed(stream, head, at, payload);
    insert(tx, &entry).await?;
    advance(tx, stream, Head { seq: entry.seq, hash: entry.hash }).await?;
    Ok(entry)
}

/// Writes a sealed record.
pub(super) async fn insert(tx: &mut Tx<'_>, entry: &Entry) -> Result<()> {
    let args = Args::none()
        .text(entry.stream.as_str())
        .count(entry.seq)
        .int(entry.at)
        .bytes(entry.prev.as_bytes())
        .bytes(entry.hash.as_bytes())
        .bytes(&entry.payload);
    tx.run(INSERT, args).await.map(drop)
}

/// Writes the new head of a stream, in the same transaction.
pub(super) async fn advance(tx: &mut Tx<'_>, stream: &StreamId, head: Head) -> Result<()> {
    let args = Args::none().text(stream.as_str()).count(head.seq).bytes(head.hash.as_bytes());
    tx.run(ADVANCE, args).await.map(drop)
}

/// Reads a row of the journal.
pub(crate) fn entry(mut row: Row) -> Result<Entry> {
    let stream = StreamId::new(row.text()?);
    let seq = row.count()?;
    let at = row.int()?;
    let mut read = || -> Result<Hash> {
        hash(&mut row).map_err(|error| {
            let fault = Fault::Unreadable { detail: error.to_string() };
            Broken { stream: stream.clone(), seq, fault }.into()
        })
    };
    let (prev, hash) = (read()?, read()?);
    Ok(Entry { stream, seq, at, prev, hash, payload: row.take()? })
}

/// Reads the number and the hash of a last record.
fn read_head(row: &mut Row) -> Result<Head> {
    Ok(Head { seq: row.count()?, hash: hash(row)? })
}

/// Reads a hash, which has exactly 32 bytes.
fn hash(row: &mut Row) -> Result<Hash> {
    let bytes: Vec<u8> = row.take()?;
    let bytes = <[u8; 32]>::try_from(bytes)
        .map_err(|bytes| Error::Invalid(format!("a hash of {} bytes is none", bytes.len())))?;
    Ok(Hash::new(bytes))
}
