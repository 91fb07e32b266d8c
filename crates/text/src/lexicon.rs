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
mod hits;
pub(crate) mod parse;
mod recent;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

pub(crate) use axes::{Axis, Sign};
pub(crate) use groups::Group;
pub(crate) use hits::{Hit, Hits};
pub(crate) use recent::{Known, Recent, short_word};

use crate::tokens::{Kind, Token};
use crate::traits::Traits;
use crate::words::{self, Stem};

/// A word that occurs in some lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct WordId(u32);

impl WordId {
    /// A word no lexicon has.
    pub(crate) const UNKNOWN: Self = Self(0);
    /// Matches any word; only in patterns.
    const ANY: Self = Self(u32::MAX);

    /// Its place in a table of all words.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// One bit of 64.
    fn bit(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// The files compiled into the library.
const FILES: [&str; 10] = [
    include_str!("../lexicons/acknowledgment.txt"),
    include_str!("../lexicons/attribution.txt"),
    include_str!("../lexicons/certainty.txt"),
    include_str!("../lexicons/connectives.txt"),
    include_str!("../lexicons/function-words.txt"),
    include_str!("../lexicons/implicatives.txt"),
    include_str!("../lexicons/injection.txt"),
    include_str!("../lexicons/negation.txt"),
    include_str!("../lexicons/quantifiers.txt"),
    include_str!("../lexicons/stance.txt"),
];

/// The words that orders to other agents are made of. They are no phrases: what they make together is
/// for [`orders`](crate::injection) to say, which looks at few texts.
pub(crate) const ORDERS: &str = include_str!("../lexicons/orders.txt");

/// Forms whose stem cannot be had by cutting off an ending.
const IRREGULAR: &str = include_str!("../lexicons/irregular.txt");

static ENGLISH: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

/// All lexicons, ready to match.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    words: HashMap<&'static [u8], WordId, BuildHasherDefault<WordHasher>>,
    /// What is known of one mark of ASCII, by its byte.
    marks: Vec<Known>,
    /// Whether a word says nothing about a topic, by its number.
    functions: Vec<bool>,
    /// What is known of a word, by its number.
    entries: Vec<Entry>,
    /// Where phrases go on after their first two words. Most words start some phrase, but hardly any
    /// two words do, so one look here spares a walk through all phrases that start with "I".
    pairs: HashMap<(WordId, WordId), Vec<u32>, BuildHasherDefault<WordHasher>>,
    states: Vec<State>,
    axes: axes::Axes,
    /// Sections no [`Group`] knows; a test keeps this empty.
    unknown_sections: Vec<&'static str>,
}

/// What is known of one word.
#[derive(Clone, Debug, Default)]
struct Entry {
    /// Groups it belongs to by itself, sorted.
    alone: Vec<Group>,
    /// States of the phrases it starts; folded into `pairs` when all are known.
    starts: Vec<u32>,
    /// A bit for every second word of its phrases, by the low bits of its number: most words that
    /// follow are known by one look to be none.
    seconds: u64,
    /// Where phrases go on whose second word may be any.
    any_next: Vec<u32>,
    /// It says nothing about a topic.
    function: bool,
    stem: Stem,
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
        for (form, base) in parse::entries(IRREGULAR).filter_map(|entry| entry.text.split_once(' '))
        {
            let word = lexicon.intern(form);
            if let Some(entry) = lexicon.entries.get_mut(word.0 as usize) {
                entry.stem = words::stem(base);
            }
        }
        for file in FILES {
            for entry in parse::entries(file) {
                match Group::named(entry.section) {
                    Some(group) => lexicon.add(group, entry.text),
                    None => lexicon.unknown_sections.push(entry.section),
                }
            }
        }
        for word in parse::entries(ORDERS).flat_map(|entry| parse::spelled_out(entry.text)) {
            lexicon.intern(&word);
        }
        lexicon.pair_up();
        lexicon.functions = lexicon.entries.iter().map(|entry| entry.function).collect();
        let mark = |mark: u8| {
            let word = lexicon.words.get([mark].as_slice()).copied().unwrap_or_default();
            Known { word, traits: Traits::of_mark(&lexicon, word), ..Known::default() }
        };
        lexicon.marks = (0..128).map(mark).collect();
        lexicon
    }

