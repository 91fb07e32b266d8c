//! A debate as one JSON document.

use rebuttal_engine::debate::{State, synthesis};
use rebuttal_model::{DebateSpec, Decision, Hash, Record, Synthesis};
use rebuttal_policy::trickster::{InterventionStats, stats as count};
use serde::Serialize;

/// What a debate came to: `{ "spec", "decision", "synthesis", "stats", "records", "head" }`.
#[derive(Debug, Serialize)]
pub struct DebateDocument<'d> {
    spec: &'d DebateSpec,
    decision: &'d Decision,
    /// What it came to, each sentence with the turns it rests on.
    synthesis: Option<Synthesis>,
    /// What the trickster saw and did: seed 001's `get_stats()`.
    stats: InterventionStats,
    records: u64,
    head: Hash,
}

impl<'d> DebateDocument<'d> {
    /// The document of a debate that has ended; `None` while it has not.
    pub fn new(state: &'d State, records: &[Record]) -> Option<Self> {
        let (decision, last) = (state.decision.as_ref()?, records.last()?);
        let (seen, done) = (&state.steering.analyses, &state.steering.interventions);
        let counted = count(seen, done);
        Some(Self {
            spec: state.spec(),
            decision,
            synthesis: synthesis(state),
            stats: counted,
            records: last.seq,
            head: last.hash,
        })
    }
}
