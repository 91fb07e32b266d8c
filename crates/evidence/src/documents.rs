//! The user's files and folders, read into passages.
//!
//! What is not a document is passed over in folders and named where it was given outright. Nothing outside
//! a folder that was given is read: links in it are not followed.

mod html;
mod kind;
mod markdown;
mod pdf;
mod table;
mod walk;

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use rebuttal_model::{Passage, Place, Problem, ProblemKind};
use rebuttal_text::Reading;
use rebuttal_transcripts::{Item, ReadOptions};
use serde::{Deserialize, Serialize};

use crate::{limits, split};
use kind::Kind;

/// One file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The path under which it was given or found.
    pub name: String,
    /// A hash of its bytes: what has not changed need not be read again.
    pub hash: String,
    /// When it was written, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// Who wrote it, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it says, in order.
    pub passages: Vec<Passage>,
}

impl Document {
    /// A text or Markdown page that is at hand.
    pub fn of_text(name: &str, text: &str) -> Self {
        read(name, text.as_bytes(), Kind::Text, &mut |_, _| ()).unwrap_or_else(|_| Self {
            name: name.to_owned(),
            hash: String::new(),
            date: None,
            source: None,
            passages: Vec::new(),
        })
    }
}

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most files.
    pub files: usize,
    /// Most bytes of one file.
    pub file_bytes: u64,
    /// Most passages in all.
    pub passages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { files: limits::FILES, file_bytes: limits::FILE_BYTES, passages: limits::PASSAGES }
    }
}

/// Reads documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Documents;

impl Documents {
    /// Reads files and folders, in the order of their names.
    pub fn read(paths: &[PathBuf], most: Limits) -> (Vec<Document>, Vec<Problem>) {
        Self::read_new(paths, most, |_, _| None, |_| {})
    }

    /// The same for whoever has read some of them before: `known` gives the document of a path and the hash
    /// of its bytes, if it is known. `done` is told how many files are left.
    pub fn read_new(
        paths: &[PathBuf],
        most: Limits,
        known: impl Fn(&str, &str) -> Option<Document>,
        mut done: impl FnMut(usize),
    ) -> (Vec<Document>, Vec<Problem>) {
        let (files, mut problems) = walk::files(paths, most.files);
        let mut documents: Vec<Document> = Vec::new();
        let mut left = most.passages;
        for (at, file) in files.iter().enumerate() {
            done(files.len() - at);
            let Some(mut document) = one(file, most, &known, &mut problems) else { continue };
            if document.passages.len() > left {
                let message = format!(
                    "{} of its {} passages are left out: all documents together may have {}",
                    document.passages.len() - left,
                    document.passages.len(),
                    most.passages
                );
                problems.push(Problem::new(&*document.name, ProblemKind::Limit, message));
                document.passages.truncate(left);
            }
            left -= document.passages.len();
            let orders = document.passages.iter().filter(|it| gives_orders(it)).count();
            if orders > 0 {
                let message = format!(
                    "{orders} of its passages give orders to agents; they are shown to none and are no evidence"
                );
                problems.push(Problem::new(&*document.name, ProblemKind::Conflicting, message));
            }
            documents.push(document);
        }
        (documents, problems)
    }
}

/// Whether a passage tells agents what to do instead of saying something.
pub fn gives_orders(passage: &Passage) -> bool {
    !Reading::new(&passage.text).instructions().is_empty()
}

