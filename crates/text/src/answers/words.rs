//! What each word does in the forms of a stated answer.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::parse::entries;
use crate::reading::Reading;

/// Which sections of the lexicon have a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part(u32);

impl Part {
    pub(super) const LABEL: Self = Self(1);
    pub(super) const LOOSE: Self = Self(1 << 1);
    pub(super) const FINAL: Self = Self(1 << 2);
    pub(super) const ANOTHER: Self = Self(1 << 3);
    pub(super) const COPULA: Self = Self(1 << 4);
    pub(super) const MODAL: Self = Self(1 << 5);
    pub(super) const FILLER: Self = Self(1 << 6);
    pub(super) const FIRST: Self = Self(1 << 7);
    pub(super) const CHOOSE: Self = Self(1 << 8);
    pub(super) const CHOOSE_WITH: Self = Self(1 << 9);
    pub(super) const WITH: Self = Self(1 << 10);
    pub(super) const RIGHT: Self = Self(1 << 11);
    pub(super) const LEADS: Self = Self(1 << 12);
    pub(super) const THAT: Self = Self(1 << 13);
    pub(super) const SO: Self = Self(1 << 14);
    pub(super) const NOT: Self = Self(1 << 15);
    pub(super) const IF: Self = Self(1 << 16);
    pub(super) const COMES: Self = Self(1 << 17);
    pub(super) const WEAK: Self = Self(1 << 18);

    /// True when the word is in any of the sections of `other`.
    pub(super) fn is(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn named(section: &str) -> Self {
        match section {
            "label" => Self::LABEL,
            "label.loose" => Self::LOOSE,
            "final" => Self::FINAL,
            "another" => Self::ANOTHER,
            "copula" => Self::COPULA,
            "modal" => Self::MODAL,
            "filler" => Self::FILLER,
            "first" => Self::FIRST,
            "choose" => Self::CHOOSE,
            "choose.with" => Self::CHOOSE_WITH,
            "with" => Self::WITH,
            "right" => Self::RIGHT,
            "leads" => Self::LEADS,
            "that" => Self::THAT,
            "so" => Self::SO,
            "not" => Self::NOT,
            "if" => Self::IF,
            "comes" => Self::COMES,
            "weak" => Self::WEAK,
            _ => Self(0),
        }
    }
}

static PARTS: LazyLock<HashMap<&'static str, Part>> = LazyLock::new(|| {
    let mut parts: HashMap<&'static str, Part> = HashMap::new();
    for entry in entries(include_str!("../../lexicons/answers.txt")) {
        let part = parts.entry(entry.text).or_default();
        *part = part.or(Part::named(entry.section));
    }
    parts
});

/// Longest word of the lexicon.
const LONGEST: usize = 16;

/// What a word does, in whatever case it is written.
pub(super) fn part_of(word: &str) -> Part {
    if word.is_empty() || word.len() > LONGEST {
        return Part::default();
    }
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return PARTS.get(word.to_ascii_lowercase().as_str()).copied().unwrap_or_default();
    }
    PARTS.get(word).copied().unwrap_or_default()
}

impl Reading<'_> {
    /// What a token does in a stated answer.
    pub(super) fn answer_part(&self, token: usize) -> Part {
        match self.tokens.get(token) {
            Some(it) if it.is_word() => part_of(self.word(token)),
            _ => Part::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_known() {
        for entry in entries(include_str!("../../lexicons/answers.txt")) {
            assert_ne!(Part::named(entry.section), Part::default(), "{}", entry.section);
            assert!(entry.text.len() <= LONGEST, "{}", entry.text);
        }
    }
}
