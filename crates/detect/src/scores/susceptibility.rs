//! Who is easily moved, and by what: flips for each time an agent was shown something.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{AgentId, Cause, Flip, Position, PositionId};
use serde::Serialize;

use super::Rate;

/// How often an agent gave way, of the times it could have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Susceptibility {
    /// Positions taken after being shown anything, and how many of them were flips with a cause.
    pub overall: Rate,
    /// The rate for each cause that occurred. [`Cause::NoneVisible`] counts the positions that were
    /// taken with nothing shown.
    pub by_cause: BTreeMap<Cause, Rate>,
}

/// Positions by what came before them.
#[derive(Default)]
struct Exposures<'l> {
    shown: BTreeMap<Cause, BTreeSet<&'l PositionId>>,
    moved: BTreeMap<Cause, BTreeSet<&'l PositionId>>,
}

/// Each agent's susceptibility. A position counts once for each cause, however often it was shown
/// and however many older positions it gives up; a flip whose cause is not among what its position
/// lists was shown it all the same.
pub fn susceptibility<'l>(
    positions: impl IntoIterator<Item = &'l Position>,
    flips: impl IntoIterator<Item = &'l Flip>,
) -> BTreeMap<AgentId, Susceptibility> {
    let mut agents: BTreeMap<&AgentId, Exposures<'l>> = BTreeMap::new();
    for position in positions {
        agents.entry(&position.agent).or_default().show(position);
    }
    for flip in flips {
        let agent = agents.entry(&flip.after.agent).or_default();
        agent.show(&flip.after);
        agent.shown.entry(flip.cause).or_default().insert(&flip.after.id);
        agent.moved.entry(flip.cause).or_default().insert(&flip.after.id);
    }
    agents.into_iter().map(|(agent, exposures)| (agent.clone(), exposures.rates())).collect()
}

impl<'l> Exposures<'l> {
    fn show(&mut self, position: &'l Position) {
        let nothing = [Cause::NoneVisible];
        let shown: &[Cause] =
            if position.exposed_to.is_empty() { &nothing } else { &position.exposed_to };
        for cause in shown {
            self.shown.entry(*cause).or_default().insert(&position.id);
        }
    }

    fn rates(&self) -> Susceptibility {
        let count = |of: &BTreeMap<Cause, BTreeSet<&PositionId>>, cause: Cause| {
            of.get(&cause).map_or(0, |ids| ids.len() as u64)
        };
        let causes = Cause::ALL.into_iter().filter(|cause| self.shown.contains_key(cause));
        let by_cause = causes
            .map(|cause| (cause, Rate::new(count(&self.moved, cause), count(&self.shown, cause))))
            .collect();
        Susceptibility { overall: Rate::new(seen(&self.moved), seen(&self.shown)), by_cause }
    }
}

/// Positions with any visible cause, each once.
fn seen(of: &BTreeMap<Cause, BTreeSet<&PositionId>>) -> u64 {
    let visible = of.iter().filter(|(cause, _)| **cause != Cause::NoneVisible);
    visible.flat_map(|(_, ids)| ids).collect::<BTreeSet<_>>().len() as u64
}
