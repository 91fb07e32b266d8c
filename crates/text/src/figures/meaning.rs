//! What the words around a number do there: name the measure, report it, or nothing.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::claims::Term;
use crate::lexicon::{Lexicon, WordHasher, parse};
use crate::words::Stem;

static ENGLISH: LazyLock<Meanings> = LazyLock::new(Meanings::load);

/// What a word or phrase does beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Names what is measured, by one or more concepts.
    Concepts(&'static [Concept]),
    /// Says on what basis it was reckoned, wherever in the sentence it stands: "month on month".
    Basis(&'static [Concept]),
    /// Tells no two measures apart.
    Neutral,
    /// "puts": the subject is the source.
    Reports,
    /// "reported": the subject is the source, or the one it is about.
    ReportsOwn,
    /// Stands between a measure and its value: "was", "reached".
    Links,
    /// "rose", "an increase of".
    Up,
    /// "fell".
    Down,
    /// "deficit": the value is below zero, of what the concepts say.
    Minus(&'static [Concept]),
    /// "surplus".
    Plus(&'static [Concept]),
    /// "seasonally adjusted".
    Definition,
    /// "Inc".
    Suffix,
}

/// One thing that can be measured, or one way to measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Concept {
    pub(super) term: Term,
    pub(super) name: &'static str,
}

#[derive(Debug)]
struct Phrase {
    /// The second word, which most often tells that it is another phrase.
    second: Option<Stem>,
    /// What follows the second.
    rest: Vec<Stem>,
    meaning: Meaning,
}

impl Phrase {
    /// How many words it has.
    fn words(&self) -> usize {
        1 + usize::from(self.second.is_some()) + self.rest.len()
    }
}

/// All that is known, by the first word of each phrase, the longest phrase first.
#[derive(Debug)]
pub(crate) struct Meanings {
    phrases: HashMap<Stem, Vec<Phrase>, BuildHasherDefault<WordHasher>>,
}

impl Meanings {
    pub(crate) fn english() -> &'static Self {
        &ENGLISH
    }

    fn load() -> Self {
        let mut meanings = Self { phrases: HashMap::default() };
        for entry in parse::entries(include_str!("../../lexicons/metrics.txt")) {
            let meaning = match entry.section {
                "neutral" => Meaning::Neutral,
                "reports" => Meaning::Reports,
                "reports.own" => Meaning::ReportsOwn,
                "links" => Meaning::Links,
                "up" => Meaning::Up,
                "down" => Meaning::Down,
                "definition" => Meaning::Definition,
                "suffix" => Meaning::Suffix,
                section => {
                    let meaning = match section {
                        "minus" => Meaning::Minus,
                        "plus" => Meaning::Plus,
                        "basis" => Meaning::Basis,
                        _ => Meaning::Concepts,
                    };
                    meanings.put_same(entry.text, meaning);
                    continue;
                }
            };
            meanings.put(entry.text, meaning);
        }
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted for itself")]
        for phrases in meanings.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words()));
        }
        meanings
    }

    /// `name = phrase | phrase`, where the name may be a sum of names.
    fn put_same(&mut self, line: &'static str, meaning: fn(&'static [Concept]) -> Meaning) {
        let Some((names, phrases)) = line.split_once('=') else { return };
        let concepts: Vec<Concept> = names
            .split('+')
            .map(|name| Concept { term: term(name.trim()), name: name.trim() })
            .collect();
        // Loaded once and kept for as long as the program runs.
        let concepts: &'static [Concept] = Vec::leak(concepts);
        let meaning = meaning(concepts);
        // What stands for the name goes without saying, but a deficit is no balance.
        if matches!(meaning, Meaning::Concepts(_) | Meaning::Basis(_)) {
            self.put(names, meaning);
        }
        phrases.split('|').for_each(|phrase| self.put(phrase, meaning));
    }

    /// What comes first in the file stays.
    fn put(&mut self, phrase: &str, meaning: Meaning) {
        let stem = |word: &str| Lexicon::english().look_up(word).1;
        let mut stems = phrase.split_whitespace().filter(|word| *word != "+").map(stem);
        let Some(first) = stems.next() else { return };
        let second = stems.next();
        let rest: Vec<Stem> = stems.collect();
        let known = self.phrases.entry(first).or_default();
        if known.iter().all(|phrase| phrase.second != second || phrase.rest != rest) {
            known.push(Phrase { second, rest, meaning });
        }
    }

    /// A concept by its name.
    pub(super) fn concept(name: &'static str) -> Concept {
        Concept { term: term(name), name }
    }

    /// The words that phrases start with.
    pub(crate) fn starts(&self) -> impl Iterator<Item = Stem> {
        self.phrases.keys().copied()
    }

    /// The longest phrase that starts with these stems, and how many of them it takes.
    pub(super) fn phrase(
        &self,
        first: Stem,
        rest: &(impl Iterator<Item = Stem> + Clone),
    ) -> Option<(usize, Meaning)> {
        let mut ahead = rest.clone();
        let second = ahead.next();
        let fits = |phrase: &&Phrase| {
            if phrase.second.is_none() {
                return true;
            }
            let mut stems = ahead.clone();
            phrase.second == second && phrase.rest.iter().all(|it| stems.next() == Some(*it))
        };
        let phrase = self.phrases.get(&first)?.iter().find(fits)?;
        Some((phrase.words(), phrase.meaning))
    }
}

/// The term of a concept: never that of a mere word, so that a word with two uses cannot meet it.
fn term(name: &str) -> Term {
    let mark = name
        .bytes()
        .fold(0x9e37_79b9_u32, |state, byte| (state ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Term::new(Stem(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(text: &str) -> Option<(usize, Meaning)> {
        let mut stems = text.split(' ').map(|word| Lexicon::english().look_up(word).1);
        let first = stems.next().unwrap();
        Meanings::english().phrase(first, &stems)
    }

    #[test]
    fn words_for_one_measure_meet() {
        for same in [
            &["unemployment", "jobless rate", "rate of unemployment", "Joblessness"][..],
            &["economic growth", "gdp growth"],
            &["labour force", "labor force"],
        ] {
            let found: Vec<_> = same.iter().map(|text| meaning(text).unwrap().1).collect();
            assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{same:?}");
        }
        assert_ne!(meaning("exports").unwrap().1, meaning("imports").unwrap().1);
    }

    #[test]
    fn the_longest_phrase_wins() {
        assert_eq!(meaning("size of the").map(|it| it.0), Some(2));
        assert_eq!(meaning("public debt as a share of gdp").map(|it| it.0), Some(7));
        assert_eq!(meaning("xylophone"), None);
    }
}
