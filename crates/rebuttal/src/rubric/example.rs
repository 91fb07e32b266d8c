//! A labelled example on disk: a conversation and what the rubric should answer.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rebuttal_model::{Role, Transcript, limits};
use rebuttal_transcripts::{self as transcripts, Item, ReadOptions};
use serde::Deserialize;

use crate::error::{Context, Result, ensure, err};

/// A labelled conversation, ready to be asked about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Example {
    /// Its own id.
    pub id: String,
    /// True when the conversation does contradict itself.
    pub expected: bool,
    /// Why.
    pub rationale: String,
    /// The conversation, with lines to quote.
    pub transcript: Transcript,
}

/// What the file says besides the conversation.
#[derive(Debug, Deserialize)]
struct Label {
    id: String,
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(rename = "expectedResult")]
    expected: bool,
    #[serde(default)]
    rationale: String,
}

/// The folder an example stands in, and the `type` it must have there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Positive,
    Negative,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Positive, Self::Negative];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }
}

/// The `.json` files of `folder/positive` and `folder/negative`, sorted.
pub(super) fn find(folder: &Path) -> Result<Vec<(Kind, PathBuf)>> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let folder = folder.join(kind.as_str());
        let entries = fs::read_dir(&folder).with_context(|| {
            format!("{} cannot be listed; DIR must hold positive/ and negative/", folder.display())
        })?;
        let mut paths = Vec::new();
        for entry in entries {
            let path =
                entry.with_context(|| format!("{} cannot be listed", folder.display()))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                paths.push(path);
            }
        }
        paths.sort();
        found.extend(paths.into_iter().map(|path| (kind, path)));
    }
    ensure!(Text; !found.is_empty(), "{} holds no examples (*.json)", folder.display());
    Ok(found)
}

/// Reads one example and checks that its labels agree with each other and with its folder.
pub(super) fn load(kind: Kind, path: &Path) -> Result<Example> {
    let label: Label = serde_json::from_slice(&bytes(path)?)
        .context("not an example; see `rebuttal rubric test --help` for the shape")?;
    let is_positive = kind == Kind::Positive;
    ensure!(Text;
        label.kind == kind && label.expected == is_positive,
        "the labels disagree: it stands in {}/, has type {:?} and expectedResult {}",
        kind.as_str(),
        label.kind.as_str(),
        label.expected,
    );
    Ok(Example {
        id: label.id,
        expected: label.expected,
        rationale: label.rationale,
        transcript: conversation(path)?,
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    let limit = limits::DOCUMENT_BYTES as u64;
    let mut bytes = Vec::new();
    let file = transcripts::open(path).map_err(|error| err!(Io; "{error}"))?;
    file.take(limit + 1).read_to_end(&mut bytes).context("cannot be read")?;
    ensure!(Text; bytes.len() as u64 <= limit, "larger than {limit} bytes; no example is");
    Ok(bytes)
}

/// The one conversation in the file, read by the importers so that quotes know their lines.
fn conversation(path: &Path) -> Result<Transcript> {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    transcripts::read_path(path, &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(transcript) => found.push(transcript),
        Item::Problem(problem) => problems.push(problem),
    });
    if let Some(problem) = problems.first() {
        return Err(err!(Text; "{}", problem.message));
    }
    ensure!(Text; found.len() <= 1, "holds {} conversations; an example is one", found.len());
    let transcript = found.pop().context("holds no conversation")?;
    let is_answered = transcript.turns.iter().any(|turn| turn.role == Role::Agent);
    ensure!(Text; is_answered, "holds no conversation with an answer in it");
    Ok(transcript)
}
