//! A stream as a file: one line of JSON for each record, the event's bytes as they are in the
//! journal.
//!
//! A line has one form only. What parses and is not written exactly so was changed, so that no
//! bit of a file can be.

use std::io::{BufRead, Read};

use jiff::Timestamp;
use rebuttal_model::{Hash, Record, StreamId, limits};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::chain::{Entry, Head, Walk};
use super::record::record;
use crate::{Broken, Fault, Result};

/// One record in an exported journal, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    stream: StreamId,
    seq: u64,
    at: i64,
    prev: Hash,
    hash: Hash,
    #[serde(borrow)]
    event: &'a RawValue,
}

/// Checks a file that `Store::export_stream` wrote, without any database. `known` is a head that
/// was kept elsewhere; without one, records missing at the end cannot be noticed.
pub fn verify_file(input: &mut dyn BufRead, known: Option<Head>) -> Result<Head> {
    let mut reader = Reader::new(input);
    let mut walk: Option<Walk> = None;
    while let Some(entry) = reader.next()? {
        let walk = walk.get_or_insert_with(|| Walk::new(entry.stream.clone(), known));
        walk.step(&entry)?;
    }
    let walk = walk.unwrap_or_else(|| Walk::new(StreamId::new(""), known));
    Ok(walk.end()?)
}

/// Reads a file that `Store::export_stream` wrote, checked as by [`verify_file`].
pub fn read_file(input: &mut dyn BufRead, known: Option<Head>) -> Result<Vec<Record>> {
    let mut reader = Reader::new(input);
    let mut walk: Option<Walk> = None;
    let mut records = Vec::new();
    while let Some(entry) = reader.next()? {
        let walk = walk.get_or_insert_with(|| Walk::new(entry.stream.clone(), known));
        walk.step(&entry)?;
        records.push(record(entry)?);
    }
    let walk = walk.unwrap_or_else(|| Walk::new(StreamId::new(""), known));
    walk.end()?;
    Ok(records)
}

/// One record as a line.
pub(super) fn encode(entry: &Entry) -> Result<Vec<u8>> {
    let unreadable = |detail: String| Broken {
        stream: entry.stream.clone(),
        seq: entry.seq,
        fault: Fault::Unreadable { detail },
    };
    let event =
        std::str::from_utf8(&entry.payload).map_err(|error| unreadable(error.to_string()))?;
    let event = serde_json::from_str(event).map_err(|error| unreadable(error.to_string()))?;
    let Entry { stream, seq, at, prev, hash, .. } = entry.clone();
    let line = Line { stream, seq, at, prev, hash, event };
    let mut bytes = serde_json::to_vec(&line).map_err(|error| unreadable(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Records from a file, one at a time.
pub(super) struct Reader<'r> {
    input: &'r mut dyn BufRead,
    line: Vec<u8>,
    /// What is known of the record before, to name the next one where it cannot be read.
    stream: StreamId,
    seq: u64,
}

impl<'r> Reader<'r> {
    /// Reads from here; nothing is read yet.
    pub(super) fn new(input: &'r mut dyn BufRead) -> Self {
        Self { input, line: Vec::new(), stream: StreamId::new(""), seq: 0 }
    }

    /// The next record, or `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        self.line.clear();
        let most = limits::RECORD_BYTES as u64;
        (&mut *self.input).take(most).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        let entry = decode(&self.line).map_err(|detail| Broken {
            stream: self.stream.clone(),
            seq: self.seq + 1,
            fault: Fault::Unreadable { detail },
        })?;
        self.stream = entry.stream.clone();
        self.seq = entry.seq;
        Ok(Some(entry))
    }
}

/// One line as a record, if it is written as we write it.
fn decode(bytes: &[u8]) -> std::result::Result<Entry, String> {
    let not_ours = || "the line is not written as Rebuttal writes it".to_owned();
    let text = bytes.strip_suffix(b"\n").ok_or_else(|| {
        format!("the line breaks off, or is longer than {} bytes", limits::RECORD_BYTES)
    })?;
    let line: Line<'_> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let Line { stream, seq, at, prev, hash, event } = line;
    let payload = event.get().as_bytes().to_vec();
    let entry = Entry { stream, seq, at, prev, hash, payload };
    Timestamp::from_microsecond(at).map_err(|_| format!("{at} microseconds are no time"))?;
    let again = encode(&entry).map_err(|error| error.to_string())?;
    if again == bytes { Ok(entry) } else { Err(not_ours()) }
}
