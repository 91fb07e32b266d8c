//! How good readers find a short argument, by a small head on the encoder's vectors.
//!
//! Rules see what is cited and counted. Whether an argument is to the point, complete and well put they
//! do not see, and most arguments cite nothing. `training/evidence.py` says how the head was made and
//! from what; it fits the encoder in the program only.

use rebuttal_model::QualityWeights;
use rebuttal_semantics::{BuiltinEncoder, Embedder, Embedding, SemanticsError};
use rebuttal_text::Reading;

use super::Reader;
use super::head_weights::{ARGUMENT, DEVIATION, FORM, OFFSET};

/// How much the logarithm of an argument's length counts, in deviations of the head: among arguments of
/// any length the longer one mostly says more. The head cannot know that, since the arguments it was
/// fitted to are all short.
const LENGTH: f64 = 3.0;
/// How much the rules' quality counts beside the length.
const QUALITY: f64 = 1.0;
/// How much a letter more a word counts beside it: whoever has a case rarely makes it in small words.
const LETTERS: f64 = 0.1;
/// More exclamation and question marks say nothing more.
const MOST_MARKS: usize = 3;
/// More words than the arguments have that the head was fitted to: what they are worth it does not know.
const MOST_WORDS: usize = 40;
/// The logarithm of how many words they have mostly.
const MIDDLE: f32 = 2.9;

/// What is made of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argued {
    /// How many of its readers would recommend it, 0 to 1, whatever its length.
    pub quality: f64,
    /// The quality together with the length, on a scale without an upper end: for telling which of
    /// two says more.
    pub weight: f64,
}

/// What the head makes of each argument.
pub fn argued(encoder: BuiltinEncoder, texts: &[&str]) -> Result<Vec<Argued>, SemanticsError> {
    let vectors = encoder.embed(texts)?;
    Ok(texts.iter().zip(&vectors).map(|(text, vector)| one(text, vector)).collect())
}

/// The weight of an argument by rule: how long it and its words are, and what they are supported by.
pub fn argued_by_rule(text: &str) -> f64 {
    let quality = Reader::new().quality(text, &QualityWeights::default()).overall;
    length(text) + LETTERS * f64::from(Words::of(text).letters_a_word()) + QUALITY * quality
}

fn length(text: &str) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX)).ln_1p()
}

fn one(text: &str, vector: &Embedding) -> Argued {
    let form = form(text);
    let said: f32 = ARGUMENT.iter().zip(vector.values()).map(|(one, two)| one * two).sum();
    let put: f32 = FORM.iter().zip(form).map(|(one, two)| one * two).sum();
    let quality = f64::from(said + put + OFFSET);
    Argued {
        quality: quality.clamp(0.0, 1.0),
        weight: quality / f64::from(DEVIATION) + LENGTH * length(text),
    }
}

/// How many words a text has, and letters in them.
struct Words {
    count: usize,
    letters: usize,
}

impl Words {
    fn of(text: &str) -> Self {
        text.split_whitespace().fold(Self { count: 0, letters: 0 }, |all, word| Self {
            count: all.count + 1,
            letters: all.letters + word.chars().count(),
        })
    }

    fn letters_a_word(&self) -> f32 {
        number(self.letters) / number(self.count.max(1))
    }
}

fn number(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

/// Marks of form, as `training/evidence.py` counts them: words, how far they are from the usual number,
/// capitals, marks, letters a word, whether it ends with a mark, how specific it is.
fn form(text: &str) -> [f32; 8] {
    let words = Words::of(text);
    let long = number(words.count.min(MOST_WORDS)).ln_1p();
    let letters = text.chars().count().max(1);
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    let marks = |mark: char| number(text.matches(mark).count().min(MOST_MARKS));
    let ended = text.trim_end().ends_with(['.', '!', '?']);
    #[expect(clippy::cast_possible_truncation, reason = "a figure between 1 and 5")]
    let specific = Reading::new(text).specificity() as f32;
    [
        long,
        (long - MIDDLE).powi(2),
        number(capitals) / number(letters),
        marks('!'),
        marks('?'),
        words.letters_a_word(),
        f32::from(u8::from(ended)),
        specific,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_better_than_a_shout() {
        let texts = [
            "Plastic bottles should be taxed, because deposits have raised the share that is returned in every country that tried them.",
            "BAN IT NOW!!! bottles are sooo bad lol, whatever, who even cares about this stupid thing anyway, get a life people",
            "",
        ];
        let found = argued(BuiltinEncoder, &texts).unwrap();
        assert!(found[0].quality > found[1].quality + 0.05, "{found:?}");
        assert!(found[0].weight > found[1].weight, "{found:?}");
        assert!(
            found.iter().all(|one| (0.0..=1.0).contains(&one.quality) && one.weight.is_finite())
        );
    }

    #[test]
    fn the_head_fits_the_encoder() {
        let vectors = BuiltinEncoder.embed(&["a word"]).unwrap();
        assert_eq!(vectors[0].values().len(), ARGUMENT.len());
    }

    #[test]
    fn by_rule_evidence_counts_beside_length() {
        let plain =
            "Waiting is fine, and there is nothing about it that one would have to fear now.";
        let sound =
            "Waiting cost us 14% of orders, the 2023 audit by KPMG found, so we should move now.";
        assert!(argued_by_rule(sound) > argued_by_rule(plain));
        assert!(argued_by_rule("") < argued_by_rule(plain));
    }
}
