//! What stands in square brackets, and raised figures.

use rebuttal_model::Span;

use super::{Citation, CitationKind, authors, links, period_in};
use crate::quantities::look::Look;

/// Longest text in square brackets that is read.
const INNER_BYTES_MAX: usize = 400;
/// Longest list of note numbers.
const NUMBERS_BYTES_MAX: usize = 40;

/// The citation whose `[` is at `at`.
pub(super) fn square(look: Look<'_>, at: usize) -> Option<Citation> {
    let close = close(look, at)?;
    let inner = look.slice(at + 1, close);
    let span = Span::new(at, close + 1);
    if look.byte(close + 1) == b'(' {
        return markdown(look, at, close + 2);
    }
    if inner.len() > 1 && inner.starts_with('^') && !inner.contains(' ') {
        return Some(Citation::new(CitationKind::Footnote, span, Span::new(at + 2, close)));
    }
    // `array[1]` and `f(x)[1]` are index expressions; "in 2023[1]" is none.
    if look.is_glued_before(at) && !follows_year(look, at)
        || matches!(look.byte_before(at), b')' | b']' | b'}')
    {
        return None;
    }
    if is_numbers(inner) {
        return Some(Citation::new(CitationKind::Numbered, span, Span::new(at + 1, close)));
    }
    extraction(look, at + 1, close)
        .map(|found| Citation { span, ..found })
        .or_else(|| authors::author_year(look, Span::new(at + 1, close)))
}

/// Where the bracket at `at` closes, when nothing opens in between.
fn close(look: Look<'_>, at: usize) -> Option<usize> {
    let bytes = look.rest(at + 1).as_bytes();
    let bytes = bytes.get(..bytes.len().min(INNER_BYTES_MAX))?;
    let found = bytes.iter().position(|byte| matches!(byte, b'[' | b']'))?;
    (bytes.get(found) == Some(&b']')).then_some(at + 1 + found)
}

/// `1`, `1, 2`, `3-5`: short numbers, each of which may be a range. `[0, 1]` is an interval.
fn is_numbers(inner: &str) -> bool {
    let is_number = |part: &str| {
        let part = part.trim();
        let is_short = (1..=3).contains(&part.len()) && !part.starts_with('0');
        is_short && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_range = |part: &str| part.split(['-', '\u{2013}']).take(3).all(is_number);
    inner.len() <= NUMBERS_BYTES_MAX && inner.split([',', ';']).all(is_range)
}

/// `[text](url)`, with the URL at `start`.
fn markdown(look: Look<'_>, at: usize, start: usize) -> Option<Citation> {
    let word = start + look.word(start).len();
    links::is_url(look, start, word).then_some(())?;
    // Brackets inside the URL belong to it; the one that closes the link does not.
    let mut depth = 0usize;
    let is_close = |byte: u8| {
        depth += usize::from(byte == b'(');
        let closes = byte == b')' && depth == 0;
        depth -= usize::from(byte == b')' && depth > 0);
        closes || byte <= b' '
    };
    let rest = look.rest(start).bytes().take(links::URL_BYTES_MAX);
    let end = rest.into_iter().position(is_close).map(|len| start + len);
    if let Some(end) = end.filter(|&end| look.byte(end) == b')') {
        let found = links::link(look, at, start, end);
        return Some(Citation { span: Span::new(at, end + 1), ..found });
    }
    // A title follows, or the bracket is missing: the URL itself will do.
    let found = links::url(look, start, word)?;
    Some(Citation { span: Span::new(at, found.span.end()), ..found })
}

/// `Per extraction: '0.10%' from GCC-STAT Q1-2024`, between `start` and `end`.
fn extraction(look: Look<'_>, start: usize, end: usize) -> Option<Citation> {
    let mut at = start;
    for word in ["as ", "per "] {
        at += if look.has(at, word) { word.len() } else { 0 };
    }
    look.has(at, "extraction").then_some(())?;
    let colon = look.slice(at, end).find(':')?;
    let body = Span::new(at + colon + 1, end);
    let text = body.of(look.rest(0))?;
    let (value, source) = match text.rfind(" from ") {
        Some(from) => (
            Some(trimmed(look, Span::new(body.start(), body.start() + from), is_quote)),
            Span::new(body.start() + from + 6, end),
        ),
        None => (None, body),
    };
    let period = period_in(look, source);
    // The source is what is left when its period is taken away.
    let name = match period {
        Some(period) if period.span.end() == source.end() => {
            Span::new(source.start(), period.span.start())
        }
        _ => source,
    };
    let name = trimmed(look, name, |c| matches!(c, ',' | ':' | ';' | '-' | '\u{2013}' | '('));
    let name = if name.is_empty() { source } else { name };
    let value = value.filter(|value| !value.is_empty());
    Some(Citation { value, period, ..Citation::new(CitationKind::Extraction, body, name) })
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '`')
}

