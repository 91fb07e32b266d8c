//! Text to tokens and back: byte-pair encoding over bytes, with the vocabulary of the model's file.
//!
//! What is encoded is always plain text: the words that mark a chat's turns are never made from it,
//! so nobody can end a turn by writing the mark.

use std::collections::HashMap;

use super::gguf::{Gguf, Wrong};
use super::pieces::pieces;

/// Most tokens believed. The largest vocabularies have a quarter of a million.
const TOKENS_MAX: usize = 1 << 20;

/// Kind of a token that is a mark and not text, in the file's list of kinds.
const CONTROL: i128 = 3;

/// A model's vocabulary.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    /// The bytes of each token; of marks, none.
    texts: Vec<Vec<u8>>,
    /// The token of each byte. Control characters that were in no text the vocabulary was made
    /// from have none, and are left out.
    bytes: Vec<Option<u32>>,
    /// Which two tokens become which one; the lower the rank, the earlier.
    joins: HashMap<(u32, u32), Join>,
    /// Begins a turn.
    pub(crate) turn: u32,
    /// Ends a turn.
    pub(crate) end: u32,
    /// Ends a text.
    pub(crate) end_of_text: Option<u32>,
}

/// Two tokens that become one.
#[derive(Clone, Copy, Debug)]
struct Join {
    rank: usize,
    into: u32,
}

impl Tokenizer {
    /// Reads the vocabulary and the joins of a model's file.
    pub(crate) fn read(gguf: &Gguf<'_>) -> Result<Self, Wrong> {
        let model = gguf.text("tokenizer.ggml.model")?;
        let cut = gguf.text("tokenizer.ggml.pre").unwrap_or("default");
        if model != "gpt2" || !matches!(cut, "smollm" | "default") {
            return Err(format!("its tokens are of kind {model}/{cut}; only gpt2/smollm is read"));
        }
        let tokens = gguf.texts("tokenizer.ggml.tokens")?;
        if tokens.len() > TOKENS_MAX {
            return Err(format!("it claims {} tokens", tokens.len()));
        }
        let kinds = gguf.wholes("tokenizer.ggml.token_type").unwrap_or_default();
        let mut ids: HashMap<&str, u32> = HashMap::with_capacity(tokens.len());
        for (id, token) in (0_u32..).zip(tokens) {
            ids.entry(token).or_insert(id);
        }
        let texts = tokens.iter().enumerate().map(|(at, token)| match kinds.get(at) {
            Some(&CONTROL) => Vec::new(),
            _ => spelled(token),
        });
        let byte = |byte: u8| ids.get(letter(byte).to_string().as_str()).copied();
        let mark = |name: &str| ids.get(name).copied();
        let chat = || "it is no chat model: it has no <|im_start|> and <|im_end|>".to_owned();
        Ok(Self {
            texts: texts.collect(),
            bytes: (0..=255).map(byte).collect(),
            joins: joins(gguf.texts("tokenizer.ggml.merges")?, &ids),
            turn: mark("<|im_start|>").ok_or_else(chat)?,
            end: mark("<|im_end|>").ok_or_else(chat)?,
            end_of_text: mark("<|endoftext|>"),
        })
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The tokens of a plain text.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 3);
        for piece in pieces(text) {
            let start = tokens.len();
            let byte = |byte: u8| self.bytes.get(usize::from(byte)).copied().flatten();
            tokens.extend(piece.bytes().filter_map(byte));
            self.join(&mut tokens, start);
        }
        tokens
    }

    /// Joins neighbours from `start` on, always the pair of the lowest rank first.
    fn join(&self, tokens: &mut Vec<u32>, start: usize) {
        loop {
            let piece = tokens.get(start..).unwrap_or_default();
            let pairs = piece.windows(2).enumerate().filter_map(|(at, pair)| match pair {
                [a, b] => self.joins.get(&(*a, *b)).map(|join| (join.rank, at, join.into)),
                _ => None,
            });
            let Some((_, at, into)) = pairs.min() else { return };
            if let Some(first) = tokens.get_mut(start + at) {
                *first = into;
            }
            tokens.remove(start + at + 1);
        }
    }

    /// The bytes of one token; part of a character, perhaps.
    pub(crate) fn bytes(&self, token: u32) -> &[u8] {
        let at = usize::try_from(token).unwrap_or(usize::MAX);
        self.texts.get(at).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a token is a mark and not text.
    pub(crate) fn is_mark(&self, token: u32) -> bool {
        self.bytes(token).is_empty()
    }
}

/// Which two tokens become which, and which of two joins comes first.
fn joins(merges: &[&str], ids: &HashMap<&str, u32>) -> HashMap<(u32, u32), Join> {
    let join = |(rank, merge): (usize, &&str)| {
        let (a, b) = merge.split_once(' ')?;
        let into = *ids.get(format!("{a}{b}").as_str())?;
        Some(((*ids.get(a)?, *ids.get(b)?), Join { rank, into }))
    };
    let mut joins = HashMap::with_capacity(merges.len());
    for (pair, join) in merges.iter().enumerate().filter_map(join) {
        joins.entry(pair).or_insert(join);
    }
    joins
}

/// The letter by which vocabularies of this kind write a byte: itself where it can be seen, else
/// one from a range of its own.
pub(super) fn letter(byte: u8) -> char {
    let seen = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    if seen(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|byte| !seen(*byte)).count();
    u32::try_from(before).ok().and_then(|before| char::from_u32(0x100 + before)).unwrap_or(' ')
}

/// The bytes of a token that is written in such letters; other letters stand for themselves.
fn spelled(token: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(token.len());
    for c in token.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The byte that a character of the vocabulary stands for.
fn byte(c: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(c)
        && letter(byte) == c
    {
        return Some(byte);
    }
    // There are 68 bytes that cannot be seen: blanks and controls, 0x7f to 0xa0, and 0xad.
    match u32::from(c).checked_sub(0x100)? {
        hidden @ 0..=32 => u8::try_from(hidden).ok(),
        hidden @ 33..=66 => u8::try_from(hidden - 33 + 0x7f).ok(),
        67 => Some(0xad),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_letter_and_every_letter_its_byte() {
        for value in 0..=255 {
            assert_eq!(byte(letter(value)), Some(value));
        }
        assert_eq!((letter(b' '), letter(b'\n'), letter(b'a')), ('Ġ', 'Ċ', 'a'));
        assert_eq!(byte('日'), None);
    }
}
