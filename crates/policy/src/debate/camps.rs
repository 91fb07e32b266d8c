//! Who stands with whom, whether that is a conflict, and who then debates.

use rebuttal_model::AgentId;
use serde::{Deserialize, Serialize};

use super::policy::{DebatePolicy, Holders};
use super::proposal::Proposal;
use crate::voting::plain;

/// Agents that stand for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Camp {
    /// What they stand for, as the first of them wrote it.
    pub action: String,
    /// Who, in the panel's order.
    pub agents: Vec<AgentId>,
    /// True when they hold.
    pub is_holding: bool,
}

/// Camps that disagree, and what each agent does about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Every camp, in the order in which its first member stands on the panel.
    pub camps: Vec<Camp>,
    /// Who debates.
    pub debating: Vec<AgentId>,
    /// Who keeps its position and looks on.
    pub observing: Vec<AgentId>,
}

/// The camps of a panel. Agents that are neutral are in none.
pub fn camps(proposals: &[Proposal], policy: &DebatePolicy) -> Vec<Camp> {
    let mut camps: Vec<Camp> = Vec::new();
    for proposal in proposals.iter().filter(|proposal| !proposal.neutral) {
        let same = |camp: &&mut Camp| plain(&camp.action) == plain(&proposal.action);
        match camps.iter_mut().find(same) {
            Some(camp) => camp.agents.push(proposal.agent.clone()),
            None => camps.push(Camp {
                action: proposal.action.clone(),
                agents: vec![proposal.agent.clone()],
                is_holding: policy.is_holding(&proposal.action),
            }),
        }
    }
    camps
}

/// The conflict of a panel, if there is one: which camps there are, and who debates.
///
/// Only the camps in conflict debate. The others keep their position.
pub fn conflicts(proposals: &[Proposal], policy: &DebatePolicy) -> Option<Conflict> {
    let camps = camps(proposals, policy);
    let active = camps.iter().filter(|camp| !camp.is_holding).count();
    let holders_debate = match policy.holders {
        Holders::Observe => false,
        Holders::Join => active < 2,
        Holders::Debate => true,
    };
    let debates = |camp: &Camp| holders_debate || !camp.is_holding;
    if camps.iter().filter(|camp| debates(camp)).count() < 2 {
        return None;
    }
    let in_debate =
        |agent: &AgentId| camps.iter().any(|camp| debates(camp) && camp.agents.contains(agent));
    let agents = proposals.iter().map(|proposal| proposal.agent.clone());
    let (debating, observing) = agents.partition(|agent| in_debate(agent));
    Some(Conflict { camps, debating, observing })
}

/// True when there is a conflict to debate.
pub fn requires_debate(proposals: &[Proposal], policy: &DebatePolicy) -> bool {
    conflicts(proposals, policy).is_some()
}

/// True when all agree, whether or not anyone moved. Agents that are neutral are not counted unless
/// all are; a panel without proposals agrees on nothing.
pub fn converged(proposals: &[Proposal]) -> bool {
    let sided: Vec<&Proposal> = proposals.iter().filter(|proposal| !proposal.neutral).collect();
    let counted = if sided.is_empty() { proposals.iter().collect() } else { sided };
    let mut actions = counted.iter().map(|proposal| plain(&proposal.action));
    actions.next().is_some_and(|first| actions.all(|action| action == first))
}
