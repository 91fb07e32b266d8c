//! One JSON document.
//!
//! Schema 1, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1, "method": "rules",
//!   "findings": [ { "file", "transcript",            where it was found
//!                   "id", "rule", "agent", "severity": "info|low|medium|high",
//!                   "confidence": { "value", "whose" }, "method", "explanation",
//!                   "quotes": [ { "turn", "span": [start, end], "text", "shows",
//!                                 "source": { "file", "line", "bytes": [start, end] } } ] } ],
//!   "files":    [ { "file", "transcripts", "turns", "findings", "problems" } ],
//!   "problems": [ { "file", "line", "kind", "message" } ],
//!   "summary":  { "files", "unreadable", "transcripts", "turns", "agent_turns", "positions",
//!                 "not_english", "findings": { "info", "low", "medium", "high" }, "hidden": { … },
//!                 "problems", "left_out", "skipped",
//!                 "model": { "doubts", "asked" } } }
//! ```
//!
//! Findings come first so that they can be written while the audit runs. A span counts bytes of
//! the turn's text, a source's bytes count bytes of the file. `hidden` are findings milder than
//! `--min-severity`. `left_out` are problems that cost content (a limit, a malformed line), `skipped`
//! files found in folders in no known format; both are among the `problems`. `model` says in how many
//! turns the rules were in doubt, and in how many of those the model was asked.
//!
//! A confidence's `value` runs from 0 to 1. `whose` says on which scale: `detector` is the detector's
//! own, which ranks findings of one rule and is no chance of being right; `stated` is an agent's word
//! about itself; only `calibrated` is right as often as it says. A severity says how much a finding
//! matters if it is true: `high` would change whether to believe the outcome, `medium` how far to
//! trust the agent, `low` is a blemish or open to another reading, `info` is worth knowing. A silent
//! reversal is as grave as the less clear of its two positions is clear.

use std::io::{self, Write};

use rebuttal_model::{DebateId, Finding, Method, Problem};
use serde::Serialize;

use super::Report;
use crate::JsonText;
use crate::audit::{Audited, Counts, Summary};
use crate::problems::Gravity;

/// Version of the shape above; grows when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A finding and where it was found.
#[derive(Debug, Serialize)]
pub(super) struct Located<'a> {
    file: &'a str,
    transcript: &'a DebateId,
    #[serde(flatten)]
    finding: &'a Finding,
}

impl<'a> Located<'a> {
    /// All findings of a transcript.
    pub(super) fn all(audited: &'a Audited) -> impl Iterator<Item = Self> {
        audited.findings.iter().map(|finding| Self {
            file: &audited.file,
            transcript: &audited.id,
            finding,
        })
    }
}

/// The numbers of a run.
#[derive(Debug, Serialize)]
pub(super) struct Totals {
    files: usize,
    unreadable: usize,
    transcripts: usize,
    turns: usize,
    agent_turns: usize,
    positions: usize,
    not_english: usize,
    findings: Counts,
    hidden: Counts,
    problems: usize,
    left_out: usize,
    skipped: usize,
    model: Asked,
}

/// How often a model could have been asked, and was.
#[derive(Debug, Serialize)]
struct Asked {
    doubts: usize,
    asked: usize,
}

impl From<&Summary> for Totals {
    fn from(summary: &Summary) -> Self {
        Self {
            files: summary.files.len(),
            unreadable: summary.unreadable,
            transcripts: summary.transcripts,
            turns: summary.turns,
            agent_turns: summary.agent_turns,
            positions: summary.positions,
            not_english: summary.not_english,
            findings: summary.findings,
            hidden: summary.hidden,
            // A skipped file is one entry of the list, so that the list and its number agree.
            problems: summary.problems + summary.skipped,
            left_out: summary.left_out,
            skipped: summary.skipped,
            model: Asked { doubts: summary.questions.doubts, asked: summary.questions.asked },
        }
    }
}

/// One JSON document, one finding per line.
#[derive(Debug)]
pub struct Json {
    method: &'static str,
    findings: List,
    problems: Vec<Problem>,
}

impl Json {
    /// A document that says by which method it was decided.
    pub fn new(method: Method) -> Self {
        Self { method: method.as_str(), findings: List::default(), problems: Vec::new() }
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.findings.is_empty() {
            let method = self.method;
            writeln!(out, r#"{{"rebuttal":"{VERSION}","schema":{SCHEMA},"method":"{method}","#)?;
            write!(out, r#""findings":["#)?;
        }
        Ok(())
    }
}

impl Report for Json {
    fn transcript(&mut self, out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        for finding in Located::all(audited) {
            self.begin(out)?;
            self.findings.item(out, &finding)?;
        }
        Ok(())
    }

    fn problem(
        &mut self,
        _out: &mut dyn Write,
        problem: &Problem,
        _gravity: Gravity,
    ) -> io::Result<()> {
        self.problems.push(problem.clone());
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.begin(out)?;
        writeln!(out, "],")?;
        List::whole(out, "files", &summary.files)?;
        List::whole(out, "problems", &self.problems)?;
        write!(out, r#""summary":"#)?;
        JsonText::write(out, &Totals::from(summary))?;
        writeln!(out, "}}")
    }
}

/// A JSON array written item by item, one per line.
#[derive(Debug, Default)]
pub struct List {
    items: usize,
}

impl List {
    /// True before the first item.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Writes the next item with what separates it from the one before.
    pub fn item<T: Serialize>(&mut self, out: &mut dyn Write, item: &T) -> io::Result<()> {
        writeln!(out, "{}", if self.is_empty() { "" } else { "," })?;
        self.items += 1;
        JsonText::write(out, item)
    }

    /// Writes a member that is a whole array, with the comma after it.
    pub fn whole<T: Serialize>(out: &mut dyn Write, name: &str, items: &[T]) -> io::Result<()> {
        write!(out, r#""{name}":["#)?;
        let mut list = Self::default();
        items.iter().try_for_each(|item| list.item(out, item))?;
        writeln!(out, "],")
    }
}
