//! BM25 over the stems of a passage, its headings and its document's name.

use std::collections::HashMap;

use rayon::prelude::*;
use rebuttal_model::Passage;
use rebuttal_text::{Reading, Term};

/// How soon another occurrence of a word stops counting.
const SATURATION: f32 = 1.2;
/// How much a long passage counts less for each word.
const LENGTH: f32 = 0.75;

/// A passage that holds a word, and how often.
#[derive(Clone, Copy, Debug)]
struct Posting {
    passage: u32,
    count: u16,
}

#[derive(Debug, Default)]
pub(super) struct Words {
    /// Never iterated: the order of a hash map must not show.
    terms: HashMap<Term, Vec<Posting>>,
    lengths: Vec<u32>,
    length_mean: f32,
}

impl Words {
    pub(super) fn new(passages: &[Passage]) -> Self {
        let read: Vec<Vec<(Term, u16)>> = passages.par_iter().map(counts).collect();
        let mut words = Self::default();
        for (passage, counts) in (0_u32..).zip(read) {
            let length: u32 = counts.iter().map(|(_, count)| u32::from(*count)).sum();
            words.lengths.push(length);
            for (term, count) in counts {
                words.terms.entry(term).or_default().push(Posting { passage, count });
            }
        }
        let total: u64 = words.lengths.iter().map(|it| u64::from(*it)).sum();
        words.length_mean = float(total) / float(words.lengths.len().max(1) as u64);
        words
    }

    /// How much finding this word tells; what no passage has tells most.
    pub(super) fn rarity(&self, term: Term) -> f32 {
        let with = self.terms.get(&term).map_or(0, Vec::len);
        let (all, with) = (float(self.lengths.len() as u64), float(with as u64));
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// What each passage scores for a query.
    pub(super) fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        for (term, _) in counted(Reading::new(query).all_words()) {
            let Some(postings) = self.terms.get(&term) else { continue };
            let rarity = self.rarity(term);
            for posting in postings {
                let at = posting.passage as usize;
                let length = self.lengths.get(at).copied().unwrap_or(0);
                let relative = float(u64::from(length)) / self.length_mean.max(1.0);
                let count = f32::from(posting.count);
                let share = count * (SATURATION + 1.0)
                    / (count + SATURATION * (1.0 - LENGTH + LENGTH * relative));
                if let Some(score) = scores.get_mut(at) {
                    *score += rarity * share;
                }
            }
        }
        scores
    }
}

fn counts(passage: &Passage) -> Vec<(Term, u16)> {
    let around = format!("{} {}", passage.document, passage.heading);
    let around = Reading::new(&around);
    let own = Reading::new(&passage.text);
    counted(around.all_words().chain(own.all_words()))
}

/// Every word once, with how often it occurs, in an order that is always the same.
fn counted(words: impl Iterator<Item = Term>) -> Vec<(Term, u16)> {
    let mut words: Vec<Term> = words.collect();
    words.sort_unstable();
    let mut counted: Vec<(Term, u16)> = Vec::new();
    for word in words {
        match counted.last_mut() {
            Some((last, count)) if *last == word => *count = count.saturating_add(1),
            _ => counted.push((word, 1)),
        }
    }
    counted
}

#[expect(clippy::cast_precision_loss, reason = "the last digits of a count do not matter here")]
fn float(count: u64) -> f32 {
    count as f32
}
