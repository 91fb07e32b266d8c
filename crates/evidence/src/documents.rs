//! The user's files and folders, read into passages.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use rebuttal_model::{Passage, Problem, ProblemKind};

use crate::{limits, split};

/// One file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The path under which it was given or found.
    pub name: String,
    /// A hash of its bytes: the same content is not read again.
    pub hash: String,
    /// When it was written, where it says so.
    pub date: Option<Date>,
    /// Who wrote it, where it says so.
    pub source: Option<String>,
    /// What it says, in order.
    pub passages: Vec<Passage>,
}

impl Document {
    /// A document that is at hand.
    pub fn of_text(name: &str, text: &str) -> Self {
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        let (date, source) =
            (said(text, "date").and_then(|it| it.parse().ok()), said(text, "source"));
        let source = source.map(str::to_owned);
        let dated = |passage| Passage { date, source: source.clone(), ..passage };
        let passages = split::passages(name, text).into_iter().map(dated).collect();
        Self { name: name.to_owned(), hash, date, source, passages }
    }
}

/// What a line `Date: …` or `Source: …` at the head of a text says.
fn said<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let lines = text.lines().take(HEAD_LINES).filter_map(|line| line.split_once(':'));
    let mut found = lines.filter(|(name, _)| name.trim().eq_ignore_ascii_case(label));
    found.next().map(|(_, words)| words.trim()).filter(|words| !words.is_empty())
}

/// How many lines are looked at for a date and a source.
const HEAD_LINES: usize = 12;

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
    /// Reads files and folders, in the order of their names. A link is followed where it was named, never
    /// out of a folder.
    pub fn read(paths: &[PathBuf], most: Limits) -> (Vec<Document>, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut files = Vec::new();
        for path in paths {
            collect(path, 0, most, &mut files, &mut problems);
        }
        let mut documents = Vec::new();
        let mut left = most.passages;
        for file in files {
            match read(&file, most) {
                Ok(mut document) => {
                    if document.passages.len() > left {
                        let message = format!(
                            "has passages beyond the limit of {}; the rest is left out",
                            most.passages
                        );
                        problems.push(Problem::new(&*document.name, ProblemKind::Limit, message));
                        document.passages.truncate(left);
                    }
                    left -= document.passages.len();
                    documents.push(document);
                }
                Err(problem) => problems.push(problem),
            }
        }
        (documents, problems)
    }
}

fn collect(
    path: &Path,
    depth: usize,
    most: Limits,
    files: &mut Vec<PathBuf>,
    problems: &mut Vec<Problem>,
) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let listed = fs::read_dir(path).map(|entries| {
        entries.flatten().filter(|it| it.file_type().is_ok_and(|kind| !kind.is_symlink()))
    });
    match listed {
        Ok(entries) => {
            let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
            paths.sort_unstable();
            for path in paths {
                if depth < limits::DEPTH && files.len() < most.files {
                    collect(&path, depth + 1, most, files, problems);
                }
            }
        }
        Err(error) => {
            let name = path.to_string_lossy();
            problems.push(Problem::new(
                &*name,
                ProblemKind::Unreadable,
                format!("cannot be listed: {error}"),
            ));
        }
    }
}

fn read(path: &Path, most: Limits) -> Result<Document, Problem> {
    let name = path.to_string_lossy().into_owned();
    let unreadable = |message: String| Problem::new(&*name, ProblemKind::Unreadable, message);
    let file = rebuttal_transcripts::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let reading = file.take(most.file_bytes + 1).read_to_end(&mut bytes);
    reading.map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    Ok(Document::of_text(&name, &String::from_utf8_lossy(&bytes)))
}
