//! When four digits are a year.

use super::atom::{Atom, goes_on};
use crate::citations::brackets::note_end;
use crate::quantities::look::{Look, Lower};
use crate::quantities::{is_labelled, is_measured, noun_after};

/// Years that are read as such only after a word that asks for a date.
const MODERN: std::ops::RangeInclusive<i16> = 1900..=2099;

/// True when the four digits from `start` to `end` read as a year.
pub(super) fn is_year(look: Look<'_>, start: usize, end: usize) -> bool {
    let year = look.number(start, 4).and_then(|year| i16::try_from(year).ok());
    let Some(year) = year else { return false };
    if !stands_alone(look, start, end) || is_measured(look, end) || is_labelled(look, start) {
        return false;
    }
    let is_modern = MODERN.contains(&year);
    let is_round = year % 100 == 0;
    let (before_at, before) = look.word_before(start);
    let before = Lower::new(before);
    let context = Context::of(&before);
    if let Some(noun) = noun_after(look, end) {
        let noun = Lower::new(look.slice(noun.start(), noun.end()));
        return is_modern
            && match context {
                Context::Date | Context::Determiner => !is_round,
                Context::Size => false,
                Context::Other => is_dated(&noun) && !is_round,
            };
    }
    match context {
        Context::Date => true,
        Context::Size => is_modern && !is_round && is_vague(&before),
        Context::Other if &*before == "of" && !is_round => {
            // "The raid of 1897", but "a total of 1897".
            let (_, whole) = look.word_before(before_at);
            let is_sum = matches!(
                &*Lower::new(whole),
                "total" | "sum" | "average" | "mean" | "number" | "out" | "maximum" | "minimum"
            );
            !is_sum && (is_modern || (1500..1900).contains(&year))
        }
        Context::Determiner | Context::Other => is_modern,
    }
}

/// True when `second` may close the range of years that `first` opens.
pub(super) fn may_end_range(look: Look<'_>, first: Atom, second: Atom) -> bool {
    let modern = |atom: Atom| atom.year.is_some_and(|year| MODERN.contains(&year));
    if is_measured(look, second.end) || !stands_alone(look, first.start, second.end) {
        return false;
    }
    let (_, before) = look.word_before(first.start);
    let context = Context::of(&Lower::new(before));
    // "from 1990 to 2000 users" counts; "from 2015 to 2017 sales fell" does not.
    let is_round = second.year.is_some_and(|year| year % 100 == 0);
    let counts = noun_after(look, second.end).is_some();
    match context {
        Context::Size => false,
        Context::Date => !counts || (modern(first) && !is_round),
        Context::Determiner | Context::Other => {
            !first.is_bare || (modern(first) && modern(second) && !counts)
        }
    }
}

/// What the word before four digits leads a reader to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    Date,
    Size,
    Determiner,
    Other,
}

impl Context {
    fn of(word: &str) -> Self {
        match word {
            "in" | "since" | "by" | "until" | "till" | "during" | "circa" | "year" | "years"
            | "before" | "after" | "from" | "between" | "early" | "late" | "mid" | "through" => {
                Self::Date
            }
            "about" | "approximately" | "approx" | "roughly" | "around" | "nearly" | "almost"
            | "than" | "least" | "most" | "over" | "under" | "above" | "below" | "exceed"
            | "exceeds" | "exceeding" | "exceeded" | "up" | "to" | "port" | "only" | "some" => {
                Self::Size
            }
            "the" | "a" | "an" | "this" | "that" | "our" | "its" | "their" | "his" | "her" => {
                Self::Determiner
            }
            _ => Self::Other,
        }
    }
}

/// Words before a size that also stand before a year: "around 2017", "up to 2019".
fn is_vague(word: &str) -> bool {
    matches!(word, "about" | "around" | "to" | "up" | "only")
}

/// Plurals that go with a year rather than with a count: "2017 results".
fn is_dated(noun: &str) -> bool {
    matches!(
        noun,
        "results"
            | "sales"
            | "elections"
            | "figures"
            | "data"
            | "reports"
            | "revenues"
            | "earnings"
            | "estimates"
            | "levels"
            | "prices"
            | "budgets"
            | "studies"
            | "games"
            | "olympics"
            | "seasons"
            | "guidelines"
            | "rules"
            | "findings"
            | "rates"
            | "profits"
            | "costs"
            | "accounts"
            | "statistics"
    )
}

/// True when nothing clings to the digits that makes them part of a longer thing.
fn stands_alone(look: Look<'_>, start: usize, end: usize) -> bool {
    let clings_before = match look.byte_before(start) {
        b'-' => {
            let (_, word) = look.word_before(start - 1);
            !matches!(&*Lower::new(word), "mid" | "early" | "late" | "pre" | "post")
        }
        b'$' | b'#' | b'=' | b'@' | b'/' | b'\\' | b'.' | b'+' | b'~' | b'<' | b'>' | b'&'
        | b'^' | b'%' | b'*' | b',' => true,
        b':' => look.byte_before(start - 1).is_ascii_digit(),
        byte if !byte.is_ascii() => !matches!(
            look.char_before(start),
            Some('\u{2013}' | '\u{2014}' | '\u{2026}' | '\u{a9}' | '\u{2022}' | '\u{b7}')
        ),
        _ => look.is_glued_before(start),
    };
    let after = look.byte(end);
    let clings_after = match after {
        b'.' | b',' | b':' | b'-' => look.byte(end + 1).is_ascii_digit(),
        // "in 2023[^1]" has a note.
        b'^' | b'[' => note_end(look, end).is_none(),
        b'%' | b'+' | b'/' | b'@' | b'=' | b'*' | b'(' => true,
        _ => goes_on(look, end),
    };
    !clings_before && !clings_after
}
