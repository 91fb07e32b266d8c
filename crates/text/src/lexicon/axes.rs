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
    kind: Kind,
}

/// What an axis tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    /// What to do with a thing: allow it, ban it.
    Action,
    /// Whether it is good: safe, dangerous.
    Value,
    /// What it is like, without praise or blame: large, small.
    Scale,
    /// More or less of it.
    Amount,
    /// Mere likes and dislikes, which do not exclude each other: what is free may well be biased.
    Valence,
}

impl Axis {
    /// The axis as a number; the same for the same lexicon files.
    pub(crate) fn number(self) -> u16 {
        self.index
    }

    /// True when the words say what to do with a thing.
    pub(crate) fn action(self) -> bool {
        self.kind == Kind::Action
    }

    /// True when the plus side is the welcome one.
    pub(crate) fn value(self) -> bool {
        matches!(self.kind, Kind::Action | Kind::Value | Kind::Valence)
    }

    /// True when a word on one side excludes one on the other.
    pub(crate) fn opposites(self) -> bool {
        self.kind != Kind::Valence
    }

    /// True when the words speak of more or less of something.
    pub(crate) fn amount(self) -> bool {
        self.kind == Kind::Amount
    }
}

impl Kind {
    fn of(section: &str) -> Option<Self> {
        match section.split('.').next()? {
            "action" => Some(Self::Action),
            "value" => Some(Self::Value),
            "scale" if section == "scale.amount" => Some(Self::Amount),
            "scale" => Some(Self::Scale),
            "valence" => Some(Self::Valence),
            _ => None,
        }
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
            let Some(kind) = Kind::of(section) else { continue };
            let axis = Axis { index: sections, kind };
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

    /// The words that exclude those on the other side of their axis.
    pub(super) fn opposites(&self) -> impl Iterator<Item = Stem> {
        self.0.iter().filter(|(_, (axis, _))| axis.opposites()).map(|(stem, _)| *stem)
    }

    pub(super) fn of(&self, stem: Stem) -> Option<(Axis, Sign)> {
        self.0.get(&stem).copied()
    }
}
