//! What one side of a contradiction gives for itself, as words and as facts.

use jiff::civil::Date;
use rebuttal_model::{Side, When};

use crate::words::short;

/// Longest piece of an agent's text that is repeated in a sentence of ours, in characters.
const PIECE: usize = 160;

/// The agent's name.
pub(crate) fn agent(side: &Side) -> String {
    short(side.agent.as_str(), PIECE)
}

/// The value as written, or the deciding words.
pub(crate) fn shown(side: &Side) -> String {
    short(&side.shown, PIECE)
}

/// The source it names.
pub(crate) fn source(side: &Side) -> Option<String> {
    let source = side.citation.as_ref()?.source.as_deref()?;
    Some(short(source, PIECE)).filter(|source| !source.is_empty())
}

/// The source, or the citation where it names none; nothing without a citation.
pub(crate) fn cited(side: &Side) -> Option<String> {
    let citation = || Some(short(&side.citation.as_ref()?.text, PIECE));
    source(side).or_else(citation).filter(|text| !text.is_empty())
}

/// The time it speaks of: its own words, else its citation's.
pub(crate) fn when(side: &Side) -> Option<&When> {
    let cited = || side.citation.as_ref()?.period.as_ref();
    side.period.as_ref().or_else(cited)
}

/// The side in words.
pub(crate) fn when_shown(side: &Side) -> Option<String> {
    when(side).map(|when| short(&when.text, PIECE))
}

/// The days it says it speaks of.
pub(crate) fn days(side: &Side) -> Option<(Date, Date)> {
    side.period.as_ref()?.days
}

/// True when two sides say themselves that they speak of different days.
pub(crate) fn other_days(one: &Side, two: &Side) -> bool {
    matches!((days(one), days(two)), (Some(one), Some(two)) if one != two)
}

/// What a citation holds that lets somebody check it, in words; one for each part.
pub(crate) fn cited_parts(side: &Side) -> Vec<&'static str> {
    let Some(citation) = &side.citation else { return Vec::new() };
    let parts = [
        (citation.source.is_some(), "names its source"),
        (citation.period.is_some(), "dates it"),
        (citation.quotes_value, "quotes the value"),
        (citation.locator, "says where to look it up"),
    ];
    parts.into_iter().filter_map(|(there, part)| there.then_some(part)).collect()
}
