//! JSON in files: one document, one record a line, or values one after another.
//!
//! Lines are read one at a time and forgotten, so a file of any size takes the memory of its
//! largest transcript. Only when the first line is not a value of its own is the file taken for
//! one document and held as a whole.

use std::io;

use rebuttal_model::{ProblemKind, limits};

use crate::formats;
use crate::input::{Line, Lines};
use crate::json::{Fault, Json, skip_space};
use crate::place::Place;
use crate::read::too_large;
use crate::session::{Cx, Session};
use crate::{Format, ReadOptions};

/// Reads JSON to its end.
pub(crate) fn read(
    mut lines: Lines<'_>,
    options: &ReadOptions,
    session: &mut Session<'_>,
) -> io::Result<()> {
    loop {
        // The first line may be a whole document, and so as long as one.
        let (start, number) = match lines.next(limits::DOCUMENT_BYTES)? {
            Line::Whole { start, number } => (start, number),
            // A line that is the whole file is a document written without line breaks.
            Line::TooLong { .. } if lines.at_end()? => {
                too_large("a JSON document", session);
                return Ok(());
            }
            Line::TooLong { number, bytes } => {
                long_line(number, bytes, limits::DOCUMENT_BYTES, session);
                return by_line(lines, options, session);
            }
            Line::End => return Ok(()),
        };
        if lines.bytes().trim_ascii().is_empty() {
            continue;
        }
        let fault = Json::parse(lines.bytes(), 0).broken.map(|broken| broken.fault);
        // A string cannot go on in the next line: such a line is broken, not unfinished. But when
        // there is no next line, this one is the document, and what came before the break counts.
        let is_document = match fault {
            Some(Fault::End) => true,
            Some(_) => lines.at_end()?,
            None => false,
        };
        if is_document {
            return document(lines, start, number, options, session);
        }
        one_line(&lines.take(), start, number, options.from, session);
        return by_line(lines, options, session);
    }
}

fn by_line(
    mut lines: Lines<'_>,
    options: &ReadOptions,
    session: &mut Session<'_>,
) -> io::Result<()> {
    loop {
        match lines.next(session.line_bytes_max())? {
            Line::Whole { start, number } => {
                one_line(lines.bytes(), start, number, options.from, session);
            }
            Line::TooLong { number, bytes } => {
                long_line(number, bytes, session.line_bytes_max(), session);
            }
            Line::End => return Ok(()),
        }
    }
}

fn long_line(number: u32, bytes: usize, limit: usize, session: &mut Session<'_>) {
    let message = format!(
        "a line of {bytes} bytes is longer than the limit of {limit} bytes and was skipped; is \
         this one record a line?"
    );
    session.out.problem(ProblemKind::Limit, Some(number), &message);
}

fn one_line(
    line: &[u8],
    start: usize,
    number: u32,
    forced: Option<Format>,
    session: &mut Session<'_>,
) {
    // Without its line feed, so that what breaks off at the end breaks off on this line.
    let line = line.trim_ascii_end();
    if line.is_empty() {
        return;
    }
    let place = Place::new(line, start, number);
    let mut cx = Cx { session, place: &place };
    let mut from = 0;
    // Several values on one line are unusual, but nothing is lost by reading them.
    loop {
        let json = Json::parse(line, from);
        cx.report_json(&json, "line");
        if json.broken.is_some() {
            return;
        }
        if let Some(root) = json.root() {
            formats::value(root, forced, &mut cx);
        }
        from = skip_space(line, json.end);
        if from >= line.len() {
            return;
        }
    }
}

/// A file whose first value takes more than a line.
fn document(
    mut lines: Lines<'_>,
    start: usize,
    number: u32,
    options: &ReadOptions,
    session: &mut Session<'_>,
) -> io::Result<()> {
    let mut bytes = lines.take();
    let whole = lines.read_rest(&mut bytes, limits::DOCUMENT_BYTES)?;
    if whole {
        let first = Json::parse(&bytes, 0);
        if first.broken.is_none() || !mostly_lines(&bytes, session.line_bytes_max()) {
            let place = Place::new(&bytes, start, number);
            values(first, &place, options.from, session);
            return Ok(());
        }
    } else if !mostly_lines(&bytes, session.line_bytes_max()) {
        too_large("a JSON document", session);
        return Ok(());
    }
    by_line(lines.rewound(bytes, start, number), options, session)
}

/// Values one after another, the first of which is read already.
fn values(first: Json<'_>, place: &Place<'_>, forced: Option<Format>, session: &mut Session<'_>) {
    let mut cx = Cx { session, place };
    let mut json = first;
    loop {
        cx.report_json(&json, "document");
        if let Some(root) = json.root() {
            formats::value(root, forced, &mut cx);
        }
        let next = skip_space(place.bytes(), json.end);
        if json.broken.is_some() || next >= place.bytes().len() {
            return;
        }
        json = Json::parse(place.bytes(), next);
    }
}

/// True when most lines of a file are values of their own, whatever the first one is.
fn mostly_lines(bytes: &[u8], line_bytes_max: usize) -> bool {
    const LOOK: usize = 100;
    // Longer lines would not be read as lines.
    let mut rest = bytes.get(..bytes.len().min(2 * line_bytes_max)).unwrap_or_default();
    let mut lines = 0;
    let mut values = 0;
    for _ in 0..LOOK {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        lines += 1;
        values += usize::from(line.starts_with(b"{") && Json::parse(line, 0).is_whole());
    }
    values > 0 && values * 2 >= lines
}
