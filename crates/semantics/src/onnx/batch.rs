//! Texts as a model wants them, put together by length.

/// A text or a pair of texts, in ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence {
    /// The ids, with those that mark beginning and end.
    pub(super) ids: Vec<u32>,
    /// How many of them belong to the first text.
    pub(super) first: usize,
    /// Whether there is a single word the vocabulary knows.
    pub(super) says_something: bool,
}

/// Groups the places of sequences of one length, at most `most` together. What is not `wanted` is
/// left out.
pub(super) fn in_batches(
    sequences: &[Sequence],
    most: usize,
    wanted: impl Fn(&Sequence) -> bool,
) -> Vec<Vec<usize>> {
    let length = |at: &usize| sequences.get(*at).map_or(0, |sequence| sequence.ids.len());
    let wanted = |at: &usize| sequences.get(*at).is_some_and(&wanted);
    let mut places: Vec<usize> = (0..sequences.len()).filter(wanted).collect();
    places.sort_by_key(length);
    places
        .chunk_by(|a, b| length(a) == length(b))
        .flat_map(|equal| equal.chunks(most.max(1)).map(<[usize]>::to_vec))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_lengths_share_a_batch() {
        let of = |length: usize| Sequence {
            ids: vec![1; length],
            first: length,
            says_something: length > 0,
        };
        let sequences: Vec<Sequence> = [3, 5, 3, 0, 3, 5].map(of).into();
        let batches = in_batches(&sequences, 2, |sequence| sequence.says_something);
        assert_eq!(batches, [vec![0, 2], vec![4], vec![1, 5]]);
    }
}
