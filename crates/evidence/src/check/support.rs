//! Whether a passage speaks of what a claim says, and for it.

use std::collections::HashSet;

use rebuttal_detect::Reader;
use rebuttal_detect::relate::relate_all;
use rebuttal_model::Span;
use rebuttal_text::{ContentWord, Reading, Term};

use crate::Index;

/// Sentences of a passage that are set beside a claim, the nearest first.
const SENTENCES: usize = 3;

/// Below this share of its words a claim is of something else.
const NOTHING: f32 = 0.2;

/// How far a passage carries a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Support {
    /// Share of the claim's words that the passage has, the rare ones counting for more.
    pub(super) covered: f32,
    /// The chance that the claim follows from the passage or one of its sentences.
    pub(super) follows: f32,
    /// The chance that both cannot hold.
    pub(super) contradicts: f32,
    /// Where in the passage the nearest sentence stands.
    pub(super) nearest: Option<Span>,
}

/// Sets a claim beside a passage; `around` is what its headings and its document's name say.
pub(super) fn support(
    claim: &Reading<'_>,
    passage: &Reading<'_>,
    around: &str,
    (index, reader): (&Index, Reader<'_>),
) -> Support {
    let wanted = words(claim, index);
    let around: HashSet<Term> = Reading::new(around).all_words().collect();
    let own = passage.content().words;
    let has =
        |word: &ContentWord| around.contains(&word.term) || own.iter().any(|it| alike(it, word));
    let covered = share(&wanted, has);
    let mut sentences: Vec<(f32, Span)> = passage
        .sentence_spans()
        .map(|span| {
            let inside = own.iter().filter(|it| span.contains(it.span));
            let inside: Vec<&ContentWord> = inside.collect();
            (share(&wanted, |word| inside.iter().any(|it| alike(it, word))), span)
        })
        .collect();
    sentences.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.start().cmp(&two.1.start())));
    sentences.truncate(SENTENCES);
    let nearest = sentences.first().map(|it| it.1);
    let text = passage.original();
    let mut parts: Vec<&str> = sentences.iter().filter_map(|(_, span)| span.of(text)).collect();
    if parts.len() > 1 {
        parts.push(text);
    }
    // Without words in common there is nothing to ask.
    if covered < NOTHING {
        return Support { covered, follows: 0.0, contradicts: 0.0, nearest };
    }
    let pairs: Vec<(&str, &str)> = parts.iter().map(|part| (*part, claim.original())).collect();
    let relations = relate_all(&pairs, reader);
    let follows =
        relations.iter().map(|it| it.shares.same + it.shares.entails + it.shares.qualifies / 2.0);
    Support {
        covered,
        follows: follows.fold(0.0, f32::max),
        contradicts: relations.first().map_or(0.0, |it| it.shares.contradicts),
        nearest,
    }
}

/// The words of a claim that say something, each with how rare it is among all passages.
fn words(claim: &Reading<'_>, index: &Index) -> Vec<(ContentWord, f32)> {
    let words =
        claim.content().words.into_iter().filter(|word| word.content && word.ordinal.is_none());
    let text = claim.original();
    let number = |word: &ContentWord| {
        word.span.of(text).is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.filter(|word| !number(word)).map(|word| (word, index.rarity(word.term))).collect()
}

fn share(wanted: &[(ContentWord, f32)], has: impl Fn(&ContentWord) -> bool) -> f32 {
    let all: f32 = wanted.iter().map(|it| it.1).sum();
    let found: f32 = wanted.iter().filter(|(word, _)| has(word)).map(|it| it.1).sum();
    if all > 0.0 { found / all } else { 0.0 }
}

/// One word in any of its forms, with or without what denies in it.
fn alike(one: &ContentWord, two: &ContentWord) -> bool {
    one.term == two.term
        || one.tie(two) == Some(rebuttal_text::Tie::Same)
        || one.root().zip(two.root()).is_some_and(|(a, b)| a.0 == b.0)
}
