//! From an event to a record and back, without any database.

use jiff::Timestamp;
use rebuttal_model::{Event, JOURNAL_FORMAT, Record, StreamId};

use super::chain::{Entry, Head};
use crate::{Broken, Error, Fault, Result};

/// The record that an event becomes after `head`, for journals that are kept elsewhere than in a
/// store.
pub fn seal(stream: &StreamId, head: Head, at: Timestamp, event: &Event) -> Result<Record> {
    record(sealed(stream, head, at, payload(event)?))
}

/// An event as the bytes that the journal keeps.
pub(crate) fn payload(event: &Event) -> Result<Vec<u8>> {
    serde_json::to_vec(event)
        .map_err(|error| Error::Invalid(format!("an event cannot be written: {error}")))
}

/// The record that such bytes become after `head`.
pub(super) fn sealed(stream: &StreamId, head: Head, at: Timestamp, payload: Vec<u8>) -> Entry {
    Entry::seal(stream.clone(), head.seq + 1, at.as_microsecond(), head.hash, payload)
}

/// A record with its event read.
pub(crate) fn record(entry: Entry) -> Result<Record> {
    let event = serde_json::from_slice(&entry.payload).map_err(|error| {
        let detail = format!("its event is none this program knows: {error}");
        let newer = newer_format(&entry.payload).map(|format| Fault::Newer { format });
        let fault = newer.unwrap_or(Fault::Unreadable { detail });
        Broken { stream: entry.stream.clone(), seq: entry.seq, fault }
    })?;
    let at = time(entry.at)?;
    let Entry { stream, seq, prev, hash, .. } = entry;
    Ok(Record { stream, seq, at, prev, hash, event })
}

/// The format of a debate whose start this program cannot read because it is of a later one.
fn newer_format(payload: &[u8]) -> Option<u32> {
    let event: serde_json::Value = serde_json::from_slice(payload).ok()?;
    let format = event.get("spec")?.get("format")?.as_u64()?;
    u32::try_from(format).ok().filter(|format| *format > JOURNAL_FORMAT)
}

/// A time from the microseconds that were stored.
pub(crate) fn time(micros: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(micros)
        .map_err(|_| Error::Invalid(format!("{micros} microseconds are no time")))
}

#[cfg(test)]
mod tests {
    use rebuttal_model::Hash;

    use super::*;

    #[test]
    fn a_debate_of_a_later_format_is_named_as_one() {
        let payload = br#"{"type":"debate_begun_otherwise","spec":{"format":99}}"#.to_vec();
        let entry = Entry::seal(StreamId::new("debate/d1"), 1, 0, Hash::ZERO, payload);
        assert_eq!(
            record(entry.clone()).unwrap_err().to_string(),
            format!(
                "“debate/d1” has journal format 99, and this program knows up to {JOURNAL_FORMAT}: it \
                 was written by a newer Rebuttal. Update this one to read it"
            )
        );
        let odd = Entry { payload: br#"{"type":"no_such_thing"}"#.to_vec(), ..entry };
        assert!(record(odd).unwrap_err().to_string().contains("none this program knows"));
    }
}
