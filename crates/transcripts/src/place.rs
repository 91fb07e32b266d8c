//! Where a piece of the input stands: from an offset to a file, a line and bytes.

use std::sync::Arc;

use rebuttal_model::{Source, Span};

/// A piece of a file held in memory, that knows where it was taken from.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    bytes: &'a [u8],
    /// Where in the file the piece begins.
    base: usize,
    /// The line the piece begins on, counted from 1.
    line: u32,
    /// Line feeds before each block; a million turns must not each count from the top.
    marks: Vec<u32>,
}

/// Large enough that the marks stay small, small enough that counting one block is nothing.
const BLOCK: usize = 4096;

impl<'a> Place<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: usize, line: u32) -> Self {
        let mut before = 0_u32;
        let marks = bytes
            .chunks(BLOCK)
            .map(|block| {
                let mark = before;
                before = before.saturating_add(line_feeds(block));
                mark
            })
            .collect();
        Self { bytes, base, line, marks }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The line an offset into the piece stands on.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        let offset = offset.min(self.bytes.len());
        let block = offset / BLOCK;
        let (block, before) = match self.marks.get(block) {
            Some(&before) => (block, before),
            None => (block.saturating_sub(1), self.marks.last().copied().unwrap_or(0)),
        };
        let within = self.bytes.get(block * BLOCK..offset).unwrap_or_default();
        self.line.saturating_add(before).saturating_add(line_feeds(within))
    }

    /// The column an offset stands in, counted in bytes from 1.
    pub(crate) fn column(&self, offset: usize) -> usize {
        let before = self.bytes.get(..offset.min(self.bytes.len())).unwrap_or_default();
        before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1) + 1
    }

    /// The file, line and bytes of a span of the piece.
    pub(crate) fn source(&self, file: &Arc<str>, span: Span) -> Source {
        let span = Span::new(span.start().min(self.bytes.len()), span.end().min(self.bytes.len()));
        Source {
            file: Arc::clone(file),
            line: self.line(span.start()),
            bytes: span.shifted(self.base),
        }
    }
}

fn line_feeds(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_across_blocks() {
        let text = "0123456\n".repeat(3 * BLOCK / 8);
        let place = Place::new(text.as_bytes(), 100, 5);
        for offset in [0, 7, 8, BLOCK - 1, BLOCK, BLOCK + 8, text.len()] {
            let expected = 5 + u32::try_from(offset / 8).unwrap();
            assert_eq!(place.line(offset), expected, "{offset}");
        }
        assert_eq!((place.column(8), place.column(15)), (1, 8));
        let source = place.source(&"f".into(), Span::new(8, 15));
        assert_eq!((source.line, source.bytes), (6, Span::new(108, 115)));
    }

    #[test]
    fn an_empty_piece_has_a_line() {
        assert_eq!(Place::new(b"", 0, 1).line(0), 1);
    }
}
