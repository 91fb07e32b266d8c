//! Two subjects: what is said of one does not deny what is said of the other.
//!
//! "The front tyre is flat" and "the rear tyre is not flat" both hold. Where something stands in the
//! subject of one line in place of which something else stands in the subject of the other, the lines
//! are on two things, whatever else is said. Words that the lists know to mean the same stand for each
//! other; who says "the physician" after "the doctor" is not understood where the lists do not know it.

use std::ops::Range;

use rebuttal_model::Span;
use rebuttal_text::Tie;

use super::words::{Gap, LineWord, span};

/// Verbs that end a subject, and words that come between it and its verb.
const VERBS: [&str; 54] = [
    "is",
    "are",
    "was",
    "were",
    "be",
    "has",
    "have",
    "had",
    "will",
    "would",
    "should",
    "shall",
    "could",
    "can",
    "cannot",
    "may",
    "might",
    "must",
    "does",
    "do",
    "did",
    "need",
    "needs",
    "remains",
    "remain",
    "became",
    "becomes",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "won't",
    "wouldn't",
    "shouldn't",
    "couldn't",
    "can't",
    "mustn't",
    "doesn't",
    "don't",
    "didn't",
    "hasn't",
    "haven't",
    "hadn't",
    "never",
    "not",
    "always",
    "ought",
    "seems",
    "looks",
    "went",
    "goes",
    "go",
    "got",
    "gets",
];

/// Subjects that say how many and not which, or point at what was named before.
const NO_THING: [&str; 48] = [
    "i",
    "we",
    "you",
    "they",
    "he",
    "she",
    "it",
    "this",
    "that",
    "there",
    "these",
    "those",
    "who",
    "all",
    "every",
    "everyone",
    "everybody",
    "everything",
    "each",
    "any",
    "anyone",
    "anybody",
    "both",
    "no",
    "nobody",
    "none",
    "nothing",
    "neither",
    "only",
    "most",
    "many",
    "some",
    "someone",
    "few",
    "several",
    "hardly",
    "half",
    "two",
    "three",
    "four",
    "five",
    "ten",
    "one",
    "if",
    "when",
    "what",
    "yes",
    "nor",
];

/// The subjects of two lines, where they name two things.
pub(super) fn apart(a: &[LineWord], b: &[LineWord], gaps: &[Gap]) -> Option<(Span, Span)> {
    let (end_a, end_b) = (verb(a), verb(b));
    let (slot_a, slot_b) = if end_a.is_none() && end_b.is_none() {
        opening(a, b, gaps)?
    } else {
        before_verbs(a, b, gaps, (end_a, end_b))?
    };
    let told = is_new(a, &slot_a, b) && is_new(b, &slot_b, a);
    if !told || counts(a, &slot_a) || counts(b, &slot_b) {
        return None;
    }
    Some((span(a, slot_a)?, span(b, slot_b)?))
}

/// "A third of the voters", "60 percent": how many of one thing. What else comes before an "of" is the
/// thing itself, and what comes behind it only tells whose it is: "the roof of the chapel".
fn counts(words: &[LineWord], slot: &Range<usize>) -> bool {
    const MANY_OF: [&str; 27] = [
        "amount",
        "bulk",
        "couple",
        "dozen",
        "dozens",
        "fraction",
        "half",
        "halves",
        "handful",
        "hundreds",
        "lot",
        "lots",
        "majority",
        "millions",
        "minority",
        "most",
        "much",
        "number",
        "part",
        "parts",
        "plenty",
        "proportion",
        "quarter",
        "rest",
        "share",
        "thousands",
        "third",
    ];
    let head = slot.end.checked_sub(1).and_then(|at| words.get(at));
    let counted = |word: &LineWord| word.is(&MANY_OF) || word.number();
    // "A dose of 30 mg is": a number before what it counts; "server 12 is" has it behind its name.
    let measure = || {
        let alone = words
            .get(slot.clone())
            .is_some_and(|it| it.len() == 1 && it.iter().all(LineWord::number));
        let the = slot.start.checked_sub(1).and_then(|at| words.get(at));
        alone && !the.is_some_and(|word| word.is(&["the"]))
    };
    match words.get(slot.end) {
        Some(next) if next.is(&["percent"]) => true,
        Some(next) if next.content() && !next.is(&VERBS) && measure() => true,
        Some(next) if next.is(&["of"]) => head.is_some_and(counted),
        _ => false,
    }
}

