//! A sentence in pieces: values, times, sources, names, and what the other words do.

use rebuttal_model::Span;

use super::common;
use super::describing::adjectives;
use super::listed::{self, Listed, any_of};
use super::meaning::{Meaning, Meanings};
use crate::citations::{Citation, CitationKind};
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::periods::Period;
use crate::quantities::look::Look;
use crate::quantities::{Quantity, Unit, numbered};
use crate::reading::Reading;
use crate::senses::Senses;
use crate::sentences::Sentence;
use crate::tokens::{self, Token};
use crate::words::{self, Stem};

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, by its place among the quantities.
    Value(usize),
    /// A time, by its place among the periods.
    Period(usize),
    /// The year of "in 2017 dollars".
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

/// What is known of the whole text, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks<'t> {
    pub(super) quantities: &'t [Quantity],
    pub(super) periods: &'t [Period],
    pub(super) citations: &'t [Citation],
}

/// How far the marks have been passed; tokens come in order, so nothing is searched for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    quantity: usize,
    period: usize,
    citation: usize,
    /// Up to here there is no mark ahead.
    free: usize,
    /// The line is a title.
    pub(super) title: bool,
}

impl Cursor {
    /// What stands at these bytes, if it is no mere word.
    #[inline]
    fn at(&mut self, marks: &Marks<'_>, span: Span) -> Option<(Kind, Span)> {
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

    fn mark_at(&mut self, marks: &Marks<'_>, span: Span) -> Option<(Kind, Span)> {
        let citation = passed(marks.citations, &mut self.citation, span, |it| it.span);
        // "Jordan (2014)" on a line of its own is no author.
        let citation = citation.filter(|it| !(self.title && it.kind == CitationKind::AuthorYear));
        let source = citation.map(|it| (Kind::Source(self.citation), it.span));
        let quotes = |it: &Citation| it.value.is_some_and(|value| value.overlaps(span));
        if source.is_some() && !citation.is_some_and(quotes) {
            return source;
        }
        if let Some(found) = passed(marks.quantities, &mut self.quantity, span, |it| it.span) {
            return Some((Kind::Value(self.quantity), found.span));
        }
        let period = passed(marks.periods, &mut self.period, span, |it| it.span);
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

/// Puts the pieces of a sentence in place of those of the one before.
pub(super) fn pieces<'t>(
    reading: &'t Reading<'_>,
    sentence: &Sentence,
    marks: &'t Marks<'t>,
    names: &'t [Term],
    cursor: &mut Cursor,
    out: &mut Vec<Piece<'t>>,
) {
    let cutter = Cutter { reading, clean: reading.clean(), names, end: sentence.tokens.end };
    out.clear();
    let mut at = sentence.tokens.start;
    let mut opens = true;
    let (mut valued, mut dated) = (false, false);
    while at < sentence.tokens.end {
        let Some(token) = reading.tokens.get(at).copied() else { break };
        let mark = cursor.at(marks, token.span()).map(|mark| named(mark, marks, token, reading));
        let (length, piece) = cutter.piece(at, token, mark, opens);
        // Several tokens of one number, time or citation are one piece.
        let again = out.last().is_some_and(|last| {
            last.span.start() == piece.span.start() && !matches!(piece.kind, Kind::Mark(_))
        });
        // What a cell, a label or a bracket opens with has a capital as a sentence has.
        opens = match piece.kind {
            Kind::Mark(b'|' | b':' | b'(' | b'"' | b'=') => true,
            Kind::Mark(_) => opens,
            _ => false,
        };
        if !again {
            valued |= matches!(piece.kind, Kind::Value(_));
            dated |= matches!(piece.kind, Kind::Period(_));
            out.push(piece);
        }
        at += length.max(1);
    }
    references(out);
    if valued {
        pers(out, marks.quantities);
        adjectives(out, marks.quantities, reading.clean());
    }
    if valued || dated {
        bases(out, marks.quantities);
    }
}

/// "Server 12 handles": the number is part of a name.
fn named(
    (kind, span): (Kind, Span),
    marks: &Marks<'_>,
    token: Token,
    reading: &Reading<'_>,
) -> (Kind, Span) {
    let Kind::Value(number) = kind else { return (kind, span) };
    let noun =
        marks.quantities.get(number).filter(|it| it.unit == Unit::None).and_then(|it| it.noun);
    let before = noun.is_some_and(|noun| noun.end() <= span.start());
    let look = Look::new(reading.clean());
    let names = before && numbered(look, span.start(), span.end()).is_some();
    if names { (Kind::Name(Term::new(token.stem)), span) } else { (kind, span) }
}

struct Cutter<'r, 't> {
    reading: &'t Reading<'r>,
    clean: &'t str,
    names: &'t [Term],
    end: usize,
}

impl<'t> Cutter<'_, 't> {
    fn piece(
        &self,
        at: usize,
        token: Token,
        mark: Option<(Kind, Span)>,
        opens: bool,
    ) -> (usize, Piece<'t>) {
        let text = token.span().of(self.clean).unwrap_or_default();
        let bit = listed::bit(text);
        let piece = |kind| Piece { kind, span: token.span(), text, bit, opens: false, owns: false };
        if let Some((kind, span)) = mark {
            return (1, Piece { span, ..piece(kind) });
        }
        match token.kind {
            tokens::Kind::Word => self.word(at, token, text, opens),
            tokens::Kind::Mark(mark) => (1, piece(Kind::Mark(mark))),
            tokens::Kind::Number => match self.known(at, token) {
                Some((length, meaning)) => {
                    (length, Piece { span: self.joined(at, length), ..piece(Kind::Known(meaning)) })
                }
                None => (1, piece(Kind::Word(Term::new(token.stem)))),
            },
            _ => (1, piece(Kind::Mark(b' '))),
        }
    }

    fn word(&self, at: usize, token: Token, text: &'t str, opens: bool) -> (usize, Piece<'t>) {
        let capital = starts_with_capital(text);
        let owns = matches!(text.as_bytes(), [.., b'\'', b's'] | [.., b's', b'\'']);
        let opens = opens && capital;
        let bit = listed::bit(text);
        let piece = Piece { kind: Kind::Function, span: token.span(), text, bit, opens, owns };
        if let Some((length, term)) = capital.then(|| self.country(at, text)).flatten() {
            let owns = self.reading.word(at + length - 1).ends_with("'s");
            let span = self.joined(at, length);
            return (length, Piece { kind: Kind::Name(term), span, owns, ..piece });
        }
        let known = self.known(at, token);
        let term = Term::new(token.stem);
        // The "s" of "Congo (Brazzaville)'s".
        let says_nothing = Lexicon::english().is_function(token.word) || text == "s";
        if known.is_none() && !says_nothing && capital && self.is_named(at, token, text, opens) {
            return (1, Piece { kind: Kind::Name(term), ..piece });
        }
        if let Some((length, meaning)) = known {
            let span = self.joined(at, length);
            let text = if length == 1 { text } else { span.of(self.clean).unwrap_or(text) };
            let bit = listed::bit(text);
            return (length, Piece { kind: Kind::Known(meaning), span, text, bit, ..piece });
        }
        let kind = if says_nothing { Kind::Function } else { Kind::Word(term) };
        (1, Piece { kind, ..piece })
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
                    || !common::is_common(text) && !self.is_neutral(at + 1)
            }
        }
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
    fn country(&self, at: usize, text: &str) -> Option<(usize, Term)> {
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
        let meanings = Meanings::english();
        if meanings.may_start(token.stem) { self.phrase(meanings, at, token) } else { None }
    }

