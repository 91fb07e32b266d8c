//! How two words stand to each other: opposites, members of one kind, wider and narrower.
//!
//! Two data files. `opposites.txt` has a pair of sides a line:
//!
//! ```text
//! # Why these words belong together.
//! [opposites.motion]
//! arrive come_in / leave depart
//! ```
//!
//! `kinds.txt` has sets of which a thing can be only one; `=` names the kind itself, and `a|b` two
//! words for one member:
//!
//! ```text
//! # What an instrument is.
//! [kind.instrument]
//! = instrument
//! guitar violin|fiddle piano
//! ```
//!
//! A kind may be a member of another: a poodle is a dog, and so no cat, and an animal. `_` joins the
//! words of a phrase.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::lexicon::{Lexicon, WordHasher, parse};
use crate::words::Stem;

const OPPOSITES: &str = include_str!("../lexicons/opposites.txt");
const KINDS: &str = include_str!("../lexicons/kinds.txt");

static ENGLISH: LazyLock<Senses> = LazyLock::new(Senses::load);

/// How deep kinds may be nested.
const LEVELS: usize = 5;

/// How one word stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tie {
    /// They say the same: couch, sofa.
    Same,
    /// The first is one of the second's kind: dog, animal.
    Narrower,
    /// The second is one of the first's kind.
    Wider,
    /// What is one cannot be the other: open, closed.
    Opposite,
    /// Two of a kind, of which a thing is only one: violin, piano.
    Exclusive,
    /// Two of a kind that need not exclude each other: doctor, musician.
    Other,
}

/// One meaning of a word: its place in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sense {
    /// The pair of opposites or the kind.
    pub(crate) set: u16,
    /// The side or the member.
    place: u16,
    /// Its kind's place, not its own: what a poodle is because it is a dog.
    inherited: bool,
}

/// What holds for the members of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Sides,
    Exclusive,
    Loose,
    /// Words for one thing; no two members have anything to do with each other.
    Synonyms,
}

#[derive(Debug)]
struct Set {
    rule: Rule,
    /// The words for the kind itself.
    names: Vec<Stem>,
}

/// A phrase that counts as one word.
#[derive(Debug)]
struct Phrase {
    rest: Vec<Stem>,
    whole: Stem,
}

type Map<V> = HashMap<Stem, V, BuildHasherDefault<WordHasher>>;

/// Every word that has a place in some set.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    words: Map<Vec<Sense>>,
    phrases: Map<Vec<Phrase>>,
    sets: Vec<Set>,
    /// The set of countries.
    countries: Option<u16>,
}

