//! What the voices state, and who states the same.

use std::cell::OnceCell;

use rebuttal_model::Span;
use rebuttal_semantics::{BuiltinVectors, Embedder, Embedding, HashedWords};

use super::keys::Source;
use super::voices::Voice;
use crate::Reader;
use crate::evidence::ItemKind;
use crate::relate::{Statement, by_rules, relate};

/// Most statements of a panel that are compared: all pairs are looked at, and a panel of hundreds
/// repeats itself.
const MOST: usize = 1500;
/// Least that one voice may bring.
const LEAST_EACH: usize = 2;
/// From this cosine of their vectors on, two statements are about the same.
const NEAR: f32 = 0.6;
/// From here on they say the same, unless one denies it.
const SAME: f32 = 0.72;

/// One statement of a voice.
#[derive(Debug)]
pub(super) struct One {
    pub(super) voice: usize,
    pub(super) span: Span,
    pub(super) advice: bool,
    pub(super) opinion: bool,
    /// How far it is supported.
    pub(super) support: f64,
    pub(super) data: bool,
    pub(super) content: u16,
    /// The sources given for it.
    pub(super) sources: Vec<Source>,
    /// Its words without the sources: who cites whom does not change what is said.
    pub(super) bare: String,
}

impl One {
    /// Whether both cannot hold.
    pub(super) fn opposes(&self, other: &Self) -> bool {
        relate(&self.bare, &other.bare, Reader::Rules).contradicts()
    }
}

/// Two statements of different voices about the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) cosine: f32,
    /// Both cannot hold.
    pub(super) opposed: bool,
}

/// All statements of a panel.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) all: Vec<One>,
    /// Pairs about the same, by the first and then the second.
    pub(super) matches: Vec<Match>,
    /// Which statements say the same: the first of its group, for each.
    pub(super) groups: Vec<usize>,
}

impl Stated {
    pub(super) fn of(voices: &[Voice<'_>]) -> Self {
        let each = (MOST / voices.len().max(1)).max(LEAST_EACH);
        let mut all = Vec::new();
        for (at, voice) in voices.iter().enumerate() {
            statements(at, voice, each, &mut all);
        }
        let texts: Vec<&str> = all.iter().map(|one| one.bare.as_str()).collect();
        let matches = matches(&all, &vectors(&texts));
        let groups = groups(all.len(), &matches);
        Self { all, matches, groups }
    }

    /// The statements of each group, in the order of their first members.
    pub(super) fn grouped(&self) -> Vec<Vec<&One>> {
        let mut members: Vec<Vec<&One>> = vec![Vec::new(); self.all.len()];
        for (one, group) in self.all.iter().zip(&self.groups) {
            if let Some(own) = members.get_mut(*group) {
                own.push(one);
            }
        }
        members.retain(|own| !own.is_empty());
        members
    }

    /// The statements of each group that more than one voice states.
    pub(super) fn shared(&self) -> Vec<Vec<&One>> {
        let mut members = self.grouped();
        members.retain(|own| is_shared(own));
        members
    }
}

/// Whether more than one voice states it.
pub(super) fn is_shared(group: &[&One]) -> bool {
    group.first().is_some_and(|first| group.iter().any(|one| one.voice != first.voice))
}

fn statements(at: usize, voice: &Voice<'_>, each: usize, all: &mut Vec<One>) {
    let mut items = voice.evidence.items.iter().peekable();
    for (index, claim) in voice.evidence.claims.iter().enumerate().take(each) {
        let (mut sources, mut cuts) = (Vec::new(), Vec::new());
        while let Some(item) = items.next_if(|item| item.claim.is_none_or(|of| of <= index)) {
            match item.kind {
                _ if item.claim.is_none() => {}
                ItemKind::Source => {
                    Source::read(voice.words(item.span), &mut sources);
                    cuts.push(item.span);
                }
                ItemKind::Test if sources.is_empty() => sources.push(Source::Own(at)),
                _ => {}
            }
        }
        all.push(One {
            voice: at,
            span: claim.span,
            advice: claim.advice,
            opinion: claim.opinion,
            support: claim.support,
            data: claim.data,
            content: claim.content,
            bare: bare(voice, claim.span, &cuts),
            sources,
        });
    }
}

/// A claim without links, notes and sources in brackets.
fn bare(voice: &Voice<'_>, claim: Span, cuts: &[Span]) -> String {
    let mut text = String::with_capacity(claim.len());
    let mut from = claim.start();
    let aside = |cut: &&Span| {
        let words = voice.words(**cut);
        words.starts_with(['(', '[']) || words.contains("://") || words.starts_with("www.")
    };
    for cut in cuts.iter().filter(aside).filter(|cut| claim.contains(**cut)) {
        if cut.start() >= from {
            text.push_str(voice.words(Span::new(from, cut.start())));
            from = cut.end();
        }
    }
    text.push_str(voice.words(Span::new(from, claim.end())));
    text
}

/// By the static vectors, or by rule if they cannot be loaded.
fn vectors(texts: &[&str]) -> Vec<Embedding> {
    BuiltinVectors.embed(texts).or_else(|_| HashedWords.embed(texts)).unwrap_or_default()
}

fn matches(all: &[One], vectors: &[Embedding]) -> Vec<Match> {
    let mut found = Vec::new();
    let read: Vec<OnceCell<Statement<'_>>> = all.iter().map(|_| OnceCell::new()).collect();
    for (a, (one, first)) in all.iter().zip(vectors).enumerate() {
        for (b, (two, second)) in all.iter().zip(vectors).enumerate().skip(a + 1) {
            if one.voice == two.voice {
                continue;
            }
            let cosine = dot(first.values(), second.values());
            if cosine >= NEAR {
                let opposed = opposed(one, two, (read.get(a), read.get(b)));
                found.push(Match { a, b, cosine, opposed });
            }
        }
    }
    found
}

/// The cosine of two vectors of length one, eight sums at a time so that it is done side by side.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    let mut sums = [0.0f32; 8];
    let (a, rest_a) = a.as_chunks::<8>();
    let (b, rest_b) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    (sums.iter().sum::<f32>() + rest).clamp(-1.0, 1.0)
}

/// Whether both cannot hold; each is read when it is first compared, and then known.
fn opposed<'s>(
    one: &'s One,
    two: &'s One,
    (first, second): (Option<&OnceCell<Statement<'s>>>, Option<&OnceCell<Statement<'s>>>),
) -> bool {
    let (Some(first), Some(second)) = (first, second) else { return false };
    let first = first.get_or_init(|| Statement::new(&one.bare));
    let second = second.get_or_init(|| Statement::new(&two.bare));
    by_rules(first, second).contradicts()
}

/// Joins what says the same; each group is called by its first member.
fn groups(number: usize, matches: &[Match]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..number).collect();
    for found in matches.iter().filter(|found| found.cosine >= SAME && !found.opposed) {
        let (a, b) = (root(&mut parents, found.a), root(&mut parents, found.b));
        if let Some(parent) = parents.get_mut(a.max(b)) {
            *parent = a.min(b);
        }
    }
    (0..number).map(|at| root(&mut parents, at)).collect()
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    loop {
        let Some(&parent) = parents.get(at) else { return at };
        if parent == at {
            return at;
        }
        let grand = parents.get(parent).copied().unwrap_or(parent);
        if let Some(slot) = parents.get_mut(at) {
            *slot = grand;
        }
        at = parent;
    }
}
