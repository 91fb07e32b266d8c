//! Whether taking something back takes back what was held.

use rebuttal_model::Span;
use rebuttal_text::{Reading, Topic};

use super::related;
use crate::pair::{Feature, PairReading};

/// "I was wrong" takes back whatever was said last; what goes on about something else does not.
pub(super) fn takes_back(
    after: &Reading<'_>,
    back: Span,
    topic: &Topic,
    pair: &PairReading,
) -> bool {
    related(pair)
        || pair.feature(Feature::CoverageA) > 0.0
        || after.claims().iter().any(|claim| topic.mentions(claim))
        || says_nothing_else(after, back)
        || only_points(after, back)
}

/// "My earlier reading was wrong. This is something else.": what stands beside it points at what was said.
fn only_points(after: &Reading<'_>, back: Span) -> bool {
    const POINTS: [&str; 5] = ["it", "this", "that", "these", "they"];
    let text = after.original();
    let mut others = after.sentence_spans().filter(|it| !it.contains(back)).peekable();
    let points = |it: Span| {
        let first = it.of(text).and_then(|it| it.split(|c: char| !c.is_alphanumeric()).next());
        first.is_some_and(|first| POINTS.iter().any(|known| first.eq_ignore_ascii_case(known)))
    };
    others.peek().is_some() && others.all(points)
}

/// "I retract that statement.": all there is names the statement as such.
fn says_nothing_else(after: &Reading<'_>, back: Span) -> bool {
    const STATEMENT: [&str; 12] = [
        "answer",
        "claim",
        "comment",
        "conclusion",
        "opinion",
        "point",
        "position",
        "remark",
        "response",
        "statement",
        "view",
        "words",
    ];
    let text = after.original();
    let outside = |span: Span| {
        let word = span.of(text).unwrap_or_default();
        !back.contains(span) && !STATEMENT.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    !after.content().words.iter().any(|word| word.content && outside(word.span))
}
