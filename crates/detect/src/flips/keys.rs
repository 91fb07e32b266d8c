//! Candidate keys: positions on one proposition share one, whichever side they take.
//!
//! Each key is a word that a claim is about: the first few in an order of all words that is the same
//! for every claim, so that two claims with words in common pick the same ones. Words that deny or take
//! a side are left out, so that "is safe" and "is not safe", "grew" and "fell" have the same keys; so
//! are words that say how far a claim goes. Names come early in the order: they tell more.

use rebuttal_model::Position;
use rebuttal_text::{ContentWord, Reading};

/// Changes whenever the same words get other keys: a store of another version must make them anew.
pub const KEYS_VERSION: u32 = 4;

/// Most keys of one claim: one more is that of its question.
pub const MOST_KEYS: usize = WORD_KEYS + 1;

/// Words that a claim is found by. Each is a place of the index that is read and written, and more of
/// them find hardly more (`examples/flip_recall.rs`).
const WORD_KEYS: usize = 6;

/// Most words of a claim that are looked at; of a long turn the first ones, which lead.
const WORDS: usize = 48;

/// Places in the order that a name, a number or an abbreviation has, of which the first counts; a plain
/// word has one.
const NAME_PLACES: u64 = 3;

/// The keys of a claim, sorted, each once; at most [`MOST_KEYS`]. Answers to one question have its key
/// in common, whatever words they choose.
///
/// ```
/// use rebuttal_detect::flips::keys;
///
/// let (up, down) = (keys("Revenue grew in Peru.", None), keys("Revenue fell in Peru.", None));
/// assert_eq!(up, down);
/// ```
pub fn keys(claim: &str, question: Option<&str>) -> Vec<u64> {
    let mut words: Vec<(u64, u64)> =
        terms(claim).into_iter().map(|(term, places)| (place(term, places), mix(term))).collect();
    words.sort_unstable();
    let mut keys: Vec<u64> = words.into_iter().take(WORD_KEYS).map(|(_, key)| key).collect();
    if let Some(question) = question {
        keys.push(question_key(question));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// [`keys`] of a position.
pub fn position_keys(position: &Position) -> Vec<u64> {
    keys(&position.claim, position.question.as_deref())
}

/// What a claim is about, each word once, with how many places it has in the order.
pub(super) fn terms(claim: &str) -> Vec<(u64, u64)> {
    let words = Reading::new(claim).content().words;
    let content: Vec<&ContentWord> = words.iter().filter(|word| word.content).take(WORDS).collect();
    let neutral = |word: &&&ContentWord| !word.term.takes_side();
    let mut terms: Vec<(u64, u64)> =
        content.iter().filter(neutral).map(|word| placed(word)).collect();
    if terms.is_empty() {
        // "It grew": nothing is left but the side itself.
        terms = content.iter().map(|word| placed(word)).collect();
    }
    terms.sort_unstable();
    terms.dedup_by_key(|(term, _)| *term);
    terms
}

fn placed(word: &ContentWord) -> (u64, u64) {
    let places = if word.name || word.label { NAME_PLACES } else { 1 };
    // "unsafe" and "safe" are one word here.
    let term = word.root().map_or(word.term, |(root, _)| root);
    (u64::from(term.id()), places)
}

/// Where a word stands in the order of all words: the first of its places.
fn place(term: u64, places: u64) -> u64 {
    (0..places).map(|other| mix(term ^ (other << 56))).min().unwrap_or(u64::MAX)
}

/// One key for all answers to a question: its words, in no order.
fn question_key(question: &str) -> u64 {
    let sum = terms(question).iter().fold(0u64, |sum, (term, _)| sum.wrapping_add(mix(*term)));
    mix(sum ^ 0x5175_6573_7469_6f6e)
}

/// Spreads the bits of a number: the finaliser of splitmix64, the same on every machine.
fn mix(number: u64) -> u64 {
    let zero = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let one = (zero ^ (zero >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let two = (one ^ (one >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    two ^ (two >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(one: &str, two: &str) -> bool {
        let others = keys(two, None);
        keys(one, None).iter().any(|key| others.contains(key))
    }

    #[test]
    fn both_sides_of_a_proposition_share_keys() {
        for (one, two) in [
            ("The cache is safe.", "The cache is not safe."),
            ("The cache is safe.", "The cache is unsafe."),
            ("Revenue grew 10% in 2024.", "Revenue fell 10% in 2024."),
            ("We should adopt Kubernetes.", "We should not adopt Kubernetes."),
            ("The migration will succeed.", "The migration will fail."),
            ("Latency is 20 ms.", "Latency is 200 ms."),
            ("Python is the right choice.", "I was wrong about Python."),
        ] {
            assert!(share(one, two), "{one} / {two}");
        }
        assert!(!share("Use Redis for caching.", "The team offsite is in June."));
    }

    #[test]
    fn keys_are_few_sorted_and_stay_as_they_are() {
        let claim = "The session cache of the billing service is safe for customer data in Peru.";
        let found = keys(claim, Some("Is the cache safe?"));
        assert!(found.len() <= MOST_KEYS && found.is_sorted());
        assert_eq!(mix(1), 0x910a_2dec_8902_5cc1, "the hash never changes");
        assert!(keys("", None).is_empty());
    }

    #[test]
    fn answers_to_one_question_share_its_key() {
        let asked = Some("Should we adopt Kubernetes?");
        let (one, two) = (keys("Yes, definitely.", asked), keys("It would be a mistake.", asked));
        assert!(one.iter().any(|key| two.contains(key)));
    }
}
