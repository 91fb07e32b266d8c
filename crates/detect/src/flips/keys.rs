//! Candidate keys: positions on one proposition share one, whichever side they take.
//!
//! Each key is the least of a fixed hash over the words a claim is about, so that two claims that
//! share a part of their words share a key with a chance that grows with that part. What denies or
//! takes a side is left out: "is safe" and "is not safe", "grew" and "fell" have the same keys.

use rebuttal_model::Position;
use rebuttal_text::Reading;

/// Changes whenever keys change for the same words: a store of another version must make them anew.
pub const KEYS_VERSION: u32 = 1;

/// Most keys of one claim.
pub const MOST_KEYS: usize = 8;

/// The keys of a claim, sorted, each once; at most [`MOST_KEYS`].
pub fn keys(claim: &str, question: Option<&str>) -> Vec<u64> {
    let mut terms: Vec<u64> = Vec::new();
    for text in [Some(claim), question].into_iter().flatten() {
        let words = Reading::new(text).content().words;
        terms
            .extend(words.iter().filter(|word| word.content).map(|word| u64::from(word.term.id())));
    }
    let mut keys: Vec<u64> = (0..MOST_KEYS as u64)
        .filter_map(|seed| terms.iter().map(|term| mix(term ^ (seed << 32))).min())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// [`keys`] of a position.
pub fn position_keys(position: &Position) -> Vec<u64> {
    keys(&position.claim, position.question.as_deref())
}

/// Spreads the bits of a number: the finaliser of splitmix64, the same on every machine.
fn mix(number: u64) -> u64 {
    let one = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let two = (one ^ (one >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    two ^ (two >> 31)
}
