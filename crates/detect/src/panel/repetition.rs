//! Who says the same again, word for word.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::AgentId;

use super::{Said, count};

/// Shorter sentences are said again by accident.
const WORDS: usize = 3;

/// The share of this round's sentences that their speakers had said before; none in the first round.
pub(super) fn repetition(said: &[Said<'_>], earlier: &[Said<'_>]) -> Option<f64> {
    if earlier.is_empty() {
        return None;
    }
    let mut before: BTreeMap<&AgentId, BTreeSet<String>> = BTreeMap::new();
    for said in earlier {
        before.entry(said.agent).or_default().extend(sentences(said.text));
    }
    let (mut all, mut again) = (0usize, 0usize);
    for said in said {
        let known = before.get(said.agent);
        for sentence in sentences(said.text) {
            all += 1;
            again += usize::from(known.is_some_and(|known| known.contains(&sentence)));
        }
    }
    (all > 0).then(|| count(again) / count(all))
}

/// The sentences of a text, without case and marks.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    text.split(['.', '!', '?', '\n', ';']).filter_map(|sentence| {
        let words = sentence.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        (words.len() >= WORDS).then(|| words.join(" ").to_lowercase())
    })
}
