//! A sentence in pieces: values, times, sources, names, and what the other words do.

use rebuttal_model::Span;

use super::common;
use super::describing::adjectives;
use super::listed::{self, Listed};
use super::meaning::{Meaning, Meanings};
use super::second::{bases, pers, references};
use crate::citations::{Citation, CitationKind};
use crate::claims::Term;
use crate::periods::Period;
use crate::quantities::look::Look;
use crate::quantities::{Quantity, Unit, numbered};
use crate::reading::Reading;
use crate::senses::Senses;
use crate::sentences::Sentence;
use crate::tokens::{self, Token};
use crate::traits::Traits;
use crate::words::{self, Stem};

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, by its place among the quantities.
    Value(usize),
    /// A time, by its place among the periods.
    Period(usize),
    /// The year of "in 2017 dollars"; 0 for "at current prices".
    Base(u16),
    /// Part of a citation, by its place among the citations.
    Source(usize),
    /// Part of a name.
    Name(Term),
    /// A word that may name what is measured.
    Word(Term),
    /// What the word lists say it does.
    Known(Meaning),
    /// "of", "in", "from", …: told apart by their text where it matters.
    Function,
    /// "the hospital", "its": whoever was named before.
    Refers,
    /// "that year", "the same quarter": the time that was named before.
    Same,
    /// One mark of punctuation.
    Mark(u8),
}

/// A word, phrase, number, time or mark. The span is of the clean text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece<'t> {
    pub(super) kind: Kind,
    pub(super) span: Span,
    pub(super) text: &'t str,
    /// The [bit](listed::bit) of the text.
    pub(super) bit: u64,
    /// Written with a capital letter at the start of its sentence.
    pub(super) opens: bool,
    /// Followed by "'s".
    pub(super) owns: bool,
    /// The name of a country.
    pub(super) country: bool,
}

impl Piece<'_> {
    pub(super) fn is_mark(&self, mark: u8) -> bool {
        matches!(self.kind, Kind::Mark(own) if own == mark)
    }

    /// True for one of these words, in whatever case.
    #[inline]
    pub(super) fn is(&self, words: &Listed) -> bool {
        words.has(self.text, self.bit)
    }
}

/// The numbers, times and citations of a text, in order.
#[derive(Clone, Debug)]
pub struct Marks {
    pub(super) quantities: Vec<Quantity>,
    pub(super) periods: Vec<Period>,
    pub(super) citations: Vec<Citation>,
}

/// How far the marks have been passed; tokens come in order, so nothing is searched for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    quantity: usize,
    period: usize,
    citation: usize,
    /// Up to here there is no mark ahead.
    free: usize,
    /// The line is a title; asked where there are citations.
    pub(super) title: bool,
}

impl Cursor {
    /// What stands at these bytes, if it is no mere word.
    #[inline]
    fn at(&mut self, marks: &Marks, span: Span) -> Option<(Kind, Span)> {
        // Most words are no part of anything.
        if span.end() <= self.free {
            return None;
        }
        let found = self.mark_at(marks, span);
        if found.is_none() {
            let quantity = marks.quantities.get(self.quantity).map(|it| it.span);
            let period = marks.periods.get(self.period).map(|it| it.span);
            let citation = marks.citations.get(self.citation).map(|it| it.span);
            let next = [quantity, period, citation].into_iter().flatten().map(Span::start).min();
            self.free = next.unwrap_or(usize::MAX);
        }
        found
    }

    fn mark_at(&mut self, marks: &Marks, span: Span) -> Option<(Kind, Span)> {
        let citation = passed(&marks.citations, &mut self.citation, span, |it| it.span);
        // "Jordan (2014)" on a line of its own is no author.
        let citation = citation.filter(|it| !(self.title && it.kind == CitationKind::AuthorYear));
        let source = citation.map(|it| (Kind::Source(self.citation), it.span));
        let quotes = |it: &Citation| it.value.is_some_and(|value| value.overlaps(span));
        if source.is_some() && !citation.is_some_and(quotes) {
            return source;
        }
        if let Some(found) = passed(&marks.quantities, &mut self.quantity, span, |it| it.span) {
            return Some((Kind::Value(self.quantity), found.span));
        }
        let period = passed(&marks.periods, &mut self.period, span, |it| it.span);
        period.map(|found| (Kind::Period(self.period), found.span)).or(source)
    }
}

