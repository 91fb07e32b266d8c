//! A line that is nothing but an answer: the last one of a text, or the first.

use rebuttal_model::Span;

use super::value::{self, Found, Given, Strictness};
use super::{Candidate, Explicit};
use crate::asked::{Asked, plain};
use crate::reading::Reading;

/// Most words in capitals that are an answer by themselves: `STRONG BUY`.
const LOUD: usize = 3;

/// The last line, if it is an answer.
pub(super) fn last(reading: &Reading<'_>, asked: &Asked, keep: &mut impl FnMut(Candidate)) {
    let text = reading.clean().trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    let before = text.get(..start).unwrap_or_default().trim_end();
    let previous = before.rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with('>') || is_item(line, previous) {
        return;
    }
    if let Some(found) = value::whole(line, asked, Strictness::Typed).or_else(|| loud(line)) {
        let span = Span::new(start, start + line.len());
        keep(Candidate { found, span, explicit: Explicit::Line });
    }
}

/// What the text opens with, if that is an answer and no list.
pub(super) fn first(reading: &Reading<'_>, asked: &Asked) -> Option<Candidate> {
    let text = reading.clean().trim_start();
    let start = reading.clean().len() - text.len();
    let line = text.lines().next()?;
    let next = text.lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
    let found = value::leading(line, asked, Strictness::Typed)?;
    let rest = line.get(found.length..)?.trim_start_matches(['*', '"', ')', '_']);
    let set_off = rest.is_empty()
        || rest.starts_with(['.', ':', ',', '\n', '!', '—'])
        || rest.starts_with(" —")
        || rest.starts_with(" -");
    let kind = matches!(found.given, Given::Letter(_) | Given::Option(_));
    let span = Span::new(start, start + found.length);
    let quoted = text.starts_with('>');
    (kind && set_off && !quoted && !is_item(next, line)).then_some(Candidate {
        found,
        span,
        explicit: Explicit::Opening,
    })
}

/// True when the line goes on with the list of letters that the line before it is an item of.
fn is_item(line: &str, previous: &str) -> bool {
    let letter = |line: &str| {
        let body = line.trim_start_matches(['*', '(', ' ', '-', '#']);
        let mut bytes = body.bytes();
        let first = bytes.next().filter(u8::is_ascii_alphabetic)?;
        matches!(bytes.next(), Some(b')' | b'.' | b':' | b'*')).then_some(first)
    };
    letter(line).zip(letter(previous)).is_some_and(|(here, before)| here == before.wrapping_add(1))
}

/// `SELL`: words in capitals.
fn loud(line: &str) -> Option<Found> {
    let name = plain(line);
    let count = name.split(' ').count();
    let letters = || line.chars().filter(|c| c.is_alphabetic());
    let is_loud = letters().count() > 2
        && letters().all(char::is_uppercase)
        && !line.contains(|c: char| c.is_ascii_digit());
    let bare = !line.trim_start().starts_with('#') && !line.trim_end().ends_with(':');
    (is_loud && bare && count <= LOUD).then_some(Found {
        name,
        given: Given::Words,
        length: line.len(),
    })
}