impl Senses {
    pub(crate) fn english() -> &'static Self {
        &ENGLISH
    }

    fn load() -> Self {
        let mut senses = Self::default();
        for entry in parse::entries(OPPOSITES) {
            let set = senses.open(Rule::Sides);
            for (place, side) in (0..).zip(entry.text.split('/')) {
                side.split_whitespace().for_each(|word| senses.put(word, set, place));
            }
        }
        let (mut section, mut set, mut place) = ("", 0, 0);
        for entry in parse::entries(KINDS) {
            if entry.section != section {
                section = entry.section;
                set = senses.open(rule(section));
                if section == "kind.country" {
                    senses.countries = Some(set);
                }
                place = 0;
            }
            if let Some(names) = entry.text.strip_prefix("= ") {
                senses.name(set, names);
                continue;
            }
            for member in entry.text.split_whitespace() {
                place += 1;
                member.split('|').for_each(|word| senses.put(word, set, place));
            }
        }
        senses.inherit();
        senses
    }

    /// The words that countries are called by, and those that such a phrase starts with.
    pub(crate) fn country_starts(&self) -> impl Iterator<Item = Stem> {
        let alone = self.words.keys().filter(|word| self.country(**word).is_some());
        let starts = self.phrases.iter().filter(|(_, phrases)| {
            phrases.iter().any(|phrase| self.country(phrase.whole).is_some())
        });
        alone.chain(starts.map(|(first, _)| first)).copied()
    }

    fn open(&mut self, rule: Rule) -> u16 {
        self.sets.push(Set { rule, names: Vec::new() });
        u16::try_from(self.sets.len() - 1).unwrap_or(u16::MAX)
    }

    fn name(&mut self, set: u16, names: &str) {
        for word in names.split_whitespace() {
            let stem = self.intern(word);
            if let Some(set) = self.sets.get_mut(usize::from(set)) {
                set.names.push(stem);
            }
        }
    }

    fn put(&mut self, word: &str, set: u16, place: u16) {
        let stem = self.intern(word);
        let senses = self.words.entry(stem).or_default();
        let sense = Sense { set, place, inherited: false };
        if !senses.contains(&sense) {
            senses.push(sense);
        }
    }

    /// The stem of a word, or of a phrase as one.
    fn intern(&mut self, word: &str) -> Stem {
        let stem = |word: &str| Lexicon::english().look_up(word).1;
        let mut parts = word.split('_');
        let first = parts.next().map(stem).unwrap_or_default();
        let rest: Vec<Stem> = parts.map(stem).collect();
        if rest.is_empty() {
            return first;
        }
        let whole = Stem(crate::words::hash(word.as_bytes()));
        let known = self.phrases.entry(first).or_default();
        if !known.iter().any(|phrase| phrase.whole == whole) {
            known.push(Phrase { rest, whole });
            known.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
        }
        whole
    }

    /// Gives each member what its kind has: one level a round.
    fn inherit(&mut self) {
        for _ in 0..LEVELS {
            let mut given: Vec<(Stem, Sense)> = Vec::new();
            #[expect(clippy::iter_over_hash_type, reason = "what is given is a set")]
            for (&word, senses) in &self.words {
                let kinds = senses.iter().filter_map(|sense| self.sets.get(usize::from(sense.set)));
                let names = kinds.flat_map(|set| &set.names);
                let above = names.filter_map(|name| self.words.get(name)).flatten();
                let new = above.map(|sense| Sense { inherited: true, ..*sense }).filter(|sense| {
                    // "can" the drink's can: a word already in a set keeps its own place there.
                    !senses.iter().any(|own| own.set == sense.set)
                });
                given.extend(new.map(|sense| (word, sense)));
            }
            if given.is_empty() {
                break;
            }
            given.sort_unstable();
            given.dedup();
            for (word, sense) in given {
                self.words.entry(word).or_default().push(sense);
            }
        }
    }

    /// The meanings of a stem.
    pub(crate) fn of(&'static self, stem: Stem) -> &'static [Sense] {
        self.words.get(&stem).map(Vec::as_slice).unwrap_or_default()
    }

    /// The country a word names or belongs to, as a number: "Myanmar" and "Burmese" have the same.
    pub(crate) fn country(&self, stem: Stem) -> Option<u16> {
        let senses = self.words.get(&stem)?;
        let sense = senses.iter().find(|it| Some(it.set) == self.countries && !it.inherited)?;
        Some(sense.place)
    }

    /// The longest phrase that starts with these stems: how many words it has, and its own stem.
    pub(crate) fn phrase(
        &self,
        stems: impl Iterator<Item = Stem> + Clone,
    ) -> Option<(usize, Stem)> {
        let mut all = stems;
        let starts = self.phrases.get(&all.next()?)?;
        let fits = |phrase: &&Phrase| {
            let mut stems = all.clone();
            phrase.rest.iter().all(|wanted| stems.next() == Some(*wanted))
        };
        let phrase = starts.iter().find(fits)?;
        Some((phrase.rest.len() + 1, phrase.whole))
    }

    /// True when the word itself stands on a side of some pair of opposites. A castle is a kind of
    /// thing that has one, and has none.
    pub(crate) fn has_opposite(&'static self, stem: Stem) -> bool {
        self.of(stem).iter().filter(|sense| !sense.inherited).any(|sense| {
            self.sets.get(usize::from(sense.set)).is_some_and(|set| set.rule == Rule::Sides)
        })
    }

    /// How `a` stands to `b`, whose meanings are given.
    pub(crate) fn tie(&self, a: (Stem, &[Sense]), b: (Stem, &[Sense])) -> Option<Tie> {
        if a.0 == b.0 {
            return Some(Tie::Same);
        }
        let mut found = None;
        for one in a.1 {
            let Some(set) = self.sets.get(usize::from(one.set)) else { continue };
            if set.names.contains(&b.0) {
                return Some(Tie::Narrower);
            }
            for two in b.1.iter().filter(|two| two.set == one.set) {
                match set.rule {
                    _ if one.place == two.place => {
                        return match (one.inherited, two.inherited) {
                            (false, false) => Some(Tie::Same),
                            (true, false) => Some(Tie::Narrower),
                            (false, true) => Some(Tie::Wider),
                            // Two poodles' siblings: what they differ in stands in a set of its own.
                            (true, true) => continue,
                        };
                    }
                    Rule::Sides => found = Some(Tie::Opposite),
                    Rule::Exclusive if found != Some(Tie::Opposite) => found = Some(Tie::Exclusive),
                    Rule::Loose if found.is_none() => found = Some(Tie::Other),
                    Rule::Exclusive | Rule::Loose | Rule::Synonyms => {}
                }
            }
        }
        let wider = |two: &Sense| {
            self.sets.get(usize::from(two.set)).is_some_and(|set| set.names.contains(&a.0))
        };
        if b.1.iter().any(wider) { Some(Tie::Wider) } else { found }
    }
}

fn rule(section: &str) -> Rule {
    match section.split('.').next() {
        Some("kind") => Rule::Exclusive,
        Some("synonyms") => Rule::Synonyms,
        _ => Rule::Loose,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tie(a: &str, b: &str) -> Option<Tie> {
        let senses = Senses::english();
        let stem = |word: &str| {
            if word.contains('_') {
                return Stem(crate::words::hash(word.as_bytes()));
            }
            Lexicon::english().look_up(word).1
        };
        let (a, b) = (stem(a), stem(b));
        senses.tie((a, senses.of(a)), (b, senses.of(b)))
    }

    #[test]
    fn opposites_and_their_companions() {
        assert_eq!(tie("arrived", "leaves"), Some(Tie::Opposite));
        assert_eq!(tie("accept", "reject"), Some(Tie::Opposite));
        assert_eq!(tie("far_from", "near"), Some(Tie::Opposite));
        assert_eq!(tie("small", "tiny"), Some(Tie::Same));
        assert_eq!(tie("increase", "raise"), Some(Tie::Same));
    }

    #[test]
    fn kinds_exclude_and_their_names_do_not() {
        assert_eq!(tie("guitar", "piano"), Some(Tie::Exclusive));
        assert_eq!(tie("red", "blue"), Some(Tie::Exclusive));
        assert_eq!(tie("couch", "sofa"), Some(Tie::Same));
        assert_eq!(tie("guitar", "instrument"), Some(Tie::Narrower));
        assert_eq!(tie("animal", "poodle"), Some(Tie::Wider));
        assert_eq!(tie("poodle", "dog"), Some(Tie::Narrower));
        assert_eq!(tie("poodle", "cat"), Some(Tie::Exclusive));
        assert_eq!(tie("guitar", "cat"), None);
    }
}
