//! Two lines word for word: which words stand in both, and what stands in their place where they do
//! not.
//!
//! Alignment by meaning ([`pair`](crate::pair)) forgets the order. Who does it to whom, of which thing
//! it is said and what is chosen are told by the order, so here it is kept.

use std::ops::Range;

use rebuttal_model::Span;
use rebuttal_text::{Content, ContentWord, Reading, Tie};

/// Most words of a line that are looked at: the table of two lines has as many cells as both multiplied.
const MOST: usize = 48;

/// One word of a line, in small letters.
#[derive(Clone, Debug)]
pub(crate) struct LineWord {
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) capital: bool,
    /// What is known of it, if it says something.
    pub(crate) known: Option<ContentWord>,
}

impl LineWord {
    pub(crate) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.text.as_str())
    }

    /// Says something about the topic.
    pub(crate) fn content(&self) -> bool {
        self.known.is_some_and(|word| word.content)
    }

    /// How two words stand to each other, by the lists.
    pub(crate) fn tie(&self, other: &Self) -> Option<Tie> {
        self.known.zip(other.known).and_then(|(one, two)| one.tie(&two))
    }

    /// The same word in any form, or one of the same meaning.
    pub(crate) fn same(&self, other: &Self) -> bool {
        let forms = || self.known.zip(other.known).is_some_and(|(one, two)| one.term == two.term);
        let meant = || matches!(self.tie(other), Some(Tie::Same | Tie::Narrower | Tie::Wider));
        self.text == other.text || forms() || meant()
    }

    pub(crate) fn number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// The words of a line in order; none for a text of several sentences or of too many words.
pub(crate) fn words(reading: &Reading<'_>, content: &Content) -> Option<Vec<LineWord>> {
    if reading.sentence_spans().count() != 1 {
        return None;
    }
    let text = reading.original();
    let known = &content.words;
    let found: Vec<LineWord> = split(text)
        .take(MOST + 1)
        .map(|(word, span)| {
            let at = known.partition_point(|it| it.span.start() < span.start());
            LineWord {
                text: word.to_lowercase(),
                span,
                capital: word.starts_with(char::is_uppercase),
                known: known.get(at).filter(|it| it.span.overlaps(span)).copied(),
            }
        })
        .collect();
    (!found.is_empty() && found.len() <= MOST).then_some(found)
}

/// The words of a text with their places; "1.4", "22:15" and "short-term" are one word each.
pub(crate) fn split(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let inside = |c: char| c.is_alphanumeric() || "'’-.:".contains(c);
    text.split(move |c: char| !inside(c)).filter_map(move |raw| {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (!word.is_empty()).then(|| (word, Span::new(start, start + word.len())))
    })
}

/// Words of one line in place of which other words stand in the other; one of the two may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) a: Range<usize>,
    pub(crate) b: Range<usize>,
}

/// What differs between two lines that have as many words as possible in common, in order.
pub(crate) fn gaps(a: &[LineWord], b: &[LineWord]) -> Vec<Gap> {
    let mut found: Vec<Gap> = Vec::new();
    let (mut at_a, mut at_b) = (0, 0);
    for (one, two) in common(a, b).into_iter().chain([(a.len(), b.len())]) {
        if at_a < one || at_b < two {
            found.push(Gap { a: at_a..one, b: at_b..two });
        }
        (at_a, at_b) = (one + 1, two + 1);
    }
    found
}

/// The longest run of pairs of the same words, in the order of both.
fn common(a: &[LineWord], b: &[LineWord]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut table = vec![0u16; (a.len() + 1) * width];
    let cell = |table: &[u16], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    let agree: Vec<bool> = a.iter().flat_map(|one| b.iter().map(|two| one.same(two))).collect();
    let same = |i: usize, j: usize| agree.get(i * b.len() + j).copied().unwrap_or(false);
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let best = if same(i, j) {
                cell(&table, i + 1, j + 1) + 1
            } else {
                cell(&table, i + 1, j).max(cell(&table, i, j + 1))
            };
            if let Some(slot) = table.get_mut(i * width + j) {
                *slot = best;
            }
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if same(i, j) {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if cell(&table, i + 1, j) >= cell(&table, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// The bytes of some of a line's words.
pub(crate) fn span(words: &[LineWord], range: Range<usize>) -> Option<Span> {
    let words = words.get(range)?;
    Some(words.first()?.span.join(words.last()?.span))
}
