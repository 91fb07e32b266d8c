//! One JSON document.
//!
//! Schema 1, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1, "method": "model|rules", "arbiter": null | agent,
//!   "status": "complete|skipped", "reports": 2, "latency_ms": 0.8,
//!   "contradictions": [ { "id", "kind": "value|source_data|interpretation|confidence",
//!       "metric_name", "metric", "entity", "unit", "relative_difference",
//!       "severity": "info|low|medium|high", "confidence": { "value", "whose" }, "method",
//!       "apart": "period|definition", "explanation",
//!       "sides": [ { "agent", "report", "span", "quote", "value", "shown", "shown_span", "period",
//!                    "citation": { "text", "source", "period", "quotes_value", "locator" },
//!                    "confidence", "source": { "file", "line", "bytes" } } ],
//!       "agent1_name", "agent1_value", "agent1_citation", "agent1_confidence",
//!       "agent2_name", "agent2_value", "agent2_citation", "agent2_confidence" } ],
//!   "resolutions": [ { "contradiction": id, "resolution": "agent1_correct|…|both_valid|
//!       neither_valid" | null, "explanation", "steps": [ { "looked_at", "saw", "decided" } ],
//!       "recommended_value", "recommended_citation", "confidence",
//!       "action": "use_agent1|…|use_both|flag_for_review", "by" } ],
//!   "consensus": { "resolved_contradictions", "flagged_for_review", "consensus_narrative",
//!       "adjusted_reports": [ { "agent", "text", "confidence", "given", "adjustments": [
//!           { "contradiction", "span", "original", "note", "recommended_value", "by", "why" } ],
//!           "source" } ] },
//!   "debate_results": { "contradictions_found", "resolved", "flagged_for_review",
//!       "consensus_narrative", "latency_ms", "status" },
//!   "problems": [ { "file", "line", "kind", "message" } ], "notes": [ text ] }
//! ```
//!
//! `debate_results` and the flat `agent1_…` fields are those of seed 002; a third side and more are
//! in `sides` only. Members that say nothing (no entity, no unit) are left out. A span counts bytes of
//! the report's text, a source's bytes count bytes of the file. `report` counts from 0, agents in
//! `agent1_correct` from 1, in the order of `sides`.

use std::io::{self, Write};

use rebuttal_engine::reconcile::Status;
use rebuttal_model::{AgentId, Contradiction, Problem, Side};
use serde::Serialize;

use super::Reconciled;
use crate::{JsonText, List, SCHEMA, VERSION};

/// A contradiction with the seed's flat fields beside its own.
#[derive(Debug, Serialize)]
struct Flat<'c> {
    #[serde(flatten)]
    contradiction: &'c Contradiction,
    agent1_name: Option<&'c AgentId>,
    agent1_value: Option<f64>,
    agent1_citation: Option<&'c str>,
    agent1_confidence: Option<f64>,
    agent2_name: Option<&'c AgentId>,
    agent2_value: Option<f64>,
    agent2_citation: Option<&'c str>,
    agent2_confidence: Option<f64>,
}

impl<'c> Flat<'c> {
    fn new(contradiction: &'c Contradiction) -> Self {
        let (one, two) = (contradiction.sides.first(), contradiction.sides.get(1));
        let citation = |side: &'c Side| side.citation.as_ref().map(|cited| cited.text.as_str());
        let confidence = |side: &Side| side.confidence.map(rebuttal_model::Confidence::value);
        Self {
            contradiction,
            agent1_name: one.map(|side| &side.agent),
            agent1_value: one.and_then(|side| side.value),
            agent1_citation: one.and_then(citation),
            agent1_confidence: one.and_then(confidence),
            agent2_name: two.map(|side| &side.agent),
            agent2_value: two.and_then(|side| side.value),
            agent2_citation: two.and_then(citation),
            agent2_confidence: two.and_then(confidence),
        }
    }
}

/// What seed 002 puts into the state of a workflow.
#[derive(Debug, Serialize)]
struct DebateResults<'r> {
    contradictions_found: usize,
    resolved: usize,
    flagged_for_review: usize,
    consensus_narrative: &'r str,
    latency_ms: f64,
    status: Status,
}

/// What comes before the lists.
#[derive(Debug, Serialize)]
struct Head<'r> {
    rebuttal: &'static str,
    schema: u32,
    method: &'static str,
    arbiter: Option<&'r str>,
    status: Status,
    reports: usize,
    latency_ms: f64,
}

/// Writes one JSON document.
pub fn write(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    let outcome = reconciled.outcome;
    let mut head = Vec::new();
    JsonText::write(
        &mut head,
        &Head {
            rebuttal: VERSION,
            schema: SCHEMA,
            method: reconciled.method.as_str(),
            arbiter: reconciled.arbiter,
            status: outcome.status,
            reports: reconciled.reports.len(),
            latency_ms: outcome.latency_ms,
        },
    )?;
    // The members go on, so its brace stays open.
    head.pop();
    out.write_all(&head)?;
    writeln!(out, ",")?;
    let flat: Vec<Flat<'_>> = outcome.contradictions.iter().map(Flat::new).collect();
    List::whole(out, "contradictions", &flat)?;
    List::whole(out, "resolutions", &outcome.resolutions)?;
    write!(out, r#""consensus":"#)?;
    JsonText::write(out, &outcome.consensus)?;
    write!(out, ",\n\"debate_results\":")?;
    JsonText::write(
        out,
        &DebateResults {
            contradictions_found: outcome.contradictions.len(),
            resolved: outcome.consensus.resolved_contradictions,
            flagged_for_review: outcome.consensus.flagged_for_review,
            consensus_narrative: &outcome.consensus.consensus_narrative,
            latency_ms: outcome.latency_ms,
            status: outcome.status,
        },
    )?;
    writeln!(out, ",")?;
    let problems: Vec<&Problem> = reconciled.problems.iter().map(|it| &it.0).collect();
    List::whole(out, "problems", &problems)?;
    write!(out, r#""notes":"#)?;
    JsonText::write(out, &reconciled.notes)?;
    writeln!(out, "}}")
}
