//! How hedged and how specific a text is, by rules and encoder together.
//!
//! Rules go by words they know. A linear head on the text's vector adds what stands around them: what
//! is said of beliefs and reputations is hedged more often than what is said of dates. How the heads
//! are made, and from what, stands in `training/heads.py`; they fit the encoder in the program only.

mod weights;

use rebuttal_semantics::{BuiltinEncoder, Embedder, Embedding, SemanticsError};
use rebuttal_text::{Hedging, Reading};

use weights::{HEDGE, HEDGE_OFFSET, SPECIFICITY, SPECIFICITY_OFFSET};

/// How steeply the sum of rules and head becomes a share.
const STEEP: f64 = 4.0;

/// What rules and head make of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// What the rules say alone.
    pub rules: f64,
    /// What both say together, on the same scale.
    pub score: f64,
}

/// How hedged each text is, 0 to 1; from [`Hedging::HEDGED`] on it counts as hedged.
pub fn hedging(encoder: BuiltinEncoder, texts: &[&str]) -> Result<Vec<Weighed>, SemanticsError> {
    let rules = |text: &str| Reading::new(text).hedging().score;
    weighed(encoder, texts, rules, |rules, vector| {
        let sum = rules + added(&HEDGE, HEDGE_OFFSET, vector) - Hedging::HEDGED;
        1.0 / (1.0 + (-STEEP * sum).exp())
    })
}

/// How specific each text is, 1 (general) to 5 (names, numbers, places).
pub fn specificity(
    encoder: BuiltinEncoder,
    texts: &[&str],
) -> Result<Vec<Weighed>, SemanticsError> {
    let rules = |text: &str| Reading::new(text).specificity();
    weighed(encoder, texts, rules, |rules, vector| {
        (rules + added(&SPECIFICITY, SPECIFICITY_OFFSET, vector)).clamp(1.0, 5.0)
    })
}

fn weighed(
    encoder: BuiltinEncoder,
    texts: &[&str],
    rules: impl Fn(&str) -> f64,
    together: impl Fn(f64, &Embedding) -> f64,
) -> Result<Vec<Weighed>, SemanticsError> {
    let vectors = encoder.embed(texts)?;
    let one = |(text, vector): (&&str, &Embedding)| {
        let rules = rules(text);
        // A text in which the encoder knows no word has no surroundings to go by.
        let score = if vector.is_zero() { rules } else { together(rules, vector) };
        Weighed { rules, score }
    };
    Ok(texts.iter().zip(&vectors).map(one).collect())
}

fn added(head: &[f32], offset: f32, vector: &Embedding) -> f64 {
    let sum: f32 = head.iter().zip(vector.values()).map(|(weight, value)| weight * value).sum();
    f64::from(sum + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heads_fit_the_encoder() {
        let vectors = BuiltinEncoder.embed(&["a word"]).unwrap();
        assert_eq!(vectors[0].values().len(), HEDGE.len());
        assert_eq!(vectors[0].values().len(), SPECIFICITY.len());
    }

    #[test]
    fn what_stands_around_counts() {
        // Neither has a word that the rules know for a hedge.
        let texts = [
            "One gets the impression that nobody can say for sure why it works.",
            "The bridge was opened on 4 June 1958 by the mayor of Porto.",
        ];
        let found = hedging(BuiltinEncoder, &texts).unwrap();
        assert!(found[0].score > found[1].score + 0.05, "{found:?}");
        let found = specificity(BuiltinEncoder, &texts).unwrap();
        assert!(found[1].score > found[0].score, "{found:?}");
    }

    #[test]
    fn nothing_is_neither() {
        let found = hedging(BuiltinEncoder, &["", "It might perhaps help."]).unwrap();
        assert!(found[0].score < Hedging::HEDGED && found[1].score >= Hedging::HEDGED);
        assert!((0.0..=1.0).contains(&found[0].score));
        let found = specificity(BuiltinEncoder, &[""]).unwrap();
        assert!((1.0..=5.0).contains(&found[0].score));
    }
}
