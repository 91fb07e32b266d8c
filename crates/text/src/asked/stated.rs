//! The options that a question states in its own words.
//!
//! Read in this order: a list of lettered or numbered lines; "A or B?" with short sides; a question
//! that yes or no answers; one that asks how much. What is none of these can be answered with
//! anything.

use super::words::{ASKS, SUBJECTS, VERBS, is_count, listed, tail};
use super::{Asked, Choice};

/// Most words of an option found in "A or B?". What is longer is half a sentence.
const WORDS: usize = 6;

/// Those of them after which no verb follows, but what somebody or something is.
const BE: [&str; 7] = ["is", "are", "was", "were", "am", "isn't", "aren't"];
/// Words that ask for one of several things.
const WHICH: [&str; 6] = ["which", "what", "who", "whom", "where", "between"];
/// Words that begin what is said about all options, after the last.
const AFTER: [&str; 14] = [
    "for",
    "as",
    "when",
    "if",
    "given",
    "considering",
    "assuming",
    "next",
    "this",
    "now",
    "today",
    "here",
    "instead",
    "then",
];
/// Words that begin what all options have in common, where the last has it and the others, as long as
/// it is without, have not: "rent or buy *a* house", "Lyon or Paris *in* May".
const SHARED: [&str; 28] = [
    "a", "an", "the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its",
    "their", "some", "any", "more", "in", "on", "at", "by", "from", "into", "over", "under",
    "before", "after", "with",
];
/// Words that after "or" are no option of their own.
const NO_OPTION: [&str; 9] =
    ["more", "less", "fewer", "so", "later", "earlier", "above", "below", "otherwise"];
/// Words after which a full stop ends no sentence.
const ABBREVIATED: [&str; 5] = ["vs", "e.g", "i.e", "etc", "approx"];
pub(super) fn asked_by(question: &str) -> Asked {
    let text = tail(question);
    let asked = asked(text);
    let lower = asked.to_lowercase();
    listed(text)
        .or_else(|| alternatives(asked))
        .or_else(|| is(lower.split_whitespace().next(), &ASKS).then_some(Asked::YesNo))
        .or_else(|| is_count(&lower).then_some(Asked::Number))
        .unwrap_or(Asked::Open)
}

/// The last sentence that asks, or the whole text.
fn asked(text: &str) -> &str {
    let text = text.trim();
    let Some(end) = text.rfind('?') else { return text };
    let before = text.get(..end).unwrap_or_default();
    let ends = [". ", "! ", "? ", "\n", ": "];
    let last = |end: &&str| {
        let ended = |(at, _): &(usize, &str)| {
            let word = before.get(..*at).and_then(|text| text.split_whitespace().next_back());
            !(*end == ". " && is(word, &ABBREVIATED))
        };
        before.rmatch_indices(*end).find(ended).map(|(at, _)| at + end.len())
    };
    let start = ends.iter().filter_map(last).max().unwrap_or(0);
    before.get(start..).unwrap_or_default().trim()
}

/// True when there is a word and the list has it, in whatever case.
fn is(word: Option<&str>, list: &[&str]) -> bool {
    word.is_some_and(|word| list.contains(&word.to_lowercase().as_str()))
}

/// A stretch of a question between commas and "or"s.
struct Side<'q> {
    words: Vec<&'q str>,
    /// True when "or" stands before it, perhaps after a comma.
    after_or: bool,
}

/// The stretches of a question. "versus" is another "or"; "between A and B" has one as well.
fn sides(asked: &str) -> Vec<Side<'_>> {
    let mut all = vec![Side { words: Vec::new(), after_or: false }];
    let words: Vec<&str> = asked.split_whitespace().collect();
    let between = words.iter().any(|word| word.eq_ignore_ascii_case("between"));
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied();
        let lower = word.to_lowercase();
        let is_or = match lower.as_str() {
            "or" => !(is(next, &NO_OPTION) && words.get(at + 2).is_none()),
            "vs" | "vs." | "versus" => true,
            "and" => between,
            _ => false,
        };
        let empty = all.last().is_some_and(|side| side.words.is_empty());
        if is_or {
            match all.last_mut().filter(|_| empty) {
                Some(side) => side.after_or = true,
                None => all.push(Side { words: Vec::new(), after_or: true }),
            }
            continue;
        }
        let bare = word.trim_end_matches(',');
        if let Some(side) = all.last_mut().filter(|_| !bare.is_empty()) {
            side.words.push(bare);
        }
        if word.ends_with(',') {
            all.push(Side { words: Vec::new(), after_or: false });
        }
    }
    all.retain(|side| !side.words.is_empty());
    all
}

/// `Postgres or MySQL`, `buy, sell or hold`.
fn alternatives(asked: &str) -> Option<Asked> {
    let sides = sides(asked);
    let last = sides.iter().rposition(|side| side.after_or)?;
    let asks = |side: &Side<'_>| {
        is(side.words.first().copied(), &ASKS) || is(side.words.first().copied(), &WHICH)
    };
    let before = sides.get(..last).unwrap_or_default();
    let first = before.iter().rposition(asks).unwrap_or(0);
    // What stands after the last option and a comma is about all of them.
    let run = sides.get(first..=last)?;
    let mut named: Vec<Vec<&str>> = run.iter().map(|side| side.words.clone()).collect();
    if matches!(named.last()?.as_slice(), [one] if is(Some(one), &["not", "no"])) {
        let yes = named.first().is_some_and(|side| is(side.last().copied(), &["yes"]));
        return (named.len() == 2 || yes).then_some(Asked::YesNo);
    }
    let lead = without_lead(&mut named);
    let shared = trim_last(&mut named, lead);
    let is_short = |side: &Vec<&str>| (1..=WORDS).contains(&side.len());
    if named.len() < 2 || !named.iter().all(is_short) {
        return None;
    }
    given(&named, &shared)
}