fn one(
    file: &walk::Found,
    most: Limits,
    known: &impl Fn(&str, &str) -> Option<Document>,
    problems: &mut Vec<Problem>,
) -> Option<Document> {
    let name = file.path.to_string_lossy().into_owned();
    let mut problem = |kind, message: String| problems.push(Problem::new(&*name, kind, message));
    let (bytes, is_cut) = match bytes(&file.path, most.file_bytes) {
        Ok(read) => read,
        Err(message) => {
            problem(ProblemKind::Unreadable, message);
            return None;
        }
    };
    let hash = blake3::hash(&bytes).to_hex().to_string();
    if let Some(document) = known(&name, &hash) {
        return Some(document);
    }
    let kind = Kind::of(&file.path, &bytes);
    if is_cut {
        let most = most.file_bytes;
        if !kind.may_be_cut() {
            problem(
                ProblemKind::Limit,
                format!("is larger than {most} bytes, the limit; it is left out"),
            );
            return None;
        }
        problem(ProblemKind::Limit, format!("only its first {most} bytes, the limit, are read"));
    }
    let mut found = Vec::new();
    let document = read(&name, &bytes, kind, &mut |kind, message| found.push((kind, message)));
    let document = match document {
        Ok(document) if document.passages.is_empty() => {
            found.push((ProblemKind::Empty, "has no text".to_owned()));
            None
        }
        Ok(document) => Some(Document { hash, ..document }),
        // What lies in a folder by chance is passed over.
        Err((ProblemKind::UnknownFormat, _)) if !file.named => None,
        Err(problem) => {
            found.push(problem);
            None
        }
    };
    for (kind, message) in found {
        problem(kind, message);
    }
    document
}

/// The first bytes of a file, and whether there are more.
fn bytes(path: &Path, most: u64) -> Result<(Vec<u8>, bool), String> {
    let file: File = rebuttal_transcripts::open(path)?;
    let mut bytes = Vec::new();
    let read = BufReader::new(file).take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    let is_cut = bytes.len() as u64 > most;
    if is_cut {
        // The last line is not whole.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        bytes.truncate(end);
    }
    Ok((bytes, is_cut))
}

/// What is told of a file that was read all the same.
type Tell<'t> = &'t mut dyn FnMut(ProblemKind, String);

fn read(
    name: &str,
    bytes: &[u8],
    kind: Kind,
    tell: Tell<'_>,
) -> Result<Document, (ProblemKind, String)> {
    let text = || {
        let text = String::from_utf8_lossy(bytes);
        text.strip_prefix('\u{feff}').map_or(text.clone().into_owned(), ToOwned::to_owned)
    };
    let malformed = |message: String| (ProblemKind::Malformed, message);
    let (about, mut passages) = match kind {
        Kind::Text => {
            let text = text();
            (markdown::about(&text), split::passages(name, &text))
        }
        Kind::Html => {
            let page = html::read(&text());
            (page.about, split::lines(name, &page.lines))
        }
        Kind::Csv(separator) => {
            (markdown::About::default(), table::csv(name, &text(), separator, tell))
        }
        Kind::Jsonl => (markdown::About::default(), table::jsonl(name, &text(), tell)),
        Kind::Parquet => {
            (markdown::About::default(), table::parquet(name, bytes, tell).map_err(malformed)?)
        }
        Kind::Pdf => (markdown::About::default(), pdf::passages(name, bytes).map_err(malformed)?),
        Kind::Transcript => (markdown::About::default(), turns(name, bytes, tell)),
        Kind::Other => {
            let message = "is no text, Markdown, HTML, PDF, table or transcript; it is left out";
            return Err((ProblemKind::UnknownFormat, message.to_owned()));
        }
    };
    for passage in &mut passages {
        passage.date = passage.date.or(about.date);
        passage.source = passage.source.take().or_else(|| about.source.clone());
    }
    let (date, source) = (about.date, about.source);
    Ok(Document { name: name.to_owned(), hash: String::new(), date, source, passages })
}

/// The turns of a transcript of any format, each with its speaker.
fn turns(name: &str, bytes: &[u8], tell: Tell<'_>) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut number = 0;
    rebuttal_transcripts::read(name, bytes, &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(transcript) => {
            for turn in transcript.turns {
                number += 1;
                for piece in split::pieces(&turn.text) {
                    let words = piece.of(&turn.text).unwrap_or_default();
                    let passage = Passage::new(name, Place::Turn(number), words);
                    found.push(Passage { source: Some(turn.agent.to_string()), ..passage });
                }
            }
        }
        Item::Problem(problem) => tell(problem.kind, problem.message),
    });
    found
}
