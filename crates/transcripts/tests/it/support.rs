//! Reading things in tests.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rebuttal_model::{Problem, Transcript};
use rebuttal_transcripts::{Format, Item, ReadOptions, read};

/// Everything a file gave.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) transcripts: Vec<Transcript>,
    pub(crate) problems: Vec<Problem>,
}

impl Outcome {
    pub(crate) fn take(&mut self, item: Item) {
        match item {
            Item::Transcript(transcript) => self.transcripts.push(transcript),
            Item::Problem(problem) => self.problems.push(problem),
        }
    }

    /// `agent: text` for every turn.
    pub(crate) fn spoken(&self) -> Vec<String> {
        let turns = self.transcripts.iter().flat_map(|transcript| &transcript.turns);
        turns.map(|turn| format!("{}: {}", turn.agent, turn.text)).collect()
    }

    /// Every problem as a user sees it.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.problems.iter().map(ToString::to_string).collect()
    }
}

pub(crate) fn read_as(bytes: &[u8], from: Option<Format>) -> Outcome {
    let options = ReadOptions { from, ..ReadOptions::default() };
    read_with(bytes, &options)
}

pub(crate) fn read_with(bytes: &[u8], options: &ReadOptions) -> Outcome {
    let mut outcome = Outcome::default();
    read("in", bytes, options, &mut |item| outcome.take(item));
    outcome
}

pub(crate) fn read_bytes(bytes: &[u8]) -> Outcome {
    read_as(bytes, None)
}

pub(crate) fn contents(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// All fixtures, as format and path, in order.
pub(crate) fn fixtures() -> Vec<(Format, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found = Vec::new();
    for format in Format::ALL {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(root.join(format.name()))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        found.extend(paths.into_iter().map(|path| (format, path)));
    }
    found
}
