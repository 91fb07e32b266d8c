//! Another choice: one answer stands where another stood, and only one of them can be the answer.
//!
//! "Hire Ann for the job" and "hire Ben for the job", "the culprit is the butler" and "the culprit is
//! the gardener", "the exam is on Monday" and "the exam is on Friday". What may well be both, "the
//! drug is sold in Canada" and "the drug is sold in Japan", is none.

use rebuttal_model::Span;

use super::words::{Gap, LineWord, span};

const DEFINITE: [&str; 9] = ["the", "our", "my", "this", "its", "his", "her", "their", "your"];
const IS: [&str; 5] = ["is", "was", "be", "remains", "are"];
/// Where or when a thing is, of which there is one place or one time.
const HAPPENS: [&str; 33] = [
    "opened",
    "closed",
    "signed",
    "built",
    "founded",
    "born",
    "died",
    "published",
    "launched",
    "completed",
    "invented",
    "is",
    "was",
    "be",
    "lies",
    "lay",
    "sits",
    "stands",
    "starts",
    "started",
    "start",
    "begins",
    "began",
    "begin",
    "ends",
    "ended",
    "end",
    "place",
    "happened",
    "happens",
    "leaves",
    "ships",
    "originated",
];
const AT: [&str; 3] = ["in", "on", "at"];
/// One is chosen.
const CHOOSE: [&str; 8] =
    ["choose", "pick", "select", "appoint", "elect", "nominate", "crown", "prefer"];
/// One is chosen, if it is said for what.
const CHOOSE_FOR: [&str; 8] =
    ["use", "hire", "adopt", "take", "name", "employ", "invite", "promote"];
/// Whoever says what should be done.
const SHOULD: [&str; 12] = [
    "should",
    "must",
    "shall",
    "would",
    "will",
    "recommend",
    "suggest",
    "propose",
    "let's",
    "i'd",
    "to",
    "ought",
];
/// There is one that comes first.
const ONE: [&str; 7] = ["first", "next", "main", "best", "top", "only", "sole"];
const NOT: [&str; 7] = ["not", "never", "no", "shouldn't", "isn't", "won't", "mustn't"];
/// Most words of an answer.
const ANSWER: usize = 3;

/// What was chosen and what is chosen now.
pub(super) fn another(a: &[LineWord], b: &[LineWord], gaps: &[Gap]) -> Option<(Span, Span)> {
    let [gap] = gaps else { return disposed(a, b, gaps) };
    let (one, two) = (a.get(gap.a.clone())?, b.get(gap.b.clone())?);
    let (frame, rest) = (a.get(..gap.a.start)?, a.get(gap.a.end..)?);
    let fits =
        |words: &[LineWord]| (1..=ANSWER).contains(&words.len()) && words.iter().all(answers);
    let denied = frame.iter().chain(rest).any(|word| word.is(&NOT));
    if !fits(one) || !fits(two) || denied {
        return None;
    }
    if is_done(frame, one, two) && rest.iter().any(LineWord::content) {
        return Some((span(a, gap.a.clone())?, span(b, gap.b.clone())?));
    }
    if frame.iter().all(|word| word.is(&DEFINITE)) {
        let told = is_sole(rest).then_some((span(a, gap.a.clone())?, span(b, gap.b.clone())?));
        return told;
    }
    let capitals = |words: &[LineWord]| words.iter().all(|word| word.capital);
    let names = capitals(one) && capitals(two);
    let only = is_the_answer(frame, rest, names) || is_chosen(frame, rest);
    (only || is_there(frame, rest) || is_first(frame, rest))
        .then_some((span(a, gap.a.clone())?, span(b, gap.b.clone())?))
}

/// "Replace the old fleet with vans", "keep the old fleet": another thing is to be done with it, and
/// nothing else is new.
fn disposed(a: &[LineWord], b: &[LineWord], gaps: &[Gap]) -> Option<(Span, Span)> {
    let (first, rest) = gaps.split_first()?;
    let (one, two) = (a.get(first.a.clone())?, b.get(first.b.clone())?);
    let (one, two) = (bare(one), bare(two));
    let new = |gap: &Gap| b.get(gap.b.clone()).is_some_and(|it| it.iter().any(LineWord::content));
    let denied = a.iter().chain(b).any(|word| word.is(&NOT));
    let object = a
        .get(first.a.end..)?
        .iter()
        .any(|word| word.content() && b.iter().skip(first.b.end).any(|other| word.same(other)));
    let done = is_done(a.get(..first.a.start)?, one, two) && object && !rest.iter().any(new);
    (done && !denied).then_some((span(one, 0..one.len())?, span(two, 0..two.len())?))
}