/// What asks, before the first option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Options are what somebody does: "should we …", "is it better to …".
    Verbs,
    /// Options are things, or nothing tells.
    Things,
}

/// Takes the words off that ask, before the first option.
fn without_lead(named: &mut Vec<Vec<&str>>) -> Lead {
    let length = named.last().map_or(1, Vec::len);
    let several = named.len() > 2;
    let Some(first) = named.first_mut() else { return Lead::Things };
    let head = first.first().copied();
    if is(head, &WHICH) {
        // "Which is better, A or B?": what stands before the comma names none.
        if several {
            named.remove(0);
        } else {
            keep_last(first, length);
        }
        return Lead::Things;
    }
    if is(head, &["either"]) || is(head, &["whether"]) {
        first.remove(0);
    }
    let mut lead = Lead::Things;
    if is(head, &ASKS) {
        let be = is(head, &BE);
        first.remove(0);
        let told = is(first.first().copied(), &SUBJECTS) && first.len() > 1;
        if told {
            let it = is(first.first().copied(), &["it"]);
            first.remove(0);
            lead = if be { Lead::Things } else { Lead::Verbs };
            // "Is it better to rent or …": what follows "to" is what somebody does.
            let to = first.iter().position(|word| word.eq_ignore_ascii_case("to"));
            if let Some(to) = to.filter(|to| it && to + 1 < first.len()) {
                first.drain(..=to);
                lead = Lead::Verbs;
            }
        } else {
            // "Should Germany leave or stay?", "Is the sky blue or green?": whom it is about stands
            // before what they could do or be.
            keep_last(first, length);
        }
        if be && !told {
            let length = first.len();
            if let Some(last) = named.last_mut() {
                last.truncate(length);
            }
        }
    }
    // "to rent or to buy"
    for side in named.iter_mut().skip(1).filter(|side| side.len() > 1) {
        if is(side.first().copied(), &["to"]) {
            side.remove(0);
        }
    }
    if without_verb(named) { Lead::Things } else { lead }
}

fn keep_last(words: &mut Vec<&str>, count: usize) {
    words.drain(..words.len().saturating_sub(count));
}

/// Drops the verb that only the first option carries. True when there was one.
fn without_verb(named: &mut [Vec<&str>]) -> bool {
    let starts = |side: &Vec<&str>| is(side.first().copied(), &VERBS);
    if named.iter().skip(1).any(starts) {
        return false;
    }
    let Some(first) = named.first_mut() else { return false };
    let mut dropped = false;
    while first.len() > 1 && starts(first) {
        first.remove(0);
        dropped = true;
    }
    dropped
}

/// Takes the words off the last option that are about all of them; gives those it could have as well.
fn trim_last<'q>(named: &mut [Vec<&'q str>], lead: Lead) -> Vec<&'q str> {
    let Some((last, earlier)) = named.split_last_mut() else { return Vec::new() };
    let after = |word: &&str| is(Some(word), &AFTER);
    if !earlier.iter().any(|side| side.iter().skip(1).any(after))
        && let Some(at) = last.iter().skip(1).position(after)
    {
        last.truncate(at + 1);
    }
    let longest = earlier.iter().map(Vec::len).max().unwrap_or(0);
    if longest == 0 || last.len() <= longest {
        return Vec::new();
    }
    let capitals =
        |word: &str| word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_lowercase);
    let loud = last.first().is_some_and(|word| capitals(word))
        && earlier.iter().flatten().all(|word| capitals(word))
        && (earlier.len() > 1 || last.iter().all(|word| capitals(word)));
    let object = is(last.get(longest).copied(), &SHARED);
    if object || (longest == 1 && (lead == Lead::Verbs || loud)) {
        return last.split_off(longest);
    }
    Vec::new()
}

/// The options, each also by the name it has with what all have in common.
fn given(named: &[Vec<&str>], shared: &[&str]) -> Option<Asked> {
    let choices: Vec<Choice> = named
        .iter()
        .map(|words| {
            let name = words.join(" ");
            let whole = [words.as_slice(), shared].concat().join(" ");
            let synonyms = if shared.is_empty() { Vec::new() } else { vec![whole] };
            Choice { name, synonyms }
        })
        .collect();
    let lower: Vec<String> = choices.iter().map(|choice| choice.name.to_lowercase()).collect();
    if lower == ["yes", "no"] {
        return Some(Asked::YesNo);
    }
    // Names that cannot be told apart are none, nor are those that a bar would cut in two.
    let barred = choices.iter().flat_map(Choice::names).any(|name| name.contains('|'));
    (!barred && Asked::among(&lower).is_some()).then_some(Asked::Options(choices))
}
