//! Reports of several agents: where they conflict, who is right, what to go on with.

use pyo3::prelude::*;
use rebuttal::detect::reports::{ContradictionOptions, contradictions_and_problems};
use rebuttal::engine::reconcile::{Reconciliation, Status};
use rebuttal::model::{
    AgentId, ConsensusResult, Contradiction, Method, Problem, Report, Resolution,
};
use rebuttal::models::Analyzer;
use rebuttal::policy::{self, Authority, Opinion, Order, Refused};
use rebuttal::report::reconcile::{Reconciled, html};
use rebuttal::transcripts::{self, ReadOptions};
use serde_json::json;

use crate::error::{ConfigError, TextError, raised};
use crate::json::{read, write};
use crate::texts::analyzer;
use crate::threads::compute;

/// Reports in any form the program reads: `{"reports", "problems"}`.
#[pyfunction]
pub(crate) fn read_reports(py: Python<'_>, text: &str) -> PyResult<String> {
    let (reports, problems) = py
        .detach(|| transcripts::read_reports("reports", text.as_bytes(), &ReadOptions::default()));
    write(&json!({"reports": reports, "problems": words(&problems)}))
}

fn words(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// Where reports conflict: `{"contradictions", "problems"}`.
#[pyfunction]
pub(crate) fn detect_contradictions(
    py: Python<'_>,
    reports: &str,
    tolerance: Option<f64>,
    method: &str,
) -> PyResult<String> {
    let reports: Vec<Report> = read("reports", reports)?;
    let analyzer = analyzer(method)?;
    let mut options = ContradictionOptions::default();
    if let Some(tolerance) = tolerance {
        options.tolerance = tolerance;
    }
    let (found, problems) =
        compute(py, move || contradictions_and_problems(&reports, &options, analyzer.reader()))?;
    write(&json!({"contradictions": found, "problems": words(&problems)}))
}

fn authority(rules: Option<&str>) -> PyResult<Authority> {
    let Some(rules) = rules else { return Ok(Authority::default()) };
    let (authority, problems) = Authority::read(rules, "authority");
    match problems.first() {
        None => Ok(authority),
        Some(problem) => Err(ConfigError::new_err(problem.to_string())),
    }
}

/// The written rules' ruling on one contradiction.
#[pyfunction]
pub(crate) fn arbitrate(contradiction: &str, rules: Option<&str>) -> PyResult<String> {
    let contradiction: Contradiction = read("contradiction", contradiction)?;
    write(&policy::arbitrate(&contradiction, &authority(rules)?))
}

/// What a model is asked about one contradiction, with the sides as given and reversed.
#[pyfunction]
pub(crate) fn debate_prompt(
    contradiction: &str,
    rules: Option<&str>,
) -> PyResult<(String, String)> {
    let contradiction: Contradiction = read("contradiction", contradiction)?;
    let authority = authority(rules)?;
    let prompt = |order| policy::prompt(&[&contradiction], &authority, order);
    Ok((prompt(Order::AsGiven), prompt(Order::Reversed)))
}

/// The ruling that comes of a model's two replies; each is the reply, or why there is none.
#[pyfunction]
pub(crate) fn settle(
    contradiction: &str,
    by: &str,
    given: (Option<String>, String),
    reversed: (Option<String>, String),
    rules: Option<&str>,
) -> PyResult<String> {
    let contradiction: Contradiction = read("contradiction", contradiction)?;
    let fallback = policy::arbitrate(&contradiction, &authority(rules)?);
    let opinion = |(reply, failure): (Option<String>, String), order| -> Result<Opinion, Refused> {
        let Some(reply) = reply else { return Err(Refused::NoReply(failure)) };
        let read = policy::replies(&reply, &[&contradiction], order).into_iter().next();
        read.unwrap_or_else(|| Err(Refused::NoReply("there is no reply".to_owned())))
    };
    let given = opinion(given, Order::AsGiven);
    let reversed = opinion(reversed, Order::Reversed);
    write(&policy::settle(&contradiction, given, reversed, &AgentId::new(by), fallback))
}

/// What all rulings come to.
#[pyfunction]
pub(crate) fn build_consensus(
    contradictions: &str,
    resolutions: &str,
    reports: &str,
) -> PyResult<String> {
    let contradictions: Vec<Contradiction> = read("contradictions", contradictions)?;
    let resolutions: Vec<Resolution> = read("resolutions", resolutions)?;
    let reports: Vec<Report> = read("reports", reports)?;
    write(&policy::consensus(&contradictions, &resolutions, &reports))
}

/// The reports with what the rulings mean for them, and each as one text: `[{"report", "text"}]`.
#[pyfunction]
pub(crate) fn apply_resolutions(
    contradictions: &str,
    resolutions: &str,
    reports: &str,
) -> PyResult<String> {
    let contradictions: Vec<Contradiction> = read("contradictions", contradictions)?;
    let resolutions: Vec<Resolution> = read("resolutions", resolutions)?;
    let reports: Vec<Report> = read("reports", reports)?;
    let consensus = policy::consensus(&contradictions, &resolutions, &reports);
    let adjusted = consensus.adjusted_reports.iter();
    let texts =
        adjusted.map(|report| json!({"report": report, "text": policy::adjusted_text(report)}));
    write(&texts.collect::<Vec<_>>())
}

/// The reconciliation as one page.
#[pyfunction]
pub(crate) fn reconcile_html(
    contradictions: &str,
    resolutions: &str,
    reports: &str,
    arbiter: Option<&str>,
    latency_ms: f64,
) -> PyResult<String> {
    let contradictions: Vec<Contradiction> = read("contradictions", contradictions)?;
    let resolutions: Vec<Resolution> = read("resolutions", resolutions)?;
    let reports: Vec<Report> = read("reports", reports)?;
    let consensus: ConsensusResult = policy::consensus(&contradictions, &resolutions, &reports);
    let status = if contradictions.is_empty() { Status::Skipped } else { Status::Complete };
    let problems = Vec::new();
    let outcome =
        Reconciliation { status, contradictions, resolutions, consensus, problems, latency_ms };
    let reconciled = Reconciled {
        reports: &reports,
        problems: &[],
        outcome: &outcome,
        method: Method::Rules,
        arbiter,
        authority_file: None,
        notes: Analyzer::rules().notes,
    };
    let mut page = Vec::new();
    html(&reconciled, &mut page).map_err(|error| raised(rebuttal::Error::from(error)))?;
    String::from_utf8(page).map_err(|error| TextError::new_err(error.to_string()))
}

/// A citation as somebody wrote it, with the source and period it names.
#[pyfunction]
pub(crate) fn cited(text: &str) -> PyResult<String> {
    let facts = rebuttal::read::read(text, None).map_err(raised)?;
    let found = facts.citations.first();
    let period = found.and_then(|found| found.period.as_ref()).map(|period| {
        let days = period.first.as_ref().zip(period.last.as_ref());
        json!({"text": period.quote.text, "days": days})
    });
    write(&json!({
        "text": text,
        "source": found.map(|found| found.source.text),
        "period": period,
        "quotes_value": found.is_some_and(|found| found.value.is_some()),
    }))
}