/// Without the article of what comes next.
fn bare(words: &[LineWord]) -> &[LineWord] {
    match words.split_last() {
        Some((last, rest)) if last.is(&DEFINITE) => rest,
        _ => words,
    }
}

/// A word that can be part of a name or of what is named.
fn answers(word: &LineWord) -> bool {
    let time = word.text.contains(':') && word.number();
    let title = word.capital && word.text.len() <= 3;
    time || title
        || is_year(word)
        || (word.content() && !word.number() && !word.text.ends_with("ly"))
}

/// "Repair the pump", "we should rent the house": what is to become of a thing, of which one is done.
fn is_done(frame: &[LineWord], one: &[LineWord], two: &[LineWord]) -> bool {
    const DONE: [&str; 20] = [
        "repair", "mend", "replace", "scrap", "discard", "keep", "sell", "buy", "rent", "lease",
        "demolish", "rebuild", "renovate", "restore", "postpone", "cancel", "approve", "reject",
        "accept", "return",
    ];
    let done = |words: &[LineWord]| matches!(words, [word] if word.is(&DONE));
    done(one) && done(two) && (frame.is_empty() || wants(frame))
}

fn is_year(word: &LineWord) -> bool {
    word.text.parse().is_ok_and(|year: u16| (1000..2200).contains(&year))
}

/// "X is the better candidate", "X was to blame": of what there is only one.
fn is_sole(rest: &[LineWord]) -> bool {
    const SOLE: [&str; 9] =
        ["better", "right", "culprit", "winner", "cause", "reason", "author", "owner", "favourite"];
    const ITS: [[&str; 2]; 2] = [["responsible", "for"], ["to", "blame"]];
    let Some((first, rest)) = rest.split_first().filter(|(first, _)| first.is(&IS)) else {
        return false;
    };
    let superlative = |word: &LineWord| word.text.ends_with("est") && word.text.len() > 4;
    let the = rest.first().is_some_and(|word| word.is(&["the"]));
    let sole = rest
        .iter()
        .skip(1)
        .take(2)
        .any(|word| word.is(&SOLE) || word.is(&ONE) || superlative(word));
    let its = ITS.iter().any(|[one, two]| {
        let says = |at: usize, known: &str| rest.get(at).is_some_and(|word| word.text == known);
        says(0, one) && says(1, two)
    });
    // "Are the best players" leaves room for others.
    (the && sole && !first.is(&["are"])) || its
}

fn last<'w>(words: &'w [LineWord], skip: &[&str]) -> Option<(usize, &'w LineWord)> {
    words.iter().enumerate().rev().find(|(_, word)| !word.is(skip))
}

/// "The winner will be X", "the culprit is the X".
fn is_the_answer(frame: &[LineWord], rest: &[LineWord], names: bool) -> bool {
    let the = frame.last().is_some_and(|word| word.is(&["the"]));
    let is = last(frame, &["the"]).is_some_and(|(_, word)| word.is(&IS));
    let definite = frame.first().is_some_and(|word| word.is(&DEFINITE));
    is && definite && (the || names) && rest.is_empty()
}

/// "The bug is in the X", "the exam is on X".
fn is_there(frame: &[LineWord], rest: &[LineWord]) -> bool {
    let definite = frame.first().is_some_and(|word| word.is(&DEFINITE));
    let Some((at, _)) = last(frame, &["the"]).filter(|(_, word)| word.is(&AT)) else {
        return false;
    };
    let verb = at.checked_sub(1).and_then(|at| frame.get(at));
    definite && verb.is_some_and(|word| word.is(&HAPPENS)) && !rest.iter().any(LineWord::content)
}

/// "We should appoint X", "use X for the orders".
fn is_chosen(frame: &[LineWord], rest: &[LineWord]) -> bool {
    const TO: [&str; 6] = ["the", "a", "an", "our", "for", "with"];
    let Some((at, verb)) = last(frame, &TO) else { return false };
    let what_for = rest.first().is_some_and(|word| word.is(&["for", "as", "to", "in"]));
    let chosen = verb.is(&CHOOSE) || (verb.is(&CHOOSE_FOR) && what_for);
    chosen && (at == 0 || wants(frame))
}

/// "We should open the next shop in X", "let's fix X first".
fn is_first(frame: &[LineWord], rest: &[LineWord]) -> bool {
    let one = |words: &[LineWord]| words.iter().any(|word| word.is(&ONE));
    wants(frame) && (one(rest) || (one(frame) && rest.is_empty()))
}

fn wants(frame: &[LineWord]) -> bool {
    frame.iter().any(|word| word.is(&SHOULD))
}
