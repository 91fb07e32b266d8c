//! From bytes to tokens in one pass, without a copy of the text.
//!
//! Fenced code, table rows and what stands between backticks is not prose and gives no words. What is
//! joined by hyphens is one word, so that no word is ever found inside another.

mod lines;

use super::words::{self, Class, Hash, LONGEST, Words};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, apostrophes and digits after letters.
    Word,
    /// Starts with a digit.
    Number,
    /// A link.
    Link,
    /// `[1]`, `[2, 3]`, `[^1]`.
    Note,
    /// Something between backticks.
    Code,
    /// One mark. Dashes are `-`, curly quotes are `"`.
    Mark(u8),
    /// The end of a line after which a sentence does not go on.
    Break,
    /// An empty line, or where prose was interrupted.
    Blank,
    /// A row of a table that has a figure in it.
    Row,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
    /// What the letters or the number look like.
    pub(super) shape: u8,
    pub(super) class: Class,
    /// Of the word, for phrases.
    pub(super) hash: u32,
    /// Of its first letters, for telling whether two clauses share words.
    pub(super) stem: u8,
}

/// Starts with a capital.
pub(super) const CAPITAL: u8 = 1;
/// Of a break: a list item follows.
pub(super) const LISTED: u8 = 1;
/// All capitals, two at least.
pub(super) const UPPER: u8 = 1 << 1;
/// A word with a digit in it, or a number with letters glued to it.
pub(super) const MIXED: u8 = 1 << 2;
/// Ends like a verb: "-ed", "-s".
pub(super) const VERBAL: u8 = 1 << 3;
/// Of a word: ends in "-ed".
pub(super) const ENDS_ED: u8 = 1 << 4;
/// A number with a decimal point or thousands.
pub(super) const EXACT: u8 = 1 << 4;
/// A number of four digits from 1500 to 2199.
pub(super) const YEAR: u8 = 1 << 5;
/// A number with a unit glued to it: "10ms".
pub(super) const MEASURED: u8 = 1 << 6;
/// A date or a time of day: "2025-03-12", "14:30".
pub(super) const DATE: u8 = 1 << 7;

impl Token {
    pub(super) fn is(&self, class: Class) -> bool {
        self.class & class != 0
    }

    pub(super) fn has(&self, shape: u8) -> bool {
        self.shape & shape != 0
    }

    pub(super) fn is_mark(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// Fills `tokens` with those of `text`.
pub(super) fn scan(text: &str, tokens: &mut Vec<Token>) {
    tokens.clear();
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0, tokens, words: Words::english() };
    scanner.run();
    let words = scanner.words;
    join_phrases(words, tokens);
}

struct Scanner<'s> {
    bytes: &'s [u8],
    at: usize,
    tokens: &'s mut Vec<Token>,
    words: &'static Words,
}

