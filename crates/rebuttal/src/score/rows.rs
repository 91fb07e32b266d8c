//! Labelled rows, streamed from a `.jsonl` or `.jsonl.gz` file in bounded chunks.
//!
//! One bad line costs one [`BadRow`], never the file.

use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroU64;
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use rebuttal_model::limits;
use rebuttal_transcripts::open;
use serde::Deserialize;
use serde_json::Value;

use crate::error::{Context, Result, err};
use crate::inputs::Bounded;

/// Most lines judged at a time: enough to keep every core busy.
const CHUNK_ROWS: usize = 512;

/// Most bytes judged at a time, so that memory stays flat whatever the rows hold.
const CHUNK_BYTES: usize = 2 * limits::LINE_BYTES;

/// One labelled row, as it stands in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(default)]
    pub(super) text_a: Option<String>,
    #[serde(default)]
    pub(super) text_b: Option<String>,
    #[serde(default)]
    pub(super) messages: Option<Vec<Message>>,
    #[serde(default)]
    pub(super) label: Value,
    #[serde(default)]
    pub(super) meta: Value,
}

impl Row {
    /// Both texts, or which one is missing.
    pub(super) fn texts(&self) -> Result<(&str, &str), String> {
        match (self.text_a.as_deref(), self.text_b.as_deref()) {
            (Some(a), Some(b)) => Ok((a, b)),
            (None, _) => Err("has no text_a".to_owned()),
            (_, None) => Err("has no text_b".to_owned()),
        }
    }
}

/// One message of a conversation.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) role: String,
    pub(super) content: String,
}

/// A line that could not be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BadRow {
    /// Counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl BadRow {
    pub(super) fn new(line: u64, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// A line as read, not yet understood.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) bytes: Vec<u8>,
}

impl Line {
    /// Understands the line as a row.
    pub(super) fn parse(&self) -> Result<Row, BadRow> {
        serde_json::from_slice(&self.bytes)
            .map_err(|error| BadRow::new(self.number, format!("not a labelled row: {error}")))
    }
}

/// Reads a file chunk by chunk.
pub(super) struct Rows {
    input: Box<dyn BufRead>,
    number: u64,
    every: NonZeroU64,
}

/// What a chunk holds, and how the file went on.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) lines: Vec<Line>,
    pub(super) bad: Vec<BadRow>,
    /// Why nothing more can be read, when the file breaks off.
    pub(super) broken: Option<String>,
}

