//! What single words and short phrases say about evidence, in one table looked up by hash.
//!
//! A text is read at the speed of memory only if a word costs one look-up. Words are hashed in lower
//! case; a phrase is the hash of its words in order, and its first words are marked so that nothing
//! else is ever tried.

use std::sync::LazyLock;

mod lists;

use lists::LISTS;

/// What a word may be, as bits.
pub(super) type Class = u64;

/// Says nothing about the topic.
pub(super) const FUNCTION: Class = 1;
/// A verb in a form that a statement can turn on.
pub(super) const VERB: Class = 1 << 1;
/// Turns a statement round.
pub(super) const NOT: Class = 1 << 2;
/// Stands where a fact should be.
pub(super) const VAGUE: Class = 1 << 3;
/// A reason follows.
pub(super) const CAUSE: Class = 1 << 4;
/// A conclusion follows.
pub(super) const RESULT: Class = 1 << 5;
/// "since": a reason, or a time.
pub(super) const SINCE: Class = 1 << 6;
/// "so": a conclusion, or a degree.
pub(super) const SO: Class = 1 << 7;
/// A case follows.
pub(super) const EXAMPLE: Class = 1 << 8;
/// Somebody found or said it.
pub(super) const REPORT: Class = 1 << 9;
/// A piece of work that can be looked up.
pub(super) const STUDY: Class = 1 << 10;
/// Something that was tried or measured.
pub(super) const TEST: Class = 1 << 11;
/// Makes a number a measurement.
pub(super) const UNIT: Class = 1 << 12;
/// What samples consist of: a number of them is a measurement.
pub(super) const SAMPLE: Class = 1 << 13;
/// A time: "Monday", "yesterday", "then".
pub(super) const TIME: Class = 1 << 14;
/// Nobody else: "me", "my gut".
pub(super) const SELF: Class = 1 << 15;
/// Says what to do.
pub(super) const ADVICE: Class = 1 << 16;
/// Keeps a distance from what is said.
pub(super) const HEDGE: Class = 1 << 17;
/// Opens a question.
pub(super) const ASKS: Class = 1 << 18;
/// Points back: "it", "this".
pub(super) const BACK: Class = 1 << 19;
/// People without a name: "experts", "everyone".
pub(super) const ANYONE: Class = 1 << 20;
/// A full stop after it ends nothing.
pub(super) const SHORT: Class = 1 << 21;
/// The number after it is a label: "port 2049", "step 3".
pub(super) const LABEL: Class = 1 << 22;
/// With a number after it, a standard: "RFC 9110".
pub(super) const STANDARD: Class = 1 << 23;
/// A source follows: "according to".
pub(super) const FROM: Class = 1 << 24;
/// The speaker and its own: "we", "our".
pub(super) const OURS: Class = 1 << 25;
/// A number changed: "rose", "fell".
pub(super) const SHIFT: Class = 1 << 26;
/// The speaker's opinion: "I think".
pub(super) const OPINION: Class = 1 << 27;
/// Part of a phrase that was counted at its first word.
pub(super) const TAKEN: Class = 1 << 28;
/// What is written down at work; a source only where it is named as one, in brackets.
pub(super) const PAPER: Class = 1 << 29;
/// What is appealed to without being shown: "the data", "the evidence", "the field".
pub(super) const GENERIC: Class = 1 << 30;
/// Turns to another matter: what follows supports nothing that stands before it.
pub(super) const ASIDE: Class = 1 << 31;
/// Says that a number is one, and not of what: "the figure", "the rate", "of all cases".
pub(super) const METER: Class = 1 << 32;
/// Tells no document from another: "recent", "available", "area".
pub(super) const EMPTY: Class = 1 << 33;
/// What follows is made up: "suppose".
pub(super) const SUPPOSED: Class = 1 << 34;
/// Who debates, or the model behind it: nobody that something could be looked up with.
pub(super) const VOICE: Class = 1 << 35;
/// Opens where something stands: "in the log", "from the register".
pub(super) const WHERE: Class = 1 << 36;
/// Joins what is told to whoever tells it: "as", "which".
pub(super) const LINKING: Class = 1 << 37;
/// Somebody's: "the insurer's". Found by its ending, not by a list.
pub(super) const POSSESSIVE: Class = 1 << 38;
/// Whoever did it follows: "by".
pub(super) const BY: Class = 1 << 39;
/// A number in words: "eleven", "twenty-two".
pub(super) const NUMERAL: Class = 1 << 40;
/// A day or an hour at which something was seen: "Monday", "yesterday", "ago".
pub(super) const WHEN: Class = 1 << 41;
/// Tells what happened, not what is or will be: "was", "took".
pub(super) const PAST: Class = 1 << 42;
/// Tells what is to come or could be: "will", "would".
pub(super) const FUTURE: Class = 1 << 43;
/// Stands between two figures that are compared: "against", "than", "of".
pub(super) const CONTRAST: Class = 1 << 44;
/// With a number after it, a place where somebody can look: "run 118", "page 17".
pub(super) const PLACED: Class = 1 << 45;
/// What goes on in a head: "believed", "agreed". Nobody else can see it.
pub(super) const COGNITION: Class = 1 << 46;
/// Opens a condition.
pub(super) const IF: Class = 1 << 47;
/// A unit of bytes, mass, length, heat or current: what a delay or an income is never given in.
pub(super) const PHYSICAL: Class = 1 << 48;
/// A unit of money.
pub(super) const MONEY: Class = 1 << 49;
/// A quantity of time: "latency".
pub(super) const LASTS: Class = 1 << 50;
/// A quantity of money: "revenue".
pub(super) const EARNS: Class = 1 << 51;
/// What has no unit but a number: people, and what they think.
pub(super) const COUNTED: Class = 1 << 52;
/// Says that something shows something, as a verb that may still come: "show", "find".
pub(super) const SHOW: Class = 1 << 53;
/// What something can be written down, measured or looked up in.
pub(super) const RECORD: Class = STUDY | TEST | PAPER;
/// A phrase may begin here.
const MORE: Class = 1 << 63;

