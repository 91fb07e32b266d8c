//! Panels and ballots in a line each.

use proptest::prelude::*;
use rebuttal_model::{AgentId, Ballot};
use rebuttal_policy::voting::{Election, Options, Rule, VoteResult, decide};

/// `a`, `b`, `c`, … as agents.
pub(crate) fn panel(size: usize) -> Vec<AgentId> {
    (0..size).map(|index| AgentId::new(format!("agent{index}"))).collect()
}

pub(crate) fn rule(text: &str) -> Rule {
    text.parse().unwrap()
}

/// Rankings of numbered options, one for each voter.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) options: usize,
    pub(crate) rankings: Vec<Vec<usize>>,
    /// On the panel without a ballot.
    pub(crate) silent: usize,
}

pub(crate) fn name(option: usize) -> String {
    format!("plan {}", ["red", "blue", "green", "white", "black", "pink", "grey"][option])
}

impl Profile {
    pub(crate) fn ballots(&self) -> Vec<Ballot> {
        let agents = panel(self.rankings.len());
        let one = |(agent, ranking): (AgentId, &Vec<usize>)| {
            Ballot::ranked(agent, 0, ranking.iter().map(|option| name(*option)))
        };
        agents.into_iter().zip(&self.rankings).map(one).collect()
    }

    pub(crate) fn outcome(&self, rule: &Rule) -> VoteResult {
        let panel = panel(self.rankings.len() + self.silent);
        let options = Options::given((0..self.options).map(name)).unwrap();
        decide(rule, &Election::new(&options, &panel, &self.ballots()))
    }

    /// The options at the top: one, or those that are tied. None when the bar is not passed.
    pub(crate) fn leaders(&self, rule: &Rule) -> Vec<usize> {
        let outcome = self.outcome(rule);
        let tied = outcome.tie.map(|tie| tie.options).unwrap_or_default();
        let all = outcome.winner.into_iter().chain(tied);
        let mut leaders: Vec<usize> =
            all.filter_map(|own| (0..self.options).find(|option| name(*option) == own)).collect();
        leaders.sort_unstable();
        leaders.dedup();
        leaders
    }

    pub(crate) fn winner(&self, rule: &Rule) -> Option<usize> {
        let winner = self.outcome(rule).winner?;
        (0..self.options).find(|option| name(*option) == winner)
    }

    /// By how many voters one option is above another.
    pub(crate) fn margin(&self, one: usize, two: usize) -> i32 {
        let rank = |ranking: &[usize], option: usize| {
            ranking.iter().position(|own| *own == option).unwrap_or(usize::MAX)
        };
        let sign = |ranking: &Vec<usize>| match rank(ranking, one).cmp(&rank(ranking, two)) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => -1,
        };
        self.rankings.iter().map(sign).sum()
    }

    pub(crate) fn others(&self, option: usize) -> impl Iterator<Item = usize> {
        (0..self.options).filter(move |other| *other != option)
    }

    pub(crate) fn condorcet_winner(&self) -> Option<usize> {
        (0..self.options).find(|one| self.others(*one).all(|two| self.margin(*one, two) > 0))
    }

    pub(crate) fn condorcet_loser(&self) -> Option<usize> {
        (0..self.options).find(|one| self.others(*one).all(|two| self.margin(*one, two) < 0))
    }

    /// The smallest set whose members beat all others: what is reachable from the best by not losing.
    pub(crate) fn smith_set(&self) -> Vec<usize> {
        let wins = |one: usize| self.others(one).filter(|two| self.margin(one, *two) > 0).count();
        let best = (0..self.options).max_by_key(|one| wins(*one)).unwrap();
        let mut set = vec![best];
        let mut at = 0;
        while at < set.len() {
            for other in self.others(set[at]).collect::<Vec<_>>() {
                if self.margin(set[at], other) <= 0 && !set.contains(&other) {
                    set.push(other);
                }
            }
            at += 1;
        }
        set
    }
}

/// Rankings of all options.
pub(crate) fn full() -> impl Strategy<Value = Profile> {
    (2_usize..=5, 1_usize..=9).prop_flat_map(|(options, voters)| {
        let all: Vec<usize> = (0..options).collect();
        proptest::collection::vec(Just(all).prop_shuffle(), voters)
            .prop_map(move |rankings| Profile { options, rankings, silent: 0 })
    })
}

/// Rankings that may stop early, and agents that may not vote.
pub(crate) fn cut() -> impl Strategy<Value = Profile> {
    (full(), proptest::collection::vec(1_usize..=5, 9), 0_usize..=3).prop_map(
        |(mut profile, lengths, silent)| {
            for (ranking, length) in profile.rankings.iter_mut().zip(lengths) {
                ranking.truncate(length);
            }
            Profile { silent, ..profile }
        },
    )
}
