//! A range of bytes in some text.

use serde::{Deserialize, Serialize};

/// A range of bytes. Invariant: `start <= end`.
///
/// A span does not know which text it belongs to; the type that holds it says so. Spans shown to
/// users always refer to the *original* text, never to a normalised copy.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[must_use]
#[serde(try_from = "(usize, usize)", into = "(usize, usize)")]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`; an `end` before `start` gives an empty
    /// span at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The first byte.
    pub fn start(self) -> usize {
        self.start
    }

    /// One past the last byte.
    pub fn end(self) -> usize {
        self.end
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True when the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True when `other` lies wholly inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True when the two share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The range moved `offset` bytes further on.
    pub fn shifted(self, offset: usize) -> Span {
        Span::new(self.start.saturating_add(offset), self.end.saturating_add(offset))
    }

    /// The text under the span, or `None` when it does not fit `text`.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

impl TryFrom<(usize, usize)> for Span {
    type Error = &'static str;

    fn try_from((start, end): (usize, usize)) -> Result<Self, Self::Error> {
        if start <= end {
            Ok(Self { start, end })
        } else {
            Err("a span cannot end before it starts")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_text() {
        assert_eq!(Span::new(3, 6).of("an old oak"), Some("old"));
        assert_eq!(Span::new(3, 60).of("an old oak"), None);
        assert_eq!(Span::new(1, 2).of("é"), None, "never splits a character");
    }

    #[test]
    fn a_backward_span_does_not_parse() {
        assert!(serde_json::from_str::<Span>("[5,2]").is_err());
        assert_eq!(serde_json::from_str::<Span>("[2,5]").unwrap(), Span::new(2, 5));
    }

    proptest::proptest! {
        #[test]
        fn join_contains_both(a in 0usize..99, b in 0usize..99, c in 0usize..99, d in 0usize..99) {
            let (one, two) = (Span::new(a, b), Span::new(c, d));
            assert!(one.join(two).contains(one) && one.join(two).contains(two));
        }
    }
}
