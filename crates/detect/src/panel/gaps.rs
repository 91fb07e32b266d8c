//! Claims of several agents: with no support from any, or with independent support.

use std::collections::BTreeSet;

use rebuttal_model::{Corroboration, EvidenceGap};

use super::claims::{One, Stated, is_shared};
use super::keys::Source;
use super::reworded;
use super::voices::Voice;

/// Most that are named; who fixes these will look at the rest.
const MOST: usize = 5;
/// Shorter statements say too little to ask for evidence.
const CONTENT: u16 = 3;
/// From this support on a claim is supported.
const SUPPORTED: f64 = 0.2;
/// From this support on a statement is a reason for what is advised.
const REASON: f64 = 0.4;

/// Claims that two or more voices make and nobody supports, most voices first.
pub(super) fn gaps(voices: &[Voice<'_>], stated: &Stated) -> Vec<EvidenceGap> {
    let reasoned: Vec<bool> = (0..voices.len()).map(|at| has_reasons(stated, at)).collect();
    let backed = |one: &One| {
        let reasoned = reasoned.get(one.voice).copied().unwrap_or(false);
        one.support >= SUPPORTED || one.data || (one.advice && reasoned)
    };
    let (held, mut open): (Vec<Vec<&One>>, Vec<Vec<&One>>) =
        stated.grouped().into_iter().partition(|group| group.iter().any(|one| backed(one)));
    let others = |one: &One| voices.get(one.voice).is_some_and(|v| is_quoted(v.words(one.span)));
    for group in &mut open {
        group.retain(|one| !others(one));
    }
    let mut found = Vec::new();
    for group in reworded::joined(open, &held) {
        let weighty = group.iter().any(|one| one.content >= CONTENT && !one.opinion);
        if !weighty || !is_shared(&group) {
            continue;
        }
        let quotes = group.iter().filter_map(|one| voices.get(one.voice)?.quote(one.span, "claim"));
        let quotes: Vec<_> = quotes.collect();
        let Some(first) = quotes.first() else { continue };
        let agents = agents(voices, &group);
        found.push(EvidenceGap { claim: first.text.clone(), agents, quotes });
    }
    found.sort_by_key(|gap| std::cmp::Reverse(gap.agents.len()));
    found.truncate(MOST);
    found
}

/// Whether more of it stands in quotation marks than outside them.
fn is_quoted(claim: &str) -> bool {
    let (mut inside, mut balance) = (false, 0i32);
    for c in claim.chars() {
        match c {
            '"' => inside = !inside,
            '“' => inside = true,
            '”' => inside = false,
            _ if c.is_alphanumeric() => balance += if inside { 1 } else { -1 },
            _ => {}
        }
    }
    balance > 0
}

/// Whether a voice gives evidence for anything: then what it advises has a reason.
fn has_reasons(stated: &Stated, voice: usize) -> bool {
    let mut own = stated.all.iter().filter(|one| one.voice == voice);
    own.any(|one| one.data || one.support >= REASON)
}

fn agents(voices: &[Voice<'_>], group: &[&One]) -> Vec<rebuttal_model::AgentId> {
    let who: BTreeSet<usize> = group.iter().map(|one| one.voice).collect();
    who.into_iter().filter_map(|at| voices.get(at)).map(|voice| voice.agent.clone()).collect()
}

/// Whoever answers otherwise corroborates nothing, in whatever words.
fn same_answer(voices: &[Voice<'_>], one: &One, two: &One) -> bool {
    let answer = |one: &One| voices.get(one.voice).and_then(|voice| voice.answer);
    let both = answer(one).zip(answer(two));
    both.is_none_or(|(one, two)| one.eq_ignore_ascii_case(two))
}

/// Claims for which two or more voices have a source of their own.
pub(super) fn corroborations(voices: &[Voice<'_>], stated: &Stated) -> Vec<Corroboration> {
    let mut found = Vec::new();
    for group in stated.shared() {
        let sourced: Vec<&One> = group.into_iter().filter(|one| !one.sources.is_empty()).collect();
        let mut taken: BTreeSet<&Source> = BTreeSet::new();
        let mut own: Vec<&One> = Vec::new();
        for one in sourced {
            let fresh = one.sources.iter().any(|source| !taken.contains(source));
            let new_voice = own.iter().all(|other| other.voice != one.voice);
            let agrees = own.first().is_none_or(|first| same_answer(voices, first, one));
            if fresh && new_voice && agrees {
                own.push(one);
            }
            taken.extend(&one.sources);
        }
        let Some(first) = own.first().filter(|_| own.len() > 1) else { continue };
        let claim = voices.get(first.voice).map_or("", |voice| voice.words(first.span)).to_owned();
        let named: BTreeSet<String> =
            own.iter().flat_map(|one| one.sources.iter().map(Source::shown)).collect();
        found.push(Corroboration {
            claim,
            agents: agents(voices, &own),
            sources: named.into_iter().collect(),
        });
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.agents.len()));
    found.truncate(MOST);
    found
}
