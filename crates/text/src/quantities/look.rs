//! Small looks ahead and back in a text.
//!
//! Every look is bounded by a constant, except those that the caller then skips over; that is
//! what keeps the readers of quantities, periods and citations linear on any input.

use std::ops::Deref;

/// Longest word that any reader compares, in bytes.
pub(crate) const WORD_BYTES_MAX: usize = 24;
/// Most blanks that may stand between two words that belong together.
const BLANKS_MAX: usize = 3;

/// Where things of interest may start: for each byte, one bit for each byte that may follow.
///
/// Almost nothing in a text is of interest; a table tells so without a branch to mispredict. It
/// only keeps the last five bits of the second byte, so it may say yes where the answer is no.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts([u32; 256]);

impl Starts {
    /// Words that begin with these pairs, given in lower case, in any case.
    #[expect(clippy::indexing_slicing, reason = "runs in the compiler: a bad index does not build")]
    pub(crate) const fn pairs(pairs: &[&[u8; 2]]) -> Self {
        let mut table = [0; 256];
        let mut at = 0;
        while at < pairs.len() {
            let [first, second] = *pairs[at];
            let bit = 1 << (second & 31);
            table[first as usize] |= bit;
            table[first.to_ascii_uppercase() as usize] |= bit;
            at += 1;
        }
        Self(table)
    }

    /// Also whatever begins with one of these bytes.
    #[expect(clippy::indexing_slicing, reason = "runs in the compiler: a bad index does not build")]
    pub(crate) const fn and(self, bytes: &[u8]) -> Self {
        let Self(mut table) = self;
        let mut at = 0;
        while at < bytes.len() {
            table[bytes[at] as usize] = u32::MAX;
            at += 1;
        }
        Self(table)
    }

    /// What starts like either.
    #[expect(clippy::indexing_slicing, reason = "runs in the compiler: a bad index does not build")]
    pub(crate) const fn or(self, other: Self) -> Self {
        let Self(mut table) = self;
        let mut at = 0;
        while at < table.len() {
            table[at] |= other.0[at];
            at += 1;
        }
        Self(table)
    }

    /// True when what begins with these two bytes may be of interest.
    #[inline]
    pub(crate) fn may_hold(&self, first: u8, second: u8) -> bool {
        self.0.get(usize::from(first)).is_some_and(|bits| bits >> (second & 31) & 1 == 1)
    }
}

/// True for letters, digits and the underscore.
const IS_WORD: [bool; 256] = is_word_table();

#[expect(clippy::indexing_slicing, reason = "runs in the compiler: a bad index does not build")]
const fn is_word_table() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
}

/// True for what a word, a number or a name of a program is made of, in ASCII.
#[inline]
pub(crate) fn is_word_byte(byte: u8) -> bool {
    IS_WORD.get(usize::from(byte)).is_some_and(|is| *is)
}

/// A text to look around in. Offsets past the end read as nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'t> {
    text: &'t str,
}

