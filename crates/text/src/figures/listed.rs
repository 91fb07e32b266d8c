//! Short lists of words: whether a word is in one is most often told by one bit.

/// Words that are looked for together, in whatever case.
#[derive(Debug)]
pub(super) struct Listed {
    words: &'static [&'static str],
    /// The [bits](bit) of all of them.
    bits: u64,
}

impl Listed {
    pub(super) const fn new(words: &'static [&'static str]) -> Self {
        let (mut bits, mut rest) = (0, words);
        while let [word, more @ ..] = rest {
            bits |= bit(word);
            rest = more;
        }
        Self { words, bits }
    }

    /// True for one of the words; the caller knows its bit.
    #[inline]
    pub(super) fn has(&self, word: &str, bit: u64) -> bool {
        self.bits & bit != 0 && self.words.iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    /// True for one of the words as it is written here.
    #[inline]
    pub(super) fn has_exactly(&self, word: &str, bit: u64) -> bool {
        self.bits & bit != 0 && self.words.contains(&word)
    }
}

/// A bit that words which differ in their ends or their length seldom share, and that a word has in
/// whatever case: large and small letters differ in a bit that is left out. Nothing has none.
pub(super) const fn bit(word: &str) -> u64 {
    let (first, last) = match word.as_bytes() {
        [] => return 0,
        [only] => (*only, *only),
        [first, .., last] => (*first, *last),
    };
    1 << (((first & 31) as usize + 5 * (last & 31) as usize + 11 * word.len()) % 64)
}

/// A list that is made when the program is compiled.
macro_rules! any_of {
    ($($word:literal),+ $(,)?) => {
        const { &$crate::figures::listed::Listed::new(&[$($word),+]) }
    };
}
pub(super) use any_of;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_whatever_case_and_no_other_is() {
        let list = any_of!["its", "US$", "&", "I", "isn't"];
        for word in ["its", "ITS", "Its", "us$", "&", "i", "Isn't"] {
            assert!(list.has(word, bit(word)), "{word}");
        }
        for word in ["", "it", "is", "iss", "u$", "'", "isnt", "ıts"] {
            assert!(!list.has(word, bit(word)), "{word}");
        }
        assert!(list.has_exactly("US$", bit("US$")) && !list.has_exactly("us$", bit("us$")));
    }
}
