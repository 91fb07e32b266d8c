//! The helpers of targeted debates: conflicts, evidence exchange, changes, metrics, the moderator.

use pyo3::prelude::*;
use rebuttal::model::{AgentId, Decision, ModeratorEvaluation, POLICY_VERSION};
use rebuttal::policy::debate::{self as policy, DebatePolicy, Moderated, Proposal};
use rebuttal::policy::voting::Options;
use serde_json::json;

use crate::error::DebateError;
use crate::json::{read, write};

fn proposals(argument: &str, text: &str) -> PyResult<Vec<Proposal>> {
    read(argument, text)
}

/// The camps that disagree, who debates and who looks on; `null` without a conflict.
#[pyfunction]
pub(crate) fn identify_conflicts(given: &str, settings: &str) -> PyResult<String> {
    let (given, settings) = (proposals("proposals", given)?, read("policy", settings)?);
    let found = policy::conflicts(&given, &settings);
    write(&found)
}

/// What one debater is shown of the other side, and what it owes an answer to.
#[pyfunction]
pub(crate) fn evidence_exchange(given: &str, agent: &str, settings: &str) -> PyResult<String> {
    let (given, settings) = (proposals("proposals", given)?, read("policy", settings)?);
    let found = policy::conflicts(&given, &settings);
    let shown = found.and_then(|found| policy::exchange(&found, &given, &AgentId::new(agent)));
    write(&shown)
}

/// Whether all agree.
#[pyfunction]
pub(crate) fn converged(given: &str) -> PyResult<bool> {
    Ok(policy::converged(&proposals("proposals", given)?))
}

/// Who moved.
#[pyfunction]
pub(crate) fn position_changes(before: &str, after: &str, settings: &str) -> PyResult<String> {
    let settings: DebatePolicy = read("policy", settings)?;
    let (before, after) = (proposals("before", before)?, proposals("after", after)?);
    write(&policy::position_changes(&before, &after, &settings))
}

/// What moved, in numbers.
#[pyfunction]
pub(crate) fn debate_metrics(before: &str, after: &str, settings: &str) -> PyResult<String> {
    let settings: DebatePolicy = read("policy", settings)?;
    let (before, after) = (proposals("before", before)?, proposals("after", after)?);
    let conflict = policy::conflicts(&before, &settings);
    let quality = conflict.and_then(|conflict| policy::debate_quality(&conflict, &before, &after));
    write(&policy::debate_metrics(&before, &after, quality, &settings))
}

fn options(names: &[String]) -> PyResult<Options> {
    if names.is_empty() {
        return Ok(Options::Free);
    }
    Options::given(names).map_err(|error| DebateError::new_err(format!("options: {error}")))
}

/// A moderator's evaluation, read from a model's reply.
#[pyfunction]
pub(crate) fn read_evaluation(reply: &str, names: Vec<String>) -> PyResult<String> {
    let evaluation = policy::read_evaluation(POLICY_VERSION, reply, &options(&names)?);
    write(&evaluation.map_err(|error| DebateError::new_err(error.to_string()))?)
}

/// A decision after its moderator looked at it, and what the moderator did:
/// `{"decision", "moderated": "agrees" | "unsure" | "barred" | "overrode"}`.
#[pyfunction]
pub(crate) fn moderate(
    decision: &str,
    moderator: &str,
    evaluation: &str,
    names: Vec<String>,
    settings: &str,
) -> PyResult<String> {
    let mut decision: Decision = read("decision", decision)?;
    let evaluation: ModeratorEvaluation = read("evaluation", evaluation)?;
    let (options, settings) = (options(&names)?, read("policy", settings)?);
    let by = AgentId::new(moderator);
    let moderated = policy::moderate(&mut decision, by, evaluation, &options, &settings, None);
    let moderated = match moderated {
        Moderated::Agrees => "agrees",
        Moderated::Unsure => "unsure",
        Moderated::Barred => "barred",
        Moderated::Overrode => "overrode",
    };
    write(&json!({"decision": decision, "moderated": moderated}))
}
