//! Tables: comma-, semicolon- or tab-separated values with named columns, one turn a row.
//!
//! Rows are read one at a time. Quotes work as in RFC 4180: a quoted cell may hold separators,
//! line breaks and doubled quotes. A quote that is never closed costs its row, not the file.

use std::borrow::Cow;

use rebuttal_model::{ProblemKind, Role, Span, limits};

use crate::chat;
use crate::input::{Line, Lines};
use crate::out::excerpt;
use crate::place::Place;
use crate::session::{Cx, Session};
use crate::talk::Said;
use crate::time;
use crate::{Columns, Format};

const TEXT: &[&str] = &[
    "text",
    "content",
    "message",
    "utterance",
    "statement",
    "response",
    "argument",
    "speech",
    "body",
    "turn_text",
];
const AGENT: &[&str] = &[
    "agent",
    "speaker",
    "agent_name",
    "agent_id",
    "name",
    "author",
    "persona",
    "participant",
    "character",
    "source",
    "side",
    "who",
    "username",
    "user",
];
const ROUND: &[&str] = &["round", "round_number", "round_id", "turn", "turn_number", "step"];
const MODEL: &[&str] = &["model", "model_name", "model_id"];
const TIME: &[&str] = &["time", "timestamp", "at", "created_at", "datetime", "date"];
const DEBATE: &[&str] = &[
    "debate",
    "debate_id",
    "conversation_id",
    "conversation",
    "dialogue_id",
    "dialog_id",
    "thread_id",
    "thread",
    "session_id",
    "session",
    "chat_id",
    "transcript_id",
];
const ROLE: &[&str] = &["role"];

pub(crate) const SEPARATORS: [u8; 4] = [b'\t', b',', b';', b'|'];

/// Which column holds what.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    text: usize,
    agent: Option<usize>,
    round: Option<usize>,
    model: Option<usize>,
    time: Option<usize>,
    debate: Option<usize>,
    role: Option<usize>,
}

impl Layout {
    fn of(header: &[String], columns: &Columns) -> Result<Self, String> {
        let find = |asked: &Option<String>, usual: &[&str]| -> Result<Option<usize>, String> {
            let place =
                |name: &str| header.iter().position(|cell| cell.eq_ignore_ascii_case(name.trim()));
            match asked {
                Some(name) => place(name).map(Some).ok_or_else(|| missing(name, header)),
                None => Ok(usual.iter().find_map(|name| place(name))),
            }
        };
        let text = find(&columns.text, TEXT)?.ok_or_else(|| missing("text", header))?;
        let mut layout = Self {
            text,
            agent: find(&columns.agent, AGENT)?,
            round: find(&columns.round, ROUND)?,
            model: find(&columns.model, MODEL)?,
            time: find(&columns.time, TIME)?,
            debate: find(&columns.debate, DEBATE)?,
            role: find(&columns.role, ROLE)?,
        };
        if layout.agent.is_none() && layout.role.is_none() {
            return Err(missing("agent", header));
        }
        layout.agent = layout.agent.or(layout.role);
        Ok(layout)
    }
}

fn missing(name: &str, header: &[String]) -> String {
    let columns: Vec<String> = header.iter().take(12).map(|cell| excerpt(cell)).collect();
    format!(
        "no column is called “{}”; the columns are {}. Say which column holds what with --columns, \
         or name the format with --from",
        excerpt(name),
        columns.join(", ")
    )
}

/// The separator of a table whose first line this is, when it looks like one.
pub(crate) fn separator(first_line: &[u8], columns: &Columns) -> Option<u8> {
    SEPARATORS.into_iter().find(|separator| {
        let mut row = Row::new(*separator);
        let header = if row.feed(first_line) { names(&row) } else { return false };
        header.len() > 1 && Layout::of(&header, columns).is_ok()
    })
}

