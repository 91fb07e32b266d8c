//! Which field a text is about, by whole words of a list.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// The list: `[field]` and its words, separated by commas.
const WORDS: &str = include_str!("domains.txt");

/// Words in the longest phrase of the list.
const PHRASE_WORDS: usize = 4;

/// Letters of a text that are looked at: what a text is about, it says early, and the cost stays flat.
const TEXT_BYTES: usize = 64 << 10;

/// What a debate is in whose question is in no field that is known.
pub const GENERAL: &str = "general";

/// The fields that are known, in the order of the list.
pub static DOMAINS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    WORDS.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).collect()
});

/// Phrase to field, by number.
static PHRASES: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let mut phrases = HashMap::new();
    let mut field = None;
    for line in WORDS.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            field = Some(field.map_or(0, |field| field + 1));
        } else if let Some(field) = field {
            let entries = line.split(',').map(|entry| words(entry).join(" "));
            phrases.extend(entries.filter(|entry| !entry.is_empty()).map(|entry| (entry, field)));
        }
    }
    phrases
});

/// The field with the most different words and phrases in the text, a phrase counting as often as it
/// has words; of equal ones, the one whose word comes first. `None` if there is none.
///
/// ```
/// use rebuttal_detect::scores::detect_domain;
///
/// assert_eq!(detect_domain("The latest interest rates"), Some("finance"));
/// assert_eq!(detect_domain("We should build a guild of experts"), None);
/// ```
pub fn detect_domain(text: &str) -> Option<&'static str> {
    let words = words(text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text));
    let mut seen = BTreeSet::new();
    // For each field: how much speaks for it, and where that began.
    let mut votes: Vec<(usize, usize)> = vec![(0, usize::MAX); DOMAINS.len()];
    for start in 0..words.len() {
        for length in 1..=PHRASE_WORDS {
            let Some(window) = words.get(start..start + length) else { break };
            let phrase = window.join(" ");
            let Some(&field) = PHRASES.get(&phrase) else { continue };
            if let (true, Some(vote)) = (seen.insert(phrase), votes.get_mut(field)) {
                *vote = (vote.0 + length, vote.1.min(start));
            }
        }
    }
    let best = votes.iter().enumerate().filter(|(_, (count, _))| *count > 0);
    let best = best.max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
    best.and_then(|(field, _)| DOMAINS.get(field).copied())
}

/// The words of a text in lower case, each as its singular.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| singular(&word.to_lowercase()))
        .collect()
}

/// Cuts off the plural; both the list and the text go through it, so that it need not be a word.
fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => return format!("{stem}y"),
        _ => {}
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        assert_eq!(DOMAINS.len(), 12);
        assert!(PHRASES.len() > 200, "{}", PHRASES.len());
        let longest = PHRASES.keys().map(|phrase| phrase.split(' ').count()).max();
        assert_eq!(longest, Some(PHRASE_WORDS));
    }

    #[test]
    fn whole_words_only() {
        for (text, expected) in [
            ("The UI is slow to respond", Some("frontend")),
            ("Quite a suitable fruit juice", None),
            ("We contest the latest protest", None),
            ("Add unit tests before the release", Some("testing")),
            ("Vulnerabilities in OAuth tokens", Some("security")),
            ("Outlawed flaws and lawns", None),
            ("p99 latency of the cache", Some("performance")),
            ("PostgreSQL schema migrations", Some("database")),
            ("", None),
        ] {
            assert_eq!(detect_domain(text), expected, "{text}");
        }
    }

    #[test]
    fn the_most_words_win() {
        let text = "The hospital's budget: patients, nurses and surgery come first";
        assert_eq!(detect_domain(text), Some("health"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in ".*") {
            detect_domain(&text);
        }
    }
}
