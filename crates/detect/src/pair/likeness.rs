//! How far two texts say the same, by models and rules together.

use std::sync::OnceLock;

use rebuttal_model::Span;
use rebuttal_semantics::{Pair, SemanticsError};
use rebuttal_text::Reading;

use super::PairReading;
use crate::reader::Models;

/// How much each part counts: what the vectors share, what the words share, and how far each text
/// follows from the other.
const VECTORS: f32 = 0.57;
const WORDS: f32 = 0.29;
const FOLLOWS: f32 = 0.14;

/// 0 to 1 for each pair, in order: 1 says the same, 0 speaks of something else or of the opposite.
pub fn likeness(models: &Models, texts: &[(&str, &str)]) -> Result<Vec<f32>, SemanticsError> {
    let flat: Vec<&str> = texts.iter().flat_map(|&(a, b)| [a, b]).collect();
    let vectors = models.embedder.embed(&flat)?;
    let there = texts.iter().map(|&(premise, hypothesis)| Pair { premise, hypothesis });
    let both: Vec<Pair<'_>> = there.flat_map(|pair| [pair, pair.reversed()]).collect();
    let verdicts = models.inference.infer(&both)?;
    let parts = texts.iter().zip(vectors.chunks_exact(2)).zip(verdicts.chunks_exact(2));
    let alike = parts.map(|((&(a, b), vectors), verdicts)| match (vectors, verdicts) {
        ([one, two], [there, back]) if !is_same(a, b) => {
            let follows = f32::midpoint(there.entailment, back.entailment);
            let words = PairReading::new(a, b).similarity();
            VECTORS * one.cosine(two).max(0.0) + WORDS * words + FOLLOWS * follows
        }
        // What is the same to the letter needs no model.
        _ => 1.0,
    });
    Ok(alike.collect())
}

/// The same sentences, whatever their order, their case and the space between them. Answers belong
/// to the questions before them, so where one is asked the order counts.
pub fn is_same(a: &str, b: &str) -> bool {
    let words = |text| str::split_whitespace(text).map(str::to_lowercase);
    words(a).eq(words(b))
        || (words(a).count() == words(b).count()
            && !a.contains('?')
            && sentences(a) == sentences(b))
}

/// A text as [`is_same`] compares it, for texts that are compared with many others.
#[derive(Debug)]
pub(crate) struct Wording {
    words: String,
    count: usize,
    /// The words in no order: sentences in another order have the same.
    sum: u64,
    asks: bool,
    /// Made when they are first needed: of most pairs the number of words differs.
    sentences: OnceLock<Vec<String>>,
}

impl Wording {
    pub(crate) fn new(text: &str) -> Self {
        let mut words = String::with_capacity(text.len() + 1);
        let (mut count, mut sum) = (0, 0u64);
        for word in text.split_whitespace() {
            let word = word.to_lowercase();
            sum = sum.wrapping_add(fnv(word.trim_matches(|c: char| !c.is_alphanumeric())));
            words.push_str(&word);
            words.push(' ');
            count += 1;
        }
        Self { words, count, sum, asks: text.contains('?'), sentences: OnceLock::new() }
    }

    /// [`is_same`], of the texts that both were made from.
    pub(crate) fn is_same(&self, own: &str, other: &Self, text: &str) -> bool {
        let sorted = || {
            let own = self.sentences.get_or_init(|| sentences(own));
            own == other.sentences.get_or_init(|| sentences(text))
        };
        let alike = self.count == other.count && self.sum == other.sum;
        self.words == other.words || (alike && !self.asks && sorted())
    }
}

/// The FNV-1a hash of a word.
fn fnv(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A text's sentences, sorted.
fn sentences(text: &str) -> Vec<String> {
    let sentence = |span: Span| {
        let words = span.of(text).unwrap_or_default().split_whitespace();
        words.collect::<Vec<&str>>().join(" ").to_lowercase()
    };
    let mut sentences: Vec<String> = Reading::new(text).sentence_spans().map(sentence).collect();
    sentences.sort_unstable();
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_space_make_no_difference() {
        assert!(is_same("Hello  World\n", "hello world"));
        assert!(is_same("ÄRGER", "ärger") && is_same("", " "));
        assert!(!is_same("hello world", "hello, world") && !is_same("a b", "a"));
    }

    #[test]
    fn wording_tells_the_same() {
        let texts = [
            "Hello  World\n",
            "hello world",
            "",
            " ",
            "It rains. It pours.",
            "It pours. it rains.",
            "It rains, it pours.",
            "Safe? Yes. Cheap? No.",
            "Safe? No. Cheap? Yes.",
            "ÄRGER ΣΑΣ",
            "ärger σας",
            "a b",
            "ab",
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (*a, b))) {
            let told = Wording::new(a).is_same(a, &Wording::new(b), b);
            assert_eq!(told, is_same(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn nor_does_the_order_of_sentences_but_after_a_question() {
        assert!(is_same("It rains. It pours.", "It pours. it rains."));
        assert!(!is_same("It rains, it pours.", "It pours, it rains."));
        assert!(!is_same("Safe? Yes. Cheap? No.", "Safe? No. Cheap? Yes."));
    }
}
