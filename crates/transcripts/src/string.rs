//! JSON strings: escapes, halves of surrogate pairs, and the way back from text to bytes.

use std::borrow::Cow;

/// One escape sequence, and how many bytes it takes.
pub(crate) enum Escape {
    Char(char, usize),
    /// Half a surrogate pair; shown as U+FFFD.
    Lone(usize),
    /// The text ends inside.
    Cut,
    Wrong,
}

/// Reads the escape sequence `bytes` starts with.
pub(crate) fn escape(bytes: &[u8]) -> Escape {
    let simple = match bytes.get(1) {
        None => return Escape::Cut,
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        Some(_) => return Escape::Wrong,
    };
    Escape::Char(simple, 2)
}

fn unicode(bytes: &[u8]) -> Escape {
    if bytes.len() < 6 {
        return Escape::Cut;
    }
    let Some(first) = hex(bytes.get(2..6)) else { return Escape::Wrong };
    if !(0xD800..0xE000).contains(&first) {
        return char::from_u32(first).map_or(Escape::Wrong, |c| Escape::Char(c, 6));
    }
    let second = match bytes.get(6..8) {
        Some(b"\\u") => hex(bytes.get(8..12)),
        _ => None,
    };
    match second {
        Some(second) if first < 0xDC00 && (0xDC00..0xE000).contains(&second) => {
            let joined = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            char::from_u32(joined).map_or(Escape::Lone(6), |c| Escape::Char(c, 12))
        }
        _ => Escape::Lone(6),
    }
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |sum, &digit| Some(sum * 16 + char::from(digit).to_digit(16)?))
}

/// The text of an encoded string, without its quotes.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', bytes).is_none() {
        return String::from_utf8_lossy(bytes);
    }
    let mut text = String::with_capacity(bytes.len());
    for (piece, _) in Pieces::new(bytes) {
        text.push_str(&piece);
    }
    Cow::Owned(text)
}

/// Where the bytes of a decoded text stand in its encoded form. `offsets` must ascend.
pub(crate) fn encoded_offsets(bytes: &[u8], offsets: &[usize]) -> Vec<usize> {
    let mut found = Vec::with_capacity(offsets.len());
    let mut wanted = offsets.iter().copied().peekable();
    let mut decoded = 0;
    let mut encoded = 0;
    for (piece, len) in Pieces::new(bytes) {
        while let Some(offset) = wanted.next_if(|&offset| offset < decoded + piece.len()) {
            // Inside a run of plain text both forms advance together; a replaced character
            // points at its start.
            let within = if piece.len() == len { offset - decoded } else { 0 };
            found.push(encoded + within);
        }
        decoded += piece.len();
        encoded += len;
    }
    found.extend(wanted.map(|_| bytes.len()));
    found
}

/// An encoded string in pieces: runs of plain text, escapes, runs of bad bytes. Each comes with
/// the number of bytes it takes in the encoded form.
struct Pieces<'a> {
    rest: &'a [u8],
}

impl<'a> Pieces<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (head, tail) = self.rest.split_at(len.min(self.rest.len()));
        self.rest = tail;
        head
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (Cow<'a, str>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let first = *self.rest.first()?;
        if first == b'\\' {
            let (c, len) = match escape(self.rest) {
                Escape::Char(c, len) => (c, len),
                Escape::Lone(len) => (char::REPLACEMENT_CHARACTER, len),
                Escape::Cut | Escape::Wrong => (char::REPLACEMENT_CHARACTER, 1),
            };
            let len = self.take(len).len();
            return Some((Cow::Owned(c.to_string()), len));
        }
        let run = memchr::memchr(b'\\', self.rest).unwrap_or(self.rest.len());
        let run = self.rest.get(..run).unwrap_or_default();
        let valid = run.utf8_chunks().next()?;
        if valid.valid().is_empty() {
            let len = self.take(valid.invalid().len()).len();
            return Some((Cow::Borrowed("\u{FFFD}"), len));
        }
        let len = valid.valid().len();
        let text = std::str::from_utf8(self.take(len)).unwrap_or_default();
        Some((Cow::Borrowed(text), len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_every_escape() {
        assert_eq!(decode(br#"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"#), "a\"\\/\u{8}\u{c}\n\r\té😀");
    }

    #[test]
    fn half_a_pair_is_replaced() {
        assert_eq!(decode(br"x\ud83dy"), "x\u{FFFD}y");
        assert_eq!(decode(br"\ude00\ud83d"), "\u{FFFD}\u{FFFD}");
        assert_eq!(decode(b"a\xffb"), "a\u{FFFD}b");
        assert_eq!(decode(b"a\xffb\\n"), "a\u{FFFD}b\n");
    }

    #[test]
    fn finds_the_way_back() {
        let encoded = br#"one\ntwo \"three\" four"#;
        let decoded = decode(encoded);
        let offsets = [0, decoded.find("two").unwrap(), decoded.find("four").unwrap()];
        let back = encoded_offsets(encoded, &offsets);
        assert_eq!(back, [0, 5, 19]);
        assert!(encoded[back[2]..].starts_with(b"four"));
        assert_eq!(encoded_offsets(encoded, &[decoded.len()]), [encoded.len()]);
    }
}
