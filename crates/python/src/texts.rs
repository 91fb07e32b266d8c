//! Questions to texts: the rubric, audits, comparisons, flips among positions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rebuttal::audit::{AuditSettings, write_audit};
use rebuttal::config::Config;
use rebuttal::detect::flips::{self, LOOKBACK, Statements};
use rebuttal::detect::scores::{FlipEvent, format_flip_for_ui};
use rebuttal::ledger::now;
use rebuttal::model::{Flip, Method, Position, Severity, Transcript};
use rebuttal::models::Analyzer;
use rebuttal::report;
use rebuttal::report::audit::{Html, Json, Report};
use rebuttal::rubric::{RubricEntry, explain};
use rebuttal::transcripts::{
    self, Format, Item, PositionItem, PositionOptions, PositionReader, ReadOptions,
};
use serde_json::json;

use crate::error::{TextError, raised};
use crate::json::{read, write};
use crate::threads::{compute, own};

/// What a text that was handed over is called in findings.
const TEXT: &str = "text";

/// The version of the program.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Who decides what a text says.
pub(crate) fn analyzer(method: &str) -> PyResult<Analyzer> {
    let method = match method {
        "rules" => return Ok(Analyzer::rules()),
        "model" => Method::Model,
        "seed" => Method::Seed,
        other => {
            let message = format!("method: {other:?} is none; there are rules, model and seed");
            return Err(PyValueError::new_err(message));
        }
    };
    own()?;
    let config = Config::load(None).map_err(raised)?;
    Ok(Analyzer::new(method, &config.semantics))
}

fn options(format: Option<&str>) -> PyResult<ReadOptions> {
    let Some(name) = format else { return Ok(ReadOptions::default()) };
    let known = || PyValueError::new_err(format!("format: no format is called {name:?}"));
    let from = Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(known)?;
    Ok(ReadOptions { from: Some(from), ..ReadOptions::default() })
}

/// The first conversation in a text.
fn conversation(text: &str, options: &ReadOptions) -> Result<Transcript, String> {
    let (mut first, mut why) = (None, None);
    transcripts::read(TEXT, text.as_bytes(), options, &mut |item| match item {
        Item::Transcript(transcript) => drop(first.get_or_insert(transcript)),
        Item::Problem(problem) => drop(why.get_or_insert_with(|| problem.to_string())),
    });
    first.ok_or_else(|| why.unwrap_or_else(|| "the text holds no conversation".to_owned()))
}

/// Whether a conversation contradicts itself, with reasons.
#[pyfunction]
pub(crate) fn rubric(py: Python<'_>, text: &str, method: &str) -> PyResult<String> {
    let analyzer = analyzer(method)?;
    let answered = py.detach(|| {
        let conversation = conversation(text, &ReadOptions::default())?;
        let found = explain(&conversation, analyzer.reader());
        Ok::<_, String>(write(&RubricEntry::from(&found)))
    });
    answered.map_err(TextError::new_err)?
}

/// The answer for each conversation: true where it contradicts itself. A conversation that cannot be
/// read is named by its number.
#[pyfunction]
pub(crate) fn rubric_batch(
    py: Python<'_>,
    texts: Vec<String>,
    method: &str,
) -> PyResult<Vec<bool>> {
    let analyzer = analyzer(method)?;
    let answered = compute(py, move || {
        let options = ReadOptions::default();
        let one = |(number, text): (usize, &String)| {
            let conversation = conversation(text, &options)
                .map_err(|why| format!("conversation {number}: {why}"))?;
            let found = explain(&conversation, analyzer.reader());
            Ok(rebuttal::rubric::answer_word(found.outcome) == "yes")
        };
        texts.iter().enumerate().map(one).collect::<Result<Vec<bool>, String>>()
    })?;
    answered.map_err(TextError::new_err)
}

/// What `rebuttal audit --format json` says of a text.
#[pyfunction]
pub(crate) fn audit(
    py: Python<'_>,
    text: String,
    method: &str,
    format: Option<&str>,
    min_severity: &str,
) -> PyResult<String> {
    let asked = Audit::new(text, method, format, min_severity)?;
    let report = Json::new(asked.settings.analyzer.reader().method());
    asked.written(py, report)
}