/// The separator of a table when the user named columns that are not in it. What has the usual
/// columns is a table, and so is what has as many cells in its second line as in its first.
pub(crate) fn separator_misnamed(first: &[u8], second: &[u8], columns: &Columns) -> Option<u8> {
    let usual = Columns::default();
    if *columns == usual {
        return None;
    }
    let cells = |line: &[u8], separator: u8| {
        let mut row = Row::new(separator);
        row.feed(line);
        row.cells.len()
    };
    separator(first, &usual).or_else(|| {
        SEPARATORS.into_iter().find(|separator| {
            let count = cells(first, *separator);
            count > 1 && count == cells(second, *separator)
        })
    })
}

pub(crate) fn names(row: &Row) -> Vec<String> {
    row.cells
        .iter()
        .map(|cell| String::from_utf8_lossy(cell).trim_matches(['\u{FEFF}', ' ', '\t']).to_owned())
        .collect()
}

/// One row while it is read.
pub(crate) struct Row {
    separator: u8,
    pub(crate) cells: Vec<Vec<u8>>,
    cell: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the first byte of a cell.
    Start,
    Bare,
    Quoted,
    /// Just after a quote inside a quoted cell: its end, or half of a doubled quote.
    Closing,
}

impl Row {
    pub(crate) fn new(separator: u8) -> Self {
        Self { separator, cells: Vec::new(), cell: Vec::new(), state: State::Start }
    }

    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.cell.clear();
        self.state = State::Start;
    }

    /// Takes one line. True when the row ends with it.
    pub(crate) fn feed(&mut self, line: &[u8]) -> bool {
        let ending = line.len() - line.strip_suffix(b"\n").unwrap_or(line).len();
        let (body, ending) = line.split_at(line.len() - ending);
        let (body, ending) = match body.strip_suffix(b"\r") {
            Some(bare) => (bare, line.get(bare.len()..).unwrap_or(ending)),
            None => (body, ending),
        };
        for &byte in body {
            self.byte(byte);
        }
        if self.state == State::Quoted {
            self.cell.extend_from_slice(ending);
            return false;
        }
        self.end_cell();
        true
    }

    fn byte(&mut self, byte: u8) {
        match (self.state, byte) {
            (State::Start, b'"') => self.state = State::Quoted,
            (State::Quoted, b'"') => self.state = State::Closing,
            (State::Closing, b'"') => {
                self.cell.push(byte);
                self.state = State::Quoted;
            }
            (State::Quoted, _) => self.cell.push(byte),
            (_, byte) if byte == self.separator => self.end_cell(),
            _ => {
                self.cell.push(byte);
                self.state = State::Bare;
            }
        }
    }

    /// Cells beyond the limit are read over, so that a line of commas takes no memory.
    fn end_cell(&mut self) {
        if self.cells.len() < limits::COLUMNS {
            self.cells.push(std::mem::take(&mut self.cell));
        } else {
            self.cell.clear();
        }
        self.state = State::Start;
    }
}

/// Reads a table to its end.
pub(crate) fn read(
    mut lines: Lines<'_>,
    separator: u8,
    columns: &Columns,
    session: &mut Session<'_>,
) -> std::io::Result<()> {
    let mut row = Row::new(separator);
    let mut held: Vec<u8> = Vec::new();
    let mut began = (0, 1);
    let mut layout: Option<Layout> = None;
    let mut retried = false;
    loop {
        let (start, number) = match lines.next(limits::LINE_BYTES)? {
            Line::Whole { start, number } => (start, number),
            Line::TooLong { number, bytes } => {
                too_long(number, bytes, session);
                held.clear();
                row.clear();
                continue;
            }
            Line::End if held.is_empty() => return Ok(()),
            Line::End => {
                let message =
                    "a quote is opened in this row and never closed; the row was left out";
                session.out.problem(ProblemKind::Malformed, Some(began.1), message);
                if std::mem::replace(&mut retried, true) {
                    return Ok(());
                }
                // Only the first line of the row is lost: what it swallowed is read again.
                let first = memchr::memchr(b'\n', &held).map_or(held.len(), |at| at + 1);
                let rest = held.split_off(first);
                lines = lines.rewound(rest, began.0 + first, began.1.saturating_add(1));
                held.clear();
                row.clear();
                continue;
            }
        };
        if held.is_empty() {
            if lines.bytes().iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            began = (start, number);
        }
        held.extend_from_slice(lines.bytes());
        if row.feed(lines.bytes()) {
            match &layout {
                Some(layout) => deliver(&row, layout, &held, began, session),
                None => match Layout::of(&names(&row), columns) {
                    Ok(found) => layout = Some(found),
                    Err(message) => {
                        session.out.problem(ProblemKind::Malformed, Some(began.1), &message);
                        return Ok(());
                    }
                },
            }
        } else if held.len() <= limits::LINE_BYTES {
            continue;
        } else {
            too_long(began.1, held.len(), session);
        }
        held.clear();
        row.clear();
    }
}

