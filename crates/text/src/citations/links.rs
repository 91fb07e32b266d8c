//! Links: bare, in angle brackets or in Markdown; and DOIs, which are links to papers.

use rebuttal_model::Span;

use super::{Citation, CitationKind};
use crate::quantities::look::Look;

/// Longest URL that is read; a bound, because links may follow each other without a blank.
pub(super) const URL_BYTES_MAX: usize = 2048;

/// Where the URL at `at` ends at the latest.
fn url_end(look: Look<'_>, at: usize) -> usize {
    let rest = look.rest(at);
    let near = rest.get(..rest.floor_char_boundary(URL_BYTES_MAX)).unwrap_or_default();
    at + Look::new(near).solid_end(0)
}

/// The link that starts with the word from `at` to `end`: `https://…`, `www.…`.
pub(super) fn url(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    is_url(look, at, end).then(|| link(look, at, at, trimmed(look, at, url_end(look, at))))
}

/// True when the word from `at` to `end` begins a URL.
pub(super) fn is_url(look: Look<'_>, at: usize, end: usize) -> bool {
    let scheme = look.slice(at, end);
    let is_scheme = ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (is_scheme && look.has(end, "://") && look.is_glued(end + 3))
        || (scheme.eq_ignore_ascii_case("www") && look.byte(end) == b'.' && look.is_glued(end + 1))
}

/// The citation of the URL from `start` to `end`, written out from `at`.
pub(super) fn link(look: Look<'_>, at: usize, start: usize, end: usize) -> Citation {
    let url = look.slice(start, end);
    let after = |host: &str| {
        // The host is at the front; what a link carries further on is not its address.
        let head = url.get(..url.len().min(40)).unwrap_or_default();
        head.to_ascii_lowercase().find(host).map(|found| start + found + host.len())
    };
    let (kind, source) = if let Some(paper) = after("doi.org/").filter(|&at| is_doi(look, at)) {
        (CitationKind::Doi, paper)
    } else if let Some(paper) = after("arxiv.org/abs/").or_else(|| after("arxiv.org/pdf/")) {
        (CitationKind::Arxiv, paper)
    } else {
        (CitationKind::Url, start)
    };
    Citation::new(kind, Span::new(at, end), Span::new(source, end))
}

/// `end` without the punctuation that closes the sentence rather than the URL.
fn trimmed(look: Look<'_>, start: usize, end: usize) -> usize {
    let url = look.slice(start, end).as_bytes();
    let count = |wanted: u8| memchr::memchr_iter(wanted, url).count();
    let mut spare_round = count(b')').saturating_sub(count(b'('));
    let mut spare_square = count(b']').saturating_sub(count(b'['));
    let mut kept = url.len();
    while let Some(last) = kept.checked_sub(1) {
        let spare = match url.get(last) {
            Some(b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'|') => None,
            Some(b')') => Some(&mut spare_round),
            Some(b']') => Some(&mut spare_square),
            _ => break,
        };
        match spare {
            Some(0) => break,
            Some(spare) => *spare -= 1,
            None => {}
        }
        kept = last;
    }
    start + kept
}

fn is_doi(look: Look<'_>, at: usize) -> bool {
    let count = look.digits(at + 3, 9);
    look.has(at, "10.") && (4..=9).contains(&count) && look.byte(at + 3 + count) == b'/'
}

/// `doi:10.1000/182`, after the word from `at` to `end`.
pub(super) fn doi(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let start = if look.byte(end) == b':' { end + 1 } else { end };
    let start = look.blanks(start);
    (start > end && is_doi(look, start)).then(|| {
        let end = trimmed(look, start, url_end(look, start));
        Citation::new(CitationKind::Doi, Span::new(at, end), Span::new(start, end))
    })
}

/// `10.1000/182` without a word before it.
pub(super) fn bare_doi(look: Look<'_>, at: usize) -> Option<Citation> {
    let is_free = !look.is_glued_before(at) && !matches!(look.byte_before(at), b'.' | b'/');
    (is_free && is_doi(look, at)).then(|| {
        let span = Span::new(at, trimmed(look, at, url_end(look, at)));
        Citation::new(CitationKind::Doi, span, span)
    })
}
