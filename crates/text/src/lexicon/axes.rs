//! Opposites as data: words on one axis, on one side or the other.
//!
//! "safe" and "dangerous" stand on the axis of safety, on opposite sides, so "X is dangerous" and
//! "X is safe" cannot both hold, while "X is risky" and "X is dangerous" can. The sides also carry
//! what most people wish for: the `+` side of an axis of value is the welcome one.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::{WordHasher, parse};
use crate::words::{self, Stem};

/// The file of axes.
const FILE: &str = include_str!("../../lexicons/axes.txt");

/// One axis, by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Axis {
    index: u16,
    /// Whether the plus side is welcome: safety is, size is not.
    pub(crate) value: bool,
    /// Whether the words say what to do with a thing: allow it, ban it.
    pub(crate) action: bool,
    /// Whether a word on one side excludes one on the other. In a list of mere likes and dislikes it
    /// does not: what is free may well be biased.
    pub(crate) opposites: bool,
    /// Whether the words speak of more or less of something.
    pub(crate) amount: bool,
}

impl Axis {
    /// The axis as a number; the same for the same lexicon files.
    pub(crate) fn number(self) -> u16 {
        self.index
    }
}

/// Which side of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Axes(HashMap<Stem, (Axis, Sign), BuildHasherDefault<WordHasher>>);

impl Axes {
    /// Sections are `[value.name]`, `[action.name]`, `[scale.name]` or `[valence.name]`; lines start
    /// with `+` or `-`.
    /// A word named twice keeps its first place, so that the more telling axes can come first.
    pub(super) fn load() -> Self {
        let mut places = HashMap::default();
        let (mut sections, mut section) = (0u16, "");
        for entry in parse::entries(FILE) {
            if entry.section != section {
                section = entry.section;
                sections += 1;
            }
            let axis = Axis {
                index: sections,
                value: !section.starts_with("scale."),
                action: section.starts_with("action."),
                opposites: !section.starts_with("valence."),
                amount: section == "scale.amount",
            };
            let (sign, list) = match entry.text.split_at_checked(1) {
                Some(("+", list)) => (Sign::Plus, list),
                Some(("-", list)) => (Sign::Minus, list),
                _ => continue,
            };
            for word in list.split_whitespace() {
                for form in parse::spelled_out(word) {
                    places.entry(words::stem(&form)).or_insert((axis, sign));
                }
            }
        }
        Self(places)
    }

    pub(super) fn of(&self, stem: Stem) -> Option<(Axis, Sign)> {
        self.0.get(&stem).copied()
    }
}