/// Moves on to the first mark that does not end before the span; that mark, if it overlaps.
fn passed<'m, M>(
    marks: &'m [M],
    at: &mut usize,
    span: Span,
    place: impl Fn(&M) -> Span,
) -> Option<&'m M> {
    while marks.get(*at).is_some_and(|mark| place(mark).end() <= span.start()) {
        *at += 1;
    }
    marks.get(*at).filter(|mark| place(mark).overlaps(span))
}

/// Adds the pieces of a sentence.
pub(super) fn pieces<'t>(
    reading: &'t Reading<'_>,
    sentence: &Sentence,
    marks: &'t Marks,
    names: &'t [Term],
    cursor: &mut Cursor,
    out: &mut Vec<Piece<'t>>,
) {
    let cutter = Cutter {
        reading,
        clean: reading.clean(),
        names,
        end: sentence.tokens.end,
        meanings: Meanings::english(),
    };
    let from = out.len();
    let mut at = sentence.tokens.start;
    let mut opens = true;
    // The first value and the first value or time, counted in pieces.
    let (mut valued, mut dated) = (None, None);
    while at < sentence.tokens.end {
        let Some(token) = reading.tokens.get(at).copied() else { break };
        let span = token.span();
        let mark = cursor.at(marks, span).map(|mark| named(mark, marks, token, reading));
        let (length, piece) = cutter.piece(at, token, span, mark, opens);
        // Several tokens of one number, time or citation are one piece.
        let before = if out.len() > from { out.last() } else { None };
        let again = before.is_some_and(|last| {
            last.span.start() == piece.span.start() && !matches!(piece.kind, Kind::Mark(_))
        });
        // What a cell, a label or a bracket opens with has a capital as a sentence has.
        opens = match piece.kind {
            Kind::Mark(b'|' | b':' | b'(' | b'"' | b'=') => true,
            Kind::Mark(_) => opens,
            _ => false,
        };
        if !again {
            let place = out.len() - from;
            match piece.kind {
                Kind::Value(_) => {
                    valued = valued.or(Some(place));
                    dated = dated.or(Some(place));
                }
                Kind::Period(_) => dated = dated.or(Some(place)),
                _ => {}
            }
            out.push(piece);
        }
        at += length.max(1);
    }
    let own = out.get_mut(from..).unwrap_or_default();
    references(own);
    if let Some(first) = valued {
        pers(own, first, &marks.quantities, reading.clean());
        adjectives(own, first, &marks.quantities, reading.clean());
    }
    if let Some(first) = dated {
        bases(own, first, &marks.quantities);
    }
}

/// "Server 12 handles": the number is part of a name.
fn named(
    (kind, span): (Kind, Span),
    marks: &Marks,
    token: Token,
    reading: &Reading<'_>,
) -> (Kind, Span) {
    let Kind::Value(number) = kind else { return (kind, span) };
    let quantity = marks
        .quantities
        .get(number)
        .filter(|it| matches!(it.unit, Unit::None | Unit::Count) && it.out_of <= 0.0);
    let Some(quantity) = quantity else { return (kind, span) };
    let noun = quantity.noun.filter(|_| quantity.unit == Unit::None);
    let before = noun.filter(|noun| noun.end() < span.start());
    let look = Look::new(reading.clean());
    // "Boeing 737", "line 3".
    // "the Boeing 737 burns 5 t": with an article the number is the model's, whatever follows.
    let (name_at, name) = look.word_before(span.start());
    let (_, article) = look.word_before(name_at);
    let model = starts_with_capital(name)
        && ["the", "a", "an"].iter().any(|it| article.eq_ignore_ascii_case(it))
        && span.of(reading.clean()).is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    let names = model
        || before.is_some_and(|noun| {
            let titled = noun.of(reading.clean()).is_some_and(starts_with_capital)
                && noun.end() + 1 == span.start();
            titled || numbered(look, span.start(), span.end()).is_some()
        });
    if names { (Kind::Name(Term::new(token.stem)), span) } else { (kind, span) }
}

struct Cutter<'r, 't> {
    reading: &'t Reading<'r>,
    clean: &'t str,
    names: &'t [Term],
    end: usize,
    meanings: &'static Meanings,
}

