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

/// Whether a terminal or a viewer would obey a character instead of showing it: control characters
/// other than line breaks and tabs, and those that turn the direction of text.
fn is_control_or_bidi(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || (character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
}

/// The cell as [`armed`] found it.
fn disarmed(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest.to_owned().into(),
        _ => text,
    };
    if !text.contains(ESCAPE) {
        return text;
    }
    let mut parts = text.split(ESCAPE);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.split_once('}').and_then(|(code, rest)| Some((code_of(code)?, rest)));
        match code {
            // Nothing else was written so, and somebody else's words stay as they are.
            Some((code, rest)) if is_control_or_bidi(code) || code == '\\' => {
                out.push(code);
                out.push_str(rest);
            }
            _ => out.extend([ESCAPE, part]),
        }
    }
    out.into()
}

fn code_of(digits: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// How a character is written that must not stand there itself: `\u{1b}`.
const ESCAPE: &str = "\\u{";

/// The cell as no spreadsheet takes it for a formula and no terminal for an order: with a quote before
/// it, where it begins like a formula, and with escapes for what would not be shown. A cell that has
/// such a quote or escape already gets another, so that none is lost on the way back.
pub(super) fn armed(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    if text.contains(ESCAPE) {
        text = text.replace(ESCAPE, "\\u{5c}u{").into();
    }
    if text.contains(is_control_or_bidi) {
        let escaped = |character: char| {
            if is_control_or_bidi(character) {
                character.escape_unicode().to_string()
            } else {
                character.to_string()
            }
        };
        text = text.chars().map(escaped).collect::<String>().into();
    }
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        text = format!("'{text}").into();
    }
    text
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
        for text in ["plain", "'tis so", "1=1", "", "two\nlines", "naïve 🙂"] {
            assert_eq!(armed(text), text);
            assert_eq!(disarmed(text.into()), text);
        }
    }
    #[test]
    fn what_a_terminal_would_obey_is_written_out_and_comes_back() {
        for (text, written) in [
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("say \\u{1b}", "say \\u{5c}u{1b}"),
            ("=\u{1b}", "'=\\u{1b}"),
        ] {
            assert_eq!(armed(text), written);
            assert_eq!(disarmed(armed(text)), text);
        }
        for theirs in ["\\u{41}", "\\u{", "\\u{zz}", "C:\\u{x"] {
            assert_eq!(disarmed(theirs.into()), theirs);
        }
    }

    proptest::proptest! {
        #[test]
        fn every_cell_comes_back(text in "(\\\\u\\{|[0-9a-f}'=]|\\PC|\\x1b|\u{202e}){0,20}") {
            let written = armed(&text).into_owned();
            proptest::prop_assert!(!written.contains(is_control_or_bidi));
            proptest::prop_assert_eq!(disarmed(written.into()).into_owned(), text);
        }
    }
}