/// The same as one page.
#[pyfunction]
pub(crate) fn audit_html(
    py: Python<'_>,
    text: String,
    method: &str,
    format: Option<&str>,
    min_severity: &str,
) -> PyResult<String> {
    let asked = Audit::new(text, method, format, min_severity)?;
    let report =
        Html::new(asked.settings.analyzer.reader().method(), rebuttal::report::Place::File);
    asked.written(py, report)
}

/// A text to audit.
struct Audit {
    text: String,
    options: ReadOptions,
    settings: AuditSettings,
}

impl Audit {
    fn new(text: String, method: &str, format: Option<&str>, min_severity: &str) -> PyResult<Self> {
        let least: Severity = read("min_severity", &json!(min_severity).to_string())?;
        let mut settings = AuditSettings::new(Method::Rules, &Config::default()).map_err(raised)?;
        settings.analyzer = analyzer(method)?;
        settings.min_severity = least;
        Ok(Self { text, options: options(format)?, settings })
    }

    fn written(self, py: Python<'_>, mut report: impl Report + Send + 'static) -> PyResult<String> {
        let Self { text, options, settings } = self;
        let written = compute(py, move || {
            let mut out = Vec::new();
            let summary = write_audit((TEXT, &text, &options), &settings, &mut report, &mut out)
                .map_err(|error| error.to_string())?;
            if summary.transcripts == 0 {
                conversation(&text, &options)?;
            }
            String::from_utf8(out).map_err(|error| error.to_string())
        })?;
        written.map_err(TextError::new_err)
    }
}

/// What became of a position between two statements of one agent, and how the two relate:
/// `{"flip", "relation"}`.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    before: &str,
    after: &str,
    question: Option<&str>,
    method: &str,
) -> PyResult<String> {
    let analyzer = analyzer(method)?;
    py.detach(|| {
        let relation = rebuttal::compare::compare(before, after, &analyzer).map_err(raised)?;
        let statements = Statements { before, after, question, reply_to: None };
        let found = flips::compare_all(&[statements], analyzer.reader()).into_iter().next();
        let flip = found.map(|found| {
            json!({
                "outcome": found.outcome.as_str(),
                "similarity": found.similarity,
                "confidence": found.confidence,
                "acknowledged": found.acknowledgment.is_some(),
                "explanation": found.explanation,
            })
        });
        write(&json!({"flip": flip, "relation": relation}))
    })
}

/// The flips among positions, one JSON object a line: `{"flips", "problems"}`.
#[pyfunction]
pub(crate) fn detect_flips(
    py: Python<'_>,
    positions: String,
    lookback: Option<usize>,
    method: &str,
) -> PyResult<String> {
    let analyzer = analyzer(method)?;
    compute(py, move || {
        let (mut held, mut problems): (Vec<Position>, Vec<String>) = (Vec::new(), Vec::new());
        let options = PositionOptions { now: now(), from: None };
        for item in PositionReader::new("positions", positions.as_bytes(), options) {
            match item {
                PositionItem::Position { position, .. } => held.push(*position),
                PositionItem::Problem(problem) => problems.push(problem.to_string()),
            }
        }
        let lookback = lookback.unwrap_or(LOOKBACK);
        let flips = flips::detect_flips(held, lookback, analyzer.reader(), now());
        let flips: Vec<FlipEvent<'_>> = flips.iter().map(FlipEvent::new).collect();
        write(&json!({"flips": flips, "problems": problems}))
    })?
}

/// Flips as a page.
#[pyfunction]
pub(crate) fn flips_html(flips: &str) -> PyResult<String> {
    let flips: Vec<Flip> = read("flips", flips)?;
    let shown: Vec<&Flip> = flips.iter().collect();
    Ok(report::ledger::flips(&shown, false, report::Place::File).stand_alone().into_string())
}

/// What a page shows of a flip.
#[pyfunction]
pub(crate) fn format_flip(flip: &str) -> PyResult<String> {
    let flip: Flip = read("flip", flip)?;
    write(&format_flip_for_ui(&flip))
}
