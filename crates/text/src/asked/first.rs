//! The options that a question states in its own words, as debates of policy version 0 read them. Kept as
//! it was, because those debates must verify for ever; [`super::stated`] reads better.
//!
//! Read in this order: a list of lettered or numbered lines; "A or B?" with short sides; a question
//! that yes or no answers; one that asks how much. What is none of these can be answered with
//! anything.

use super::Asked;
use super::words::{ASKS, SUBJECTS, VERBS, is_count, listed, tail};

/// Most words of an option found in "A or B?". What is longer is half a sentence.
const WORDS: usize = 5;

/// Words that begin what is said about all options, after the last.
const AFTER: [&str; 12] =
    ["for", "as", "when", "if", "given", "next", "this", "now", "today", "here", "instead", "then"];

pub(super) fn asked_by(question: &str) -> Asked {
    let text = tail(question);
    let asked = asked(text);
    let lower = asked.to_lowercase();
    listed(text)
        .or_else(|| alternatives(asked))
        .or_else(|| ASKS.contains(&first(&lower).as_str()).then_some(Asked::YesNo))
        .or_else(|| is_count(&lower).then_some(Asked::Number))
        .unwrap_or(Asked::Open)
}

/// The last sentence that asks, or the whole text.
fn asked(text: &str) -> &str {
    let text = text.trim();
    let Some(end) = text.rfind('?') else { return text };
    let before = text.get(..end).unwrap_or_default();
    let ends = [". ", "! ", "? ", "\n", ": "];
    let start =
        ends.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max().unwrap_or(0);
    before.get(start..).unwrap_or_default().trim()
}

/// `Postgres or MySQL`, `buy, sell or hold`.
fn alternatives(asked: &str) -> Option<Asked> {
    let lower = asked.to_lowercase();
    // Letters that change their length when made small would shift what is cut.
    if lower.len() != asked.len() {
        return None;
    }
    let or = lower.rfind(" or ")?;
    let (before, last) = (asked.get(..or)?, asked.get(or + 4..)?);
    if matches!(last.trim().to_lowercase().as_str(), "not" | "no") {
        return Some(Asked::YesNo);
    }
    let before = before.trim_end_matches([',', ' ']);
    let mut sides: Vec<&str> = before.split(", ").collect();
    // "Which is better, A or B?": what stands before the options names none.
    let is_lead = |side: &str| side.split_whitespace().next().is_some_and(is_question_word);
    if sides.len() > 1 && sides.first().is_some_and(|side| is_lead(side)) {
        let is_asking = |side: &&str| !ASKS.contains(&first(side).as_str());
        if sides.first().is_some_and(is_asking) {
            sides.remove(0);
        }
    }
    let mut named: Vec<String> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        named.push(if index == 0 { without_lead(side) } else { (*side).to_owned() });
    }
    named.push(last.to_owned());
    trim_shared(&mut named);
    let is_short = |side: &String| (1..=WORDS).contains(&side.split_whitespace().count());
    if !named.iter().all(is_short) {
        return None;
    }
    Asked::among(&named)
}

fn first(side: &str) -> String {
    side.split_whitespace().next().unwrap_or_default().to_lowercase()
}

fn is_question_word(word: &str) -> bool {
    let word = word.to_lowercase();
    ASKS.contains(&word.as_str())
        || ["which", "what", "who", "whom", "where", "between"].contains(&word.as_str())
}

/// The first option without the words that ask.
fn without_lead(side: &str) -> String {
    let mut words: Vec<&str> = side.split_whitespace().collect();
    let is = |word: Option<&&str>, list: &[&str]| {
        word.is_some_and(|word| list.contains(&word.to_lowercase().as_str()))
    };
    if is(words.first(), &ASKS) {
        words.remove(0);
        if words.len() > 1 && is(words.first(), &SUBJECTS) {
            words.remove(0);
        }
    }
    words.join(" ")
}

/// Drops the verb that only the first option carries and the words after the last that are about
/// all of them.
fn trim_shared(named: &mut [String]) {
    let starts_with_verb = |side: &String| VERBS.contains(&first(side).as_str());
    let others_do = named.iter().skip(1).any(starts_with_verb);
    if let Some(side) = named.first_mut().filter(|_| !others_do) {
        let mut words: Vec<&str> = side.split_whitespace().collect();
        while words.len() > 1
            && words.first().is_some_and(|word| VERBS.contains(&word.to_lowercase().as_str()))
        {
            words.remove(0);
        }
        *side = words.join(" ");
    }
    let has_after = |side: &String| {
        side.split_whitespace().skip(1).any(|word| AFTER.contains(&word.to_lowercase().as_str()))
    };
    let earlier = named.len().saturating_sub(1);
    if named.iter().take(earlier).any(has_after) {
        return;
    }
    if let Some(last) = named.last_mut() {
        let words: Vec<&str> = last.split_whitespace().collect();
        let about = |word: &&str| AFTER.contains(&word.to_lowercase().as_str());
        let cut = words.iter().skip(1).position(about).map_or(words.len(), |at| at + 1);
        *last = words.get(..cut).unwrap_or_default().join(" ");
    }
}
