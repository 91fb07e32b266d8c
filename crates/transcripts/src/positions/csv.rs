//! Positions as a table.

use std::borrow::Cow;
use std::io;

use rebuttal_model::{ProblemKind, limits};

use super::Cx;
use super::fields::{FIELDS, Field, Row};
use crate::formats::table::{self, SEPARATORS};
use crate::input::{Line, Lines};
use crate::out::excerpt;

/// First characters that a spreadsheet takes for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A table that is being read.
pub(super) struct Table<'r> {
    lines: Lines<'r>,
    layout: Option<Layout>,
    row: table::Row,
    /// Bytes of the row so far, which goes over several lines while a quote is open.
    held: usize,
    began: u32,
}

/// Which column holds which field.
struct Layout {
    separator: u8,
    columns: Vec<(Field, usize)>,
}

impl<'r> Table<'r> {
    pub(super) fn new(lines: Lines<'r>) -> Self {
        Self { lines, layout: None, row: table::Row::new(b','), held: 0, began: 1 }
    }

    /// Reads the next line. False at the end.
    pub(super) fn row(&mut self, cx: &mut Cx) -> io::Result<bool> {
        let line = match self.lines.next(limits::LINE_BYTES)? {
            Line::End => {
                if self.held > 0 {
                    let message = "a quote is opened in this row and never closed; the row was \
                                   left out, and all that follows it";
                    cx.problem(ProblemKind::Malformed, Some(self.began), message);
                }
                return Ok(false);
            }
            Line::TooLong { number, bytes } => {
                too_long(number, bytes, cx);
                self.clear();
                return Ok(true);
            }
            Line::Whole { number, .. } => number,
        };
        if self.held == 0 {
            if self.lines.bytes().iter().all(u8::is_ascii_whitespace) {
                return Ok(true);
            }
            self.began = line;
        }
        let Some(layout) = &self.layout else { return Ok(self.header(cx)) };
        self.held += self.lines.bytes().len();
        if self.row.feed(self.lines.bytes()) {
            deliver(&self.row, layout, self.began, cx);
            self.clear();
        } else if self.held > limits::LINE_BYTES {
            too_long(self.began, self.held, cx);
            self.clear();
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.row.clear();
        self.held = 0;
    }

    /// Reads the line that names the columns. False when it does not.
    fn header(&mut self, cx: &mut Cx) -> bool {
        let found = SEPARATORS.into_iter().find_map(|separator| {
            let mut row = table::Row::new(separator);
            let is_whole = row.feed(self.lines.bytes());
            let layout = Layout::of(separator, &table::names(&row));
            layout.filter(|_| is_whole)
        });
        if let Some(layout) = found {
            self.row = table::Row::new(layout.separator);
            self.layout = Some(layout);
            return true;
        }
        let first = String::from_utf8_lossy(self.lines.bytes()).into_owned();
        let message = format!(
            "is neither JSONL nor Parquet nor a table with columns “agent” and “claim”; it begins \
             with “{}”",
            excerpt(first.trim_end())
        );
        cx.problem(ProblemKind::UnknownFormat, Some(self.began), &message);
        false
    }
}

impl Layout {
    fn of(separator: u8, header: &[String]) -> Option<Self> {
        let place = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| header.iter().position(|cell| cell.eq_ignore_ascii_case(name)))
        };
        let columns: Vec<(Field, usize)> = FIELDS
            .into_iter()
            .filter_map(|(field, names)| place(names).map(|column| (field, column)))
            .collect();
        let has = |wanted| columns.iter().any(|(field, _)| *field == wanted);
        (has(Field::Agent) && has(Field::Claim)).then_some(Self { separator, columns })
    }
}

fn too_long(line: u32, bytes: usize, cx: &mut Cx) {
    let message = format!(
        "a row of {bytes} bytes is longer than the limit of {} bytes and was left out; is a quote \
         never closed?",
        limits::LINE_BYTES
    );
    cx.problem(ProblemKind::Limit, Some(line), &message);
}

fn deliver(cells: &table::Row, layout: &Layout, line: u32, cx: &mut Cx) {
    let mut row = Row::default();
    let mut bad = false;
    for (field, column) in &layout.columns {
        let Some(cell) = cells.cells.get(*column) else { continue };
        let text = String::from_utf8_lossy(cell);
        bad |= matches!(text, Cow::Owned(_));
        row.set(*field, disarmed(text));
    }
    if bad {
        let message = "a row with bytes that are not UTF-8; they were replaced by U+FFFD";
        cx.problem(ProblemKind::Encoding, Some(line), message);
    }
    row.deliver(line, cx);
}

/// The cell without the quote that [`armed`] put before it.
fn disarmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest.to_owned().into(),
        _ => text,
    }
}

/// The cell as no spreadsheet takes it for a formula: with a quote before it, where it begins like
/// one. A cell that has that quote already gets another, so that none is lost on the way back.
pub(super) fn armed(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_disarmed_and_come_back() {
        for text in ["=1+1", "+1", "-x", "@a", "'=x", "''=x", "\t=1"] {
            let written = armed(text);
            assert!(written.starts_with('\''), "{text}");
            assert_eq!(disarmed(written), text);
        }
        for text in ["plain", "'tis so", "1=1", ""] {
            assert_eq!(armed(text), text);
            assert_eq!(disarmed(text.into()), text);
        }
    }
}
