//! The weighted vote of the seed document: each agent counts with its conviction.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Rejected};
use serde::{Deserialize, Serialize};

use super::camps::requires_debate;
use super::policy::DebatePolicy;
use super::proposal::Proposal;
use crate::voting::{Answer, Options, real};
use crate::words::{list, short};

/// What the weighted vote says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightedVote {
    /// The option with the most conviction behind it. In a tie, or where nobody is sure of anything,
    /// the option that holds, if the question has one.
    pub recommendation: Option<String>,
    /// The conviction behind it, over the number of agents on the panel; capped while a conflict
    /// remains.
    pub confidence: f64,
    /// The conviction behind each option.
    pub weights: BTreeMap<String, f64>,
    /// True when a remaining conflict took the confidence down.
    pub capped: bool,
    /// Proposals that did not count.
    pub rejected: Vec<Rejected>,
    /// How it came to this, in words.
    pub rationale: String,
}

/// Counts proposals by conviction. Every agent of the panel is in the denominator; a proposal for
/// something that is no option is rejected and named.
pub fn weighted_vote(
    proposals: &[Proposal],
    panel: &[AgentId],
    options: &Options,
    policy: &DebatePolicy,
) -> WeightedVote {
    let mut weights: BTreeMap<String, f64> =
        options.names().into_iter().map(|name| (name, 0.0)).collect();
    let mut rejected = Vec::new();
    let mut counted: Vec<Proposal> = Vec::new();
    for proposal in proposals {
        let mut reject = |reason: String| {
            rejected.push(Rejected { agent: proposal.agent.clone(), round: 0, reason });
        };
        if !panel.contains(&proposal.agent) {
            reject(format!("{} is not on the panel", proposal.agent));
            continue;
        }
        match options.read(&proposal.action) {
            Answer::Outside(why) => reject(why),
            inside => {
                let action = inside.name().unwrap_or_default();
                let votes = !proposal.neutral || policy.is_holding(&action);
                let weight = if votes { proposal.conviction.value() } else { 0.0 };
                *weights.entry(action.clone()).or_insert(0.0) += weight;
                counted.push(Proposal { action, ..proposal.clone() });
            }
        }
    }
    let best = weights.values().copied().fold(0.0, f64::max);
    let leaders: Vec<&String> = weights
        .iter()
        .filter(|(_, weight)| best > 0.0 && best - **weight < 1e-9)
        .map(|(name, _)| name)
        .collect();
    let holding = || options.names().into_iter().find(|name| policy.is_holding(name));
    let (recommendation, rationale) = match leaders.as_slice() {
        [] => (holding(), "Nobody is sure of anything".to_owned()),
        [one] => {
            let words = format!("{} has a conviction of {best:.2} behind it", short(one, 60));
            (Some((*one).clone()), words)
        }
        tied => {
            let names = list(tied.iter().map(|name| short(name, 60)));
            (holding(), format!("{names} are tied with a conviction of {best:.2} each"))
        }
    };
    let own = recommendation.as_ref().and_then(|name| weights.get(name)).copied().unwrap_or(0.0);
    let share = (own / real(panel.len()).max(1.0)).clamp(0.0, 1.0);
    let capped = requires_debate(&counted, policy) && share > policy.conflict_cap;
    let confidence = if capped { policy.conflict_cap } else { share };
    let rationale = explain(&rationale, recommendation.as_ref(), capped, policy);
    WeightedVote { recommendation, confidence, weights, capped, rejected, rationale }
}

fn explain(
    words: &str,
    recommendation: Option<&String>,
    capped: bool,
    policy: &DebatePolicy,
) -> String {
    let end = match recommendation {
        Some(name) if policy.is_holding(name) => format!("{words}; the vote is to {name}."),
        Some(_) => format!("{words}."),
        None => format!("{words}, so there is no decision."),
    };
    if capped {
        let cap = policy.conflict_cap;
        return format!("{end} A conflict remains, so confidence is at most {cap}.");
    }
    end
}
