//! How much of a proposal was not said before, by anybody.

use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_model::{AgentId, RoundAnalysis};
use rebuttal_semantics::Embedding;

use super::Vectors;
use super::claims::dot;
use super::voices::Voice;

/// One less the likeness to the most similar earlier text; all of it is new where nothing came before.
pub(super) fn novelty(voices: &[Voice<'_>], vectors: &Vectors) -> BTreeMap<AgentId, f64> {
    let one = |(voice, now): (&Voice<'_>, &Arc<Embedding>)| {
        let likeness = vectors.earlier.iter().map(|before| dot(now.values(), before.values()));
        (voice.agent.clone(), novelty_of(likeness.map(f64::from)))
    };
    voices.iter().zip(&vectors.now).map(one).collect()
}

/// Novelty from the likenesses to everything before.
pub fn novelty_of(likenesses: impl Iterator<Item = f64>) -> f64 {
    1.0 - likenesses.fold(0.0, f64::max).clamp(0.0, 1.0)
}

/// An agent's novelty round by round; `None` where it did not speak.
pub type Trajectory = Vec<Option<f64>>;

/// The novelty of every agent in every round that was analysed, in the order given. An agent that was
/// absent has no value in that round: that it said nothing new would be a lie.
pub fn trajectories(rounds: &[RoundAnalysis]) -> BTreeMap<AgentId, Trajectory> {
    let mut found: BTreeMap<AgentId, Trajectory> = BTreeMap::new();
    for round in rounds {
        for agent in round.novelty.keys() {
            found.entry(agent.clone()).or_default();
        }
    }
    for (agent, trajectory) in &mut found {
        trajectory.extend(rounds.iter().map(|round| round.novelty.get(agent).copied()));
    }
    found
}
