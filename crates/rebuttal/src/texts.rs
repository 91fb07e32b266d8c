//! Texts that a client sends: audited, put to the rubric, checked for contradictions, compared. Each answer
//! is the document that the command of that name writes with `--format json`.

use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use rebuttal_detect::reports::ContradictionOptions;
use rebuttal_engine::reconcile::{Settings, reconcile};
use rebuttal_model::{Method, Problem, Severity, limits};
use rebuttal_report::audit::{Html, Json, Junit, Markdown, Report, Sarif};
use rebuttal_report::problems::Gravity;
use rebuttal_report::reconcile::{Reconciled, json as write_reconciled};
use rebuttal_transcripts::{Format, Item, ReadOptions, read_reports};
use serde::Serialize;
use serde_json::{Value, from_slice, json};
use tokio::sync::Semaphore;

use crate::Versioned;
use crate::audit::{AuditSettings, tricksters, write_audit};
use crate::compare::compare;
use crate::config::{Config, Semantics};
use crate::error::{Error, ErrorKind, Result};
use crate::jobs::beside;
use crate::models::Analyzer;
use crate::rubric::{RubricEntry, explain};

/// Most findings in one answer.
const FINDINGS: usize = 500;

/// A conversation that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// What it is called in findings.
    pub name: String,
    /// The log as it is.
    pub bytes: Vec<u8>,
    /// What it is, instead of finding out.
    pub from: Option<Format>,
}

impl Sent {
    /// A text that is called `text` in findings.
    pub fn text(text: &str) -> Self {
        Self { name: "text".to_owned(), bytes: text.as_bytes().to_vec(), from: None }
    }

    fn options(&self) -> ReadOptions {
        ReadOptions { from: self.from, ..ReadOptions::default() }
    }
}

/// Which findings of an audit are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Leave milder ones out.
    pub min_severity: Severity,
    /// Most of them, the gravest first.
    pub limit: usize,
}

impl Default for Told {
    fn default() -> Self {
        Self { min_severity: Severity::Info, limit: 50 }
    }
}

/// Audits a conversation: what `rebuttal audit --format json` says of it, the gravest findings first.
pub fn audit_text(sent: &Sent, told: Told, analyzer: Analyzer, config: &Config) -> Result<Value> {
    let options = sent.options();
    let method = analyzer.reader().method();
    let settings = AuditSettings {
        analyzer,
        trickster: Some(tricksters(config)?),
        min_severity: told.min_severity,
    };
    let (mut written, mut report) = (Vec::new(), Json::new(method));
    let summary =
        write_audit((&sent.name, &sent.bytes, &options), &settings, &mut report, &mut written)?;
    let mut document: Value = from_slice(&written)?;
    if summary.transcripts == 0 {
        let problem = document.pointer("/problems/0/message").and_then(Value::as_str);
        return Err(unreadable(problem));
    }
    let limit = told.limit.min(FINDINGS);
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

/// How an audit is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditAs {
    /// One JSON document.
    #[default]
    Json,
    /// A page.
    Html,
    /// Markdown.
    Markdown,
    /// SARIF, for code hosts.
    Sarif,
    /// JUnit, for build servers.
    Junit,
}

impl AuditAs {
    /// By its name: `json`, `html`, `md`, `sarif` or `junit`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "html" => Self::Html,
            "md" => Self::Markdown,
            "sarif" => Self::Sarif,
            "junit" => Self::Junit,
            _ => return None,
        })
    }

    /// What it is called over HTTP.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Sarif => "application/sarif+json",
            Self::Junit => "application/xml",
        }
    }

    fn report(self, method: Method) -> Box<dyn Report> {
        match self {
            Self::Json => Box::new(Json::new(method)),
            Self::Html => Box::new(Html::new(method, rebuttal_report::Place::File)),
            Self::Markdown => Box::new(Markdown::default()),
            Self::Sarif => Box::new(Sarif::default()),
            Self::Junit => Box::new(Junit::new(None)),
        }
    }
}

/// Audits a conversation and writes what was found in one of the formats of `rebuttal audit`. What cannot be
/// read at all is an error.
pub fn audit_as(
    sent: &Sent,
    told: Told,
    form: AuditAs,
    analyzer: Analyzer,
    config: &Config,
) -> Result<Vec<u8>> {
    if form == AuditAs::Json {
        return Ok(serde_json::to_vec(&audit_text(sent, told, analyzer, config)?)?);
    }
    let mut report = form.report(analyzer.reader().method());
    let settings = AuditSettings {
        analyzer,
        trickster: Some(tricksters(config)?),
        min_severity: told.min_severity,
    };
    let (mut written, options) = (Vec::new(), sent.options());
    let text = (sent.name.as_str(), &sent.bytes, &options);
    let summary = write_audit(text, &settings, &mut *report, &mut written)?;
    if summary.transcripts == 0 {
        return Err(unreadable(None));
    }
    Ok(written)
}

