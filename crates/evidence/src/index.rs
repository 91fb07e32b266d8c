//! Passages found by their words and by what they mean: BM25 and static vectors, together.

mod vectors;
mod words;

use std::collections::HashMap;
use std::fmt;

use rebuttal_model::{Passage, PassageId};
use rebuttal_semantics::Embedder;

use crate::limits;
use vectors::Vectors;
use words::Words;

/// A passage that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'i> {
    /// The passage.
    pub passage: &'i Passage,
    /// How near it is to the query, 0 to 1, beside others of the same search.
    pub score: f32,
}

/// How much the words count beside the vectors.
const WORDS_SHARE: f32 = 0.7;

/// Passages that can be searched. Never fails: where the embedder does, words alone decide.
pub struct Index {
    passages: Vec<Passage>,
    by_id: HashMap<PassageId, usize>,
    words: Words,
    vectors: Vectors,
    embedder: Box<dyn Embedder>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("passages", &self.passages.len()).finish_non_exhaustive()
    }
}

impl Index {
    /// An index over these passages. Of two with one id the first is kept; beyond
    /// [`limits::PASSAGES`] none is.
    pub fn new(passages: Vec<Passage>, embedder: Box<dyn Embedder>) -> Self {
        let mut by_id = HashMap::new();
        let mut kept: Vec<Passage> = Vec::with_capacity(passages.len().min(limits::PASSAGES));
        for passage in passages {
            if kept.len() < limits::PASSAGES && !by_id.contains_key(&passage.id) {
                by_id.insert(passage.id.clone(), kept.len());
                kept.push(passage);
            }
        }
        let words = Words::new(&kept);
        let vectors = Vectors::new(&kept, &*embedder);
        Self { passages: kept, by_id, words, vectors, embedder }
    }

    /// All passages, in the order in which they were given.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The passage with this id.
    pub fn get(&self, id: &PassageId) -> Option<&Passage> {
        self.passages.get(*self.by_id.get(id)?)
    }

    /// The `k` passages nearest to a text, the nearest first.
    pub fn search(&self, query: &str, k: usize) -> Vec<Hit<'_>> {
        let query = query.get(..query.floor_char_boundary(limits::QUERY_CHARS)).unwrap_or(query);
        let words = self.words.scores(query);
        let vectors = self.vectors.scores(query, &*self.embedder);
        let best = words.iter().copied().fold(0.0_f32, f32::max).max(f32::MIN_POSITIVE);
        let shares = if vectors.is_empty() { (1.0, 0.0) } else { (WORDS_SHARE, 1.0 - WORDS_SHARE) };
        let score = |at: usize| {
            let words = words.get(at).copied().unwrap_or(0.0) / best;
            let vector = vectors.get(at).copied().unwrap_or(0.0).max(0.0);
            shares.0 * words + shares.1 * vector
        };
        let mut order: Vec<(usize, f32)> =
            (0..self.passages.len()).map(|at| (at, score(at))).filter(|it| it.1 > 0.0).collect();
        let k = k.min(limits::HITS).min(order.len());
        let nearest = |one: &(usize, f32), two: &(usize, f32)| {
            two.1.total_cmp(&one.1).then(one.0.cmp(&two.0))
        };
        if k > 0 && k < order.len() {
            order.select_nth_unstable_by(k - 1, nearest);
        }
        order.truncate(k);
        order.sort_unstable_by(nearest);
        let hit = |(at, score)| Some(Hit { passage: self.passages.get(at)?, score });
        order.into_iter().filter_map(hit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebuttal_model::Place;
    use rebuttal_semantics::BuiltinVectors;

    fn index(texts: &[&str]) -> Index {
        let passages = texts.iter().map(|text| Passage::new("a.md", Place::Page(1), text));
        Index::new(passages.collect(), Box::new(BuiltinVectors))
    }

    #[test]
    fn words_and_meaning_both_find() {
        let index = index(&[
            "The bakery opens at six.",
            "Hosting cost 41,000 euros in 2023.",
            "Four engineers left the platform team.",
        ]);
        let first = |query| index.search(query, 1)[0].passage.text.clone();
        assert_eq!(first("what does hosting cost"), "Hosting cost 41,000 euros in 2023.");
        assert_eq!(
            first("staff turnover among developers"),
            "Four engineers left the platform team."
        );
        assert_eq!(index.search("hosting", 10).len(), index.search("hosting", 10).len());
        assert!(index.search("", 10).is_empty());
    }

    #[test]
    fn the_same_words_are_kept_once() {
        let index = index(&["It fell.", "It fell.", "It rose."]);
        assert_eq!(index.passages().len(), 2);
        let id = &index.passages()[1].id;
        assert_eq!(index.get(id).map(|it| it.text.as_str()), Some("It rose."));
    }
}
