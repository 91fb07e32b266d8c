//! What the voices are worth, counted as independent ones.

use std::collections::{BTreeMap, BTreeSet};

use super::alike::Likeness;
use super::claims::Stated;
use super::count;
use super::keys::Source;
use super::voices::Voice;

/// Nine who say the same for the same reasons are worth one; nine with reasons of their own, nine.
///
/// The participation ratio of the matrix of dependence: `n² / Σ d²`. Two voices depend on each other by
/// the share of reasons they have in common, or of sources if that is more. What should be done is no
/// reason: independent voters may agree on it.
pub(super) fn independent(voices: &[Voice<'_>], stated: &Stated, likeness: &Likeness) -> f64 {
    let number = voices.len();
    if number == 0 {
        return 0.0;
    }
    let shared = shared_reasons(number, stated);
    let sources: Vec<BTreeSet<&Source>> = (0..number).map(|at| sources_of(stated, at)).collect();
    let reasons: Vec<usize> = (0..number).map(|at| reasons_of(stated, at)).collect();
    let mut squares = count(number);
    for a in 0..number {
        for b in a + 1..number {
            let fewer = reasons.get(a).zip(reasons.get(b)).map_or(0, |(a, b)| (*a).min(*b));
            // Who gives no reason leans on whoever says the same.
            let by_reasons = if fewer == 0 {
                likeness.of(a, b)
            } else {
                let common = shared.get(a * number + b).copied().unwrap_or(0);
                (count(common) / count(fewer)).min(1.0)
            };
            let by_sources = sources.get(a).zip(sources.get(b)).map_or(0.0, |(a, b)| overlap(a, b));
            squares += 2.0 * by_reasons.max(by_sources).powi(2);
        }
    }
    count(number).powi(2) / squares
}

fn reasons_of(stated: &Stated, voice: usize) -> usize {
    stated.all.iter().filter(|one| one.voice == voice && !one.advice && !one.opinion).count()
}

/// How many reasons each two voices have in common: of the one with fewer, those that the other states.
/// A reason that each has from sources of its own is not taken from the other.
fn shared_reasons(number: usize, stated: &Stated) -> Vec<usize> {
    let mut groups: Vec<BTreeMap<usize, BTreeSet<&Source>>> = vec![BTreeMap::new(); number];
    for (one, group) in stated.all.iter().zip(&stated.groups) {
        if let Some(own) = groups.get_mut(one.voice).filter(|_| !one.advice && !one.opinion) {
            own.entry(*group).or_default().extend(&one.sources);
        }
    }
    let taken = |one: &BTreeSet<&Source>, two: &BTreeSet<&Source>| {
        one.is_empty() || two.is_empty() || !one.is_disjoint(two)
    };
    let mut found = vec![0; number * number];
    for (a, one) in groups.iter().enumerate() {
        for (b, two) in groups.iter().enumerate().skip(a + 1) {
            if let Some(slot) = found.get_mut(a * number + b) {
                let both = one.iter().filter_map(|(group, own)| Some((own, two.get(group)?)));
                *slot = both.filter(|(one, two)| taken(one, two)).count();
            }
        }
    }
    found
}

fn sources_of(stated: &Stated, voice: usize) -> BTreeSet<&Source> {
    let own = stated.all.iter().filter(|one| one.voice == voice);
    own.flat_map(|one| &one.sources).collect()
}

fn overlap(a: &BTreeSet<&Source>, b: &BTreeSet<&Source>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { count(common) / count(all) }
}
