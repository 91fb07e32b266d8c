//! From an event to a record and back, without any database.

use jiff::Timestamp;
use rebuttal_model::{Event, Record, StreamId};

use super::chain::{Entry, Head};
use crate::{Broken, Error, Fault, Result};

/// The record that an event becomes after `head`, for journals that are kept elsewhere than in a
/// store.
pub fn seal(stream: &StreamId, head: Head, at: Timestamp, event: &Event) -> Result<Record> {
    entry_after(stream, head, at, event).and_then(record)
}

/// The same, with the event as bytes.
pub(super) fn entry_after(
    stream: &StreamId,
    head: Head,
    at: Timestamp,
    event: &Event,
) -> Result<Entry> {
    let payload = serde_json::to_vec(event)
        .map_err(|error| Error::Invalid(format!("an event cannot be written: {error}")))?;
    Ok(Entry::seal(stream.clone(), head.seq + 1, at.as_microsecond(), head.hash, payload))
}

/// A record with its event read.
pub(crate) fn record(entry: Entry) -> Result<Record> {
    let event = serde_json::from_slice(&entry.payload).map_err(|error| {
        let detail = format!("its event is none this program knows: {error}");
        let fault = Fault::Unreadable { detail };
        Broken { stream: entry.stream.clone(), seq: entry.seq, fault }
    })?;
    let at = time(entry.at)?;
    let Entry { stream, seq, prev, hash, .. } = entry;
    Ok(Record { stream, seq, at, prev, hash, event })
}

/// A time from the microseconds that were stored.
pub(crate) fn time(micros: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(micros)
        .map_err(|_| Error::Invalid(format!("{micros} microseconds are no time")))
}
