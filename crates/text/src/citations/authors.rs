//! Authors and a year: `(Vaswani et al., 2017)`, `(Smith and Jones 2019; Lee, 2020)`,
//! `Vaswani et al. (2017)`.

use rebuttal_model::{Span, WEEKDAYS, month_number};

use super::{Citation, CitationKind, period_in};
use crate::quantities::look::Look;

/// Longest text in round brackets that is read.
const INNER_BYTES_MAX: usize = 300;
/// Most words that name authors.
const WORDS_MAX: usize = 12;

/// Reads the citations between the round brackets that open at `at`; gives where they end.
pub(super) fn in_round(look: Look<'_>, at: usize, found: &mut Vec<Citation>) -> Option<usize> {
    let bytes = look.rest(at + 1).as_bytes();
    let bytes = bytes.get(..bytes.len().min(INNER_BYTES_MAX))?;
    let len = bytes.iter().position(|byte| matches!(byte, b'(' | b')'))?;
    (bytes.get(len) == Some(&b')')).then_some(())?;
    let before = found.len();
    let mut start = at + 1;
    for part in look.slice(at + 1, at + 1 + len).split(';') {
        found.extend(author_year(look, Span::new(start, start + part.len())));
        start += part.len() + 1;
    }
    (found.len() > before).then_some(at + 1 + len + 1)
}

/// The authors and year that `span` holds and nothing else.
pub(super) fn author_year(look: Look<'_>, span: Span) -> Option<Citation> {
    let Split { start, authors, year_at, paged } = split(look, span)?;
    let authors_end = start + authors.len();
    let joined = is_names(authors)?;
    // One name and a year may be anything; a comma between them or a page makes it a source.
    let has_comma = look.slice(authors_end, year_at).contains(',');
    (joined == Joined::Many || has_comma || paged).then(|| {
        let year = Span::new(year_at, year_at + 4);
        let end = if paged { span.end() } else { look.run_end(year_at) };
        Citation {
            period: period_in(look, year),
            ..Citation::new(
                CitationKind::AuthorYear,
                Span::new(start, end.max(year.end())),
                Span::new(start, authors_end),
            )
        }
    })
}

/// Authors and a year, as they stand in brackets.
struct Split<'t> {
    start: usize,
    authors: &'t str,
    year_at: usize,
    /// A page follows, or another place within the source.
    paged: bool,
}

/// True for what names a place within a source: "p. 12", "12", "Table 3".
fn is_page(text: &str) -> bool {
    const PLACES: [&str; 7] = ["p.", "pp.", "ch.", "sec.", "Fig.", "Table", "para"];
    PLACES.iter().any(|place| text.starts_with(place))
        || text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ' ' | ',' | '\u{2013}'))
}

