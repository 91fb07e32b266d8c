//! Stands in for the look at the panel until it lands.

use rebuttal_model::{AgentId, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::Embedder;

#[expect(dead_code, reason = "what the look at the panel will need")]
pub(super) struct Said<'s> {
    pub(super) agent: &'s AgentId,
    pub(super) turn: TurnId,
    pub(super) round: u32,
    pub(super) text: &'s str,
    pub(super) answer: Option<&'s str>,
}

pub(super) fn analyze_round(
    round: u32,
    _: &[Said<'_>],
    _: &[Said<'_>],
    _: &dyn Embedder,
    _: &TricksterConfig,
) -> RoundAnalysis {
    RoundAnalysis { round, ..RoundAnalysis::default() }
}
