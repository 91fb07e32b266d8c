//! Court cases: `Smith v. Jones, 14 F.3d 221`.

use rebuttal_model::Span;

use super::{Citation, CitationKind, period_in};
use crate::quantities::look::Look;

/// Most words in the name of each party.
const PARTY_WORDS_MAX: usize = 5;
/// Longest name of the books a case is printed in: `F. Supp. 2d`.
const REPORTER_BYTES_MAX: usize = 16;

/// The case whose `v.` is at `at`; it starts no earlier than `floor`.
pub(super) fn case(look: Look<'_>, at: usize, floor: usize) -> Option<Citation> {
    let is_versus = look.byte(at + 1) == b'.' && look.byte(at + 2) == b' ';
    (is_versus && look.byte_before(at) == b' ' && !look.is_glued_before(at)).then_some(())?;
    let start = party_before(look, at)?.max(floor);
    let end = party_after(look, at + 2)?;
    let source = Span::new(start, end);
    let end = reporter(look, end).unwrap_or(end);
    let end = year(look, end).unwrap_or(end);
    let period = period_in(look, Span::new(source.end(), end));
    let is_case = start < at;
    is_case.then(|| Citation {
        period,
        ..Citation::new(CitationKind::Legal, Span::new(start, end), source)
    })
}

fn is_capital(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
}

fn party_before(look: Look<'_>, at: usize) -> Option<usize> {
    let (mut start, mut at) = (None, at);
    for _ in 0..PARTY_WORDS_MAX {
        let (word_at, word) = look.word_before(at);
        let joins = matches!(word, "of" | "the" | "and" | "for");
        if is_capital(word) && !matches!(word, "In" | "See" | "The" | "As" | "And" | "But") {
            start = Some(word_at);
        } else if !joins || start.is_none() {
            break;
        }
        at = word_at;
    }
    start
}

fn party_after(look: Look<'_>, at: usize) -> Option<usize> {
    let (mut end, mut at) = (None, at);
    for _ in 0..PARTY_WORDS_MAX {
        let start = look.blanks(at);
        let word = look.word(start);
        let joins = matches!(word, "of" | "the" | "and" | "for");
        if is_capital(word) {
            end = Some(start + word.len());
        } else if !joins || end.is_none() {
            break;
        }
        at = start + word.len();
    }
    end
}

/// `, 14 F.3d 221`: volume, books, page.
fn reporter(look: Look<'_>, at: usize) -> Option<usize> {
    let volume = look.blanks(at + 1);
    let count = look.digits(volume, 4);
    (look.byte(at) == b',' && (1..=4).contains(&count)).then_some(())?;
    let books = look.blanks(volume + count);
    look.byte(books).is_ascii_uppercase().then_some(())?;
    let len = (1..REPORTER_BYTES_MAX).find(|&n| {
        look.byte(books + n) == b' '
            && look.byte(books + n + 1).is_ascii_digit()
            && !look.byte(books + n + 2).is_ascii_alphabetic()
    })?;
    let page = books + len + 1;
    let count = look.digits(page, 5);
    ((1..=5).contains(&count) && !look.is_glued(page + count)).then_some(page + count)
}

/// ` (9th Cir. 1993)`, ` (1973)`.
fn year(look: Look<'_>, at: usize) -> Option<usize> {
    let open = look.blanks(at);
    (look.byte(open) == b'(').then_some(())?;
    let len = (1..32).find(|&n| look.byte(open + n) == b')')?;
    let close = open + len;
    let is_year = close >= open + 5 && look.number(close - 4, 4).is_some();
    is_year.then_some(close + 1)
}