impl Scanner<'_> {
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        self.line_start();
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' => self.word(),
                b'0'..=b'9' => self.number(),
                b'\n' => self.newline(),
                b'`' => self.code(),
                b'[' => self.bracket(),
                0x80.. => self.wide(byte),
                // A sign belongs to its number, a dash between two numbers does not.
                b'-' if self.is_sign() => self.at += 1,
                _ => self.mark(byte, 1),
            }
        }
    }

    fn is_sign(&self) -> bool {
        let before = self.at.checked_sub(1).map_or(b' ', |at| self.byte(at));
        self.byte(self.at + 1).is_ascii_digit() && matches!(before, b' ' | b'(' | b'|' | b'\n')
    }

    /// A token up to where the scanner is, without a word's properties.
    fn push(&mut self, start: usize, kind: Kind, shape: u8) {
        let (start, end) = (place(start), place(self.at));
        self.tokens.push(Token { start, end, kind, shape, class: 0, hash: 0, stem: 0 });
    }

    fn mark(&mut self, mark: u8, len: usize) {
        let start = self.at;
        self.at += len;
        self.push(start, Kind::Mark(mark), 0);
    }

    /// A character outside ASCII: punctuation that has a name here, or a letter.
    fn wide(&mut self, byte: u8) {
        match (byte, self.byte(self.at + 1), self.byte(self.at + 2)) {
            (0xe2, 0x80, 0x93 | 0x94) => self.mark(b'-', 3),
            (0xe2, 0x80, 0x9c | 0x9d) => self.mark(b'"', 3),
            (0xe2, 0x80, 0xa6) => self.mark(b'.', 3),
            (0xe2, 0x82, 0xac) => self.mark(b'$', 3),
            (0xc2, 0xa3 | 0xa5, _) => self.mark(b'$', 2),
            (0xe2, 0x80..=0x81, _) => self.at += 3,
            (0xc2, _, _) => self.at += 2,
            (0xf0.., _, _) => self.at += 4,
            _ => self.word(),
        }
    }

    /// Whether an apostrophe stands here, and how long it is.
    #[inline]
    fn apostrophe(&self, at: usize) -> usize {
        match self.byte(at) {
            b'\'' => 1,
            0xe2 if self.byte(at + 1) == 0x80 && self.byte(at + 2) == 0x99 => 3,
            _ => 0,
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let first = self.byte(start);
        let (mut hash, mut stem) = (Hash::START, Hash::START);
        let (mut upper, mut lower, mut digits, mut length) = (0u32, false, false, 0u32);
        let (mut last, mut before) = (0, 0);
        loop {
            let byte = self.byte(self.at);
            match byte {
                b'a'..=b'z' => lower = true,
                b'A'..=b'Z' => upper += 1,
                b'0'..=b'9' | b'_' => digits = true,
                b'-' | b'/' if is_inside(self.byte(self.at + 1)) => {}
                b'.' if self.is_abbreviation() => {}
                0xe2 if self.apostrophe(self.at) == 3 => {
                    if !self.byte(self.at + 3).is_ascii_alphabetic() {
                        break;
                    }
                    hash = hash.with(b'\'');
                    self.at += 3;
                    length += 1;
                    continue;
                }
                0xe2 if matches!(self.byte(self.at + 1), 0x80..=0x82) => break,
                0xc2 => break,
                0x80.. => {}
                b'\'' if self.byte(self.at + 1).is_ascii_alphabetic() => {}
                _ => break,
            }
            hash = hash.with(byte);
            length += 1;
            if length <= STEM {
                stem = hash;
            }
            (before, last) = (last, byte);
            self.at += 1;
        }
        if self.at == start {
            return self.pass_sign();
        }
        if self.is_link(start) {
            self.link(start);
            return;
        }
        let mut shape = 0;
        if first.is_ascii_uppercase() {
            shape |= CAPITAL;
        }
        if upper >= 2 && !lower {
            shape |= UPPER;
        }
        if digits {
            shape |= MIXED;
        }
        // "Jones" is no verb.
        if length > 3 && is_verbal(before, last) && !first.is_ascii_uppercase() {
            shape |= VERBAL;
        }
        if length > 3 && (before, last) == (b'e', b'd') {
            shape |= VERBAL | ENDS_ED;
        }
        let hash = hash.value();
        let class = self.class(hash, (before, last));
        #[expect(clippy::cast_possible_truncation, reason = "seven bits are wanted")]
        let stem = (stem.value() >> 9) as u8 & 127;
        let (start, end) = (place(start), place(self.at));
        self.tokens.push(Token { start, end, kind: Kind::Word, shape, class, hash, stem });
    }

    /// Past all bytes of a sign that belongs to no word.
    fn pass_sign(&mut self) {
        self.at += 1;
        while self.byte(self.at) & 0xc0 == 0x80 {
            self.at += 1;
        }
    }

    /// What a word is, by the lists and by how it ends.
    fn class(&self, hash: u32, ending: (u8, u8)) -> words::Class {
        let class = self.words.class(hash);
        let own = ending == (b'\'', b's') && class & words::FUNCTION == 0;
        if own { class | words::POSSESSIVE } else { class }
    }

    /// "e.g." and "U.S.": a letter, a full stop and a letter again.
    fn is_abbreviation(&self) -> bool {
        self.byte(self.at + 1).is_ascii_alphabetic()
            && matches!(self.byte(self.at + 2), b'.' | b' ' | b',' | b')')
    }

    fn is_link(&self, start: usize) -> bool {
        match self.bytes.get(start..self.at) {
            Some(b"http" | b"https" | b"HTTPS" | b"HTTP") => {
                self.bytes.get(self.at..self.at + 3) == Some(b"://")
            }
            Some(b"www") => self.byte(self.at) == b'.',
            _ => false,
        }
    }

    fn link(&mut self, start: usize) {
        while !matches!(self.byte(self.at), 0..=b' ' | b'<' | b'>' | b'"' | b')' | b']' | b'`') {
            self.at += 1;
        }
        while self.at > start
            && matches!(self.byte(self.at - 1), b'.' | b',' | b';' | b':' | b'!' | b'?')
        {
            self.at -= 1;
        }
        self.push(start, Kind::Link, 0);
    }

    fn number(&mut self) {
        let start = self.at;
        let mut shape = 0;
        let (mut digits, mut value) = (0u32, 0u32);
        loop {
            let byte = self.byte(self.at);
            let next = self.byte(self.at + 1).is_ascii_digit();
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    value = value.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
                }
                b'.' | b',' if next => shape |= EXACT,
                b':' if next => shape |= DATE,
                b'-' | b'/' if next && digits == 4 && shape == 0 => shape |= DATE,
                b'-' | b'/' if next && shape & DATE != 0 => {}
                _ => break,
            }
            self.at += 1;
        }
        if shape == 0 && digits == 4 && (1500..2200).contains(&value) {
            shape |= YEAR;
        }
        let glued = self.at;
        while self.byte(self.at).is_ascii_alphanumeric() || self.byte(self.at) == b'_' {
            self.at += 1;
        }
        let mut class = 0;
        if self.at > glued {
            (shape, class) = self.glued(start, glued, shape & !YEAR);
        }
        self.push(start, Kind::Number, shape);
        if let Some(token) = self.tokens.last_mut() {
            token.class = class;
        }
    }

    /// What letters right after a number make of it.
    fn glued(&self, start: usize, glued: usize, shape: u8) -> (u8, Class) {
        let letters = self.bytes.get(glued..self.at).unwrap_or_default();
        let tag = letters.iter().fold(Hash::START, |hash, byte| hash.with(*byte)).value();
        let class = self.words.class(tag) & (words::UNIT | words::PHYSICAL | words::MONEY);
        let shape = match letters {
            b"x" | b"X" | b"s" | b"h" | b"m" | b"k" | b"K" | b"M" | b"B" | b"bn" | b"G" => {
                shape | MEASURED
            }
            _ if class & words::UNIT != 0 => shape | MEASURED,
            b"st" | b"nd" | b"rd" | b"th" => shape,
            // "146kt", "31bp": a few small letters behind several digits are a unit, known or not.
            _ if glued - start > 1
                && letters.len() <= 3
                && letters.iter().all(u8::is_ascii_lowercase) =>
            {
                shape | MEASURED
            }
            _ => shape | MIXED,
        };
        (shape, class)
    }

    /// `[1]` and its like; anything else in brackets is read on its own.
    fn bracket(&mut self) {
        let start = self.at;
        let glued =
            start > 0 && is_inside(self.byte(start - 1)) && !self.byte(start - 1).is_ascii_digit();
        let mut at = start + 1;
        if self.byte(at) == b'^' {
            at += 1;
        }
        let first = at;
        while matches!(self.byte(at), b'0'..=b'9' | b',' | b' ' | b'-' | b';') && at - first < 24 {
            at += 1;
        }
        let numbered = self.byte(first).is_ascii_digit() && self.byte(at) == b']';
        // `rows[1]` is an index, not a note; after a word and in prose it is one all the same.
        let index = glued
            && matches!(self.byte(at + 1), b'.' | b'[' | b'(' | b'=')
            && self.byte(at + 2) > b' ';
        if numbered && !index {
            self.at = at + 1;
            self.push(start, Kind::Note, 0);
        } else {
            self.mark(b'[', 1);
        }
    }

    fn code(&mut self) {
        let start = self.at;
        self.at += 1;
        while !matches!(self.byte(self.at), b'`' | b'\n' | 0) {
            self.at += 1;
        }
        if self.byte(self.at) == b'`' {
            self.at += 1;
        }
        self.push(start, Kind::Code, 0);
    }
}