    /// Sorts what follows each first word by the second.
    fn pair_up(&mut self) {
        for (number, entry) in self.entries.iter_mut().enumerate() {
            let first = WordId(u32::try_from(number).unwrap_or(0));
            for state in std::mem::take(&mut entry.starts) {
                let Some(state) = self.states.get(state as usize) else { continue };
                if let Some(group) = state.accepts.filter(|group| !entry.alone.contains(group)) {
                    entry.alone.push(group);
                }
                for &(second, next) in &state.next {
                    if second == WordId::ANY {
                        entry.any_next.push(next);
                    } else {
                        entry.seconds |= second.bit();
                        self.pairs.entry((first, second)).or_default().push(next);
                    }
                }
            }
            entry.alone.sort_unstable();
        }
    }

    /// Builds the states of a pattern from its end to its start, so that an optional word needs
    /// nothing more than a copy of what may come after it.
    fn add(&mut self, group: Group, pattern: &str) {
        if group == Group::Function {
            let word = self.intern(&pattern.to_lowercase());
            return self
                .entries
                .get_mut(word.0 as usize)
                .into_iter()
                .for_each(|entry| entry.function = true);
        }
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
            if let Some(entry) = self.entries.get_mut(word.0 as usize) {
                entry.starts.push(state);
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
        if let Some(&id) = self.words.get(word.as_bytes()) {
            return id;
        }
        let id = WordId(u32::try_from(self.words.len()).unwrap_or(0) + 1);
        // The lexicons live as long as the process.
        self.words.insert(String::leak(word.to_owned()).as_bytes(), id);
        self.entries.resize(id.0 as usize, Entry::default());
        self.entries.push(Entry { stem: words::stem(word), ..Entry::default() });
        id
    }

    /// What the lexicons know of a word, in whatever case it is written, and its stem.
    pub(crate) fn look_up(&self, word: &str) -> (WordId, Stem) {
        let mut buffer = [0; 32];
        let Some(lowered) = words::lower(word, &mut buffer) else {
            // Rare enough to allocate for.
            let word = word.to_lowercase();
            let id = self.words.get(word.as_bytes()).copied().unwrap_or_default();
            return (id, words::stem(&word));
        };
        let known = self.words.get(lowered).copied();
        let entry = known.and_then(|id| Some((id, self.entries.get(id.0 as usize)?.stem)));
        entry.unwrap_or_else(|| (WordId::UNKNOWN, words::stem_of_lower(lowered)))
    }

    /// What the lexicons know of a punctuation mark.
    pub(crate) fn mark(&self, mark: u8) -> Known {
        self.marks.get(usize::from(mark)).copied().unwrap_or_default()
    }

    /// The axis and side a stem stands on: "dangerous" is on the far side of safety.
    pub(crate) fn axis(&self, stem: Stem) -> Option<(Axis, Sign)> {
        self.axes.of(stem)
    }

    /// True for a word that says nothing about a topic.
    pub(crate) fn is_function(&self, word: WordId) -> bool {
        self.functions.get(word.0 as usize).is_some_and(|function| *function)
    }

    /// True for a word that is in a group by itself or starts a phrase.
    pub(crate) fn opens(&self, word: WordId) -> bool {
        self.entries.get(word.0 as usize).is_some_and(|entry| {
            !entry.alone.is_empty() || entry.seconds != 0 || !entry.any_next.is_empty()
        })
    }

    /// The words on a side of an axis of opposites.
    pub(crate) fn opposites(&self) -> impl Iterator<Item = Stem> {
        self.axes.opposites()
    }

    /// Every phrase in the tokens.
    #[cfg(test)]
    pub(crate) fn hits(&self, tokens: &[Token]) -> Hits {
        let mut hits = Hits::default();
        self.find(tokens, &mut hits);
        hits
    }

    /// Finds every phrase in the tokens, for hits that are empty so far.
    pub(crate) fn find(&self, tokens: &[Token], hits: &mut Hits) {
        hits.reserve(tokens.len());
        for (first, token) in tokens.iter().enumerate() {
            hits.open_token();
            if token.traits.has(Traits::OPENS) {
                self.hits_at(tokens, first, token.word, hits);
            }
        }
    }

    fn hits_at(&self, tokens: &[Token], first: usize, word: WordId, hits: &mut Hits) {
        let Some(entry) = self.entries.get(word.0 as usize) else { return };
        for &group in &entry.alone {
            hits.push(hit(group, first, first + 1));
        }
        let alone = hits.len();
        self.longer_hits_at(tokens, first, word, entry, hits);
        // Words alone are in their order already, and most start no phrase.
        if hits.len() > alone {
            hits.arrange_token();
        }
    }

    fn longer_hits_at(
        &self,
        tokens: &[Token],
        first: usize,
        word: WordId,
        entry: &Entry,
        hits: &mut Hits,
    ) {
        let (at, Some(second)) = after(tokens, first + 1) else { return };
        if second.word != WordId::UNKNOWN
            && entry.seconds & second.word.bit() != 0
            && let Some(states) = self.pairs.get(&(word, second.word))
        {
            for &state in states {
                self.walk(tokens, first, state, at + 1, hits);
            }
        }
        if second.is_word() {
            for &state in &entry.any_next {
                self.walk(tokens, first, state, at + 1, hits);
            }
        }
    }

    fn walk(&self, tokens: &[Token], first: usize, state: u32, at: usize, hits: &mut Hits) {
        let Some(state) = self.states.get(state as usize) else { return };
        if let Some(group) = state.accepts {
            hits.push(hit(group, first, at));
        }
        if state.next.is_empty() {
            return;
        }
        let (at, Some(token)) = after(tokens, at) else { return };
        for &(word, next) in &state.next {
            if word == token.word && word != WordId::UNKNOWN
                || word == WordId::ANY && token.is_word()
            {
                self.walk(tokens, first, next, at + 1, hits);
            }
        }
    }
}

/// The next token and its place; a line may break within a phrase.
fn after(tokens: &[Token], at: usize) -> (usize, Option<&Token>) {
    match tokens.get(at) {
        Some(token) if token.kind == Kind::Break => (at + 1, tokens.get(at + 1)),
        token => (at, token),
    }
}

fn hit(group: Group, first: usize, end: usize) -> Hit {
    let number = |token| u32::try_from(token).unwrap_or(u32::MAX);
    Hit { group, first: number(first), end: number(end) }
}

/// FNV-1a: the keys are short and ours, so speed is all that counts.
#[derive(Debug)]
pub(crate) struct WordHasher(u64);

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