fn split(look: Look<'_>, span: Span) -> Option<Split<'_>> {
    let mut start = look.blanks(span.start());
    for lead in ["see also ", "see, e.g., ", "see ", "e.g., ", "e.g. ", "cf. ", "as in ", "after "]
    {
        start += if look.has(start, lead) { lead.len() } else { 0 };
    }
    let text = look.slice(start, span.end());
    let year = text.bytes().position(|byte| byte.is_ascii_digit())?;
    let number = look.number(start + year, 4).filter(|year| (1700..=2099).contains(year))?;
    let after = start + year + 4;
    // A letter tells apart two papers of one year; a page may follow.
    let letter = usize::from(look.byte(after).is_ascii_lowercase());
    let ends = matches!(look.byte(after + letter), b',' | b')' | b']' | b';' | b' ' | b':');
    let rest = look.slice(after + letter, span.end()).trim_start_matches([',', ' ', ':']);
    let authors = text.get(..year)?.trim_end_matches([' ', ',', '(']);
    let paged = !rest.trim().is_empty();
    (number > 0 && ends && is_page(rest) && !authors.is_empty()).then_some(Split {
        start,
        authors,
        year_at: start + year,
        paged,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    One,
    /// "et al.", "and", "&": what only authors have.
    Many,
}

/// Whether `text` is names and nothing else.
fn is_names(text: &str) -> Option<Joined> {
    let mut joined = Joined::One;
    let mut names = 0;
    let mut words = 0;
    for word in text.split([' ', ',', '\n']).filter(|word| !word.is_empty()) {
        words += 1;
        let first = word.chars().next()?;
        if matches!(word, "et" | "al." | "al" | "and" | "&") {
            joined = Joined::Many;
        } else if first.is_uppercase() && !is_time_word(word) {
            names += 1;
        } else if !matches!(
            word,
            "van" | "von" | "de" | "der" | "den" | "la" | "le" | "di" | "of" | "the" | "for"
        ) {
            return None;
        }
    }
    (names > 0 && words <= WORDS_MAX).then_some(joined)
}

/// Capitalised words that stand before a year without having written anything.
fn is_time_word(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    let is_part = word.len() == 2 && matches!(word.as_bytes(), [b'Q' | b'H', b'0'..=b'9']);
    is_part
        || month_number(word).is_some()
        || WEEKDAYS.contains(&word)
        || matches!(
            word,
            "In" | "Since"
                | "By"
                | "From"
                | "During"
                | "About"
                | "Around"
                | "Until"
                | "After"
                | "Before"
                | "Circa"
                | "As"
                | "On"
                | "Early"
                | "Late"
                | "Mid"
                | "FY"
                | "Spring"
                | "Summer"
                | "Autumn"
                | "Fall"
                | "Winter"
                | "Version"
        )
}

/// The year in the brackets that open at `at`, with a page or without: where they end, and whether
/// a page is given. `(2017)`, `(2017a)`, `(2024: 12)`, `(2024, p. 12)`.
pub(super) fn year_in_round(look: Look<'_>, at: usize) -> Option<(usize, bool)> {
    const PAGE_BYTES_MAX: usize = 24;
    (look.byte(at) == b'(').then_some(())?;
    look.number(at + 1, 4).filter(|year| (1700..=2099).contains(year))?;
    let letter = usize::from(look.byte(at + 5).is_ascii_lowercase());
    let end = at + 5 + letter;
    let rest = look.rest(end).as_bytes();
    let rest = rest.get(..rest.len().min(PAGE_BYTES_MAX))?;
    let length = rest.iter().position(|byte| *byte == b')')?;
    let page = look.slice(end, end + length);
    let paged = page.trim_start_matches([',', ':', ' ']);
    let is_given = page.starts_with([',', ':']) && !paged.is_empty() && is_page(paged);
    (page.is_empty() || is_given).then_some((end + length + 1, is_given))
}

/// `Vaswani et al. (2017)`, `Smith and Jones (2019)` and `World Bank (2024: 12)`, with the bracket
/// at `at`.
pub(super) fn before_year(look: Look<'_>, at: usize, floor: usize) -> Option<Citation> {
    let (close, paged) = year_in_round(look, at)?;
    let end = look.blanks_before(at);
    let start = et_al(look, end)
        .or_else(|| pair(look, end))
        .or_else(|| if paged { names_before(look, end) } else { single(look, end, close) })
        .filter(|&start| start >= floor)?;
    Some(Citation {
        period: period_in(look, Span::new(at + 1, at + 5)),
        ..Citation::new(CitationKind::AuthorYear, Span::new(start, close), Span::new(start, end))
    })
}

/// Where the name of one or more words that ends before `at` starts: "World Bank", "Bank of England".
fn names_before(look: Look<'_>, at: usize) -> Option<usize> {
    let mut start = name_before(look, at)?;
    for _ in 1..WORDS_MAX {
        let (link_at, link) = look.word_before(start);
        let from = if matches!(link, "of" | "for") { link_at } else { start };
        // A comma ends a name that stands before it.
        let ends = look.byte_before(look.blanks_before(from)) == b',';
        let Some(before) = name_before(look, from).filter(|_| !ends) else { break };
        if matches!(
            look.word(before),
            "The" | "As" | "But" | "And" | "While" | "Per" | "By" | "See"
        ) {
            break;
        }
        start = before;
    }
    Some(start)
}

fn et_al(look: Look<'_>, end: usize) -> Option<usize> {
    let end = if look.byte_before(end) == b'.' { end - 1 } else { end };
    let (al_at, al) = look.word_before(end);
    let (et_at, et) = look.word_before(al_at);
    (al == "al" && et == "et").then(|| name_before(look, et_at))?
}

/// "Smith and Jones", "Smith & Jones".
fn pair(look: Look<'_>, end: usize) -> Option<usize> {
    let second = name_before(look, end)?;
    let link_end = look.blanks_before(second);
    let link = if look.byte_before(link_end) == b'&' {
        link_end - 1
    } else {
        let (start, word) = look.word_before(second);
        (word == "and").then_some(start)?
    };
    name_before(look, link)
}

/// "Per Smith (2024)", "Smith (2024) found": one name needs a word that makes it an author.
fn single(look: Look<'_>, end: usize, after: usize) -> Option<usize> {
    let start = names_before(look, end)?;
    let (_, before) = look.word_before(start);
    let verb = look.word(look.blanks(after));
    let is_author = matches!(before, "Per" | "per" | "by" | "By" | "see" | "See" | "following")
        || matches!(
            verb,
            "found"
                | "finds"
                | "showed"
                | "shows"
                | "show"
                | "argues"
                | "argued"
                | "reports"
                | "reported"
                | "demonstrated"
                | "demonstrates"
                | "proposed"
                | "proposes"
                | "suggests"
                | "suggested"
                | "estimates"
                | "estimated"
                | "concluded"
                | "concludes"
        );
    is_author.then_some(start)
}

/// Where the capitalised name that ends before `at` starts; a comma may follow it.
fn name_before(look: Look<'_>, at: usize) -> Option<usize> {
    let end = look.blanks_before(at);
    let end = if look.byte_before(end) == b',' { end - 1 } else { end };
    // Names have letters beyond ASCII, and hyphens.
    let is_part = |c: &char| c.is_alphabetic() || matches!(c, '-' | '\'');
    let name = look.slice(0, end).chars().rev().take(32).take_while(is_part);
    let start = end - name.map(char::len_utf8).sum::<usize>();
    let name = look.slice(start, end);
    let is_name = name.chars().next().is_some_and(char::is_uppercase) && !is_time_word(name);
    is_name.then_some(start)
}
