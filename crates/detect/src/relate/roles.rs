//! Two words that have changed places: who does it to whom, and which is more than which.
//!
//! "Wind is cheaper than gas" and "gas is cheaper than wind" have all words in common and cannot both
//! hold. With the opposite word between them they say the same: "gas is dearer than wind".

use rebuttal_model::Span;
use rebuttal_text::Tie;

use super::words::{LineWord, span};

/// Two parts of a line that stand in each other's place in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swap {
    /// The part that comes first, in either line.
    pub(crate) a: Span,
    pub(crate) b: Span,
    pub(crate) kind: Swapped,
}

/// What the change of places makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swapped {
    /// All else is the same, and it matters which comes first.
    Turned,
    /// What stands between them is turned round too.
    Back,
}

/// Most words of one part.
const PART: usize = 4;

/// Between two parts these make no difference which comes first.
const EITHER_WAY: [&str; 36] = [
    "and",
    "or",
    "nor",
    "versus",
    "vs",
    "with",
    "like",
    "equals",
    "equal",
    "same",
    "similar",
    "resembles",
    "resemble",
    "near",
    "meets",
    "met",
    "married",
    "differs",
    "differ",
    "different",
    "identical",
    "friend",
    "friends",
    "neighbour",
    "neighbor",
    "twin",
    "partner",
    "partners",
    "sister",
    "brother",
    "cousin",
    "colleague",
    "rival",
    "borders",
    "overlaps",
    "if",
];

/// Words without a meaning of their own that make it matter.
const ONE_WAY: [&str; 9] =
    ["than", "not", "before", "after", "over", "instead", "above", "below", "under"];

const COPULA: [&str; 6] = ["is", "are", "was", "were", "be", "been"];
const ARTICLES: [&str; 3] = ["the", "a", "an"];

/// Whether the lines are the same but for two parts that have changed places.
pub(crate) fn swapped(a: &[LineWord], b: &[LineWord]) -> Option<Swap> {
    let (one, two) = (plain(a), plain(b));
    if one.len() != two.len() {
        return shortened(&one, &two);
    }
    let alike = |(one, two): &(&LineWord, &LineWord)| same(one, two);
    let start = one.iter().zip(&two).take_while(alike).count();
    let end = one.iter().rev().zip(two.iter().rev()).take_while(alike).count();
    let middle = start..one.len().saturating_sub(end);
    let (left, right) = (one.get(middle.clone())?, two.get(middle)?);
    let mut sizes = (1..=PART).flat_map(|first| (1..=PART).map(move |second| (first, second)));
    sizes.find_map(|(first, second)| turned(left, right, first, second))
}

/// The words that count, with the noun that a "one" stands for: "the new engine is louder than the old
/// **one**".
fn plain(words: &[LineWord]) -> Vec<LineWord> {
    let mut found: Vec<LineWord> =
        words.iter().filter(|word| !word.is(&ARTICLES)).cloned().collect();
    let copula = found.iter().position(|word| word.is(&COPULA));
    let noun = copula.and_then(|at| found.get(at.checked_sub(1)?)).cloned();
    if let Some(noun) = noun.filter(LineWord::content) {
        let after = copula.unwrap_or_default();
        for word in found.iter_mut().skip(after).filter(|word| word.is(&["one", "ones"])) {
            (word.text, word.known) = (noun.text.clone(), noun.known);
        }
    }
    found
}

/// "Oil is better for this" after "butter is better than oil for this": the second leaves out what it
/// is better than, and puts it in the place of the first.
fn shortened(a: &[LineWord], b: &[LineWord]) -> Option<Swap> {
    let than = a.iter().position(|word| word.is(&["than"]))?;
    let copula = a.iter().position(|word| word.is(&COPULA)).filter(|at| *at < than)?;
    let (head, middle) = (a.get(..copula)?, a.get(copula..than)?);
    let alike = |one: &[LineWord], two: &[LineWord]| {
        one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same(one, two))
    };
    let says = |words: &[LineWord]| words.iter().any(LineWord::content);
    let denies = |words: &[LineWord]| words.iter().any(|word| word.is(&["not", "no", "never"]));
    (1..=PART)
        .find_map(|size| {
            let other = a.get(than + 1..than + 1 + size)?;
            let rest = a.get(than + 1 + size..)?;
            let (new, end) = (b.get(..size)?, size + middle.len());
            let fits = alike(other, new)
                && b.get(size..end).is_some_and(|words| alike(middle, words))
                && b.get(end..).is_some_and(|words| alike(rest, words));
            let counts = fits && says(head) && says(other) && !denies(middle);
            counts.then(|| Some((span(a, 0..copula)?, span(b, 0..size)?))).flatten()
        })
        .map(|(a, b)| Swap { a, b, kind: Swapped::Turned })
}

/// The same word; what was is compared with what is.
fn same(one: &LineWord, two: &LineWord) -> bool {
    one.text == two.text || (one.is(&COPULA) && two.is(&COPULA))
}

fn turned(left: &[LineWord], right: &[LineWord], first: usize, second: usize) -> Option<Swap> {
    let middle = left.len().checked_sub(first + second).filter(|rest| *rest > 0)?;
    let (head, between, tail) =
        (left.get(..first)?, left.get(first..first + middle)?, left.get(first + middle..)?);
    let (new_head, other, new_tail) =
        (right.get(..second)?, right.get(second..second + middle)?, right.get(second + middle..)?);
    let alike = |one: &[LineWord], two: &[LineWord]| {
        one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same(one, two))
    };
    let says = |words: &[LineWord]| words.iter().any(LineWord::content);
    if !alike(head, new_tail) || !alike(tail, new_head) || !says(head) || !says(tail) {
        return None;
    }
    let kind = if alike(between, other) {
        Some(Swapped::Turned).filter(|_| directed(between))?
    } else {
        Some(Swapped::Back).filter(|_| inverse(between, other))?
    };
    Some(Swap { a: span(left, 0..first)?, b: span(right, 0..second)?, kind })
}

/// Whether it matters on which side of these words a thing stands.
fn directed(between: &[LineWord]) -> bool {
    let has = |words: &[&str]| between.iter().any(|word| word.is(words));
    let says = between.iter().any(|word| word.content() && !word.is(&COPULA));
    !has(&EITHER_WAY) && (says || has(&ONE_WAY))
}

/// "faster than", "slower than".
fn inverse(one: &[LineWord], two: &[LineWord]) -> bool {
    let than = |words: &[LineWord]| words.iter().any(|word| word.is(&["than"]));
    let mut other = one.iter().zip(two).filter(|(one, two)| !same(one, two));
    let first = other.next();
    than(one)
        && than(two)
        && other.next().is_none()
        && first.is_some_and(|(one, two)| one.tie(two) == Some(Tie::Opposite))
}
