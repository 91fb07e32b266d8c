//! Authors and a year: `(Vaswani et al., 2017)`, `(Smith and Jones 2019; Lee, 2020)`,
//! `Vaswani et al. (2017)`.

use rebuttal_model::Span;

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
    let (start, authors, year_at) = split(look, span)?;
    let authors_end = start + authors.len();
    let joined = is_names(authors)?;
    let has_comma = look.slice(authors_end, year_at).contains(',');
    (joined == Joined::Many || has_comma).then(|| {
        let year = Span::new(year_at, year_at + 4);
        let end = look.run_end(year_at);
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

/// Where the authors start, the authors, and where the year starts.
fn split(look: Look<'_>, span: Span) -> Option<(usize, &str, usize)> {
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
    let places = ["p.", "pp.", "ch.", "sec.", "Fig.", "Table"];
    let is_page = places.iter().any(|place| rest.starts_with(place))
        || rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' ' | b','));
    let authors = text.get(..year)?.trim_end_matches([' ', ',', '(']);
    (number > 0 && ends && is_page && !authors.is_empty()).then_some((start, authors, start + year))
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
                | "January"
                | "February"
                | "March"
                | "April"
                | "May"
                | "June"
                | "July"
                | "August"
                | "September"
                | "October"
                | "November"
                | "December"
                | "Jan"
                | "Feb"
                | "Mar"
                | "Apr"
                | "Jun"
                | "Jul"
                | "Aug"
                | "Sep"
                | "Sept"
                | "Oct"
                | "Nov"
                | "Dec"
                | "Monday"
                | "Tuesday"
                | "Wednesday"
                | "Thursday"
                | "Friday"
                | "Saturday"
                | "Sunday"
                | "Version"
        )
}

/// `Vaswani et al. (2017)` and `Smith and Jones (2019)`, with the bracket at `at`.
pub(super) fn before_year(look: Look<'_>, at: usize, floor: usize) -> Option<Citation> {
    look.number(at + 1, 4).filter(|year| (1700..=2099).contains(year))?;
    let letter = usize::from(look.byte(at + 5).is_ascii_lowercase());
    let close = at + 5 + letter;
    (look.byte(close) == b')').then_some(())?;
    let end = look.blanks_before(at);
    let start = et_al(look, end)
        .or_else(|| pair(look, end))
        .or_else(|| single(look, end, close + 1))
        .filter(|&start| start >= floor)?;
    Some(Citation {
        period: period_in(look, Span::new(at + 1, at + 5)),
        ..Citation::new(
            CitationKind::AuthorYear,
            Span::new(start, close + 1),
            Span::new(start, end),
        )
    })
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
    let start = name_before(look, end)?;
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
