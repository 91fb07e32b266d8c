//! Fields of a finding that do not go together, or say nothing that can be read. All are kept.

use rebuttal_model::{MONTHS, ProblemKind, Span};

use super::fields::Label;
use super::numbers::{Number, numbers, quoted};
use crate::out::excerpt;
use crate::session::Cx;

/// Words that make a period without digits one, beside the months.
const TIMES: [&str; 44] = [
    "today",
    "yesterday",
    "tomorrow",
    "now",
    "current",
    "currently",
    "latest",
    "recent",
    "recently",
    "last",
    "next",
    "this",
    "day",
    "daily",
    "week",
    "weekly",
    "month",
    "monthly",
    "quarter",
    "quarterly",
    "half",
    "year",
    "yearly",
    "annual",
    "decade",
    "century",
    "fiscal",
    "ytd",
    "date",
    "season",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
    "first",
    "second",
    "third",
    "fourth",
    "pre",
    "post",
    "before",
    "after",
    "since",
];

/// Says so when no time can be read in a period.
pub(super) fn period(period: Option<&str>, span: Span, of: Label<'_>, cx: &mut Cx<'_, '_>) {
    let Some(period) = period else { return };
    let lower = period.to_lowercase();
    let is_time = |word: &str| {
        TIMES.iter().chain(&MONTHS).any(|time| {
            let own = word.strip_suffix('s').unwrap_or(word);
            let short = |it: &str| {
                it.len() >= 3
                    && time.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it))
            };
            word == *time || short(word) || time.eq_ignore_ascii_case(own)
        })
    };
    let digits = lower.bytes().any(|byte| byte.is_ascii_digit());
    if digits || lower.split(|c: char| !c.is_alphanumeric()).any(is_time) {
        return;
    }
    let message = format!(
        "no time could be read in the period “{}” of {of}, so it tells no two findings apart. \
         Write a year, a quarter such as Q1-2024, or a date",
        excerpt(period)
    );
    cx.problem(ProblemKind::Malformed, span, &message);
}

/// Says so when the text of a finding gives another value than its field.
pub(super) fn value(
    text: Option<&str>,
    value: &str,
    span: Span,
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) {
    let Some(text) = text else { return };
    let (said, own) = (numbers(text), numbers(value));
    let Some(first) = own.first() else { return };
    if said.iter().any(|it| it.agrees(*first)) {
        return;
    }
    // Years, counts and places in a list are no value: "a record low since 2019".
    let measures = |it: &&Number| is_measured(text, it.span);
    let Some(other) = said.iter().find(measures).and_then(|it| it.span.of(text)) else { return };
    let message = format!(
        "the text of {of} gives {}, and its `value` is {}; both are kept. Correct whichever is wrong",
        excerpt(other),
        excerpt(value)
    );
    cx.problem(ProblemKind::Conflicting, span, &message);
}

/// A number with a currency or percent sign, or with its scale written out.
fn is_measured(text: &str, number: Span) -> bool {
    let before = text.get(..number.start()).and_then(|it| it.chars().next_back());
    let after = text.get(number.end()..).unwrap_or_default().trim_start();
    let word: String = after.chars().take_while(|c| c.is_alphabetic()).collect();
    before.is_some_and(|sign| matches!(sign, '$' | '€' | '£' | '¥'))
        || after.starts_with('%')
        || ["percent", "per", "bn", "mn", "million", "billion", "trillion", "thousand"]
            .iter()
            .any(|unit| word.eq_ignore_ascii_case(unit))
}

/// Says so when a citation quotes another value than the one it is cited for.
pub(super) fn citations(
    said: [Option<&str>; 2],
    citations: &[String],
    span: Span,
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) {
    let quotes: Vec<&str> = citations.iter().flat_map(|it| quoted(it)).collect();
    let said = said.into_iter().chain([quotes.first().copied()]).flatten();
    let said = said.into_iter().find(|it| !numbers(it).is_empty()).unwrap_or_default();
    let own = numbers(said);
    let differs = |quote: &&&str| {
        !own.is_empty() && !numbers(quote).iter().any(|one| own.iter().any(|two| two.agrees(*one)))
    };
    if let Some(quote) = quotes.iter().find(differs) {
        let message = format!(
            "{of} gives “{}”, but its citation quotes “{}”; both are kept. Correct whichever is \
             wrong",
            excerpt(said),
            excerpt(quote)
        );
        cx.problem(ProblemKind::Malformed, span, &message);
    }
}
