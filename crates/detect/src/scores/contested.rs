//! Which claims are genuinely ambiguous, and which fields are trouble.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{AgentId, Flip, FlipKind, Position, Stance};
use serde::Serialize;

use super::{Rate, real};

/// A proposition on which agents change sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contested<K> {
    /// The caller's name for the proposition.
    pub key: K,
    /// Agents that flipped on it, of those that hold a position on it.
    pub flipped: Rate,
    /// Agents that ended nearer to yes.
    pub towards: u64,
    /// Agents that ended nearer to no.
    pub away: u64,
    /// `2·min(towards, away) / (towards + away)`: 0 when all went the same way, which is what good
    /// evidence does; 1 when as many went one way as the other. 0 where no direction is known.
    pub balance: f64,
    /// The lower end of [`Self::flipped`] times [`Self::balance`].
    pub score: f64,
}

/// Scores propositions, the most contested first, equal ones by key. `holders` says how many agents
/// hold a position on each; who flips is a holder even if it is not among them. Each agent counts
/// once in each direction.
pub fn contested<'f, K: Ord + Clone>(
    holders: &BTreeMap<K, u64>,
    flips: impl IntoIterator<Item = (K, &'f Flip)>,
) -> Vec<Contested<K>> {
    let mut groups: BTreeMap<K, [BTreeSet<&AgentId>; 3]> = BTreeMap::new();
    for (key, flip) in flips {
        let [all, towards, away] = groups.entry(key).or_default();
        all.insert(&flip.after.agent);
        match flip.direction() {
            Stance::Yes => towards.insert(&flip.after.agent),
            Stance::No => away.insert(&flip.after.agent),
            Stance::Unclear => false,
        };
    }
    let score = |(key, [all, towards, away]): (K, [BTreeSet<&AgentId>; 3])| {
        let (all, towards, away) = (all.len() as u64, towards.len() as u64, away.len() as u64);
        let holders = holders.get(&key).copied().unwrap_or(0).max(all);
        let flipped = Rate::new(all, holders);
        let moved = real(towards + away);
        let balance = if moved > 0.0 { 2.0 * real(towards.min(away)) / moved } else { 0.0 };
        Contested { key, flipped, towards, away, balance, score: flipped.low * balance }
    };
    let mut scored: Vec<Contested<K>> = groups.into_iter().map(score).collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score));
    scored
}

/// How a field fares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemDomain {
    /// The field.
    pub domain: String,
    /// Positions that were flips, of all positions.
    pub flips: Rate,
    /// Flips by kind.
    pub by_type: BTreeMap<FlipKind, u64>,
    /// Flips weighted by kind, for each position: 1 − this is what a consistency score would be.
    pub weighted_rate: f64,
    /// Different agents that flipped.
    pub agents: u64,
}

/// Fields in which positions do not last, worst first: by the lower end of the rate, so that one flip
/// of one position does not lead the list, then by name. Flips and positions without a field are left
/// out.
pub fn problem_domains<'l>(
    positions: impl IntoIterator<Item = &'l Position>,
    flips: impl IntoIterator<Item = &'l Flip>,
) -> Vec<ProblemDomain> {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for domain in positions.into_iter().filter_map(|position| position.domain.as_deref()) {
        *totals.entry(domain).or_default() += 1;
    }
    let mut fields: BTreeMap<&str, Vec<&Flip>> = BTreeMap::new();
    for flip in flips {
        if let Some(domain) = flip.after.domain.as_deref().or(flip.before.domain.as_deref()) {
            fields.entry(domain).or_default().push(flip);
        }
    }
    let score = |(domain, flips): (&str, Vec<&Flip>)| {
        let ids: BTreeSet<_> = flips.iter().map(|flip| &flip.after.id).collect();
        let agents: BTreeSet<_> = flips.iter().map(|flip| &flip.after.agent).collect();
        let total = totals.get(domain).copied().unwrap_or(0).max(ids.len() as u64);
        let mut by_type = BTreeMap::new();
        for flip in &flips {
            *by_type.entry(flip.kind).or_default() += 1;
        }
        ProblemDomain {
            domain: domain.to_owned(),
            flips: Rate::new(ids.len() as u64, total),
            weighted_rate: flips.iter().map(|flip| flip.kind.weight()).sum::<f64>() / real(total),
            by_type,
            agents: agents.len() as u64,
        }
    };
    let mut scored: Vec<ProblemDomain> = fields.into_iter().map(score).collect();
    scored.sort_by(|a, b| b.flips.low.total_cmp(&a.flips.low));
    scored
}
