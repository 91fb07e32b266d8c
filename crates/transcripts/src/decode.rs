//! Text with bad bytes in it, and the way back to the bytes.

use std::borrow::Cow;

use rebuttal_model::{ProblemKind, Span, limits};

use crate::session::Cx;

/// A text in which every bad byte became U+FFFD.
pub(crate) struct Decoded<'a> {
    text: Cow<'a, str>,
    /// After each replaced place: where the text goes on, and where the bytes do.
    breaks: Vec<(usize, usize)>,
    first_bad: Option<usize>,
    nuls: usize,
    first_nul: Option<usize>,
}

impl<'a> Decoded<'a> {
    /// `None` when so much is bad that it is not text.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let nuls = memchr::memchr_iter(0, bytes).count();
        let first_nul = memchr::memchr(0, bytes);
        if let Ok(text) = std::str::from_utf8(bytes) {
            let text = Cow::Borrowed(text);
            return Some(Self { text, breaks: Vec::new(), first_bad: None, nuls, first_nul });
        }
        let mut text = String::with_capacity(bytes.len());
        let mut breaks = Vec::new();
        let mut first_bad = None;
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            at += chunk.valid().len();
            if chunk.invalid().is_empty() {
                continue;
            }
            first_bad = first_bad.or(Some(at));
            text.push(char::REPLACEMENT_CHARACTER);
            at += chunk.invalid().len();
            breaks.push((text.len(), at));
            if breaks.len() > limits::BAD_BYTES {
                return None;
            }
        }
        Some(Self { text: Cow::Owned(text), breaks, first_bad, nuls, first_nul })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes a span of the text came from.
    pub(crate) fn original(&self, span: Span) -> Span {
        Span::new(self.offset(span.start()), self.offset(span.end()))
    }

    fn offset(&self, offset: usize) -> usize {
        let passed = self.breaks.partition_point(|(text, _)| *text <= offset);
        match passed.checked_sub(1).and_then(|last| self.breaks.get(last)) {
            Some((text, bytes)) => bytes + (offset - text),
            None => offset,
        }
    }

    /// Reports what was replaced, and NUL bytes, which text does not have.
    pub(crate) fn report(&self, cx: &mut Cx<'_, '_>) {
        if let Some(first) = self.first_bad {
            let message = format!(
                "{} places are not UTF-8, the first one here; they were replaced by U+FFFD",
                self.breaks.len()
            );
            cx.problem(ProblemKind::Encoding, Span::new(first, first), &message);
        }
        if let Some(first) = self.first_nul {
            let message = format!("{} NUL bytes, the first one here; they were kept", self.nuls);
            cx.problem(ProblemKind::Encoding, Span::new(first, first), &message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_passes_over_what_was_replaced() {
        let bytes = b"ab\xffcd\xff\xfeef";
        let decoded = Decoded::new(bytes).unwrap();
        assert_eq!(decoded.text(), "ab\u{FFFD}cd\u{FFFD}\u{FFFD}ef");
        let start = decoded.text().find("ef").unwrap();
        let span = decoded.original(Span::new(start, start + 2));
        assert_eq!(&bytes[span.start()..span.end()], b"ef");
        let span = decoded.original(Span::new(5, 7));
        assert_eq!(&bytes[span.start()..span.end()], b"cd");
    }

    #[test]
    fn noise_is_not_text() {
        assert!(Decoded::new(&[0xff; limits::BAD_BYTES + 1]).is_none());
    }
}