impl<'t> Look<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// The byte at `at`, or 0 past the end.
    pub(crate) fn byte(self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The byte before `at`, or 0 at the start.
    pub(crate) fn byte_before(self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    pub(crate) fn char(self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    pub(crate) fn char_before(self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    pub(crate) fn slice(self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(crate) fn rest(self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// True when `wanted` stands at `at`, in any case.
    pub(crate) fn has(self, at: usize, wanted: &str) -> bool {
        let bytes = self.text.as_bytes().get(at..at.saturating_add(wanted.len()));
        bytes.is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes()))
    }

    /// The ASCII letters from `at`; nothing when the word is longer than any that matters.
    pub(crate) fn word(self, at: usize) -> &'t str {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let ahead = rest.iter().take(WORD_BYTES_MAX + 1).position(|it| !it.is_ascii_alphabetic());
        let length = ahead.unwrap_or(rest.len());
        if length > WORD_BYTES_MAX { "" } else { self.slice(at, at + length) }
    }

    /// The ASCII letters just before `at`, blanks between allowed, and where they start.
    pub(crate) fn word_before(self, at: usize) -> (usize, &'t str) {
        let end = self.blanks_before(at);
        let before = self.text.as_bytes().get(..end).unwrap_or_default().iter().rev();
        let length = before.take(WORD_BYTES_MAX + 1).take_while(|it| it.is_ascii_alphabetic());
        match length.count() {
            length if length > WORD_BYTES_MAX => (end, ""),
            length => (end - length, self.slice(end - length, end)),
        }
    }

    /// `at`, or where the few blanks there end. A line may be wrapped once, not left blank.
    pub(crate) fn blanks(self, at: usize) -> usize {
        let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n');
        // Between most words stands one space.
        if !is_blank(self.byte(at)) {
            return at;
        }
        if self.byte(at) == b' ' && !is_blank(self.byte(at + 1)) {
            return at + 1;
        }
        let ahead = (0..BLANKS_MAX).find(|&n| !is_blank(self.byte(at + n))).unwrap_or(BLANKS_MAX);
        let newlines = self.slice(at, at + ahead).bytes().filter(|&byte| byte == b'\n').count();
        if newlines > 1 { at } else { at + ahead }
    }

    /// `at`, or where the few blanks before it start.
    pub(crate) fn blanks_before(self, at: usize) -> usize {
        let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n');
        let last = self.byte_before(at);
        if !is_blank(last) {
            return at;
        }
        if last == b' ' && !is_blank(self.byte_before(at - 1)) {
            return at - 1;
        }
        let back = (0..BLANKS_MAX).find(|&n| at < n + 1 || !is_blank(self.byte(at - n - 1)));
        let start = at - back.unwrap_or(BLANKS_MAX.min(at));
        let newlines = self.slice(start, at).bytes().filter(|&byte| byte == b'\n').count();
        if newlines > 1 { at } else { start }
    }

    /// Where the letters, digits and underscores from `at` end. Unbounded: skip over them.
    pub(crate) fn run_end(self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let is_run = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        at + rest.iter().position(|byte| !is_run(byte)).unwrap_or(rest.len())
    }

    /// How many digits stand at `at`, counted no further than `most + 1`.
    pub(crate) fn digits(self, at: usize, most: usize) -> usize {
        (0..=most).find(|&n| !self.byte(at + n).is_ascii_digit()).unwrap_or(most + 1)
    }

    /// The number that exactly `count` digits at `at` write, when no further digit follows.
    pub(crate) fn number(self, at: usize, count: usize) -> Option<u32> {
        (self.digits(at, count) == count)
            .then(|| self.slice(at, at + count).bytes())
            .map(|digits| digits.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    }

    /// True when a letter, digit or underscore stands at `at`: what ends there is no whole word.
    pub(crate) fn is_glued(self, at: usize) -> bool {
        match self.byte(at) {
            byte if byte.is_ascii() => byte.is_ascii_alphanumeric() || byte == b'_',
            _ => self.char(at).is_some_and(char::is_alphanumeric),
        }
    }

    /// True when a letter, digit or underscore stands just before `at`.
    pub(crate) fn is_glued_before(self, at: usize) -> bool {
        match self.byte_before(at) {
            byte if byte.is_ascii() => byte.is_ascii_alphanumeric() || byte == b'_',
            _ => self.char_before(at).is_some_and(char::is_alphanumeric),
        }
    }

    /// Where the URL, path or address that starts at `at` ends. Unbounded: skip over it.
    pub(crate) fn solid_end(self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let is_end = |byte: &u8| matches!(byte, 0..=b' ' | b'<' | b'>' | b'"' | b'`');
        at + rest.iter().position(is_end).unwrap_or(rest.len())
    }
}

/// A short word in lower case, without a place on the heap.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lower<'t> {
    /// The word was in lower case already, as most are.
    Same(&'t str),
    /// A copy of this many bytes.
    Folded([u8; WORD_BYTES_MAX], usize),
}

impl<'t> Lower<'t> {
    /// `word` in lower case; nothing when it is too long or not ASCII.
    pub(crate) fn new(word: &'t str) -> Self {
        let (mut all, mut capital) = (0, false);
        for byte in word.bytes() {
            all |= byte;
            capital |= byte.is_ascii_uppercase();
        }
        if word.len() > WORD_BYTES_MAX || !all.is_ascii() {
            return Self::Same("");
        }
        if !capital {
            return Self::Same(word);
        }
        let mut bytes = [0; WORD_BYTES_MAX];
        for (lower, byte) in bytes.iter_mut().zip(word.bytes()) {
            *lower = byte.to_ascii_lowercase();
        }
        Self::Folded(bytes, word.len())
    }
}

impl Deref for Lower<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Same(word) => word,
            Self::Folded(bytes, len) => {
                bytes.get(..*len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_both_ways() {
        let look = Look::new("over  five ms\n\nend");
        assert_eq!(look.word(6), "five");
        assert_eq!(look.word_before(6), (0, "over"));
        assert_eq!(look.word_before(0), (0, ""));
        assert_eq!(look.blanks(13), 13, "a blank line parts");
        assert_eq!(look.digits(0, 3), 0);
        assert_eq!(&*Lower::new("OVER"), "over");
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in ".{0,30}", at in 0usize..64) {
            let look = Look::new(&text);
            look.word(at);
            look.word_before(at.min(text.len()));
            look.blanks_before(at.min(text.len()));
            look.blanks(at);
            look.number(at, 4);
            look.is_glued(at);
            look.is_glued_before(at);
        }
    }
}