/// How many letters of a word must agree for it to be the same word in another form.
const STEM: u32 = 5;

#[inline]
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[inline]
fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[inline]
fn is_verbal(before: u8, last: u8) -> bool {
    match last {
        b'd' => before == b'e',
        b's' => !matches!(before, b's' | b'u' | b'i' | b'\''),
        _ => false,
    }
}

/// Marks phrases at their first word; the others of a phrase are taken.
fn join_phrases(words: &Words, tokens: &mut [Token]) {
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        if !Words::goes_on(first.class) {
            at += 1;
            continue;
        }
        let mut state = first.hash;
        let mut found = None;
        let next = tokens.get(at + 1..).unwrap_or_default().iter().take(LONGEST - 1);
        for (more, token) in next.enumerate() {
            if token.kind != Kind::Word {
                break;
            }
            state = words::joined(state, token.hash);
            let class = words.class(state);
            if Words::is_whole(class) {
                found = Some((more + 1, class));
            }
            if !Words::goes_on(class) {
                break;
            }
        }
        let Some((more, class)) = found else {
            at += 1;
            continue;
        };
        let end = tokens.get(at + more).map(|last| last.end);
        if let Some((first, end)) = tokens.get_mut(at).zip(end) {
            first.class |= class;
            first.end = end;
        }
        for token in tokens.iter_mut().skip(at + 1).take(more) {
            token.class = words::FUNCTION | words::TAKEN | (token.class & words::VERB);
        }
        at += more + 1;
    }
}
