//! Documents with a number of their own: RFCs, arXiv papers, standards, vulnerabilities.

use rebuttal_model::Span;

use super::{Citation, CitationKind};
use crate::quantities::look::Look;

/// Most digits in the number of a document.
const DIGITS_MAX: usize = 7;

fn whole(kind: CitationKind, at: usize, end: usize) -> Citation {
    Citation::new(kind, Span::new(at, end), Span::new(at, end))
}

/// `RFC 9110`, `RFC9110`, `RFC-9110`.
pub(super) fn rfc(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let start = if look.byte(end) == b'-' { end + 1 } else { look.blanks(end) };
    let count = look.digits(start, 5);
    let end = start + count;
    ((1..=5).contains(&count) && !look.is_glued(end)).then(|| whole(CitationKind::Rfc, at, end))
}

/// `CVE-2021-44228`.
pub(super) fn cve(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let count = look.digits(end + 6, DIGITS_MAX);
    let is_cve = look.byte(end) == b'-'
        && look.number(end + 1, 4).is_some()
        && look.byte(end + 5) == b'-'
        && (4..=DIGITS_MAX).contains(&count)
        && !look.is_glued(end + 6 + count);
    is_cve.then(|| whole(CitationKind::Standard, at, end + 6 + count))
}

/// `arXiv:1706.03762`, `arXiv:1706.03762v5`, `arXiv:hep-th/9901001`.
pub(super) fn arxiv(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let colon = if look.byte(end) == b':' { end + 1 } else { end };
    let start = look.blanks(colon);
    let count = look.digits(start + 5, 5);
    let source_end = if look.number(start, 4).is_some() && look.byte(start + 4) == b'.' {
        ((4..=5).contains(&count)).then(|| look.run_end(start + 5))
    } else {
        let archive =
            start + look.rest(start).bytes().take(12).take_while(|&byte| is_archive(byte)).count();
        let is_old = look.byte(archive) == b'/' && look.number(archive + 1, 7).is_some();
        is_old.then_some(archive + 8)
    }?;
    (start > end && source_end - start <= 32).then(|| {
        let span = Span::new(at, source_end);
        Citation::new(CitationKind::Arxiv, span, Span::new(start, source_end))
    })
}

fn is_archive(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'.')
}

/// `ISO 27001`, `ISO/IEC 27001:2022`, `NIST SP 800-53`, `IEEE 802.11`.
pub(super) fn standard(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let mut start = end;
    // A second body or a series: `/IEC`, ` SP`, ` Std`.
    for part in ["/IEC", "/IEEE", " SP", " Std", " FIPS", " TR", " TS"] {
        if look.has(start, part) && !look.is_glued(start + part.len()) {
            start += part.len();
            break;
        }
    }
    let number = if look.byte(start) == b'-' { start + 1 } else { look.blanks(start) };
    let first = look.digits(number, DIGITS_MAX);
    if number == start || !(1..=DIGITS_MAX).contains(&first) {
        return None;
    }
    let mut end = number + first;
    // Parts and the year of the edition.
    for _ in 0..3 {
        let count = look.digits(end + 1, DIGITS_MAX);
        let goes_on = matches!(look.byte(end), b'-' | b'.' | b':');
        if goes_on && (1..=DIGITS_MAX).contains(&count) {
            end += 1 + count;
        }
    }
    // `802.11ac` and `800-53r5` carry letters.
    let tail = look.run_end(end);
    let end = if tail - end <= 3 { tail } else { return None };
    // "ISO 100" and "ISO 3200" are how fast a film is.
    let is_film = look.slice(at, number) == "ISO "
        && matches!(
            look.slice(number, end),
            "50" | "64"
                | "100"
                | "125"
                | "160"
                | "200"
                | "250"
                | "320"
                | "400"
                | "800"
                | "1600"
                | "3200"
                | "6400"
                | "12800"
        );
    (!is_film).then(|| whole(CitationKind::Standard, at, end))
}
