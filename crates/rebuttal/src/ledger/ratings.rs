//! What a finished debate says about how good its agents are.
//!
//! Only what was known or judged from outside counts: an answer given as right, or the ruling of
//! judges who did not debate. To have voted with the panel is no skill.

use std::collections::BTreeMap;

use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, Turn};

/// Rules under which judges decide, and not the panel.
const JUDGED: [&str; 2] = ["judge", "judge-panel"];

/// 1 for each agent that answered right in the end, 0 for each that did not; empty where nobody can
/// say, or where there was nobody to measure with.
pub fn scores(state: &State) -> BTreeMap<AgentId, f64> {
    let Some(right) = right_answer(state) else { return BTreeMap::new() };
    let options = state.options();
    let known = state.panel().into_iter().filter_map(|agent| {
        let last: &Turn = state.latest_through(&agent, u32::MAX)?;
        let is_right = options.same(last.structured.answer.as_deref()?, right);
        Some((agent, f64::from(u8::from(is_right))))
    });
    let scores: BTreeMap<AgentId, f64> = known.collect();
    if scores.len() < 2 { BTreeMap::new() } else { scores }
}

/// What agents are measured by.
fn right_answer(state: &State) -> Option<&str> {
    let spec = state.spec();
    if let Some(truth) = spec.truth.as_deref() {
        return Some(truth);
    }
    let panel = state.panel();
    let judges = &spec.protocol.judges;
    let apart = !judges.is_empty() && judges.iter().all(|judge| !panel.contains(judge));
    let decision = state.decision.as_ref()?;
    let ruled = JUDGED.contains(&decision.rule.as_str());
    if apart && ruled { decision.answer.as_deref() } else { None }
}

#[cfg(test)]
mod tests {
    use rebuttal_model::{Event, Record};

    use super::*;

    /// In the end finance says no, platform and sre yes, and yes is decided.
    const RECORDED: &str = include_str!("../../../../assets/recorded-debate.jsonl");

    fn with_truth(truth: Option<&str>) -> BTreeMap<String, f64> {
        let mut records: Vec<Record> =
            RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        if let Event::DebateStarted { spec } = &mut records[0].event {
            spec.truth = truth.map(ToOwned::to_owned);
        }
        let scores = scores(&State::fold(&records).unwrap());
        scores.into_iter().map(|(agent, score)| (agent.as_str().to_owned(), score)).collect()
    }

    #[test]
    fn who_was_right_in_the_end_scores() {
        let expected = [("finance", 1.0), ("platform", 0.0), ("sre", 0.0)];
        let expected = expected.map(|(name, score)| (name.to_owned(), score));
        assert_eq!(with_truth(Some("no")), BTreeMap::from(expected));
    }

    #[test]
    fn to_vote_with_the_panel_is_no_skill() {
        assert!(with_truth(None).is_empty());
    }
}