/// `span` without blanks and `extra` characters at its edges.
fn trimmed(look: Look<'_>, span: Span, extra: impl Fn(char) -> bool) -> Span {
    let text = look.slice(span.start(), span.end());
    let is_edge = |c: char| c.is_whitespace() || extra(c);
    let left = text.len() - text.trim_start_matches(is_edge).len();
    let kept = text.trim_matches(is_edge).len();
    Span::new(span.start() + left, span.start() + left + kept)
}

/// True for a figure that is raised to mark a note.
pub(crate) fn is_raised(c: char) -> bool {
    matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2070}' | '\u{2074}'..='\u{2079}')
}

/// Raised figures after a word, a year or the end of a sentence; not the powers of `km²` and `x²`.
pub(super) fn raised(look: Look<'_>, at: usize) -> Option<Citation> {
    look.char(at).filter(|&c| is_raised(c))?;
    let len: usize =
        look.rest(at).chars().take(4).take_while(|&c| is_raised(c)).map(char::len_utf8).sum();
    let span = Span::new(at, at + len);
    is_noted(look, span).then(|| Citation::new(CitationKind::Footnote, span, span))
}

/// The `^1` that stands where a raised figure would.
pub(super) fn caret(look: Look<'_>, at: usize) -> Option<Citation> {
    let digits = look.digits(at + 1, 3);
    let span = Span::new(at, at + 1 + digits);
    let is_number = (1..=3).contains(&digits) && look.byte(at + 1) != b'0';
    let source = Span::new(at + 1, span.end());
    (is_number && is_noted(look, span)).then(|| Citation::new(CitationKind::Footnote, span, source))
}

/// Whether what a mark stands behind can have a note, and ends with it.
fn is_noted(look: Look<'_>, mark: Span) -> bool {
    let at = mark.start();
    let (start, word) = look.word_before(at);
    let after_word = start + word.len() == at && word.len() >= 4;
    let after_mark = matches!(
        look.byte_before(at),
        b'.' | b',' | b';' | b'"' | b'\'' | b'?' | b'!' | b'%' | b')'
    );
    // `O(n·claims²)` is a formula.
    let after = look.byte(mark.end());
    let ends = matches!(after, 0..=b' ' | b'.' | b',' | b';' | b':' | b'?' | b'!');
    ends && (after_word || after_mark || follows_year(look, at))
}

/// True when a year ends at `at`.
fn follows_year(look: Look<'_>, at: usize) -> bool {
    let year = at.checked_sub(4).and_then(|at| look.number(at, 4).map(|year| (at, year)));
    year.is_some_and(|(at, year)| (1900..2100).contains(&year) && !look.is_glued_before(at))
}

/// Where the mark of a note that stands at `at` ends: `[^1]`, `[1]`, `^1` or a raised figure.
pub(crate) fn note_end(look: Look<'_>, at: usize) -> Option<usize> {
    let found = match look.byte(at) {
        b'[' => square(look, at),
        b'^' => caret(look, at),
        byte if byte.is_ascii() => None,
        _ => raised(look, at),
    };
    let is_note =
        |it: &Citation| matches!(it.kind, CitationKind::Numbered | CitationKind::Footnote);
    found.filter(is_note).map(|it| it.span.end())
}