impl<'t> Cutter<'_, 't> {
    /// The piece that starts with a token, and how many tokens it takes.
    #[inline]
    fn piece(
        &self,
        at: usize,
        token: Token,
        span: Span,
        mark: Option<(Kind, Span)>,
        opens: bool,
    ) -> (usize, Piece<'t>) {
        let text = self.clean.get(span.start()..span.end()).unwrap_or_default();
        let bit = listed::bit(text);
        let kind = Kind::Mark(b' ');
        let mut piece = Piece { kind, span, text, bit, opens: false, owns: false, country: false };
        let mut length = 1;
        if let Some(mark) = mark {
            (piece.kind, piece.span) = mark;
            return (length, piece);
        }
        match token.kind {
            tokens::Kind::Word => length = self.word(at, token, opens, &mut piece),
            tokens::Kind::Mark(mark) => piece.kind = Kind::Mark(mark),
            tokens::Kind::Number => match self.known(at, token) {
                Some((words, meaning)) => {
                    length = words;
                    piece.span = self.joined(at, words);
                    piece.kind = Kind::Known(meaning);
                }
                None => piece.kind = Kind::Word(Term::new(token.stem)),
            },
            _ => {}
        }
        (length, piece)
    }

    /// Says what a word is, and how many tokens it takes.
    #[inline]
    fn word(&self, at: usize, token: Token, opens: bool, piece: &mut Piece<'t>) -> usize {
        let text = piece.text;
        let capital = starts_with_capital(text);
        piece.owns = matches!(text.as_bytes(), [.., b'\'', b's'] | [.., b's', b'\'']);
        piece.opens = opens && capital;
        if capital && let Some((length, term)) = self.country(at, token, text) {
            piece.owns = self.reading.word(at + length - 1).ends_with("'s");
            piece.span = self.joined(at, length);
            piece.kind = Kind::Name(term);
            piece.country = true;
            return length;
        }
        if let Some((length, meaning)) = self.known(at, token) {
            piece.kind = Kind::Known(meaning);
            if length > 1 {
                piece.span = self.joined(at, length);
                piece.text = piece.span.of(self.clean).unwrap_or(text);
                piece.bit = listed::bit(piece.text);
            }
            return length;
        }
        // The "s" of "Congo (Brazzaville)'s".
        let labels = text == "A" && !opens && self.is_labelled(at);
        let says_nothing = token.traits.has(Traits::FUNCTION) && !labels
            || text == "s"
            || capital && !opens && names_date(text, piece.bit);
        piece.kind = if says_nothing {
            Kind::Function
        } else if capital && self.is_named(at, token, text, piece.opens) {
            Kind::Name(Term::new(token.stem))
        } else {
            Kind::Word(Term::new(token.stem))
        };
        1
    }

    /// Whether a word with a capital is a name. At the start of a sentence every word has one: there
    /// it is a name when it owns something, goes on like one, is one elsewhere, or is too rare to be a
    /// common word. A word in capitals is as often a measure ("PPV") as a name.
    fn is_named(&self, at: usize, token: Token, text: &str, opens: bool) -> bool {
        let lower = text.chars().any(char::is_lowercase);
        let inner = text.chars().skip(1).any(char::is_uppercase);
        let term = Term::new(token.stem);
        match (lower, opens) {
            (false, _) => false,
            (true, false) => true,
            (true, true) => {
                inner
                    || text.ends_with("'s")
                    || self.names.binary_search(&term).is_ok()
                    || self.says(at + 1)
                    || self.is_capital(at + 1)
                        && !(common::is_common(text) && self.is_short(at + 1))
                    || !common::is_common(text) && !self.is_neutral(at + 1)
            }
        }
    }

    /// True for the "A" of "class A" and "model A": a word stands before it, and no mark.
    fn is_labelled(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.reading.tokens.get(at));
        before.is_some_and(|it| it.is_word() && !it.traits.has(Traits::FUNCTION))
    }

    /// True for the "rate" of "Timeout rate": what stands before it is a measure, however rare.
    fn is_neutral(&self, at: usize) -> bool {
        let known = self.reading.tokens.get(at).and_then(|token| self.known(at, *token));
        matches!(known, Some((_, Meaning::Neutral)))
    }

    /// True for a word with a capital that names no measure: "Papua **New** Guinea".
    fn is_capital(&self, at: usize) -> bool {
        let capital = starts_with_capital(self.reading.word(at));
        let token = self.reading.tokens.get(at).copied().filter(|token| capital && token.is_word());
        token.is_some_and(|token| {
            !matches!(self.known(at, token), Some((_, Meaning::Concepts(_) | Meaning::Neutral)))
        })
    }

    /// True for "HIV": what stands before it is as often an adjective.
    fn is_short(&self, at: usize) -> bool {
        self.reading.word(at).chars().all(char::is_uppercase)
    }

    /// True when the word at `at` makes what stands before it somebody who speaks.
    fn says(&self, at: usize) -> bool {
        let known = self.reading.tokens.get(at).and_then(|token| self.known(at, *token));
        matches!(known, Some((_, Meaning::Reports | Meaning::ReportsOwn)))
    }

    fn joined(&self, at: usize, length: usize) -> Span {
        let span = |at: usize| self.reading.tokens.get(at).map(|token| token.span());
        let first = span(at).unwrap_or_default();
        first.join(span(at + length - 1).unwrap_or(first))
    }

    /// A country, whatever it is called here, and how many words that takes.
    fn country(&self, at: usize, token: Token, text: &str) -> Option<(usize, Term)> {
        let senses = Senses::english();
        let rest = self.reading.tokens.get(at..self.end).unwrap_or_default();
        let short = match text.strip_suffix("'s").unwrap_or(text) {
            "US" | "USA" => Some("united_states"),
            "UK" => Some("united_kingdom"),
            "UAE" => Some("united_arab_emirates"),
            _ => None,
        };
        let (length, stem) = match short {
            Some(name) => (1, Stem(words::hash(name.as_bytes()))),
            None if !token.traits.has(Traits::COUNTRY) => return None,
            None => senses
                .phrase(rest.iter().map(|token| token.stem))
                .or_else(|| rest.first().map(|token| (1, token.stem)))?,
        };
        let number = senses.country(stem)?;
        let mark = words::hash_on(words::hash(b"country "), &number.to_le_bytes());
        Some((length, Term::new(Stem(mark))))
    }

    /// The longest phrase of the word lists that starts here; a hyphen between words is no word.
    #[inline]
    fn known(&self, at: usize, token: Token) -> Option<(usize, Meaning)> {
        if token.traits.has(Traits::MEASURES) { self.phrase(at, token) } else { None }
    }

    fn phrase(&self, at: usize, token: Token) -> Option<(usize, Meaning)> {
        let rest = self.reading.tokens.get(at + 1..self.end).unwrap_or_default();
        let hyphen = |token: &&Token| !token.is_mark(b'-');
        let stems = rest.iter().filter(hyphen).map(|token| match token.kind {
            tokens::Kind::Word | tokens::Kind::Number => token.stem,
            _ => Stem::default(),
        });
        let (words, meaning) = self.meanings.phrase(token.stem, &stems)?;
        if words == 1 {
            return Some((1, meaning));
        }
        // As many words, and the hyphens between them.
        let (mut length, mut left) = (1, words - 1);
        for token in rest {
            if left == 0 {
                break;
            }
            left -= usize::from(!token.is_mark(b'-'));
            length += 1;
        }
        Some((length, meaning))
    }
}