impl Rows {
    /// Opens a file, packed with gzip or not; `-` is standard input.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let raw: Box<dyn Read> = if path.as_os_str() == "-" {
            Box::new(Bounded::new(io::stdin(), limits::STDIN_BYTES))
        } else {
            Box::new(open(path).map_err(|error| err!(Io; "{} {error}", path.display()))?)
        };
        Self::new(raw).with_context(|| path.display().to_string())
    }

    /// Reads rows from anything that can be read, packed with gzip or not.
    pub(super) fn new(raw: Box<dyn Read>) -> io::Result<Self> {
        let mut input = BufReader::new(raw);
        let packed = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead> = if packed {
            Box::new(BufReader::new(MultiGzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        Ok(Self { input, number: 0, every: NonZeroU64::MIN })
    }

    /// Keeps every so-many-th line only, from the first.
    pub(super) fn every(self, every: NonZeroU64) -> Self {
        Self { every, ..self }
    }

    fn is_kept(&self, line: &Line) -> bool {
        line.number % self.every == 1 % self.every && !line.bytes.trim_ascii().is_empty()
    }

    /// The next chunk; `None` at the end of the file.
    pub(super) fn next_chunk(&mut self) -> Option<Chunk> {
        let mut chunk = Chunk::default();
        let mut bytes_read = 0;
        while chunk.lines.len() < CHUNK_ROWS && bytes_read < CHUNK_BYTES {
            match self.next_line() {
                Ok(Some(Ok(line))) => {
                    if self.is_kept(&line) {
                        bytes_read += line.bytes.len();
                        chunk.lines.push(line);
                    }
                }
                Ok(Some(Err(bad))) => chunk.bad.push(bad),
                Ok(None) => break,
                Err(error) => {
                    chunk.broken =
                        Some(format!("cannot read on after line {}: {error}", self.number));
                    // Whatever follows a broken place cannot be trusted.
                    self.input = Box::new(io::empty());
                    break;
                }
            }
        }
        let nothing = chunk.lines.is_empty() && chunk.bad.is_empty() && chunk.broken.is_none();
        (!nothing).then_some(chunk)
    }

    /// The next line, or why it cannot be used; `None` at the end.
    fn next_line(&mut self) -> io::Result<Option<Result<Line, BadRow>>> {
        let mut bytes = Vec::new();
        let most = limits::LINE_BYTES as u64 + 1;
        if self.input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        if bytes.len() > limits::LINE_BYTES && !bytes.ends_with(b"\n") {
            let skipped =
                self.input.by_ref().take(limits::ENDLESS_LINE_BYTES as u64).skip_until(b'\n')?;
            if skipped >= limits::ENDLESS_LINE_BYTES {
                return Err(io::Error::other("the line does not end; is this a file of rows?"));
            }
            let reason = format!("longer than {} bytes", limits::LINE_BYTES);
            return Ok(Some(Err(BadRow::new(number, reason))));
        }
        Ok(Some(Ok(Line { number, bytes })))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn all(bytes: Vec<u8>) -> Chunk {
        let mut rows = Rows::new(Box::new(io::Cursor::new(bytes))).unwrap();
        let mut all = Chunk::default();
        while let Some(chunk) = rows.next_chunk() {
            all.lines.extend(chunk.lines);
            all.bad.extend(chunk.bad);
            all.broken = all.broken.or(chunk.broken);
        }
        all
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn numbered(rows: u32, step: u32) -> String {
        (0..rows).fold(String::new(), |text, row| text + &format!("{{\"id\":{}}}\n", row * step))
    }

    #[test]
    fn plain_and_packed_read_the_same() {
        let text = "{\"id\":1,\"label\":\"yes\"}\n\n{\"id\":2,\"label\":\"no\"}";
        for bytes in [text.as_bytes().to_vec(), packed(text)] {
            let chunk = all(bytes);
            let numbers: Vec<u64> = chunk.lines.iter().map(|line| line.number).collect();
            assert_eq!(numbers, [1, 3], "empty lines are no rows but count as lines");
            assert_eq!(chunk.lines[1].parse().unwrap().label, "no");
        }
    }

    #[test]
    fn many_rows_come_in_order() {
        let chunk = all(numbered(2000, 1).into_bytes());
        assert_eq!(chunk.lines.len(), 2000);
        assert_eq!(chunk.lines[1999].parse().unwrap().id, 1999);
    }

    #[test]
    fn a_bad_line_is_named() {
        let chunk = all(b"{\"id\":1}\n{broken\n".to_vec());
        let bad = chunk.lines[1].parse().unwrap_err();
        assert_eq!(bad.line, 2);
        assert!(bad.reason.starts_with("not a labelled row: "), "{}", bad.reason);
    }

    #[test]
    fn a_line_without_end_is_skipped() {
        let mut bytes = vec![b'a'; limits::LINE_BYTES + 5];
        bytes.extend(b"\n{\"id\":2}\n");
        let chunk = all(bytes);
        assert_eq!(chunk.bad.len(), 1);
        assert_eq!((chunk.bad[0].line, chunk.lines[0].number), (1, 2));
    }

    #[test]
    fn a_torn_archive_keeps_what_came_before() {
        let mut bytes = packed(&numbered(4000, 7919));
        bytes.truncate(bytes.len() / 2);
        let chunk = all(bytes);
        assert!(chunk.lines.len() > 100, "{}", chunk.lines.len());
        assert!(chunk.broken.unwrap().starts_with("cannot read on after line"));
    }
}
