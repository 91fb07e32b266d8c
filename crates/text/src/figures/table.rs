//! Rows of a table: what the head of a column says holds for its values.

use rebuttal_model::Span;

use super::names::mentions;
use super::pieces::{Kind, Marks, Piece};
use super::sources::Sources;
use super::{MetricWord, reach};
use crate::claims::Term;
use crate::periods::Period;

/// Most columns looked at.
const COLUMNS: usize = 64;

/// What the head of a column says.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) period: Option<Period>,
    pub(super) entity: Option<(Vec<Term>, Span)>,
    pub(super) metric: Vec<MetricWord>,
}

/// True for a line between bars.
pub(super) fn is_row(pieces: &[Piece<'_>]) -> bool {
    pieces.first().is_some_and(|it| it.is_mark(b'|'))
}

/// The columns that a row without values names.
pub(super) fn head(pieces: &[Piece<'_>], marks: &Marks) -> Vec<Column> {
    let cells = pieces.split(|it| it.is_mark(b'|')).take(COLUMNS);
    cells.map(|cell| column(cell, marks)).collect()
}

fn column(cell: &[Piece<'_>], marks: &Marks) -> Column {
    let period = cell.iter().find_map(|it| match it.kind {
        Kind::Period(at) => marks.periods.get(at).copied(),
        _ => None,
    });
    let mention = mentions(cell, &Sources::default()).into_iter().next();
    let metric = if mention.is_some() { Vec::new() } else { reach::concepts(cell) };
    Column { period, entity: mention.map(|it| (it.terms, it.span)), metric }
}

/// The column a piece of a row stands in.
pub(super) fn column_of(pieces: &[Piece<'_>], at: usize) -> usize {
    let bar = |it: &&Piece<'_>| it.is_mark(b'|');
    pieces.get(..at).unwrap_or_default().iter().filter(bar).count()
}