/// Words of a phrase.
pub(super) const LONGEST: usize = 6;

const SLOTS: usize = 1 << 13;

/// The table: tag and class in each slot.
#[derive(Debug)]
pub(super) struct Words {
    slots: Box<[(u32, Class)]>,
}

/// The hash of a word, made a byte at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u32);

impl Hash {
    pub(super) const START: Self = Self(0x811c_9dc5);

    /// With one more byte; capitals and small letters are the same.
    #[inline]
    pub(super) fn with(self, byte: u8) -> Self {
        Self((self.0 ^ u32::from(byte | 0x20)).wrapping_mul(0x0100_0193))
    }

    /// The finished value, never 0.
    #[inline]
    pub(super) fn value(self) -> u32 {
        let mixed = (self.0 ^ (self.0 >> 15)).wrapping_mul(0x2c1b_3c6d);
        (mixed ^ (mixed >> 13)) | 1
    }
}

/// The hash of a phrase from the hash of its beginning and of its next word.
#[inline]
pub(super) fn joined(before: u32, word: u32) -> u32 {
    let mixed = (before.rotate_left(11) ^ word).wrapping_mul(0x9e37_79b1);
    (mixed ^ (mixed >> 16)) | 1
}

fn hash(word: &str) -> u32 {
    word.bytes().fold(Hash::START, Hash::with).value()
}

impl Words {
    /// The English table.
    #[inline]
    pub(super) fn english() -> &'static Self {
        static WORDS: LazyLock<Words> = LazyLock::new(Words::new);
        &WORDS
    }

    fn new() -> Self {
        let mut words = Self { slots: vec![(0, 0); SLOTS].into() };
        for (class, list) in LISTS {
            for phrase in list.split_ascii_whitespace() {
                words.add(phrase, *class);
            }
        }
        for tens in lists::TENS.split_ascii_whitespace() {
            for unit in lists::UNITS.split_ascii_whitespace() {
                words.add(&format!("{tens}-{unit}"), NUMERAL);
            }
        }
        words
    }

    fn add(&mut self, phrase: &str, class: Class) {
        let mut parts = phrase.split('_');
        let mut state = parts.next().map(hash).unwrap_or_default();
        for part in parts {
            self.put(state, MORE);
            state = joined(state, hash(part));
        }
        self.put(state, class);
    }

    fn put(&mut self, tag: u32, class: Class) {
        let start = tag as usize % SLOTS;
        for step in 0..SLOTS {
            if let Some(slot) = self.slots.get_mut((start + step) % SLOTS)
                && (slot.0 == 0 || slot.0 == tag)
            {
                *slot = (tag, slot.1 | class);
                return;
            }
        }
    }

    /// What the word or phrase of this hash is; 0 if it is not in the table.
    #[inline]
    pub(super) fn class(&self, tag: u32) -> Class {
        let mut at = tag as usize % SLOTS;
        loop {
            match self.slots.get(at) {
                Some(&(found, class)) if found == tag => return class,
                Some(&(0, _)) | None => return 0,
                Some(_) => at = (at + 1) % SLOTS,
            }
        }
    }

    /// Whether a word or phrase is one by itself, and not only the beginning of one.
    #[inline]
    pub(super) fn is_whole(class: Class) -> bool {
        class & !MORE != 0
    }

    /// Whether a phrase may go on after the word or beginning of this class.
    #[inline]
    pub(super) fn goes_on(class: Class) -> bool {
        class & MORE != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_phrases_are_found_and_others_are_not() {
        let words = Words::english();
        assert_eq!(words.class(hash("Because")) & CAUSE, CAUSE);
        assert_eq!(words.class(hash("becauses")), 0);
        let state = words.class(hash("for"));
        assert!(Words::goes_on(state));
        let phrase = joined(hash("for"), hash("example"));
        assert_eq!(words.class(phrase) & EXAMPLE, EXAMPLE);
    }

    #[test]
    fn the_table_is_no_more_than_half_full_and_no_two_words_share_a_tag() {
        let words = Words::english();
        let full = words.slots.iter().filter(|slot| slot.0 != 0).count();
        assert!(full * 2 < SLOTS, "{full} of {SLOTS}");
        let mut seen = std::collections::HashMap::new();
        for phrase in LISTS.iter().flat_map(|(_, list)| list.split_ascii_whitespace()) {
            let mut parts = phrase.split('_').map(hash);
            let first = parts.next().unwrap();
            let tag = parts.fold(first, joined);
            let other = seen.insert(tag, phrase);
            assert!(other.is_none_or(|other| other == phrase), "{other:?} and {phrase}");
        }
    }
}