/// True for a word with a capital; most are told by their first byte.
fn starts_with_capital(word: &str) -> bool {
    match word.as_bytes().first() {
        Some(byte) if byte.is_ascii() => byte.is_ascii_uppercase(),
        _ => word.chars().next().is_some_and(char::is_uppercase),
    }
}

/// True for a month or a day of the week without a year.
pub(super) fn is_date(piece: &Piece<'_>) -> bool {
    piece.kind == Kind::Function && names_date(piece.text, piece.bit)
}

/// True for a month or a day of the week, which names nobody. Case counts: "may" is no month.
pub(super) fn names_date(text: &str, bit: u64) -> bool {
    const MONTHS: Listed = Listed::new(&rebuttal_model::MONTHS);
    const DAYS: Listed = Listed::new(&rebuttal_model::WEEKDAYS);
    MONTHS.has_exactly(text, bit) || DAYS.has_exactly(text, bit)
}

/// What has a year and is no time that is spoken of.
pub(super) const EDITIONS: Listed =
    Listed::new(&["edition", "report", "survey", "census", "issue", "release"]);

/// True when a citation only names a note: "[1]".
pub(super) fn is_note(citation: &Citation) -> bool {
    matches!(citation.kind, CitationKind::Numbered | CitationKind::Footnote)
}