/// Answers the rubric's question for each conversation.
pub fn check_rubric(sent: &Sent, analyzer: &Analyzer) -> Result<Value> {
    let options = sent.options();
    let (mut answers, mut problems) = (Vec::new(), Vec::new());
    let mut failed = None;
    rebuttal_transcripts::read(&sent.name, &*sent.bytes, &options, &mut |item| match item {
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
        return Err(error.into());
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
pub fn find_contradictions(
    sent: &Sent,
    tolerance: Option<f64>,
    analyzer: &Analyzer,
    config: &Config,
) -> Result<Value> {
    let tolerance = tolerance.unwrap_or(config.reconcile.tolerance.value);
    if !(0.0..=1.0).contains(&tolerance) {
        let message = format!("`tolerance` is {tolerance}, not a share from 0 to 1");
        return Err(Error::new(ErrorKind::Argument, message).hint("0.05 is usual"));
    }
    let (reports, problems) = read_reports(&sent.name, &*sent.bytes, &sent.options());
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
    write_reconciled(&reconciled, &mut written)?;
    written.flush()?;
    Ok(from_slice(&written)?)
}

/// Compares two statements.
pub fn compare_pair(a: &str, b: &str, analyzer: &Analyzer) -> Result<Value> {
    within_limit("a", a)?;
    within_limit("b", b)?;
    document(&compare(a, b, analyzer)?)
}

/// The format of this name.
pub fn format_named(name: &str) -> Result<Format> {
    Format::parse(name).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        Error::new(ErrorKind::Argument, format!("`from`: no format is called {name:?}"))
            .hint(format!("there are {names}"))
    })
}

/// Refuses a text that one call is too short for.
pub fn within_limit(what: &str, text: &str) -> Result<()> {
    let most = limits::MCP_TEXT_BYTES;
    if text.len() <= most {
        return Ok(());
    }
    let message =
        format!("`{what}` has {} bytes, and at most {most} are read in one call", text.len());
    Err(Error::new(ErrorKind::Text, message)
        .hint("send a part of it, or run `rebuttal audit FILE`, which reads files of any size"))
}

/// Nothing could be read: a problem with the input, told as one.
fn unreadable(problem: Option<&str>) -> Error {
    let why = problem.unwrap_or("there is no conversation in it");
    Error::new(ErrorKind::Text, format!("the input cannot be read: {why}"))
        .hint("give \"NAME: words\" lines or JSON messages, or name the format with `from`")
}

/// What was not as configured, and what broke on the way.
fn notes(analyzer: &Analyzer) -> Vec<String> {
    analyzer.notes.iter().cloned().chain(analyzer.failure()).collect()
}

/// An answer of the library as a value, with its versions.
pub fn document<T: Serialize>(answer: &T) -> Result<Value> {
    let answer = Versioned::new(answer);
    Ok(serde_json::to_value(answer)?)
}

/// How many texts are read at the same time; further calls wait. Each uses all cores where it can.
const READINGS: usize = 2;

/// Reads texts beside the executor, a few at a time. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Readings {
    analyzers: Arc<[Analyzer; 3]>,
    turns: Arc<Semaphore>,
}

impl Readings {
    /// With the models that are configured.
    pub fn new(semantics: &Semantics) -> Self {
        let analyzers = [Method::Model, Method::Rules, Method::Seed]
            .map(|method| Analyzer::new(method, semantics));
        Self { analyzers: Arc::new(analyzers), turns: Arc::new(Semaphore::new(READINGS)) }
    }

    /// Reads by this method, when it is its turn. What breaks on a text is an error, not a crash.
    pub async fn read<T: Send + 'static>(
        &self,
        method: Method,
        read: impl FnOnce(Analyzer) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let [model, rules, seed] = &*self.analyzers;
        let analyzer = match method {
            Method::Rules => rules,
            Method::Seed => seed,
            Method::Model => model,
        };
        let analyzer = analyzer.clone();
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let read = move || {
            // Held by the work, not by the call: a client that gives up does not make room for more.
            let _turn = turn;
            std::panic::catch_unwind(AssertUnwindSafe(|| read(analyzer)))
        };
        beside(read).await?.unwrap_or_else(|_| {
            let message = "rebuttal stumbled over this text";
            Err(Error::new(ErrorKind::Other, message).hint("please report it"))
        })
    }
}
