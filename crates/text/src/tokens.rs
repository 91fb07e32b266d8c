//! From clean text to tokens: words, numbers, marks and line starts, in one pass.
//!
//! Code, URLs and Markdown decoration are recognised here, so that nothing later trips over them.

use memchr::{memchr2, memmem};
use rebuttal_model::Span;

use crate::lexicon::{Known, Lexicon, Recent, WordId, short_word};
use crate::quantities::look::is_word_byte;
use crate::traits::Traits;
use crate::words::Stem;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, with apostrophes inside: `don't`.
    Word,
    /// Starts with a digit: `3`, `1,200.5`, `10ms`.
    Number,
    /// One mark of punctuation or a symbol.
    Mark(u8),
    /// A symbol outside ASCII.
    Symbol,
    /// A URL, whole.
    Url,
    /// Code between backticks or fences, whole.
    Code,
    /// End of a line.
    Break,
    /// End of a paragraph: an empty line.
    Blank,
    /// What opens a list item: `-`, `*`, `1.`.
    Bullet,
    /// What opens a heading: `##`.
    Heading,
    /// What opens a quoted line: `>`.
    QuoteLine,
}

/// One token. Offsets are bytes of the clean text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    start: u32,
    end: u32,
    pub(crate) kind: Kind,
    /// Which word of the lexicons it is, in whatever case it was written.
    pub(crate) word: WordId,
    /// Its stem, for words and numbers.
    pub(crate) stem: Stem,
    /// Which lists have it.
    pub(crate) traits: Traits,
}

impl Token {
    pub(crate) fn span(self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// Where it starts.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) fn is_word(self) -> bool {
        self.kind == Kind::Word
    }

    pub(crate) fn is_mark(self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// Splits clean text into tokens.
#[cfg(test)]
pub(crate) fn tokens(text: &str, lexicon: &Lexicon) -> Vec<Token> {
    let mut out = Vec::new();
    scan(text, lexicon, &mut out);
    out
}

/// Splits clean text into tokens, and adds these.
pub(crate) fn scan(text: &str, lexicon: &Lexicon, out: &mut Vec<Token>) {
    out.reserve(text.len() / 4 + 4);
    Recent::with(|recent| {
        Scanner { text, bytes: text.as_bytes(), at: 0, lexicon, recent, out }.run();
    });
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    lexicon: &'t Lexicon,
    recent: &'t mut Recent,
    out: &'t mut Vec<Token>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        self.line_start();
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                // Emphasis goes with the spaces: "is **not** safe" must read as "is not safe".
                b' ' | b'\t' | b'\r' | b'*' | b'~' | b'_' => self.at += 1,
                b'\n' => self.line_end(),
                b'`' => self.code(),
                b'0'..=b'9' => self.number(),
                b'a'..=b'z' | b'A'..=b'Z' => self.word(),
                0x80.. => self.other(),
                mark => self.push(self.at + 1, Kind::Mark(mark)),
            }
        }
    }

    fn push(&mut self, end: usize, kind: Kind) {
        let known = match kind {
            Kind::Word | Kind::Number | Kind::Symbol => {
                self.recent.look_up(self.lexicon, self.text, self.at, end)
            }
            Kind::Mark(mark) => self.lexicon.mark(mark),
            _ => Known::default(),
        };
        self.keep(end, kind, known);
    }

    fn keep(&mut self, end: usize, kind: Kind, known: Known) {
        self.out.push(Token {
            start: u32::try_from(self.at).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
            kind,
            word: known.word,
            stem: known.stem,
            traits: known.traits,
        });
        self.at = end;
    }

    fn line_end(&mut self) {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let (mut length, mut blank_lines) = (0, 0);
        for (index, &byte) in blank.enumerate() {
            if byte == b'\n' {
                blank_lines += 1;
                length = index + 1;
            }
        }
        let kind = if blank_lines > 0 { Kind::Blank } else { Kind::Break };
        self.push(self.at + 1 + length, kind);
        self.line_start();
    }

    /// What stands at the start of a line decides what the line is.
    fn line_start(&mut self) {
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let rest = rest.get(indent..).unwrap_or_default();
            let (length, kind) = match rest {
                [b'>', ..] => (1, Kind::QuoteLine),
                [b'&', b'g', b't', b';', ..] => (4, Kind::QuoteLine),
                [b'#', ..] => {
                    let marks = rest.iter().take_while(|&&byte| byte == b'#').count();
                    if rest.get(marks) != Some(&b' ') {
                        return;
                    }
                    (marks, Kind::Heading)
                }
                [b'-' | b'*' | b'+', b' ', ..] => (1, Kind::Bullet),
                [b'0'..=b'9', ..] => match numbered_bullet(rest) {
                    Some(length) => (length, Kind::Bullet),
                    None => return,
                },
                _ => return,
            };
            self.at += indent;
            self.push(self.at + length, kind);
            if kind != Kind::QuoteLine {
                return;
            }
        }
    }

    fn code(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(b"```") {
            let body = rest.get(3..).unwrap_or_default();
            let end = memmem::find(body, b"```").map_or(rest.len(), |found| found + 6);
            return self.push(self.at + end, Kind::Code);
        }
        let body = rest.get(1..).unwrap_or_default();
        // A backtick before a space opens a quotation of the old style, not code.
        let opens = body.first().is_some_and(|byte| !byte.is_ascii_whitespace());
        match memchr2(b'`', b'\n', body).filter(|_| opens) {
            Some(end) if body.get(end) == Some(&b'`') && end > 0 => {
                self.push(self.at + end + 2, Kind::Code);
            }
            _ => self.at += 1,
        }
    }

    fn number(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut end = 0;
        while let Some(&byte) = rest.get(end) {
            let joins = matches!(byte, b'.' | b',' | b':')
                && rest.get(end + 1).is_some_and(u8::is_ascii_digit);
            if !byte.is_ascii_alphanumeric() && !joins {
                break;
            }
            end += 1;
        }
        self.push(self.at + end, Kind::Number);
    }

    fn word(&mut self) {
        match short_word(self.bytes, self.at) {
            Some((length, key)) if self.is_whole(length) => {
                let (start, end) = (self.at, self.at + length);
                let (text, lexicon) = (self.text, self.lexicon);
                let afresh = || Known::of(lexicon, text.get(start..end).unwrap_or_default());
                let known = self.recent.known(key, afresh);
                self.keep(end, Kind::Word, known);
            }
            _ => self.long_word(),
        }
    }

    /// True when the so many letters here are all of a word: no apostrophe, no letter outside ASCII
    /// and no rest of an address follows, and no underscore closes them.
    fn is_whole(&self, length: usize) -> bool {
        let end = self.at + length;
        let next = self.bytes.get(end).copied().unwrap_or(b' ');
        let last = self.bytes.get(end - 1).copied().unwrap_or(b'_');
        let address = next == b'.' && length == 3;
        next.is_ascii() && !matches!(next, b'\'' | b':') && last != b'_' && !address
    }

    fn long_word(&mut self) {
        let mut end = self.at;
        loop {
            end += self.word_bytes(end);
            let apostrophe = self.bytes.get(end) == Some(&b'\'');
            if !apostrophe || self.word_bytes(end + 1) == 0 {
                break;
            }
            end += 1;
        }
        if self.url_follows(end) {
            return self.url();
        }
        self.push(end.max(self.at + 1), Kind::Word);
    }

    /// How many bytes from `from` on belong to a word, letters outside ASCII included.
    fn word_bytes(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let ascii = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
        if rest.get(ascii).is_none_or(u8::is_ascii) {
            // A trailing underscore closes emphasis: "_safe_".
            let body = rest.get(..ascii).unwrap_or_default();
            if body.last().is_none_or(|byte| *byte != b'_') {
                return ascii;
            }
            return body.iter().rposition(|&byte| byte != b'_').map_or(0, |last| last + 1);
        }
        let text = self.text.get(from..).unwrap_or_default();
        text.char_indices()
            .find(|(_, c)| !(c.is_alphanumeric() || *c == '_'))
            .map_or(text.len(), |(index, _)| index)
    }

    fn url_follows(&self, end: usize) -> bool {
        let rest = self.bytes.get(end..).unwrap_or_default();
        let word = self.bytes.get(self.at..end).unwrap_or_default();
        rest.starts_with(b"://") || (word.eq_ignore_ascii_case(b"www") && rest.starts_with(b"."))
    }

    fn url(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let stop = |byte: &u8| byte.is_ascii_whitespace() || b"<>\"'`|".contains(byte);
        let mut end = rest.iter().position(stop).unwrap_or(rest.len());
        // What closes the sentence around it is not part of the address.
        while end > 1 && rest.get(end - 1).is_some_and(|byte| b".,;:!?)]}*_".contains(byte)) {
            end -= 1;
        }
        self.push(self.at + end, Kind::Url);
    }

    fn other(&mut self) {
        let Some(c) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
            self.at += 1;
            return;
        };
        if c.is_alphabetic() {
            return self.word();
        }
        if c.is_whitespace() {
            self.at += c.len_utf8();
            return;
        }
        match c {
            '\u{2013}' | '\u{2014}' => self.push(self.at + c.len_utf8(), Kind::Mark(b'-')),
            '\u{2022}' => self.push(self.at + c.len_utf8(), Kind::Bullet),
            '\u{2026}' => self.push(self.at + c.len_utf8(), Kind::Mark(b'.')),
            _ => self.push(self.at + c.len_utf8(), Kind::Symbol),
        }
    }
}

