//! The flip rule of the seed documents, as it is written there, by parts of words ([`flip`]), and the
//! same lists by whole words ([`flip_in_words`]).
//!
//! Nothing else is added to either: they are here to be measured.

use std::collections::HashSet;

use rebuttal_model::FlipKind;

use super::{find, words};

/// What the rule calls a change from one text to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flip {
    /// The opposite, or nothing in common.
    Contradiction,
    /// Taken back.
    Retraction,
    /// Limited.
    Qualification,
    /// Said again in other words.
    Refinement,
}

impl Flip {
    /// The ledger's name for this kind.
    pub fn kind(self) -> FlipKind {
        match self {
            Self::Contradiction => FlipKind::Contradiction,
            Self::Retraction => FlipKind::Retraction,
            Self::Qualification => FlipKind::Qualification,
            Self::Refinement => FlipKind::Refinement,
        }
    }
}

const OPPOSITES: [(&str, &str); 8] = [
    ("not ", " not "),
    ("isn't", "is"),
    ("shouldn't", "should"),
    ("bad", "good"),
    ("wrong", "right"),
    ("false", "true"),
    ("disagree", "agree"),
    ("oppose", "support"),
];
const RETRACTIONS: [&str; 5] = ["was wrong", "reconsider", "take back", "withdraw", "retract"];
const QUALIFICATIONS: [&str; 5] =
    ["sometimes", "partially", "in some cases", "under certain", "with caveats"];

/// Alike enough for a refinement.
const ALIKE: f64 = 0.7;
/// Different enough for a contradiction.
const DIFFERENT: f64 = 0.3;

/// What the rule says; the first list that has something wins, then the similarity.
pub fn flip(before: &str, after: &str) -> Flip {
    let (one, two) = (before.to_lowercase(), after.to_lowercase());
    let opposed = |(left, right): &(&str, &str)| {
        one.contains(left) && two.contains(right) || one.contains(right) && two.contains(left)
    };
    if OPPOSITES.iter().any(opposed) {
        return Flip::Contradiction;
    }
    if RETRACTIONS.iter().any(|phrase| two.contains(phrase)) {
        return Flip::Retraction;
    }
    if QUALIFICATIONS.iter().any(|phrase| two.contains(phrase)) {
        return Flip::Qualification;
    }
    by_similarity(before, after)
}

/// What the rule says if its lists are read as words: "badge" is not "bad", "this" not "is".
///
/// The documents' pair of "not " and " not " asks for a "not" in both texts, whatever it denies; as
/// words that is one "not" in each.
pub fn flip_in_words(before: &str, after: &str) -> Flip {
    let (one, two) = (words(before), words(after));
    let has = |text: &[super::SeedWord], phrase: &str| {
        let parts: Vec<&str> = phrase.split_whitespace().collect();
        !find(text, &[parts.as_slice()]).is_empty()
    };
    let opposed = |(left, right): &(&str, &str)| {
        has(&one, left) && has(&two, right) || has(&one, right) && has(&two, left)
    };
    if OPPOSITES.iter().any(opposed) {
        return Flip::Contradiction;
    }
    if RETRACTIONS.iter().any(|phrase| has(&two, phrase)) {
        return Flip::Retraction;
    }
    if QUALIFICATIONS.iter().any(|phrase| has(&two, phrase)) {
        return Flip::Qualification;
    }
    by_similarity(before, after)
}

fn by_similarity(before: &str, after: &str) -> Flip {
    match similarity(before, after) {
        alike if alike > ALIKE => Flip::Refinement,
        alike if alike < DIFFERENT => Flip::Contradiction,
        _ => Flip::Qualification,
    }
}

/// Words in common over all words: split at spaces, in lower case, marks and all.
pub fn similarity(a: &str, b: &str) -> f64 {
    let words = |text: &str| -> HashSet<String> {
        text.to_lowercase().split_whitespace().map(str::to_owned).collect()
    };
    let (one, two) = (words(a), words(b));
    let common = one.intersection(&two).count() as u64;
    crate::measure::share(common, (one.len() + two.len()) as u64 - common).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_as_it_is_written() {
        assert_eq!(flip("Caching is good.", "Caching is bad."), Flip::Contradiction);
        assert_eq!(flip("It holds.", "It holds sometimes."), Flip::Qualification);
        assert_eq!(flip("It holds.", "I withdraw that."), Flip::Retraction);
        assert_eq!(flip("It holds well.", "It holds well."), Flip::Refinement);
        assert_eq!(flip("Use Redis.", "We meet in June."), Flip::Contradiction);
    }

    #[test]
    fn whole_words() {
        let (badge, goods) = ("Users need a badge.", "Users need a good badge.");
        assert_eq!(flip(badge, goods), Flip::Contradiction);
        assert_eq!(flip_in_words(badge, goods), Flip::Refinement);
        assert_eq!(flip_in_words("It is good.", "It is bad."), Flip::Contradiction);
        assert_eq!(flip_in_words("It holds.", "I withdraw that."), Flip::Retraction);
        assert_eq!(flip_in_words("It holds.", "It holds in some cases."), Flip::Qualification);
    }

    #[test]
    fn words_in_common() {
        assert!((similarity("a b c", "b c d") - 0.5).abs() < 1e-12);
        assert!(similarity("", "").abs() < 1e-12);
    }
}
