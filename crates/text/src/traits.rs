//! Which of the word lists have a word.
//!
//! Most words are in none of them. A word is looked for in all of them at once, when it is first
//! met; whoever asks later looks at one bit of its token.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::figures::Meanings;
use crate::lexicon::{Lexicon, WordHasher, WordId};
use crate::senses::Senses;
use crate::words::Stem;

/// The lists that go by stems.
static BY_STEM: LazyLock<HashMap<Stem, Traits, BuildHasherDefault<WordHasher>>> =
    LazyLock::new(|| {
        let mut all = HashMap::<Stem, Traits, _>::default();
        let mut put = |stem: Stem, own: Traits| {
            let known = all.entry(stem).or_default();
            *known = known.with(own);
        };
        Lexicon::english().opposites().for_each(|stem| put(stem, Traits::SIDED));
        Meanings::english().starts().for_each(|stem| put(stem, Traits::MEASURES));
        Senses::english().country_starts().for_each(|stem| put(stem, Traits::COUNTRY));
        all
    });

/// The lists that have a word, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Traits(u8);

impl Traits {
    /// It says nothing about a topic.
    pub(crate) const FUNCTION: Self = Self(1);
    /// It is in a group of the lexicons by itself, or starts one of their phrases.
    pub(crate) const OPENS: Self = Self(1 << 1);
    /// It stands on a side of an axis of opposites.
    pub(crate) const SIDED: Self = Self(1 << 2);
    /// It starts a phrase that does something beside a number.
    pub(crate) const MEASURES: Self = Self(1 << 3);
    /// It is what a country is called, or how that starts.
    pub(crate) const COUNTRY: Self = Self(1 << 4);

    /// The lists that have a word with this stem.
    pub(crate) fn of(lexicon: &Lexicon, word: WordId, stem: Stem) -> Self {
        Self::of_mark(lexicon, word).with(BY_STEM.get(&stem).copied().unwrap_or_default())
    }

    /// The lists that have a mark, which has no stem.
    pub(crate) fn of_mark(lexicon: &Lexicon, word: WordId) -> Self {
        let function = if lexicon.is_function(word) { Self::FUNCTION } else { Self::default() };
        if lexicon.opens(word) { function.with(Self::OPENS) } else { function }
    }

    #[inline]
    pub(crate) fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 != 0
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(word: &str) -> Traits {
        let lexicon = Lexicon::english();
        let (word, stem) = lexicon.look_up(word);
        Traits::of(lexicon, word, stem)
    }

    #[test]
    fn a_word_has_the_traits_of_its_lists_and_no_others() {
        for (word, own) in [
            ("the", Traits::FUNCTION),
            ("not", Traits::OPENS),
            ("unsafe", Traits::SIDED),
            ("Unemployment", Traits::MEASURES),
            ("Oman", Traits::COUNTRY),
            ("Saudi", Traits::COUNTRY),
        ] {
            assert!(traits(word).has(own), "{word} {:?}", traits(word));
        }
        assert_eq!(traits("quillwort"), Traits::default());
    }
}
