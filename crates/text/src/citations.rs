//! Where a text says it has something from: notes, papers, standards, links, "according to".
//!
//! A citation is only a claim that a source exists; whether it does is somebody else's question.
//! Index expressions, task boxes, years in brackets and "according to me" are not citations.

mod attribution;
mod authors;
pub(crate) mod brackets;
mod identifiers;
mod legal;
mod links;

use rebuttal_model::Span;

use crate::periods::{Period, periods};
use crate::places::Places;
use crate::quantities::look::{Look, Starts};

/// The way a citation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationKind {
    /// `[Per extraction: '0.10%' from GCC-STAT Q1-2024]`.
    Extraction,
    /// `[1]`, `[1, 2]`, `[3-5]`.
    Numbered,
    /// `[^1]`, `^1`, or a raised figure.
    Footnote,
    /// `(Vaswani et al., 2017)`, `Vaswani et al. (2017)`.
    AuthorYear,
    /// `doi:10.1000/182`.
    Doi,
    /// `RFC 9110`.
    Rfc,
    /// `arXiv:1706.03762`.
    Arxiv,
    /// A standard or a catalogue entry: `ISO 27001`, `NIST SP 800-53`, `CVE-2021-44228`.
    Standard,
    /// A link, bare or in Markdown.
    Url,
    /// A court case: `Smith v. Jones, 14 F.3d 221`.
    Legal,
    /// "according to the World Bank".
    Attribution,
    /// "Source: World Bank".
    SourceNote,
}

/// A source that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// All of it.
    pub span: Span,
    /// How it is written.
    pub kind: CitationKind,
    /// The name or locator of the source, within `span`.
    pub source: Span,
    /// The value that it is quoted for, without quotation marks.
    pub value: Option<Span>,
    /// The time that it speaks of or was published.
    pub period: Option<Period>,
}

impl Citation {
    fn new(kind: CitationKind, span: Span, source: Span) -> Self {
        Self { span, kind, source, value: None, period: None }
    }
}

/// The citations of `text`, in order and without overlaps.
pub(crate) fn citations(text: &str) -> Vec<Citation> {
    citations_at(&Places::of(text, &STARTS))
}

/// Reads a text whose places are known: those of [`STARTS`] and any others.
pub(crate) fn citations_at(places: &Places<'_>) -> Vec<Citation> {
    let (look, mut walk) = (places.look(), places.walk());
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = walk.next(at, &STARTS, |_, _| true) {
        let end = read(look, start, &mut found).filter(|&end| end > start);
        at = end.unwrap_or_else(|| look.run_end(start).max(next_char(look, start)));
    }
    found
}

/// The first letters of words that a citation starts with, its brackets, and the lead bytes of
/// raised figures.
pub(crate) const STARTS: Starts = Starts::pairs(&[
    b"10", b"ac", b"ar", b"ci", b"cv", b"do", b"fi", b"ft", b"ht", b"ie", b"is", b"ni", b"pe",
    b"rf", b"so", b"v.", b"ww",
])
.and(b"[(^\xc2\xe2");

fn next_char(look: Look<'_>, at: usize) -> usize {
    at + look.char(at).map_or(1, char::len_utf8)
}

/// Reads the citations that start at `at` and gives where to go on.
fn read(look: Look<'_>, at: usize, found: &mut Vec<Citation>) -> Option<usize> {
    let floor = found.last().map_or(0, |last: &Citation| last.span.end());
    let one = match look.byte(at) {
        b'[' => brackets::square(look, at),
        b'(' => match authors::in_round(look, at, found) {
            Some(end) => return Some(end),
            None => authors::before_year(look, at, floor),
        },
        0xc2 | 0xe2 => brackets::raised(look, at),
        b'^' => brackets::caret(look, at),
        b'v' | b'V' => legal::case(look, at, floor),
        b'1' => links::bare_doi(look, at),
        _ => word(look, at),
    };
    let one = one?;
    found.push(one);
    Some(one.span.end())
}

fn word(look: Look<'_>, at: usize) -> Option<Citation> {
    if look.is_glued_before(at) {
        return None;
    }
    let word = look.word(at);
    let end = at + word.len();
    match word {
        "RFC" | "rfc" | "Rfc" => identifiers::rfc(look, at, end),
        "CVE" => identifiers::cve(look, at, end),
        "ISO" | "IEC" | "IEEE" | "NIST" | "FIPS" | "PEP" => identifiers::standard(look, at, end),
        _ if word.eq_ignore_ascii_case("arxiv") => identifiers::arxiv(look, at, end),
        _ if word.eq_ignore_ascii_case("doi") => links::doi(look, at, end),
        _ if word.eq_ignore_ascii_case("according") => attribution::according(look, at, end),
        "Per" => attribution::per(look, at, end),
        "per" if attribution::is_aside(look, at) => attribution::per(look, at, end),
        _ if word.eq_ignore_ascii_case("citing") => attribution::per(look, at, end),
        _ if word.eq_ignore_ascii_case("source") || word.eq_ignore_ascii_case("sources") => {
            attribution::source_note(look, at, end)
        }
        _ => links::url(look, at, end),
    }
}

/// The last period named in `span`, at its place in the whole text.
fn period_in(look: Look<'_>, span: Span) -> Option<Period> {
    let last = periods(look.slice(span.start(), span.end())).pop()?;
    Some(Period { span: last.span.shifted(span.start()), ..last })
}

#[cfg(test)]
mod tests;