fn too_long(line: u32, bytes: usize, session: &mut Session<'_>) {
    let message = format!(
        "a row of {bytes} bytes is longer than the limit of {} bytes and was left out; is a quote \
         never closed?",
        limits::LINE_BYTES
    );
    session.out.problem(ProblemKind::Limit, Some(line), &message);
}

fn deliver(
    row: &Row,
    layout: &Layout,
    held: &[u8],
    began: (usize, u32),
    session: &mut Session<'_>,
) {
    let trimmed = held.trim_ascii_end();
    let place = Place::new(trimmed, began.0, began.1);
    let mut cx = Cx { session, place: &place };
    let span = Span::new(0, trimmed.len());
    let cell = |index: Option<usize>| -> Cow<'_, str> {
        let bytes = index.and_then(|index| row.cells.get(index));
        bytes.map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default()
    };
    let text = cell(Some(layout.text));
    if text.trim().is_empty() {
        let message = "a row without text; it was left out";
        cx.problem(ProblemKind::MissingField, span, message);
        return;
    }
    if std::str::from_utf8(trimmed).is_err() {
        let message = "a row with bytes that are not UTF-8; they were replaced by U+FFFD";
        cx.problem(ProblemKind::Encoding, span, message);
    }
    let agent = cell(layout.agent);
    let role = match layout.role {
        Some(index) => chat::role(&cell(Some(index))).unwrap_or_default(),
        None => chat::role(&agent).unwrap_or(Role::Agent),
    };
    let mut said = Said::new(agent, role, text, span);
    said.round = cell(layout.round).trim().parse().ok();
    said.model = Some(cell(layout.model).trim().to_owned()).filter(|model| !model.is_empty());
    said.at = time::parse(&cell(layout.time));
    let key = Some(cell(layout.debate).trim().to_owned()).filter(|key| !key.is_empty());
    cx.loose(Format::Csv, key.as_deref(), said);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<String> {
        let mut row = Row::new(b',');
        assert!(row.feed(line.as_bytes()), "{line}");
        names(&row)
    }

    #[test]
    fn quotes_and_separators() {
        assert_eq!(cells("a,\"b,c\",\"d\"\"e\",5\" pipe\r\n"), ["a", "b,c", "d\"e", "5\" pipe"]);
        assert_eq!(cells("a,,\n"), ["a", "", ""]);
    }

    #[test]
    fn a_header_is_recognised_by_its_names() {
        let none = Columns::default();
        assert_eq!(separator(b"Speaker;Text\n", &none), Some(b';'));
        assert_eq!(separator(b"id\tagent\tmessage\n", &none), Some(b'\t'));
        assert_eq!(separator(b"Hello, text of mine\n", &none), None);
        let named =
            Columns { agent: Some("wer".into()), text: Some("was".into()), ..Columns::default() };
        assert_eq!(separator(b"wer,was\n", &named), Some(b','));
    }
}
