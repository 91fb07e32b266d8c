//! Stand-ins until the parts land.
#![allow(dead_code, missing_docs)]
use rebuttal_model::*;
use rebuttal_semantics::Embedder;
use std::collections::BTreeMap;
pub(super) struct Context<'c> {
    pub round: u32,
    pub rounds_left: u32,
    pub panel: &'c [AgentId],
    pub name: &'c dyn Fn(&AgentId) -> String,
}
pub(super) fn choose(
    _: &TricksterConfig,
    _: &RoundAnalysis,
    _: &[Intervention],
    _: &Context<'_>,
) -> Vec<Intervention> {
    Vec::new()
}
pub(super) mod roles {
    use super::*;
    pub(crate) fn assign(_: &[AgentId], _: u32, _: u32, _: bool) -> BTreeMap<AgentId, PanelRole> {
        BTreeMap::new()
    }
    pub(crate) fn prompt(_: PanelRole) -> String {
        String::new()
    }
}
pub(super) struct Said<'s> {
    pub agent: &'s AgentId,
    pub turn: TurnId,
    pub round: u32,
    pub text: &'s str,
    pub answer: Option<&'s str>,
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
