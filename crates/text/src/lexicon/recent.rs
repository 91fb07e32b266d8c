//! Words looked up lately: a text says the same few words again and again.

use std::cell::RefCell;

use super::{Lexicon, WordId};
use crate::traits::Traits;
use crate::words::Stem;

/// The longest word that is kept, in bytes.
const KEPT_BYTES: usize = 16;

/// How many words are kept, as a power of two.
const SLOTS_LOG2: u32 = 11;

/// The high bit of every byte.
const HIGH_BITS: Key = Key::from_le_bytes([0x80; KEPT_BYTES]);

/// For every length, the bytes of a word so long.
const MASKS: [Key; KEPT_BYTES + 1] = masks();

#[expect(clippy::indexing_slicing, reason = "runs in the compiler: a bad index does not build")]
const fn masks() -> [Key; KEPT_BYTES + 1] {
    let mut masks = [0; KEPT_BYTES + 1];
    let mut length = 1;
    while length <= KEPT_BYTES {
        masks[length] = Key::MAX >> (8 * (KEPT_BYTES - length));
        length += 1;
    }
    masks
}

/// The letters of a word in lower case as one number; no two words have the same.
pub(crate) type Key = u128;

thread_local! {
    // There is one lexicon, so what was found for one text holds for the next.
    static RECENT: RefCell<Recent> = RefCell::new(Recent::new());
}

/// What the lexicon knows of words looked up lately. A word pushes out whatever has its slot.
#[derive(Debug)]
pub(crate) struct Recent {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// No word is nothing, so 0 marks a free slot.
    key: Key,
    known: Known,
}

/// What is known of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) word: WordId,
    pub(crate) stem: Stem,
    pub(crate) traits: Traits,
}

impl Known {
    /// What all lists know of a word, in whatever case it is written.
    pub(crate) fn of(lexicon: &Lexicon, text: &str) -> Self {
        let (word, stem) = lexicon.look_up(text);
        Self { word, stem, traits: Traits::of(lexicon, word, stem) }
    }
}

impl Recent {
    fn new() -> Self {
        Self { slots: vec![Slot::default(); 1 << SLOTS_LOG2] }
    }

    /// Lends what this thread remembers. Whoever has it must not ask for it again.
    pub(crate) fn with<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        RECENT.with_borrow_mut(work)
    }

    /// What is [known](Known::of) of the word `start..end` of `text`.
    #[inline]
    pub(crate) fn look_up(
        &mut self,
        lexicon: &Lexicon,
        text: &str,
        start: usize,
        end: usize,
    ) -> Known {
        let afresh = || Known::of(lexicon, text.get(start..end).unwrap_or_default());
        match key(text.as_bytes(), start, end) {
            Some(key) => self.known(key, afresh),
            None => afresh(),
        }
    }

    /// What is known of the word with this key, or what is found out `afresh`.
    #[inline]
    pub(crate) fn known(&mut self, key: Key, afresh: impl FnOnce() -> Known) -> Known {
        let Some(slot) = self.slots.get_mut(place(key)) else { return afresh() };
        if slot.key != key {
            *slot = Slot { key, known: afresh() };
        }
        slot.known
    }
}

/// The slot of a word.
fn place(key: Key) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> (64 - SLOTS_LOG2)).unwrap_or_default()
}

/// The letters, digits and underscores of ASCII at `start`: how many there are, and the key of the
/// word they make. `None` where there are none, or too many to see the end of, or where the text
/// ends too soon for eight bytes to be read at once.
#[inline]
pub(crate) fn short_word(bytes: &[u8], start: usize) -> Option<(usize, Key)> {
    let rest = bytes.get(start..)?;
    let (length, letters) = word_in(u64::from_le_bytes(*rest.first_chunk()?));
    if length < 8 {
        return (length > 0).then_some((length, Key::from(letters)));
    }
    let (more, behind) = word_in(u64::from_le_bytes(*rest.get(8..)?.first_chunk()?));
    (more < 8).then(|| (8 + more, Key::from(letters) | Key::from(behind) << 64))
}

/// How many of eight bytes belong to the word that they start with, and these in lower case.
///
/// All eight are looked at at once: what a constant is added to has its high bit set from one letter
/// on, and no sum reaches the next byte.
#[inline]
fn word_in(eight: u64) -> (usize, u64) {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let high = all(0x80);
    let plain = eight & !high;
    let small = plain | all(0x20);
    let letter = (small + all(0x80 - b'a')) & !(small + all(0x7f - b'z'));
    let digit = (plain + all(0x80 - b'0')) & !(plain + all(0x7f - b'9'));
    let underscore = !((plain ^ all(b'_')) + all(0x7f));
    let ends = !((letter | digit | underscore) & !eight) & high;
    let length = (ends.trailing_zeros() / 8) as usize;
    let lower = eight | (letter & high) >> 2;
    let own = if length < 8 { (1 << (8 * length)) - 1 } else { u64::MAX };
    (length, lower & own)
}

/// The word in lower case as a number; `None` for long words and for those outside ASCII.
#[inline]
fn key(bytes: &[u8], start: usize, end: usize) -> Option<Key> {
    let mask = *MASKS.get(end.checked_sub(start)?)?;
    // All sixteen bytes are read at once, and what is behind the word cut off.
    let ahead = bytes.get(start..start + KEPT_BYTES).and_then(|it| it.try_into().ok());
    let ahead = ahead.unwrap_or_else(|| {
        let mut own = [0; KEPT_BYTES];
        let word = bytes.get(start..end).unwrap_or_default();
        own.iter_mut().zip(word).for_each(|(slot, byte)| *slot = *byte);
        own
    });
    let key = Key::from_le_bytes(ahead) & mask;
    (key & HIGH_BITS == 0).then(|| lower(key))
}

/// All capital letters made small at once: a byte of ASCII plus a constant has its high bit set
/// from `A` on, and plus another from behind `Z` on.
fn lower(key: Key) -> Key {
    const FROM_A: Key = Key::from_le_bytes([0x80 - b'A'; KEPT_BYTES]);
    const BEHIND_Z: Key = Key::from_le_bytes([0x7f - b'Z'; KEPT_BYTES]);
    let capitals = ((key + FROM_A) ^ (key + BEHIND_Z)) & HIGH_BITS;
    key | capitals >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn short_words_end_where_words_end(text in "[a-zA-Z0-9_'\\[@`{:/ \\x00-\\x7fé]{0,24}") {
            let bytes = text.as_bytes();
            let run = bytes.iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_');
            let length = run.count();
            if let Some((found, key)) = short_word(bytes, 0) {
                assert_eq!(found, length, "{text:?}");
                assert_eq!(Some(key), super::key(bytes, 0, length), "{text:?}");
            } else {
                assert!(length == 0 || length >= 8 || bytes.len() < 8, "{text:?}");
            }
        }

        #[test]
        fn says_what_the_lexicon_says(text in "[A-Za-z0-9_'é@\\[]{1,20}( (no|The|Paid|rates|x))?") {
            let lexicon = Lexicon::english();
            let ends: Vec<usize> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
            for (at, start) in ends.iter().enumerate() {
                for end in ends.iter().skip(at + 1) {
                    let known = Known::of(lexicon, &text[*start..*end]);
                    // Once to learn it and once to know it.
                    for _ in 0..2 {
                        let found = Recent::with(|it| it.look_up(lexicon, &text, *start, *end));
                        assert_eq!(found, known, "{}", &text[*start..*end]);
                    }
                }
            }
        }
    }
}
