//! Finds a key, or most of it, in what a server sends.
//!
//! Looked at are letters and digits alone, so that blanks, dashes or line breaks between them hide
//! nothing, and forwards and backwards. Whoever has all but a few characters of a key can try the
//! rest; so two thirds of it, in one piece, count as the key.

use std::collections::BTreeSet;

use crate::error::Fault;
use crate::key::Key;

/// The longest piece that is looked for: so much of a key is nobody's chance words.
const LONGEST_PIECE: usize = 24;
/// Keys with fewer letters and digits are looked for whole: two thirds of them may be a word.
const SHORTEST_CUT: usize = 12;

/// Reads a text, in one piece or in several, and notices a key in it.
#[derive(Debug, Default)]
pub(crate) struct LeakCheck {
    /// The pieces that give it away, by their length.
    pieces: Vec<(usize, BTreeSet<Vec<u8>>)>,
    /// The last letters and digits so far.
    tail: Vec<u8>,
}

impl LeakCheck {
    /// A check for this key; none, if there is none.
    pub(crate) fn new(key: Option<&Key>) -> Self {
        let forms = key.map(Key::forms).unwrap_or_default();
        let pieces = forms.iter().filter_map(|form| pieces(form)).collect();
        Self { pieces, tail: Vec::new() }
    }

    /// Takes the next words; an error once they complete a piece of the key.
    pub(crate) fn push(&mut self, words: &str) -> Result<(), Fault> {
        let longest = self.pieces.iter().map(|(length, _)| *length).max().unwrap_or_default();
        self.tail.extend(bare(words));
        for (length, pieces) in &self.pieces {
            if self.tail.windows(*length).any(|window| pieces.contains(window)) {
                // No model knows the key, so what repeats it is not a model.
                return Err(Fault::Garbled("it repeats the key, or most of it".to_owned()));
            }
        }
        let kept = longest.saturating_sub(1);
        self.tail.drain(..self.tail.len().saturating_sub(kept));
        Ok(())
    }
}

/// All pieces of one form of a key that give it away.
fn pieces(form: &str) -> Option<(usize, BTreeSet<Vec<u8>>)> {
    let forward: Vec<u8> = bare(form).collect();
    let backward: Vec<u8> = forward.iter().rev().copied().collect();
    let whole = forward.len();
    let length =
        if whole < SHORTEST_CUT { whole } else { (whole * 2).div_ceil(3).min(LONGEST_PIECE) };
    if length == 0 {
        return None;
    }
    let pieces = forward.windows(length).chain(backward.windows(length));
    Some((length, pieces.map(<[u8]>::to_vec).collect()))
}

/// A text without what a reply may put between the characters of a key.
fn bare(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-canary-0123456789";

    fn is_found(key: &str, words: &[&str]) -> bool {
        let key = Key::new(key).unwrap();
        let mut check = LeakCheck::new(Some(&key));
        words.iter().any(|words| check.push(words).is_err())
    }

    #[test]
    fn most_of_a_key_is_found_in_any_dress() {
        let shorter = &KEY[..KEY.len() - 3];
        let backwards: String = KEY.chars().rev().collect();
        let spaced: String = KEY.chars().flat_map(|letter| [letter, ' ']).collect();
        for text in [KEY, shorter, &KEY[3..], &backwards, &spaced, "c2stY2FuYXJ5LTAxMjM0NTY3ODk"] {
            assert!(is_found(KEY, &[&format!("It is {text}, I think.")]), "{text}");
        }
    }

    #[test]
    fn a_key_in_several_pieces_is_found() {
        let letters: Vec<String> = KEY.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert!(is_found(KEY, &letters));
    }

    #[test]
    fn other_words_are_none() {
        for text in ["sk-canary", "0123456789", "the canary sings at 0123", ""] {
            assert!(!is_found(KEY, &[text]), "{text}");
        }
        assert!(!is_found("ollama", &["a llama"]), "short keys count whole");
        assert!(is_found("ollama", &["I run on ollama."]));
        assert!(LeakCheck::new(None).push(KEY).is_ok());
    }
}