/// What differs in front of the verbs.
fn before_verbs(
    a: &[LineWord],
    b: &[LineWord],
    gaps: &[Gap],
    (end_a, end_b): (Option<usize>, Option<usize>),
) -> Option<(Range<usize>, Range<usize>)> {
    let end_a = end_a.or_else(|| answering(a, b, end_b))?;
    let end_b = end_b.or_else(|| answering(b, a, Some(end_a)))?;
    if names_none(a.get(..end_a)?) || names_none(b.get(..end_b)?) {
        return None;
    }
    let clip = |range: &Range<usize>, end: usize| range.start..range.end.min(end);
    let mut inside = gaps.iter().map(|gap| (clip(&gap.a, end_a), clip(&gap.b, end_b)));
    inside.find(|(one, two)| names(a, one) && names(b, two))
}

fn verb(words: &[LineWord]) -> Option<usize> {
    // "May" is a month.
    words.iter().position(|word| word.is(&VERBS) && !word.capital).filter(|at| *at > 0)
}

/// Where the verb of a line without a known one stands, by the other's: "does not **conduct**".
fn answering(words: &[LineWord], other: &[LineWord], end: Option<usize>) -> Option<usize> {
    let rest = other.get(end?..)?;
    let main = rest.iter().find(|word| word.content() && !word.is(&VERBS))?;
    words.iter().position(|word| word.same(main)).filter(|at| *at > 0)
}

fn names_none(subject: &[LineWord]) -> bool {
    subject.iter().any(|word| word.is(&NO_THING))
}

/// A slot with a word in it that can tell one thing from another.
fn names(words: &[LineWord], slot: &Range<usize>) -> bool {
    let tells = |word: &LineWord| (word.content() || word.number()) && !word.text.ends_with("ly");
    let all = words.get(slot.clone()).unwrap_or_default();
    // A leading number counts: "40 schools" and "50 schools" are of one kind.
    let counted = slot.start == 0 && all.first().is_some_and(LineWord::number);
    all.iter().any(tells) && !counted
}

/// The other line does not speak of it anywhere.
fn is_new(words: &[LineWord], slot: &Range<usize>, other: &[LineWord]) -> bool {
    let known = |word: &LineWord| word.content() && other.iter().any(|it| it.same(word));
    !words.get(slot.clone()).unwrap_or_default().iter().any(known)
}

/// Without a verb that is known: what opens both lines, if something later differs too.
fn opening(a: &[LineWord], b: &[LineWord], gaps: &[Gap]) -> Option<(Range<usize>, Range<usize>)> {
    let first = gaps.first()?;
    let before = a.get(..first.a.start)?;
    // "The red team": nothing but words like "the" and a title may come first.
    let opens = before.iter().all(|word| !word.content() || word.capital);
    if !opens || names_none(before) || first.a.start != first.b.start {
        return None;
    }
    let whole = |gap: &Gap| (gap.a.clone(), gap.b.clone());
    let (one, two) = if gaps.len() > 1 { whole(first) } else { opposed(a, b, first)? };
    let spoken = |words: &[LineWord], slot: &Range<usize>| {
        names(words, slot) && !names_none(words.get(slot.clone()).unwrap_or_default())
    };
    (spoken(a, &one) && spoken(b, &two)).then_some((one, two))
}

/// "Exports rose", "imports fell": two words that differ, of which the second is the verb.
fn opposed(a: &[LineWord], b: &[LineWord], gap: &Gap) -> Option<(Range<usize>, Range<usize>)> {
    let (one, two) = (a.get(gap.a.clone())?, b.get(gap.b.clone())?);
    if one.len() != two.len() || one.len() < 2 {
        return None;
    }
    let excludes = |one: &LineWord, two: &LineWord| {
        matches!(one.tie(two), Some(Tie::Opposite | Tie::Exclusive | Tie::Other))
    };
    let verb = one.iter().zip(two).skip(1).position(|(one, two)| excludes(one, two));
    let named = |word: &LineWord| word.known.is_some_and(|word| word.named);
    let (first, second) = (one.first()?, two.first()?);
    let two_of_a_kind = excludes(first, second) || (named(first) && named(second));
    let size = verb.map(|at| at + 1).or(two_of_a_kind.then_some(1))?;
    Some((gap.a.start..gap.a.start + size, gap.b.start..gap.b.start + size))
}
