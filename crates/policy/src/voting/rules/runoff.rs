//! Instant run-off: the option with the fewest first choices drops out until one has more than half.

use std::collections::BTreeSet;

use super::ranks::weakest_support;
use super::{Tally, named};
use crate::voting::count::{Cast, Count};

/// Most sets of remaining options that are looked at. Ties for the last place fork the count; a
/// panel that ties this often has no clear answer, and what is left of it is tied.
const SETS: usize = 4_096;

/// An option wins when some way to break the ties for the last place leads to it; if there is only
/// one such option the ties did not matter.
pub(super) fn instant_runoff(count: &Count) -> Tally {
    let all: Vec<usize> = (0..count.names.len()).collect();
    let firsts: Vec<f64> = tops(count, &all).into_iter().map(f64::from).collect();
    if firsts.iter().all(|votes| *votes <= 0.0) {
        return Tally::nothing(count, "no ballot says anything that this rule counts");
    }
    let mut winners = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![all];
    while let Some(remaining) = open.pop() {
        if seen.contains(&remaining) {
            continue;
        }
        if seen.len() >= SETS {
            winners.extend(remaining);
            continue;
        }
        match step(count, &remaining) {
            Step::Won(won) => winners.extend(won),
            Step::Without(sets) => open.extend(sets),
        }
        seen.insert(remaining);
    }
    let leaders: Vec<usize> = winners.into_iter().collect();
    let verb = if leaders.len() == 1 { "is" } else { "are" };
    let words = format!("{} {verb} left when the others have dropped out", named(count, &leaders));
    let basis = rebuttal_model::Basis::Share;
    let shares = weakest_support(count);
    Tally { scores: firsts, leaders, short: None, number: None, shares, basis, words }
}

enum Step {
    /// Nothing is left to do.
    Won(Vec<usize>),
    /// What may remain after this.
    Without(Vec<Vec<usize>>),
}

fn step(count: &Count, remaining: &[usize]) -> Step {
    let votes = tops(count, remaining);
    let total: u32 = votes.iter().sum();
    let most = votes.iter().copied().max().unwrap_or(0);
    if remaining.len() <= 1 || total == 0 {
        return Step::Won(remaining.to_vec());
    }
    let numbered = || remaining.iter().copied().zip(votes.iter().copied());
    if most * 2 > total {
        return Step::Won(numbered().filter(|(_, own)| *own == most).map(|(one, _)| one).collect());
    }
    let fewest = votes.iter().copied().min().unwrap_or(0);
    let last: Vec<usize> =
        numbered().filter(|(_, own)| *own == fewest).map(|(one, _)| one).collect();
    if fewest == 0 {
        // They have no votes to hand on, so their order does not matter.
        let rest = numbered().filter(|(_, own)| *own > 0).map(|(one, _)| one).collect();
        return Step::Without(vec![rest]);
    }
    let without = |out: &usize| remaining.iter().copied().filter(|one| one != out).collect();
    Step::Without(last.iter().map(without).collect())
}

/// How many ballots put each of these above the others of these.
fn tops(count: &Count, among: &[usize]) -> Vec<u32> {
    let mut votes = vec![0; among.len()];
    let top = |cast: &Cast| {
        cast.ranking.iter().find_map(|option| among.iter().position(|one| one == option))
    };
    for place in count.casts.iter().filter_map(top) {
        if let Some(own) = votes.get_mut(place) {
            *own += 1;
        }
    }
    votes
}
