//! Words that are common, and words that are general.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::lexicon::WordHasher;
use crate::quantities::look::Lower;
use crate::words;

type Words = HashSet<&'static str, BuildHasherDefault<WordHasher>>;

/// The word pieces that the models read by: some 20,000 whole words, the most frequent of English.
static COMMON: LazyLock<Words> = LazyLock::new(|| {
    let pieces = include_str!("../../../../assets/vocab.txt").lines();
    pieces.filter(|it| it.len() > 2 && it.bytes().all(|byte| byte.is_ascii_lowercase())).collect()
});

/// Endings that make words and no names: "Discontinuation" is rare and no name.
const MADE: [&str; 14] = [
    "tion", "sion", "ment", "ity", "ness", "ance", "ence", "ism", "ing", "ship", "age", "ology",
    "ization", "isation",
];

/// True for a word that most readers know, in whatever form; a rare one with a capital is a name.
pub(crate) fn is_common(word: &str) -> bool {
    let mut buffer = [0; 32];
    match words::lower(word, &mut buffer).and_then(|lower| str::from_utf8(lower).ok()) {
        Some(lower) => is_common_in_lower(lower),
        None => is_common_in_lower(&word.to_lowercase()),
    }
}

fn is_common_in_lower(lower: &str) -> bool {
    let plain = lower.trim_end_matches("'s");
    let without = |ending: &str| plain.strip_suffix(ending).is_some_and(|it| COMMON.contains(it));
    !plain.is_ascii()
        || plain.len() <= 2
        || MADE.iter().any(|ending| plain.ends_with(ending))
        || COMMON.contains(plain)
        || ["s", "es", "d", "ed", "ing"].into_iter().any(without)
}

/// True for a word that says what kind of thing is meant, and not which: things that are pointed at
/// once they have been named.
pub(super) fn is_general(word: &str) -> bool {
    let word = word.strip_suffix("'s").unwrap_or(word);
    matches!(
        &*Lower::new(word),
        "agency"
            | "app"
            | "application"
            | "area"
            | "assay"
            | "bank"
            | "business"
            | "centre"
            | "center"
            | "city"
            | "clinic"
            | "cluster"
            | "company"
            | "country"
            | "database"
            | "device"
            | "drug"
            | "economy"
            | "engine"
            | "firm"
            | "fund"
            | "group"
            | "hospital"
            | "institution"
            | "island"
            | "kingdom"
            | "medicine"
            | "nation"
            | "network"
            | "organisation"
            | "organization"
            | "plant"
            | "platform"
            | "product"
            | "project"
            | "region"
            | "republic"
            | "school"
            | "service"
            | "site"
            | "state"
            | "system"
            | "test"
            | "therapy"
            | "tool"
            | "treatment"
    )
}
