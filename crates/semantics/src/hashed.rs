//! Vectors without a model: words and their letter groups, hashed into a fixed number of places.
//!
//! Knows nothing of meaning ("car" and "automobile" share nothing), needs no file, and gives the
//! same numbers on every machine. What detectors use when no model is wanted, and the baseline that
//! a model has to beat.

use std::sync::LazyLock;

use crate::{Embedder, Embedding, SemanticsError};

/// How many numbers a vector has: a power of two, wide enough that a page rarely collides.
const WIDTH: usize = 1024;
/// Longer words are cut: what is that long is a hash or a link, and its start says as much.
const LONGEST_WORD: usize = 48;
/// Letter groups catch what a plural or an ending changes.
const GROUP: usize = 4;
/// A word's letter groups together weigh this much of it.
const GROUPS: f32 = 1.0;
/// Neighbours in order: "dog bites man" is not "man bites dog".
const NEIGHBOURS: f32 = 0.2;
const FUNCTION_WORD: f32 = 0.2;

/// The rule-based [`Embedder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedWords;

impl HashedWords {
    /// There is nothing to load.
    pub fn new() -> Self {
        Self
    }
}

impl Embedder for HashedWords {
    fn id(&self) -> &'static str {
        "hashed-words-1"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        Ok(texts.iter().map(|text| embed(text)).collect())
    }
}

fn embed(text: &str) -> Embedding {
    let mut sums = vec![0.0; WIDTH];
    let mut word = String::new();
    let mut before = None;
    for part in text.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)) {
        word.clear();
        let letters = part.chars().filter(|c| !is_apostrophe(*c)).take(LONGEST_WORD);
        word.extend(letters.flat_map(char::to_lowercase));
        if word.is_empty() {
            continue;
        }
        before = Some(add_word(&word, before, &mut sums));
    }
    // A word said often counts more, but not in proportion.
    for sum in &mut sums {
        *sum = sum.abs().sqrt().copysign(*sum);
    }
    Embedding::new(sums)
}

/// Adds a word, its letter groups, and its being next to the word before; gives back its hash and weight.
fn add_word(word: &str, before: Option<(u64, f32)>, sums: &mut [f32]) -> (u64, f32) {
    let hash = hash(word.as_bytes(), 0);
    let weight = if is_function_word(word) {
        FUNCTION_WORD
    } else {
        add_groups(word, sums);
        1.0
    };
    add(hash, weight, sums);
    if let Some((earlier, earlier_weight)) = before {
        add(mix(earlier ^ hash.rotate_left(32)), NEIGHBOURS * weight.min(earlier_weight), sums);
    }
    (hash, weight)
}

/// Every run of four characters, with marks where the word begins and ends.
fn add_groups(word: &str, sums: &mut [f32]) {
    let mut marked = [0u32; LONGEST_WORD * 3 + 2];
    let mut len = 1;
    for c in word.chars() {
        if let Some(slot) = marked.get_mut(len) {
            *slot = u32::from(c);
            len += 1;
        }
    }
    let marked = marked.get(..(len + 1).min(marked.len())).unwrap_or_default();
    let groups = marked.windows(GROUP);
    #[expect(clippy::cast_precision_loss, reason = "a word has fewer than two hundred letters")]
    let weight = GROUPS / (groups.len().max(1) as f32).sqrt();
    for group in groups {
        let mut bytes = [0; GROUP * 4];
        for (slot, c) in bytes.chunks_exact_mut(4).zip(group) {
            slot.copy_from_slice(&c.to_le_bytes());
        }
        add(hash(&bytes, 1), weight, sums);
    }
}

/// One bit of the hash is the sign, so that collisions cancel out on average.
fn add(hash: u64, weight: f32, sums: &mut [f32]) {
    let sign = if hash >> 63 == 0 { weight } else { -weight };
    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are wanted")]
    if let Some(sum) = sums.get_mut(hash as usize & (WIDTH - 1)) {
        *sum += sign;
    }
}

/// FNV-1a and a final mix: fixed, so that every machine and version hashes alike.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed;
    mix(bytes
        .iter()
        .fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)))
}

fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

fn is_function_word(word: &str) -> bool {
    static SORTED: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let mut words: Vec<&str> = FUNCTION_WORDS.split_ascii_whitespace().collect();
        words.sort_unstable();
        words
    });
    SORTED.binary_search(&word).is_ok()
}

/// Without apostrophes. Negations are not here: they say something.
const FUNCTION_WORDS: &str = "\
    a about after again all also although am an and another any are as at back be because been \
    before being both but by can could d did do does doing down during each either even every \
    few for from further get gets getting go goes going got had has have having he her here hers \
    herself him himself his how however i id if ill im in into is it its itself ive just lets \
    like ll m many may me might mine more most much must my myself now of off on once one only \
    onto or other our ours ourselves out over own per perhaps quite rather re really s said same \
    say says she should since so some still such t than that thats the their theirs them \
    themselves then there theres these they theyre theyve this those though through thus to too \
    under until up upon us ve very via was we well were weve what when where whether which while \
    who whom whose why will with within would yet you your youre yours yourself youve";

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        embed(a).cosine(&embed(b))
    }

    #[test]
    fn the_same_words_are_near_and_others_far() {
        assert!(cosine("Taxes should fall.", "taxes, should fall") > 0.999);
        assert!(cosine("The tax is too high", "Taxes are high") > 0.3);
        assert!(cosine("The tax is too high", "Penguins swim in cold water").abs() < 0.15);
        assert!(cosine("dog bites man", "man bites dog") < 0.99);
        assert!(cosine("don\u{2019}t go", "don't go") > 0.999);
    }

    #[test]
    fn nothing_is_zero() {
        for text in ["", "  ", "!?", "\u{1f600}"] {
            assert!(embed(text).is_zero(), "{text:?}");
        }
    }

    /// If this fails, vectors kept by earlier versions are wrong: change the id as well.
    #[test]
    fn the_numbers_are_the_same_everywhere() {
        let embedding = embed("Fixed for ever, 42 times: caf\u{e9}");
        let bytes: Vec<u8> =
            embedding.values().iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(&blake3::hash(&bytes).to_hex()[..16], "d157af032181daff");
    }

    #[test]
    fn hostile_texts_are_linear() {
        for unit in ["a", "a ", "\u{130}", "'", "\u{1f600}"] {
            embed(&unit.repeat(1 << 18));
        }
    }
}