/// The length of `12.` or `3)` when a space follows.
fn numbered_bullet(rest: &[u8]) -> Option<usize> {
    let digits = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let marked = matches!(rest.get(digits), Some(b'.' | b')'));
    (marked && rest.get(digits + 1) == Some(&b' ')).then_some(digits + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text, Lexicon::english()).iter().filter_map(|token| token.span().of(text)).collect()
    }

    #[test]
    fn keeps_contractions_numbers_and_addresses_whole() {
        assert_eq!(
            texts("Don't pay $1,200.50 (see https://a.io/x?y=1.2)."),
            ["Don't", "pay", "$", "1,200.50", "(", "see", "https://a.io/x?y=1.2", ")", "."]
        );
    }

    #[test]
    fn drops_emphasis_and_wraps_code() {
        assert_eq!(
            texts("is **not** _safe_ in `a not b`"),
            ["is", "not", "safe", "in", "`a not b`"]
        );
        assert_eq!(texts("snake_case"), ["snake_case"]);
    }

    #[test]
    fn knows_line_starts() {
        use Kind::{Blank, Break, Bullet, Heading, QuoteLine, Word};
        let kinds: Vec<_> = tokens("# A\n- b\n1. c\n\n> d", Lexicon::english())
            .iter()
            .map(|token| token.kind)
            .collect();
        assert_eq!(
            kinds,
            [Heading, Word, Break, Bullet, Word, Break, Bullet, Word, Blank, QuoteLine, Word]
        );
    }

    proptest::proptest! {
        #[test]
        fn tokens_are_ordered_and_on_boundaries(text in "\\PC{0,80}|[ \\n`*#>0-9.a'-]{0,60}") {
            let mut last = 0;
            for token in tokens(&text, Lexicon::english()) {
                let span = token.span();
                assert!(span.start() >= last && !span.is_empty(), "{span:?}");
                assert!(span.of(&text).is_some());
                last = span.end();
            }
        }
    }
}
