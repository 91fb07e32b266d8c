//! The user's documents: read, kept in the database, searched, and asked whether they say what a text says.

mod debate;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rebuttal_evidence::{
    Checked, Citation, Cites, Document, Documents, Index, Limits, check, statements,
};
use rebuttal_model::{Problem, Span};
use rebuttal_report::check::{CheckedStatement, CheckedText, Shown};
use rebuttal_semantics::BuiltinVectors;
use rebuttal_store::{KeptDocument, Store};
use rebuttal_transcripts::{Item, ReadOptions};
use serde::Serialize;

use crate::error::{Context, Result};
use crate::models::Analyzer;
pub use debate::Grounds;

/// Documents that were read, and what was wrong with others.
#[derive(Debug)]
pub struct Library {
    /// Their passages, ready to be searched.
    pub index: Index,
    /// How many documents there are.
    pub documents: usize,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
}

impl Library {
    /// Reads files and folders; `watch` is told how many files are left.
    pub fn read(paths: &[PathBuf], watch: impl FnMut(usize)) -> Self {
        let (documents, problems) =
            Documents::read_new(paths, Limits::default(), |_, _| None, watch);
        Self::of(documents, problems)
    }

    /// Documents that were read before.
    pub fn of(documents: Vec<Document>, problems: Vec<Problem>) -> Self {
        let count = documents.len();
        let passages = documents.into_iter().flat_map(|it| it.passages).collect();
        Self { index: Index::new(passages, Box::new(BuiltinVectors)), documents: count, problems }
    }

    /// The documents that the database keeps.
    pub async fn kept(store: &Store) -> Result<Self> {
        let kept = store.evidence().await?;
        let read = |it: &KeptDocument| serde_json::from_str(&it.body);
        let documents: Result<Vec<Document>, _> = kept.iter().map(read).collect();
        Ok(Self::of(documents.context("a document that the database keeps")?, Vec::new()))
    }
}

/// What became of the documents that were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Added {
    /// Documents read and kept.
    pub added: usize,
    /// Documents that had not changed, and were not read again.
    pub unchanged: usize,
    /// Their passages together.
    pub passages: usize,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
}

/// Reads files and folders into the database. What has not changed is not read again.
pub async fn add(store: &Store, paths: &[PathBuf], watch: impl FnMut(usize)) -> Result<Added> {
    let known: BTreeMap<String, KeptDocument> =
        store.evidence_list().await?.into_iter().map(|it| (it.name.clone(), it)).collect();
    let unchanged = |name: &str, hash: &str| {
        let kept = known.get(name).filter(|it| it.hash == hash)?;
        let (name, hash) = (kept.name.clone(), String::new());
        Some(Document { name, hash, date: None, source: None, passages: Vec::new() })
    };
    let (documents, problems) = Documents::read_new(paths, Limits::default(), unchanged, watch);
    let mut added = Added { problems, ..Added::default() };
    let mut kept = Vec::new();
    for document in documents {
        // What was known came back without a hash.
        if document.hash.is_empty() {
            added.unchanged += 1;
            let passages = known.get(&document.name).map_or(0, |it| it.passages);
            added.passages += usize::try_from(passages).unwrap_or(usize::MAX);
            continue;
        }
        added.added += 1;
        added.passages += document.passages.len();
        kept.push(KeptDocument {
            name: document.name.clone(),
            hash: document.hash.clone(),
            passages: document.passages.len() as u64,
            body: serde_json::to_string(&document).context("JSON")?,
        });
    }
    store.keep_evidence(&kept, &[]).await?;
    Ok(added)
}

/// A stretch of a text with one speaker.
struct Part {
    agent: Option<String>,
    text: String,
    line: u32,
    start: usize,
}

/// Asks documents of every statement of a text or transcript; `watch` is told how many are left.
pub fn check_text(
    file: &str,
    text: &str,
    library: Library,
    analyzer: &Analyzer,
    mut watch: impl FnMut(usize),
) -> CheckedText {
    let Library { index, documents, mut problems } = library;
    let parts = parts(file, text, &mut problems);
    let found: Vec<_> = parts
        .iter()
        .flat_map(|part| statements(&part.text).into_iter().map(move |it| (part, it)))
        .collect();
    let mut checked = CheckedText {
        file: file.to_owned(),
        method: analyzer.reader().method().as_str(),
        documents,
        passages: index.passages().len(),
        counts: BTreeMap::new(),
        statements: Vec::new(),
        problems,
        notes: analyzer.notes.clone(),
    };
    for (at, (part, statement)) in found.iter().enumerate() {
        watch(found.len() - at);
        let said = check(&statement.text, &statement.citation, &index, analyzer.reader());
        *checked.counts.entry(said.verdict.as_str()).or_default() += 1;
        let before = part.text.get(..statement.span.start()).unwrap_or_default();
        let line = part.line + u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX);
        let start = part.start + statement.span.start();
        let place = (line, Span::new(start, start + statement.span.len()));
        checked.statements.push(shown(part, statement, said, &index, place));
    }
    checked.notes.extend(analyzer.failure());
    checked
}

fn shown(
    part: &Part,
    statement: &rebuttal_evidence::Statement,
    said: Checked,
    index: &Index,
    (line, bytes): (u32, Span),
) -> CheckedStatement {
    let cites = Some(statement.citation.clone()).filter(|it| *it != Citation::default());
    let named = if cites.is_some() { Cites::Named } else { Cites::Nothing };
    let passage = said.passage.as_ref().and_then(|id| index.get(id));
    CheckedStatement {
        line,
        agent: part.agent.clone(),
        text: statement.text.clone(),
        cites,
        verdict: said.verdict,
        severity: said.verdict.severity(named),
        why: said.why,
        in_claim: said.in_claim,
        evidence: passage.map(|it| Shown { passage: it.clone(), at: said.in_passage }),
        bytes,
    }
}

/// The text itself, or the turns of a transcript.
fn parts(file: &str, text: &str, problems: &mut Vec<Problem>) -> Vec<Part> {
    let is_talk = text.trim_start().starts_with(['{', '[']);
    if !is_talk {
        return vec![Part { agent: None, text: text.to_owned(), line: 1, start: 0 }];
    }
    let mut parts = Vec::new();
    rebuttal_transcripts::read(file, text.as_bytes(), &ReadOptions::default(), &mut |item| {
        match item {
            Item::Transcript(transcript) => {
                for turn in transcript.turns {
                    let (line, start) = turn
                        .source
                        .as_ref()
                        .map_or((1, 0), |source| (source.line, source.bytes.start()));
                    let agent = Some(turn.agent.to_string());
                    parts.push(Part { agent, text: turn.text, line, start });
                }
            }
            Item::Problem(problem) => problems.push(problem),
        }
    });
    parts
}
