//! Stretches told by their length and their end: "the year to June 2024", "the twelve months ending
//! March 2024", "the quarter ended 30 June 2023"; and years that lie in two: "the 2022-23 season".

use jiff::ToSpan;
use jiff::civil::Date;
use rebuttal_model::Span;

use super::atom::Atom;
use super::{Grain, Period};
use crate::quantities::look::{Look, Lower};

/// The stretch that ends with the month or day of `last`: the words before it say how long it is.
pub(super) fn ending(look: Look<'_>, last: Atom) -> Option<Period> {
    matches!(last.grain, Grain::Month | Grain::Day).then_some(())?;
    let (link_at, link) = link_before(look, last.start);
    let ends =
        matches!(&*Lower::new(link), "to" | "ending" | "ended" | "through" | "until" | "till");
    let (start, months) = ends.then(|| length_before(look, link_at))??;
    let dates = last.dates().and_then(|(_, end)| Some((first_day(end, months)?, end)));
    Some(Period {
        span: Span::new(start, last.end),
        grain: Grain::Range,
        dates,
        fiscal: false,
        ambiguous: false,
    })
}

/// The word that leads to the end: the "to" of "to June", "to the end of June", "to end-June"; the
/// "ended" of "ended on 30 June".
fn link_before(look: Look<'_>, at: usize) -> (usize, &str) {
    const BETWEEN: [&str; 5] = ["in", "on", "of", "end", "the"];
    let step = |at: usize| {
        let dash = look.byte_before(at) == b'-';
        look.word_before(if dash { at - 1 } else { at })
    };
    let mut found = step(at);
    // "to the end of June" has the most.
    for _ in 0..3 {
        if BETWEEN.iter().any(|it| found.1.eq_ignore_ascii_case(it)) {
            found = step(found.0);
        }
    }
    found
}

/// Where the words for a length that end before `at` start, and how many months it is.
fn length_before(look: Look<'_>, at: usize) -> Option<(usize, i32)> {
    let (mut unit_at, mut unit) = look.word_before(at);
    if unit.eq_ignore_ascii_case("period") {
        (unit_at, unit) = look.word_before(unit_at);
    }
    let months = match &*Lower::new(unit) {
        "year" | "years" => 12,
        "half" => 6,
        "quarter" | "quarters" => 3,
        "month" | "months" => 1,
        _ => return None,
    };
    let dash = look.byte_before(unit_at) == b'-';
    let before = if dash { unit_at - 1 } else { look.blanks_before(unit_at) };
    if let Some((start, count)) = count_before(look, before) {
        return Some((start, count.checked_mul(months)?));
    }
    let (word_at, word) = look.word_before(before);
    match &*Lower::new(word) {
        // Counted from the speaker's today, or one of many.
        "last" | "this" | "next" | "previous" | "past" | "current" | "each" | "every" | "per" => {
            None
        }
        // "the half year to June" and "the fiscal year to June".
        "half" if months == 12 => Some((word_at, 6)),
        "fiscal" | "financial" => Some((word_at, months)),
        _ if months == 1 => None,
        _ => Some((unit_at, months)),
    }
}

/// The number of months or years that ends at `end`, in digits or as a word.
fn count_before(look: Look<'_>, end: usize) -> Option<(usize, i32)> {
    const WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let digits = (0..3).take_while(|n| end > *n && look.byte(end - n - 1).is_ascii_digit()).count();
    let start = end - digits;
    if (1..=2).contains(&digits) && !look.is_glued_before(start) {
        return Some((start, i32::try_from(look.number(start, digits)?).ok()?));
    }
    let (start, word) = look.word_before(end);
    let found = WORDS.iter().position(|it| word.eq_ignore_ascii_case(it))?;
    Some((start, i32::try_from(found + 1).ok()?))
}

/// The first day of so many months that end on a day.
fn first_day(end: Date, months: i32) -> Option<Date> {
    if end == end.last_of_month() {
        return end.first_of_month().checked_sub((months - 1).months()).ok();
    }
    end.checked_sub(months.months()).ok()?.tomorrow().ok()
}

/// A year that lies in two, with the word that says what kind of year it is: "2022-23 season",
/// "academic year 2022-23".
pub(super) fn named(look: Look<'_>, span: Span) -> Span {
    let next = look.blanks(span.end());
    let word = look.word(next);
    let season = |word: &str| matches!(&*Lower::new(word), "season" | "campaign");
    let end = if next > span.end() && season(word) { next + word.len() } else { span.end() };
    let (year_at, year) = look.word_before(span.start());
    let (kind_at, kind) = look.word_before(year_at);
    let is_kind = matches!(
        &*Lower::new(kind),
        "academic" | "school" | "tax" | "crop" | "marketing" | "financial" | "fiscal"
    );
    let start = match &*Lower::new(year) {
        "year" if is_kind => kind_at,
        "season" => year_at,
        _ => span.start(),
    };
    Span::new(start, end)
}
