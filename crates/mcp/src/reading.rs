//! The tools that read what a client sends: audits, the rubric, contradictions, comparisons.

use std::io::Write as _;

use rebuttal::audit::{AuditSettings, tricksters, write_audit};
use rebuttal::compare::compare;
use rebuttal::config::Config;
use rebuttal::detect::reports::ContradictionOptions;
use rebuttal::engine::reconcile::{Settings, reconcile};
use rebuttal::model::{Problem, limits};
use rebuttal::models::Analyzer;
use rebuttal::report::audit::Json;
use rebuttal::report::problems::Gravity;
use rebuttal::report::reconcile::{Reconciled, json as write_reconciled};
use rebuttal::rubric::{RubricEntry, explain};
use rebuttal::transcripts::{self, Format, Item, ReadOptions, read_reports};
use serde::Serialize;
use serde_json::{Value, from_slice, json};

use crate::arguments::{Audit, Conversation, FindContradictions, Pair};
use crate::fault::{Code, Fault};

/// What the text that a client sent is called in findings.
const TEXT: &str = "text";

/// Most findings in one answer.
const FINDINGS: usize = 500;

/// Audits a conversation: what `rebuttal audit --format json` says of it, the gravest findings first.
pub(crate) fn audit_text(
    asked: &Audit,
    analyzer: Analyzer,
    config: &Config,
) -> Result<Value, Fault> {
    let (text, options) = asked.conversation.read()?;
    let method = analyzer.reader().method();
    let settings = AuditSettings {
        analyzer,
        trickster: Some(tricksters(config)?),
        min_severity: asked.min_severity.into(),
    };
    let (mut written, mut report) = (Vec::new(), Json::new(method));
    let summary = write_audit((TEXT, &text, &options), &settings, &mut report, &mut written)
        .map_err(rebuttal::Error::from)?;
    let mut document: Value = from_slice(&written).map_err(rebuttal::Error::from)?;
    if summary.transcripts == 0 {
        let problem = document.pointer("/problems/0/message").and_then(Value::as_str);
        return Err(unreadable(problem));
    }
    let limit = asked.limit.min(FINDINGS);
    if let Some(findings) = document.get_mut("findings").and_then(Value::as_array_mut) {
        findings.sort_by_key(|finding| {
            let severity = finding.get("severity").and_then(Value::as_str);
            ["high", "medium", "low"].iter().position(|name| severity == Some(name)).unwrap_or(3)
        });
        let left_out = findings.len().saturating_sub(limit);
        findings.truncate(limit);
        if let Some(document) = document.as_object_mut() {
            document.insert("findings_left_out".to_owned(), json!(left_out));
        }
    }
    Ok(document)
}

/// Answers the rubric's question for each conversation.
pub(crate) fn check_rubric(asked: &Conversation, analyzer: &Analyzer) -> Result<Value, Fault> {
    let (text, options) = asked.read()?;
    let (mut answers, mut problems) = (Vec::new(), Vec::new());
    let mut failed = None;
    transcripts::read(TEXT, text.as_bytes(), &options, &mut |item| match item {
        Item::Transcript(transcript) => {
            let explanation = explain(&transcript, analyzer.reader());
            match serde_json::to_value(RubricEntry::from(&explanation)) {
                Ok(answer) => answers.push(answer),
                Err(error) => failed = Some(error),
            }
        }
        Item::Problem(problem) => problems.push(problem),
    });
    if let Some(error) = failed {
        return Err(rebuttal::Error::from(error).into());
    }
    if answers.is_empty() {
        return Err(unreadable(problems.first().map(|problem| problem.message.as_str())));
    }
    document(&json!({
        "method": analyzer.reader().method(), "conversations": answers, "problems": problems,
        "notes": notes(analyzer),
    }))
}

