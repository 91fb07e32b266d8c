//! What somebody meant who wrote something close to it.

/// Letters looked at. Longer words are nobody's slip, and would take quadratic time.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, unless none is near.
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    // Two letters in five wrong is a slip (a swap counts as two); more is another word.
    let most = (word.chars().take(LONGEST).count() * 2 / 5).max(1);
    let distances = candidates.iter().map(|candidate| (distance(word, candidate), *candidate));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, candidate)| candidate)
}

/// How many letters must be added, dropped or changed to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().flat_map(char::to_lowercase).take(LONGEST).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, a) in from.chars().flat_map(char::to_lowercase).take(LONGEST).enumerate() {
        let mut next = vec![line + 1];
        for ((b, change), drop) in to.iter().zip(&row).zip(row.iter().skip(1)) {
            let add = next.last().copied().unwrap_or_default();
            next.push((change + usize::from(a != *b)).min(add + 1).min(drop + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("Cache", "cache"), 0);
    }

    #[test]
    fn slips_are_seen_and_other_words_are_not() {
        let known = ["embeddings", "inference", "cache", "threads"];
        assert_eq!(nearest("embedings", &known), Some("embeddings"));
        assert_eq!(nearest("thread", &known), Some("threads"));
        assert_eq!(nearest("cahce", &known), Some("cache"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("", &known), None);
        assert_eq!(nearest(&"x".repeat(100_000), &["y"]), None);
    }
}
