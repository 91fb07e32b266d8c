//! Files of positions, read into the ledger's and written from it: JSONL, CSV and Parquet.
//!
//! A row is a position: an agent, a claim, and what else is known. Rows come one at a time, so
//! that a file of any size is read in the same memory. Nothing is changed in silence: a value that
//! is not what its column holds costs its row, with a [`Problem`] that names the value, so that the
//! file can be put right and read again.
//!
//! | column | also called | |
//! |---|---|---|
//! | `agent` | `agent_name` | who |
//! | `claim` | `text` | what, exactly |
//! | `confidence` | | from 0 to 1; `85` and `85%` are refused |
//! | `debate_id` | `debate` | |
//! | `round` | `round_num` | |
//! | `domain` | | |
//! | `at` | `created_at`, `timestamp` | RFC 3339 or since 1970; missing, it is [`PositionOptions::now`] |
//! | `id` | | missing, it is made from the row |
//! | `outcome` | | `correct`, `incorrect`, `unresolved`; missing or `pending`, it is not known |
//! | `resolved_at` | | when the outcome was known |
//!
//! Rebuttal's own files also have `question`, `stance`, `confidence_whose`, `turn`, `span_start`,
//! `span_end` and `exposed_to`. Other columns are read over.

mod csv;
mod fields;
mod jsonl;
#[cfg_attr(not(feature = "parquet"), path = "positions/without_parquet.rs")]
mod parquet;
mod write;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_model::{Ending, Position, Problem, ProblemKind, limits};

pub use write::PositionWriter;

use crate::input::{Gunzip, Lines};
use crate::out::printable;
use crate::read::{bounded, head, open};

/// What a file of positions is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionFormat {
    /// An object a line.
    Jsonl,
    /// A table with named columns, separated by commas, semicolons, tabs or bars.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl PositionFormat {
    /// The format a file's name ends with, also before `.gz`.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "csv" | "tsv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// What the caller knows about the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionOptions {
    /// The time of positions that have none, and what the future is measured from: a position
    /// more than a day after it is left out.
    pub now: Timestamp,
    /// The format, where the user named it; else it is recognised from the content.
    pub from: Option<PositionFormat>,
}

/// What reading yields, one at a time.
#[derive(Clone, Debug, PartialEq)]
pub enum PositionItem {
    /// A position.
    Position {
        /// The position that was read.
        position: Box<Position>,
        /// How it turned out, where the file says so.
        ending: Option<Ending>,
        /// Its line, or in Parquet its row, counted from 1.
        line: u32,
    },
    /// Something wrong with the input; reading goes on.
    Problem(Problem),
}

/// The positions and problems of one file.
///
/// ```
/// use rebuttal_transcripts::{PositionItem, PositionOptions, PositionReader};
///
/// let file = "agent,claim,confidence\nclaude,Caching is safe.,0.85\ngpt4,It is not.,85\n";
/// let options = PositionOptions { now: "2026-11-16T08:00:00Z".parse().unwrap(), from: None };
/// let mut reader = PositionReader::new("p.csv", file.as_bytes(), options);
/// assert!(matches!(reader.next(), Some(PositionItem::Position { line: 2, .. })));
/// let Some(PositionItem::Problem(problem)) = reader.next() else { panic!() };
/// assert_eq!(problem.line, Some(3));
/// assert!(problem.message.contains("85"));
/// assert_eq!(reader.next(), None);
/// ```
#[derive(Debug)]
pub struct PositionReader<'r> {
    source: Source<'r>,
    cx: Cx,
}

/// Where rows come from.
enum Source<'r> {
    Jsonl(Lines<'r>),
    Csv(Box<csv::Table<'r>>),
    Parquet(Box<parquet::Rows>),
    End,
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Jsonl(_) => "Jsonl",
            Self::Csv(_) => "Csv",
            Self::Parquet(_) => "Parquet",
            Self::End => "End",
        })
    }
}

/// What a row is read with, and where what comes of it goes.
#[derive(Debug)]
struct Cx {
    file: Arc<str>,
    options: PositionOptions,
    ready: VecDeque<PositionItem>,
    problems: usize,
    hidden: usize,
    positions: u64,
}

impl Cx {
    fn position(&mut self, position: Position, ending: Option<Ending>, line: u32) {
        self.positions += 1;
        let position = Box::new(position);
        self.ready.push_back(PositionItem::Position { position, ending, line });
    }

    fn problem(&mut self, kind: ProblemKind, line: Option<u32>, message: &str) {
        if self.problems >= limits::PROBLEMS {
            self.hidden += 1;
            return;
        }
        self.problems += 1;
        self.push(kind, line, message);
    }

    fn push(&mut self, kind: ProblemKind, line: Option<u32>, message: &str) {
        let mut problem = Problem::new(Arc::clone(&self.file), kind, printable(message));
        problem.line = line;
        self.ready.push_back(PositionItem::Problem(problem));
    }

    fn unreadable(&mut self, error: &io::Error) {
        let kind = match error.kind() {
            io::ErrorKind::FileTooLarge => ProblemKind::Limit,
            _ => ProblemKind::Unreadable,
        };
        self.problem(kind, None, &format!("was not read to its end: {error}"));
    }