    fn phrase(&self, meanings: &Meanings, at: usize, token: Token) -> Option<(usize, Meaning)> {
        let rest = self.reading.tokens.get(at + 1..self.end).unwrap_or_default();
        let hyphen = |token: &&Token| !token.is_mark(b'-');
        let stems = rest.iter().filter(hyphen).map(|token| match token.kind {
            tokens::Kind::Word | tokens::Kind::Number => token.stem,
            _ => Stem::default(),
        });
        let (words, meaning) = meanings.phrase(token.stem, &stems)?;
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

/// What a value is per is part of its unit: the `MWh` of `$220/MWh` is no name.
fn pers(pieces: &mut [Piece<'_>], quantities: &[Quantity]) {
    for at in 0..pieces.len() {
        let per = match pieces.get(at).map(|it| it.kind) {
            Some(Kind::Value(number)) => quantities.get(number).and_then(|it| it.per),
            _ => None,
        };
        let Some(per) = per else { continue };
        let behind = pieces.iter_mut().skip(at + 1);
        for piece in behind.take_while(|it| it.span.start() < per.end()) {
            if piece.span.overlaps(per) || piece.is(any_of!["per"]) {
                piece.kind = Kind::Function;
            }
        }
    }
}

/// "its", and "the hospital" where no word says which.
fn references(pieces: &mut [Piece<'_>]) {
    for at in 0..pieces.len() {
        let Some(piece) = pieces.get(at) else { continue };
        let pointed = || {
            let before = at.checked_sub(1).and_then(|at| pieces.get(at));
            before.is_some_and(|it| it.is(any_of!["the", "this", "that"]))
        };
        let narrowed = || {
            !piece.owns
                && pieces.get(at + 1).is_some_and(|it| {
                    matches!(
                        it.kind,
                        Kind::Word(_) | Kind::Name(_) | Kind::Known(Meaning::Concepts(_))
                    )
                })
        };
        let refers = match piece.kind {
            Kind::Function => piece.is(any_of!["its", "it", "their", "there"]),
            Kind::Word(_) | Kind::Known(Meaning::Neutral) => {
                pointed() && !narrowed() && common::is_general(piece.text)
            }
            _ => false,
        };
        if refers && let Some(piece) = pieces.get_mut(at) {
            piece.kind = Kind::Refers;
        }
    }
}

/// What has a year and is no time that is spoken of.
pub(super) const EDITIONS: Listed =
    Listed::new(&["edition", "report", "survey", "census", "issue", "release"]);

/// "in 2017 dollars", "constant 2015 prices": the year is no value and no time.
fn bases(pieces: &mut [Piece<'_>], quantities: &[Quantity]) {
    for at in 0..pieces.len() {
        let Some(piece) = pieces.get(at) else { continue };
        if !matches!(piece.kind, Kind::Value(_) | Kind::Period(_)) {
            continue;
        }
        let year = piece.text.get(..4).and_then(|digits| digits.parse::<u16>().ok());
        let year = year.filter(|year| (1900..2100).contains(year));
        let is_money = match piece.kind {
            Kind::Value(number) => quantities.get(number).is_some_and(|it| {
                matches!(it.unit, Unit::Currency(_)) && it.scale <= 1.0 && it.decimals == 0
            }),
            Kind::Period(_) => pieces.get(at + 1).is_some_and(|next| {
                next.is(any_of![
                    "prices", "price", "dollars", "euros", "pounds", "us$", "usd", "us"
                ])
            }),
            _ => false,
        };
        if let Some(year) = year.filter(|_| is_money)
            && let Some(piece) = pieces.get_mut(at)
        {
            piece.kind = Kind::Base(year);
        }
    }
}

/// True when a citation only names a note: "[1]".
pub(super) fn is_note(citation: &Citation) -> bool {
    matches!(citation.kind, CitationKind::Numbered | CitationKind::Footnote)
}
