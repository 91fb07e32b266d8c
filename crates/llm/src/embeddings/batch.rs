//! Which texts travel together.

use std::ops::Range;

/// Cuts texts of these `lengths` into batches of at most `texts` texts and `bytes` bytes. A text
/// longer than `bytes` travels alone: whether it is too long is for the server to say.
pub(crate) fn batches(
    lengths: impl IntoIterator<Item = usize>,
    texts: usize,
    bytes: usize,
) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut end, mut held) = (0, 0, 0_usize);
    for length in lengths {
        let full = end - start >= texts.max(1) || held.saturating_add(length) > bytes;
        if full && end > start {
            batches.push(start..end);
            (start, held) = (end, 0);
        }
        held = held.saturating_add(length);
        end += 1;
    }
    if end > start {
        batches.push(start..end);
    }
    batches
}

/// The two halves of a batch, if it has two.
pub(crate) fn halves(batch: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let middle = batch.start + batch.len() / 2;
    (batch.len() > 1).then_some([batch.start..middle, middle..batch.end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_limits_hold() {
        assert_eq!(batches([1; 5], 2, 100), [0..2, 2..4, 4..5]);
        assert_eq!(batches([40, 40, 40], 9, 100), [0..2, 2..3]);
        assert_eq!(batches([1, 500, 1], 9, 100), [0..1, 1..2, 2..3]);
        assert_eq!(batches([usize::MAX, usize::MAX], 9, 100), [0..1, 1..2]);
        assert_eq!(batches([1, 1], 0, 0), [0..1, 1..2]);
        assert!(batches([], 2, 100).is_empty());
    }

    #[test]
    fn halving_ends_at_one_text() {
        assert_eq!(halves(&(3..6)), Some([3..4, 4..6]));
        assert_eq!(halves(&(3..4)), None);
    }
}
