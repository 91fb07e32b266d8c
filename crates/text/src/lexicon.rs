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
//! token through a trie, so "bad" is never found in "badge", and the cost of a text is linear in
//! its length however many phrases there are.

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
    nodes: Vec<Node>,
    axes: axes::Axes,
    /// Sections no [`Group`] knows; a test keeps this empty.
    unknown_sections: Vec<&'static str>,
}

/// A place in the trie of phrases.
#[derive(Debug, Default)]
struct Node {
    next: Vec<(WordId, u32)>,
    accepts: Vec<Group>,
}

impl Lexicon {
    /// The lexicons for English, the only language so far.
    pub(crate) fn english() -> &'static Self {
        &ENGLISH
    }

    fn load() -> Self {
        let mut lexicon = Self { nodes: vec![Node::default()], ..Self::default() };
        for (_, file) in FILES {
            for entry in parse::entries(file) {
                match Group::named(entry.section) {
                    Some(group) => lexicon.add(group, entry.text),
                    None => lexicon.unknown_sections.push(entry.section),
                }
            }
        }
        // The root is consulted for every token of every text.
        if let Some(root) = lexicon.nodes.first_mut() {
            root.next.sort_unstable_by_key(|(word, _)| word.0);
        }
        lexicon.axes = axes::Axes::load();
        lexicon
    }

    fn add(&mut self, group: Group, pattern: &'static str) {
        for phrase in parse::spelled_out(&pattern.to_lowercase()) {
            let mut node = 0;
            for word in parse::words(&phrase) {
                let word = if word == "_" { WordId::ANY } else { self.intern(word) };
                node = self.child(node, word);
            }
            if let Some(node) = self.nodes.get_mut(node).filter(|_| node > 0)
                && !node.accepts.contains(&group)
            {
                node.accepts.push(group);
            }
        }
    }

    fn intern(&mut self, word: &str) -> WordId {
        if let Some(&id) = self.words.get(word) {
            return id;
        }
        let id = WordId(u32::try_from(self.words.len()).unwrap_or(0) + 1);
        // The lexicons live as long as the process.
        self.words.insert(String::leak(word.to_owned()), id);
        id
    }

    fn child(&mut self, node: usize, word: WordId) -> usize {
        let found = self.nodes.get(node).and_then(|node| node.to(word));
        found.unwrap_or_else(|| {
            let new = self.nodes.len();
            self.nodes.push(Node::default());
            if let Some(node) = self.nodes.get_mut(node) {
                node.next.push((word, u32::try_from(new).unwrap_or(0)));
            }
            new
        })
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

    /// Every phrase in the tokens, by where it starts, longest first. Linear: a phrase has a bounded
    /// number of words.
    pub(crate) fn hits(&self, tokens: &[Token]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (first, token) in tokens.iter().enumerate() {
            if token.word == WordId::UNKNOWN {
                continue;
            }
            let Some(node) = self.root(token.word) else { continue };
            let from = hits.len();
            self.walk(tokens, first, node, first + 1, &mut hits);
            if let Some(found) = hits.get_mut(from..) {
                found.sort_unstable_by_key(|hit| std::cmp::Reverse(hit.end));
            }
        }
        hits
    }

    fn root(&self, word: WordId) -> Option<usize> {
        let next = &self.nodes.first()?.next;
        let index = next.binary_search_by_key(&word.0, |(word, _)| word.0).ok()?;
        next.get(index).map(|(_, node)| *node as usize)
    }

    fn walk(&self, tokens: &[Token], first: usize, node: usize, at: usize, hits: &mut Vec<Hit>) {
        let Some(node) = self.nodes.get(node) else { return };
        for &group in &node.accepts {
            let (first, end) = (u32::try_from(first), u32::try_from(at));
            if let (Ok(first), Ok(end)) = (first, end) {
                hits.push(Hit { group, first, end });
            }
        }
        let Some(token) = tokens.get(at) else { return };
        for &(word, next) in &node.next {
            if word == WordId::ANY && token.is_word() || word == token.word {
                self.walk(tokens, first, next as usize, at + 1, hits);
            }
        }
    }
}

impl Node {
    fn to(&self, word: WordId) -> Option<usize> {
        self.next.iter().find(|(next, _)| *next == word).map(|(_, node)| *node as usize)
    }
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
                lexicon.nodes.iter().any(|node| node.accepts.contains(&group)),
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

    #[test]
    fn no_phrase_stands_in_two_files() {
        for group in Group::ALL {
            assert_eq!(Group::named(group.name()), Some(group));
        }
    }
}