    /// The numbers of words need no byte-wise mixing.
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// How long a key is stands before its bytes; one step is enough for it.
    fn write_usize(&mut self, length: usize) {
        self.0 = (self.0 ^ length as u64).wrapping_mul(0x0100_0000_01b3);
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
            if group == Group::Function {
                continue;
            }
            assert!(
                lexicon.states.iter().any(|state| state.accepts == Some(group)),
                "no file has a section [{}]",
                group.name()
            );
        }
    }

    #[test]
    fn every_phrase_finds_its_own_group() {
        let lexicon = Lexicon::english();
        let mut lost = Vec::new();
        for entry in FILES.into_iter().flat_map(parse::entries) {
            let group = Group::named(entry.section).expect("a group");
            if group == Group::Function {
                continue;
            }
            for phrase in parse::spelled_out(entry.text) {
                // Where any word will do, some word must.
                let words =
                    phrase.split_whitespace().map(|word| if word == "_" { "some" } else { word });
                let text = words.collect::<Vec<_>>().join(" ");
                let tokens = tokens(&text, lexicon);
                let whole = |hit: &Hit| hit.group == group && hit.tokens() == (0..tokens.len());
                if !text.is_empty() && !lexicon.hits(&tokens).iter().any(whole) {
                    lost.push(format!("[{}] {text}", entry.section));
                    break;
                }
            }
        }
        assert_eq!(lost, Vec::<String>::new());
    }

    #[test]
    fn irregular_forms_meet_their_verb() {
        let stem = |word| Lexicon::english().look_up(word).1;
        assert_eq!(stem("Paid"), stem("pays"));
        assert_eq!(stem("fell"), stem("falling"));
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
