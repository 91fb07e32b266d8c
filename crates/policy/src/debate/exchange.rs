//! What an agent is shown of the other side, and what it then owes: one rebuttal for each item.

use rebuttal_model::AgentId;
use serde::{Deserialize, Serialize};

use super::camps::Conflict;
use super::proposal::Proposal;
use crate::voting::plain;

/// An opposing agent's case, in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opposing {
    /// Who argues.
    pub agent: AgentId,
    /// The action it argues for.
    pub action: String,
    /// How sure it is, from 0 to 1.
    pub conviction: f64,
    /// The claim.
    pub thesis: String,
    /// What supports it.
    pub evidence: Vec<String>,
}

/// One thing to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owed {
    /// Its number, from 1, in the order shown.
    pub number: usize,
    /// Who offered it.
    pub agent: AgentId,
    /// What it says.
    pub evidence: String,
}

/// What one debater is shown, and what it owes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Who is shown this.
    pub agent: AgentId,
    /// The other side's cases, in the panel's order.
    pub opposing: Vec<Opposing>,
    /// What it owes an answer to, one each.
    pub owed: Vec<Owed>,
}

impl Exchange {
    /// The items that rebuttals, given in order, leave unanswered.
    pub fn unanswered(&self, rebuttals: &[String]) -> Vec<&Owed> {
        let said = |number: usize| {
            let given = number.checked_sub(1).and_then(|index| rebuttals.get(index));
            given.is_some_and(|text| !text.trim().is_empty())
        };
        self.owed.iter().filter(|owed| !said(owed.number)).collect()
    }
}

/// What an agent of the conflict is shown: every debating agent that stands for something else,
/// with its thesis and all of its evidence. A case without evidence is owed an answer to its thesis.
pub fn exchange(conflict: &Conflict, proposals: &[Proposal], agent: &AgentId) -> Option<Exchange> {
    let own = proposals.iter().find(|proposal| proposal.agent == *agent)?;
    let opposes = |proposal: &&Proposal| {
        conflict.debating.contains(&proposal.agent) && plain(&proposal.action) != plain(&own.action)
    };
    let mut owed = Vec::new();
    let mut opposing = Vec::new();
    for proposal in proposals.iter().filter(opposes) {
        let thesis = std::slice::from_ref(&proposal.thesis);
        let items = if proposal.evidence.is_empty() { thesis } else { &proposal.evidence };
        for item in items.iter().filter(|item| !item.trim().is_empty()) {
            let (agent, evidence) = (proposal.agent.clone(), item.clone());
            owed.push(Owed { number: owed.len() + 1, agent, evidence });
        }
        opposing.push(Opposing {
            agent: proposal.agent.clone(),
            action: proposal.action.clone(),
            conviction: proposal.conviction.value(),
            thesis: proposal.thesis.clone(),
            evidence: proposal.evidence.clone(),
        });
    }
    conflict.debating.contains(agent).then(|| Exchange { agent: agent.clone(), opposing, owed })
}
