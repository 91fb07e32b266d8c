//! The lexicons: data files of words and phrases, loaded once, matched by whole words only.
//!
//! A file under `lexicons/` holds groups:
//!
//! ```text
//! # Why these words belong together.
//! [stance.for]
//! I (fully|strongly|) support
//! in favo(u|)r of
//! ```
//!
//! `(a|b|)` spells out alternatives; `_` stands for any one word. Phrases are matched token by
//! token through a small automaton, so "bad" is never found in "badge", and the cost of a text is
//! linear in its length: a phrase has a bounded number of words.

mod axes;
mod groups;
mod parse;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

pub(crate) use axes::{Axis, Sign};
pub(crate) use groups::Group;

use crate::tokens::Token;
use crate::words::{self, Stem};

/// A word that occurs in some lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct WordId(u32);

impl WordId {
    /// A word no lexicon has.
    pub(crate) const UNKNOWN: Self = Self(0);
    /// Matches any word; only in patterns.
    const ANY: Self = Self(u32::MAX);
}

/// A phrase found in a text: tokens `first..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) group: Group,
    pub(crate) first: u32,
    pub(crate) end: u32,
}

impl Hit {
    pub(crate) fn tokens(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The files compiled into the library.
const FILES: [(&str, &str); 9] = [
    ("acknowledgment", include_str!("../lexicons/acknowledgment.txt")),
    ("attribution", include_str!("../lexicons/attribution.txt")),
    ("certainty", include_str!("../lexicons/certainty.txt")),
    ("connectives", include_str!("../lexicons/connectives.txt")),
    ("function-words", include_str!("../lexicons/function-words.txt")),
    ("implicatives", include_str!("../lexicons/implicatives.txt")),
    ("injection", include_str!("../lexicons/injection.txt")),
    ("negation", include_str!("../lexicons/negation.txt")),
    ("stance", include_str!("../lexicons/stance.txt")),
];

static ENGLISH: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

/// All lexicons, ready to match.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    words: HashMap<&'static str, WordId, BuildHasherDefault<WordHasher>>,
    /// Where the phrases that start with a word go on, by the word's number.
    starts: Vec<Vec<u32>>,
    states: Vec<State>,
    axes: axes::Axes,
    /// Sections no [`Group`] knows; a test keeps this empty.
    unknown_sections: Vec<&'static str>,
}

/// A place inside a phrase: what may come next, and whether the phrase may end here.
#[derive(Clone, Debug, Default)]
struct State {
    next: Vec<(WordId, u32)>,
    accepts: Option<Group>,
}

impl Lexicon {
    /// The lexicons for English, the only language so far.
    pub(crate) fn english() -> &'static Self {
        &ENGLISH
    }

    fn load() -> Self {
        let mut lexicon = Self { axes: axes::Axes::load(), ..Self::default() };
        for (_, file) in FILES {
            for entry in parse::entries(file) {
                match Group::named(entry.section) {
                    Some(group) => lexicon.add(group, entry.text),
                    None => lexicon.unknown_sections.push(entry.section),
                }
            }
        }
        lexicon
    }

    /// Builds the states of a pattern from its end to its start, so that an optional word needs
    /// nothing more than a copy of what may come after it.
    fn add(&mut self, group: Group, pattern: &str) {
        let mut after = State { next: Vec::new(), accepts: Some(group) };
        for element in parse::elements(&pattern.to_lowercase()).iter().rev() {
            let target = self.keep(after.clone());
            let mut state = State::default();
            for choice in element {
                let words = parse::words(choice);
                if let Some((first, rest)) = words.split_first() {
                    let entry = self.chain(rest, target);
                    state.next.push((self.intern(first), entry));
                } else {
                    state.next.extend_from_slice(&after.next);
                    state.accepts = after.accepts;
                }
            }
            after = state;
        }
        for (word, state) in after.next {
            if let Some(start) = self.starts.get_mut(word.0 as usize) {
                start.push(state);
            }
        }
    }

    fn keep(&mut self, state: State) -> u32 {
        self.states.push(state);
        u32::try_from(self.states.len() - 1).unwrap_or(u32::MAX)
    }

    /// The states that read `words` and then go on at `target`.
    fn chain(&mut self, words: &[&str], target: u32) -> u32 {
        words.iter().rev().fold(target, |target, word| {
            let next = vec![(self.intern(word), target)];
            self.keep(State { next, accepts: None })
        })
    }

