//! A text longer than a model's window is read in pieces that end where sentences end.

use std::ops::Range;

use crate::WordPiece;

/// Pieces of a long text that are read; of more, as many are taken evenly over the text, so that
/// a megabyte costs no more than a chapter.
pub(crate) const MOST_WINDOWS: usize = 48;

/// Where sentences end, as vocabulary ids.
#[derive(Debug)]
pub(crate) struct Ends(Vec<u32>);

impl Ends {
    pub(crate) fn new(pieces: &WordPiece) -> Self {
        let mut ids = Vec::new();
        pieces.encode_into(". ! ? ;", &mut ids);
        Self(ids)
    }

    /// Ranges of at most `room` tokens that cover `ids`, or [`MOST_WINDOWS`] of them.
    pub(crate) fn windows(&self, ids: &[u32], room: usize) -> Vec<Range<usize>> {
        let room = room.max(1);
        let mut windows = Vec::new();
        let mut start = 0;
        while start < ids.len() {
            let full = (start + room).min(ids.len());
            let end = if full == ids.len() { full } else { self.cut(ids, start, full) };
            windows.push(start..end);
            start = end;
        }
        thinned(windows)
    }

    /// The last sentence end in the second half of the window, or its edge.
    fn cut(&self, ids: &[u32], start: usize, full: usize) -> usize {
        let half = start + (full - start) / 2;
        let tail = ids.get(half..full).unwrap_or_default();
        let last = tail.iter().rposition(|id| self.0.contains(id));
        last.map_or(full, |at| half + at + 1)
    }
}

fn thinned(windows: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let count = windows.len();
    if count <= MOST_WINDOWS {
        return windows;
    }
    let kept = |index: &usize| index * MOST_WINDOWS / count != (index + 1) * MOST_WINDOWS / count;
    windows.into_iter().enumerate().filter(|(index, _)| kept(index)).map(|(_, w)| w).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_the_text_and_end_at_sentences() {
        let ends = Ends(vec![7]);
        let ids = [1, 2, 3, 7, 1, 2, 3, 4, 5, 7, 1];
        assert_eq!(ends.windows(&ids, 20).first(), Some(&(0..11)));
        assert_eq!(ends.windows(&ids, 6), [0..4, 4..10, 10..11]);
        assert_eq!(ends.windows(&[1; 5], 2), [0..2, 2..4, 4..5]);
        assert_eq!(ends.windows(&[], 2), Vec::<Range<usize>>::new());
    }

    #[test]
    fn a_huge_text_is_sampled_evenly() {
        let windows = Ends(Vec::new()).windows(&vec![1; 100_000], 10);
        assert_eq!(windows.len(), MOST_WINDOWS);
        assert!(windows.last().is_some_and(|last| last.start > 95_000));
    }
}
