//! Passages found by their words and by what they mean: BM25 and static vectors, together.

mod vectors;
mod words;

use std::collections::HashMap;
use std::fmt;

use rebuttal_model::{Passage, PassageId, Stance};
use rebuttal_semantics::Embedder;
use rebuttal_text::{Reading, Term, Topic};

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
    /// The names of all documents, each once, in order.
    documents: Vec<String>,
    words: Words,
    vectors: Vectors,
    embedder: Box<dyn Embedder>,
    words_share: f32,
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
        let mut documents: Vec<String> = kept.iter().map(|it| it.document.clone()).collect();
        documents.dedup();
        documents.sort_unstable();
        documents.dedup();
        let words = Words::new(&kept);
        let vectors = Vectors::new(&kept, &*embedder);
        Self {
            passages: kept,
            by_id,
            documents,
            words,
            vectors,
            embedder,
            words_share: WORDS_SHARE,
        }
    }

    /// Sets how much the words count beside the vectors, from 0 to 1: for measuring.
    #[must_use]
    pub fn words_share(self, share: f32) -> Self {
        Self { words_share: share.clamp(0.0, 1.0), ..self }
    }

    /// All passages, in the order in which they were given.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The passage with this id.
    pub fn get(&self, id: &PassageId) -> Option<&Passage> {
        self.passages.get(*self.by_id.get(id)?)
    }

    /// The documents a name may mean: its path, or the last parts of it.
    pub fn documents(&self, name: &str) -> Vec<&str> {
        let name = name.trim().trim_start_matches("./");
        let all = self.documents.iter().map(String::as_str);
        let named: Vec<&str> = all.clone().filter(|it| *it == name).collect();
        if !named.is_empty() || name.is_empty() {
            return named;
        }
        let ends = |path: &&str| path.strip_suffix(name).is_some_and(|it| it.ends_with('/'));
        let found: Vec<&str> = all.clone().filter(ends).collect();
        if !found.is_empty() {
            return found;
        }
        // Without its ending, in any case: "the Costs 2023 report" is not meant, "costs-2023" is.
        let stem = |path: &str| {
            let file = path.rsplit('/').next().unwrap_or(path);
            file.rsplit_once('.').map_or(file, |it| it.0).to_lowercase()
        };
        let bare = !name.contains(['/', '.']);
        all.filter(|path| bare && stem(path) == stem(name)).collect()
    }

    /// How much it tells that a passage has this word.
    pub(crate) fn rarity(&self, term: Term) -> f32 {
        self.words.rarity(term)
    }

    /// The `k` passages nearest to a text, the nearest first.
    pub fn search(&self, query: &str, k: usize) -> Vec<Hit<'_>> {
        self.search_in(query, k, |_| true)
    }

    /// Passages on a question from both sides of it, as far as they take one, the nearest of each first;
    /// those that give orders to agents are left out.
    pub fn both_sides(&self, question: &str, k: usize) -> Vec<&Passage> {
        /// How many times as many are looked at as are wanted.
        const LOOK: usize = 4;
        let topic = Topic::new(&Reading::new(question));
        let (mut yes, mut no, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for hit in self.search(question, k.saturating_mul(LOOK)) {
            let reading = Reading::new(&hit.passage.text);
            if !reading.instructions().is_empty() {
                continue;
            }
            match reading.stance(Some(&topic)).stance {
                Stance::Yes => yes.push(hit),
                Stance::No => no.push(hit),
                Stance::Unclear => other.push(hit),
            }
        }
        // As many of one side as of the other, and the rest by how near it is.
        let each = yes.len().min(no.len()).min(k.div_ceil(3));
        let mut chosen: Vec<Hit<'_>> = yes.drain(..each).chain(no.drain(..each)).collect();
        let mut rest: Vec<Hit<'_>> = yes.into_iter().chain(no).chain(other).collect();
        let nearest = |one: &Hit<'_>, two: &Hit<'_>| two.score.total_cmp(&one.score);
        rest.sort_by(nearest);
        chosen.extend(rest.into_iter().take(k.saturating_sub(2 * each)));
        chosen.sort_by(nearest);
        chosen.into_iter().map(|hit| hit.passage).collect()
    }

    /// The same among some passages only.
    pub fn search_in(
        &self,
        query: &str,
        k: usize,
        among: impl Fn(&Passage) -> bool,
    ) -> Vec<Hit<'_>> {
        let query = query.get(..query.floor_char_boundary(limits::QUERY_CHARS)).unwrap_or(query);
        let words = self.words.scores(query);
        let vectors = self.vectors.scores(query, &*self.embedder);
        let best = words.iter().copied().fold(0.0_f32, f32::max).max(f32::MIN_POSITIVE);
        let shares = if vectors.is_empty() {
            (1.0, 0.0)
        } else {
            (self.words_share, 1.0 - self.words_share)
        };
        let score = |at: usize| {
            let words = words.get(at).copied().unwrap_or(0.0) / best;
            let vector = vectors.get(at).copied().unwrap_or(0.0).max(0.0);
            shares.0 * words + shares.1 * vector
        };
        let own = self.passages.iter().enumerate().filter(|(_, passage)| among(passage));
        let mut order: Vec<(usize, f32)> =
            own.map(|(at, _)| (at, score(at))).filter(|it| it.1 > 0.0).collect();
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