/// Finds where reports conflict, and rules by the written rules.
pub(crate) fn find_contradictions(
    asked: &FindContradictions,
    analyzer: &Analyzer,
    config: &Config,
) -> Result<Value, Fault> {
    if asked.reports.len() < 2 {
        let message = "`reports` needs at least two reports: one alone contradicts nobody";
        return Err(Fault::new(Code::InvalidArguments, message));
    }
    let tolerance = asked.tolerance.unwrap_or(config.reconcile.tolerance.value);
    if !(0.0..=1.0).contains(&tolerance) {
        let message = format!("`tolerance` is {tolerance}, not a share from 0 to 1");
        return Err(Fault::new(Code::InvalidArguments, message).hint("0.05 is usual"));
    }
    let text = serde_json::to_string(&asked.reports).map_err(rebuttal::Error::from)?;
    within_limit("reports", &text)?;
    let (reports, problems) = read_reports("reports", text.as_bytes(), &ReadOptions::default());
    if reports.is_empty() {
        return Err(unreadable(problems.first().map(|problem| problem.message.as_str())));
    }
    let options = ContradictionOptions { tolerance, ..ContradictionOptions::default() };
    let settings = Settings { options, reader: analyzer.reader(), ..Settings::default() };
    let outcome = reconcile(&reports, &settings, &|_| ());
    let problems: Vec<(Problem, Gravity)> = problems
        .into_iter()
        .chain(outcome.problems.iter().cloned())
        .map(|problem| (problem, Gravity::Warning))
        .collect();
    let reconciled = Reconciled {
        reports: &reports,
        problems: &problems,
        outcome: &outcome,
        method: analyzer.reader().method(),
        arbiter: None,
        authority_file: None,
        notes: notes(analyzer),
    };
    let mut written = Vec::new();
    write_reconciled(&reconciled, &mut written).map_err(rebuttal::Error::from)?;
    written.flush().map_err(rebuttal::Error::from)?;
    Ok(from_slice(&written).map_err(rebuttal::Error::from)?)
}

/// Compares two statements.
pub(crate) fn compare_pair(asked: &Pair, analyzer: &Analyzer) -> Result<Value, Fault> {
    within_limit("a", &asked.a)?;
    within_limit("b", &asked.b)?;
    document(&compare(&asked.a, &asked.b, analyzer)?)
}

impl Conversation {
    /// The text to read, and what it is.
    fn read(&self) -> Result<(String, ReadOptions), Fault> {
        let text = match (&self.text, &self.messages) {
            (Some(text), None) => text.clone(),
            (None, Some(messages)) => {
                serde_json::to_string(messages).map_err(rebuttal::Error::from)?
            }
            _ => {
                let message = "give the conversation as `text` or as `messages`, and not as both";
                return Err(Fault::new(Code::InvalidArguments, message));
            }
        };
        within_limit("text", &text)?;
        let from = self.from.as_deref().map(format_named).transpose()?;
        Ok((text, ReadOptions { from, ..ReadOptions::default() }))
    }
}

fn format_named(name: &str) -> Result<Format, Fault> {
    Format::parse(name).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        Fault::new(Code::InvalidArguments, format!("`from`: no format is called {name:?}"))
            .hint(format!("there are {names}"))
    })
}

fn within_limit(what: &str, text: &str) -> Result<(), Fault> {
    let most = limits::MCP_TEXT_BYTES;
    if text.len() <= most {
        return Ok(());
    }
    let message =
        format!("`{what}` has {} bytes, and at most {most} are read in one call", text.len());
    Err(Fault::new(Code::Text, message)
        .hint("send a part of it, or run `rebuttal audit FILE`, which reads files of any size"))
}

/// Nothing could be read: a problem with the input, told as one.
fn unreadable(problem: Option<&str>) -> Fault {
    let why = problem.unwrap_or("there is no conversation in it");
    Fault::new(Code::Text, format!("the input cannot be read: {why}"))
        .hint("give \"NAME: words\" lines or JSON messages, or name the format with `from`")
}

/// What was not as configured, and what broke on the way.
fn notes(analyzer: &Analyzer) -> Vec<String> {
    analyzer.notes.iter().cloned().chain(analyzer.failure()).collect()
}

/// An answer of the library as a value, with its versions.
pub(crate) fn document<T: Serialize>(answer: &T) -> Result<Value, Fault> {
    let answer = rebuttal::Versioned::new(answer);
    Ok(serde_json::to_value(answer).map_err(rebuttal::Error::from)?)
}