    fn intern(&mut self, word: &str) -> WordId {
        if word == "_" {
            return WordId::ANY;
        }
        if let Some(&id) = self.words.get(word) {
            return id;
        }
        let id = WordId(u32::try_from(self.words.len()).unwrap_or(0) + 1);
        // The lexicons live as long as the process.
        self.words.insert(String::leak(word.to_owned()), id);
        self.starts.resize(id.0 as usize + 1, Vec::new());
        id
    }

    /// What the lexicons know of a word, in whatever case it is written, and its stem.
    pub(crate) fn look_up(&self, word: &str) -> (WordId, Stem) {
        let mut buffer = [0; 32];
        let Some(lowered) = words::lower(word, &mut buffer) else {
            return (self.words.get(word).copied().unwrap_or_default(), words::stem(word));
        };
        let id = std::str::from_utf8(lowered).ok().and_then(|word| self.words.get(word));
        (id.copied().unwrap_or_default(), words::stem_of_lower(lowered))
    }

    /// What the lexicons know of a punctuation mark.
    pub(crate) fn mark(&self, mark: u8) -> WordId {
        std::str::from_utf8(&[mark])
            .ok()
            .and_then(|mark| self.words.get(mark).copied())
            .unwrap_or_default()
    }

    /// The axis and side a stem stands on: "dangerous" is on the far side of safety.
    pub(crate) fn axis(&self, stem: Stem) -> Option<(Axis, Sign)> {
        self.axes.of(stem)
    }

    /// Every phrase in the tokens, by where it starts, longest first, each once.
    pub(crate) fn hits(&self, tokens: &[Token]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (first, token) in tokens.iter().enumerate() {
            let Some(states) = self.starts.get(token.word.0 as usize) else { continue };
            let from = hits.len();
            for &state in states {
                self.walk(tokens, first, state, first + 1, &mut hits);
            }
            if hits.len() > from + 1 {
                let order = |hit: &Hit| (std::cmp::Reverse(hit.end), hit.group);
                hits.get_mut(from..).unwrap_or_default().sort_unstable_by_key(order);
                dedup_from(&mut hits, from);
            }
        }
        hits
    }

    fn walk(&self, tokens: &[Token], first: usize, state: u32, at: usize, hits: &mut Vec<Hit>) {
        let Some(state) = self.states.get(state as usize) else { return };
        if let Some(group) = state.accepts
            && let (Ok(first), Ok(end)) = (u32::try_from(first), u32::try_from(at))
        {
            hits.push(Hit { group, first, end });
        }
        let Some(token) = tokens.get(at).filter(|_| !state.next.is_empty()) else { return };
        for &(word, next) in &state.next {
            if word == token.word && word != WordId::UNKNOWN
                || word == WordId::ANY && token.is_word()
            {
                self.walk(tokens, first, next, at + 1, hits);
            }
        }
    }
}

/// Two patterns may spell the same phrase.
fn dedup_from(hits: &mut Vec<Hit>, from: usize) {
    let mut kept = from;
    for index in from..hits.len() {
        let hit = hits.get(index).copied();
        let new = index == from || hits.get(kept.wrapping_sub(1)).copied() != hit;
        if let (true, Some(hit), Some(slot)) = (new, hit, hits.get_mut(kept)) {
            *slot = hit;
            kept += 1;
        }
    }
    hits.truncate(kept);
}

/// FNV-1a: the keys are short and ours, so speed is all that counts.
#[derive(Debug)]
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[test]
    fn every_section_has_a_group_and_every_group_words() {
        let lexicon = Lexicon::english();
        assert_eq!(lexicon.unknown_sections, Vec::<&str>::new());
        for group in Group::ALL {
            assert!(
                lexicon.states.iter().any(|state| state.accepts == Some(group)),
                "no file has a section [{}]",
                group.name()
            );
        }
    }

    #[test]
    fn phrases_match_whole_words_in_any_case() {
        let lexicon = Lexicon::english();
        let found = |text: &str| -> Vec<&'static str> {
            lexicon.hits(&tokens(text, lexicon)).iter().map(|hit| hit.group.name()).collect()
        };
        assert!(found("I was WRONG about it").contains(&"acknowledgment.wrong"));
        assert!(!found("I see nowhere that this works").contains(&"acknowledgment.see-now"));
    }
}
