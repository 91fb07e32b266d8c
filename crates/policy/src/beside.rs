//! A report for reading, with its notes.

use rebuttal_model::{Adjustment, Report, Span};

use crate::outcome::name;

/// The report for reading: its text, and after each sentence concerned the notes in brackets.
///
/// Only insertions are made, each at the end of a sentence's span: [`read_beside`] gives the pieces,
/// of which the original ones together are the text.
///
/// ```
/// use rebuttal_model::{Adjustment, AgentId, Arbiter, FindingId, Report, Span};
/// use rebuttal_policy::adjusted_text;
///
/// let mut report = Report::new(AgentId::new("A"), "It is 5%. It rose.");
/// report.adjustments.push(Adjustment {
///     contradiction: FindingId::new("r-1"),
///     span: Span::new(0, 9),
///     original: "It is 5%.".to_owned(),
///     note: "Ruled out: use 4% [IMF] instead.".to_owned(),
///     recommended_value: Some(4.0),
///     by: Arbiter::Rules,
///     why: String::new(),
/// });
/// assert_eq!(
///     adjusted_text(&report),
///     "It is 5%. [By rules: Ruled out: use 4% (IMF) instead.] It rose."
/// );
/// ```
pub fn adjusted_text(report: &Report) -> String {
    let pieces = read_beside(report);
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Original(text) => *text,
            Piece::Note(note) => note,
        })
        .collect()
}

/// A piece of an adjusted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'r> {
    /// The report's own words. All of these together are its text.
    Original(&'r str),
    /// What was put in: ` [By rules: …]`.
    Note(String),
}

/// The pieces of [`adjusted_text`], in order.
pub fn read_beside(report: &Report) -> Vec<Piece<'_>> {
    let text = report.text.as_str();
    // Where a span does not fit, the note still must be read: at the end.
    let place = |span: Span| if span.of(text).is_some() { span.end() } else { text.len() };
    let mut notes: Vec<(usize, &Adjustment)> =
        report.adjustments.iter().map(|adjustment| (place(adjustment.span), adjustment)).collect();
    notes.sort_by_key(|(at, _)| *at);
    let mut pieces = Vec::new();
    let mut copied = 0;
    for (at, adjustment) in notes {
        if let Some(original) = text.get(copied..at).filter(|original| !original.is_empty()) {
            pieces.push(Piece::Original(original));
            copied = at;
        }
        let note = format!("By {}: {}", name(&adjustment.by), adjustment.note);
        pieces.push(Piece::Note(format!(" [{}]", note.replace('[', "(").replace(']', ")"))));
    }
    if let Some(rest) = text.get(copied..).filter(|rest| !rest.is_empty()) {
        pieces.push(Piece::Original(rest));
    }
    pieces
}
