//! Who moved between two rounds, and what that adds up to.

use std::collections::BTreeSet;

use rebuttal_model::{AgentId, ChangeType, DebateMetrics, PositionChange};

use super::camps::{Conflict, converged};
use super::exchange::exchange;
use super::policy::DebatePolicy;
use super::proposal::Proposal;
use crate::voting::{plain, real};

/// Who moved: to another action, to another conviction by more than the policy's step, or both.
/// An agent that says nothing afterwards has not moved.
pub fn position_changes(
    before: &[Proposal],
    after: &[Proposal],
    policy: &DebatePolicy,
) -> Vec<PositionChange> {
    let changed = |before: &Proposal| {
        let after = after.iter().find(|after| after.agent == before.agent)?;
        let delta = after.conviction.value() - before.conviction.value();
        let acted = plain(&after.action) != plain(&before.action);
        // 0.8 to 0.7 is a step of 0.1 although the difference is a little more.
        let shifted = delta.abs() > policy.conviction_step + 1e-9;
        let change_type = match (acted, shifted) {
            (true, true) => ChangeType::Both,
            (true, false) => ChangeType::Action,
            (false, true) => ChangeType::Conviction,
            (false, false) => return None,
        };
        let (from, to) = (before.held(), after.held());
        Some(PositionChange { agent: before.agent.clone(), change_type, from, to, delta })
    };
    before.iter().filter_map(changed).collect()
}

/// What moved between two states of a panel. For a round, `before` is the round before; for a whole
/// debate, the blind round. The quality is [`debate_quality`] of the round, or the mean over rounds.
pub fn debate_metrics(
    before: &[Proposal],
    after: &[Proposal],
    quality: Option<f64>,
    policy: &DebatePolicy,
) -> DebateMetrics {
    let changes = position_changes(before, after, policy);
    let shifts = || changes.iter().filter(|change| change.change_type.is_conviction());
    DebateMetrics {
        agents_changed_action: changes
            .iter()
            .filter(|change| change.change_type.is_action())
            .count(),
        agents_changed_conviction: shifts().count(),
        // The sum of nothing is -0.
        total_conviction_shift: shifts().map(|change| change.delta.abs()).sum::<f64>() + 0.0,
        converged: converged(after),
        debate_quality: quality,
    }
}

/// How well the sides of a conflict answered each other in one round, 0 to 1:
///
/// `quality = ½ · rebutted + ¼ · grounded + ¼ · fresh`
///
/// * *rebutted*: of all opposing items that debaters owed an answer to, the share they answered.
/// * *grounded*: the share of debaters whose position afterwards rests on evidence.
/// * *fresh*: the share of debaters who said something, as evidence or rebuttal, that they had not
///   said before.
///
/// It counts that things were said, not whether they are true; `None` when nobody debated.
pub fn debate_quality(conflict: &Conflict, before: &[Proposal], after: &[Proposal]) -> Option<f64> {
    debate_quality_with(conflict, before, after, |agent| {
        let Some(shown) = exchange(conflict, before, agent) else { return Answered::default() };
        let now = after.iter().find(|after| after.agent == *agent);
        let open = now.map_or(shown.owed.len(), |now| shown.unanswered(&now.rebuttal).len());
        Answered { owed: shown.owed.len(), answered: shown.owed.len() - open }
    })
}

/// How many opposing items an agent was shown, and how many of them it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Answered {
    /// Items it was shown.
    pub owed: usize,
    /// Items it answered.
    pub answered: usize,
}

/// [`debate_quality`] where the caller knows what each agent was shown and answered.
pub fn debate_quality_with(
    conflict: &Conflict,
    before: &[Proposal],
    after: &[Proposal],
    exchanged: impl Fn(&AgentId) -> Answered,
) -> Option<f64> {
    let debaters = real(conflict.debating.len());
    if conflict.debating.is_empty() {
        return None;
    }
    let (mut owed, mut answered, mut grounded, mut fresh) = (0, 0, 0, 0);
    for agent in &conflict.debating {
        let exchanged = exchanged(agent);
        owed += exchanged.owed;
        answered += exchanged.answered;
        let Some(now) = after.iter().find(|after| after.agent == *agent) else { continue };
        grounded += usize::from(!now.evidence.is_empty());
        let old = before.iter().find(|before| before.agent == *agent);
        let known: BTreeSet<String> = old.map(said).unwrap_or_default();
        fresh += usize::from(said(now).iter().any(|item| !known.contains(item)));
    }
    let rebutted = if owed == 0 { 1.0 } else { real(answered) / real(owed) };
    Some(0.5 * rebutted + 0.25 * real(grounded) / debaters + 0.25 * real(fresh) / debaters)
}

/// All that an agent offers, without case and punctuation.
fn said(proposal: &Proposal) -> BTreeSet<String> {
    let items = proposal.evidence.iter().chain(&proposal.rebuttal);
    items.map(|item| plain(item)).filter(|item| !item.is_empty()).collect()
}