    /// Says what was only counted, and if there was nothing at all.
    fn finish(&mut self) {
        if self.hidden > 0 {
            let message = format!(
                "{} more problems are not listed: the limit is {} for one file",
                self.hidden,
                limits::PROBLEMS
            );
            self.hidden = 0;
            self.push(ProblemKind::Malformed, None, &message);
        } else if self.positions == 0 && self.problems == 0 {
            self.problem(ProblemKind::Empty, None, "holds no position");
        }
    }
}

impl<'r> PositionReader<'r> {
    /// Reads a file. One that cannot be opened is a problem like any other.
    pub fn open(path: &Path, options: PositionOptions) -> PositionReader<'static> {
        let name = path.to_string_lossy();
        match open(path) {
            Ok(file) => Self::of_file(&name, file, options),
            Err(message) => {
                let mut reader = PositionReader::ended(&name, options);
                reader.cx.problem(ProblemKind::Unreadable, None, &message);
                reader
            }
        }
    }

    /// Parquet in a file is read where it is.
    fn of_file(name: &str, file: File, options: PositionOptions) -> PositionReader<'static> {
        let mut magic = [0; 4];
        let is_parquet = file.try_clone().is_ok_and(|mut file| {
            let is_regular = file.metadata().is_ok_and(|about| about.is_file());
            is_regular && file.read_exact(&mut magic).is_ok() && parquet::is_parquet(&magic)
        });
        let mut reader = PositionReader::ended(name, options);
        if is_parquet {
            reader.source = parquet::open(file, &mut reader.cx);
            return reader;
        }
        // What was looked at belongs to the file: the two handles share their place in it.
        let read = if file.metadata().is_ok_and(|about| about.is_file()) {
            use std::io::Seek;
            let mut file = file;
            file.rewind().map(|()| file)
        } else {
            Ok(file)
        };
        match read {
            Ok(file) => reader.begin(Box::new(file)),
            Err(error) => reader.cx.unreadable(&error),
        }
        reader
    }

    /// Reads anything that can be read; `name` is what problems call it. Packed with gzip, it is
    /// unpacked.
    pub fn new(name: &str, input: impl Read + 'r, options: PositionOptions) -> Self {
        let mut reader = Self::ended(name, options);
        reader.begin(Box::new(input));
        reader
    }

    fn ended(name: &str, options: PositionOptions) -> Self {
        let cx = Cx {
            file: name.into(),
            options,
            ready: VecDeque::new(),
            problems: 0,
            hidden: 0,
            positions: 0,
        };
        Self { source: Source::End, cx }
    }

    /// Finds out what the stream holds.
    fn begin(&mut self, input: Box<dyn Read + 'r>) {
        match self.source(input) {
            Ok(source) => self.source = source,
            Err(error) => self.cx.unreadable(&error),
        }
    }

    fn source(&mut self, mut input: Box<dyn Read + 'r>) -> io::Result<Source<'r>> {
        let mut first = head(&mut input)?;
        if first.starts_with(&[0x1f, 0x8b]) {
            input = Box::new(Gunzip::new(Cursor::new(first).chain(input)));
            first = head(&mut input)?;
        }
        if parquet::is_parquet(&first) || self.cx.options.from == Some(PositionFormat::Parquet) {
            if !bounded(&mut input, &mut first)? {
                let message = format!(
                    "is larger than {} bytes, the limit for Parquet that is not a file",
                    limits::DOCUMENT_BYTES
                );
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
            }
            return Ok(parquet::open(::bytes::Bytes::from(first), &mut self.cx));
        }
        if first.starts_with(&[0xFF, 0xFE]) || first.starts_with(&[0xFE, 0xFF]) {
            let message = "is UTF-16; convert it to UTF-8 first, for example with iconv";
            self.cx.problem(ProblemKind::UnknownFormat, None, message);
            return Ok(Source::End);
        }
        let mark = if first.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let begins = first.get(mark..).unwrap_or_default().trim_ascii_start().first().copied();
        let is_jsonl = match self.cx.options.from {
            Some(from) => from == PositionFormat::Jsonl,
            None => begins == Some(b'{') || begins == Some(b'['),
        };
        let mut start = Cursor::new(first);
        start.set_position(mark as u64);
        let lines = Lines::new(Box::new(start.chain(input)), mark);
        Ok(if is_jsonl { Source::Jsonl(lines) } else { Source::Csv(csv::Table::new(lines).into()) })
    }
}

impl Iterator for PositionReader<'_> {
    type Item = PositionItem;

    fn next(&mut self) -> Option<PositionItem> {
        while self.cx.ready.is_empty() {
            let more = match &mut self.source {
                Source::Jsonl(lines) => jsonl::row(lines, &mut self.cx),
                Source::Csv(table) => table.row(&mut self.cx),
                Source::Parquet(rows) => rows.batch(&mut self.cx),
                Source::End => return None,
            };
            match more {
                Ok(true) => {}
                Ok(false) => {
                    self.source = Source::End;
                    self.cx.finish();
                }
                Err(error) => {
                    self.source = Source::End;
                    self.cx.unreadable(&error);
                    self.cx.finish();
                }
            }
        }
        self.cx.ready.pop_front()
    }
}
