//! Where to look for the earlier positions of an agent, and which of them to compare.

use std::cmp::Reverse;
use std::collections::HashMap;

use rebuttal_detect::flips::{LISTED, Said, Sharing, position_keys};
use rebuttal_model::Position;
use rebuttal_store::{Habits, PositionKeys};

use super::recent::Recent;

/// A position and the keys under which earlier ones may be that are comparable with it: those of its
/// own field, of none if it has one, and of all that the agent has if it has none.
pub(super) struct Looked {
    pub(super) n: u64,
    /// Drawn from its words, field by field.
    drawn: Vec<Vec<i64>>,
    /// The agent's latest positions, field by field.
    latest: Vec<i64>,
    /// The order in which the ledger took the agent's positions is not that of time.
    pub(super) unordered: bool,
}

impl Looked {
    /// The keys to look under, beside those that the position is found by itself.
    pub(super) fn new(
        n: u64,
        position: &Position,
        habits: &HashMap<String, Habits>,
    ) -> (PositionKeys, Self) {
        let keys = position_keys(position);
        let agent = position.agent.as_str();
        let own = PositionKeys::new(n, agent, position.domain.as_deref(), &keys);
        let habits = habits.get(agent);
        let others = habits.into_iter().flat_map(|habits| &habits.domains).filter(|other| {
            **other != position.domain && (position.domain.is_none() || other.is_none())
        });
        let mut looked = Self {
            n,
            drawn: vec![own.blocks.clone()],
            latest: vec![own.latest],
            unordered: habits.is_some_and(|habits| habits.unordered),
        };
        for domain in others {
            let PositionKeys { blocks, latest, .. } =
                PositionKeys::new(n, agent, domain.as_deref(), &keys);
            looked.drawn.push(blocks);
            looked.latest.push(latest);
        }
        (own, looked)
    }

    /// The keys drawn from its words that it looks under.
    pub(super) fn drawn(&self) -> impl Iterator<Item = i64> + '_ {
        self.drawn.iter().flatten().copied()
    }

    /// The keys of the agent's latest positions.
    pub(super) fn latest(&self) -> impl Iterator<Item = i64> + '_ {
        self.latest.iter().copied()
    }

    /// The earlier positions to compare, newest first: those that share most keys, newer ones where
    /// several share as many; and of an agent with few positions the others too, marked as such.
    pub(super) fn candidates(
        &self,
        below: u64,
        beside: &Beside,
        recent: &Recent<'_>,
        lookback: usize,
    ) -> Vec<Candidate> {
        let mut sharing = Sharing::default();
        for block in self.drawn.iter().flatten() {
            let known = recent.under(*block);
            let beside = beside.before(below, *block, LISTED);
            let known = known.get((known.len() + beside.len()).saturating_sub(LISTED)..);
            let known = known.unwrap_or_default();
            let among = known.len() + beside.len();
            sharing.add(known.iter().chain(beside).copied(), among);
        }
        let mut best: Vec<Candidate> =
            sharing.best(lookback).into_iter().map(|n| Candidate { n, keyed: true }).collect();
        best.sort_unstable_by_key(|one| Reverse(one.n));
        self.add_latest(&mut best, (below, beside), recent, lookback);
        best
    }

    /// Adds what is looked at without a key in common: all of an agent that has few positions, and the
    /// last of one that takes something back.
    fn add_latest(
        &self,
        best: &mut Vec<Candidate>,
        (below, beside): (u64, &Beside),
        recent: &Recent<'_>,
        lookback: usize,
    ) {
        let under = |block: &i64| [recent.under(*block), beside.before(below, *block, lookback)];
        let lists = || self.latest.iter().flat_map(under);
        let most = if lists().map(<[u64]>::len).sum::<usize>() < lookback {
            lookback
        } else {
            usize::from(recent.said(self.n).is_some_and(Said::takes_back))
        };
        if most == 0 {
            return;
        }
        let mut latest: Vec<u64> = lists().flatten().copied().filter(|n| *n != self.n).collect();
        latest.sort_unstable_by(|one, two| two.cmp(one));
        latest.truncate(most);
        let others: Vec<u64> = latest
            .into_iter()
            .filter(|n| best.binary_search_by(|known| n.cmp(&known.n)).is_err())
            .collect();
        best.extend(others.into_iter().map(|n| Candidate { n, keyed: false }));
        best.sort_unstable_by_key(|one| Reverse(one.n));
    }
}

/// An earlier position that may be on the same matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) n: u64,
    /// It shares a key; else it is only one of the agent's latest.
    pub(super) keyed: bool,
}

/// Which positions of a batch share keys: the store does not know them yet.
pub(super) struct Beside {
    /// The places of positions under each key, in order.
    by_block: HashMap<i64, Vec<u64>>,
}

impl Beside {
    pub(super) fn new(keys: &[PositionKeys]) -> Self {
        let mut by_block: HashMap<i64, Vec<u64>> = HashMap::new();
        for one in keys {
            for block in one.all() {
                by_block.entry(block).or_default().push(one.n);
            }
        }
        Self { by_block }
    }

    /// Those under a key before the one numbered `n`; of these the newest.
    fn before(&self, n: u64, block: i64, most: usize) -> &[u64] {
        let sharing = self.by_block.get(&block).map(Vec::as_slice).unwrap_or_default();
        let end = sharing.partition_point(|other| *other < n);
        sharing.get(end.saturating_sub(most)..end).unwrap_or_default()
    }
}
