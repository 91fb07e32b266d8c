//! Which pieces of a sentence only say who says so.

use rebuttal_model::Span;

use super::listed::{Listed, any_of};
use super::meaning::Meaning;
use super::pieces::{EDITIONS, Kind, Piece};

/// Most pieces of the subject of "puts": a longer one is a clause of its own.
const SUBJECT: usize = 10;

/// What sources give.
const DATA: Listed =
    Listed::new(&["data", "figures", "estimates", "statistics", "numbers", "records", "surveys"]);

/// The pieces that name sources, and what else they tell.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Empty until the first is found: most sentences have none.
    is: Vec<bool>,
    pieces: usize,
    /// Who says so, where it is no citation.
    pub(super) reporter: Option<Span>,
    /// The period in brackets behind the source, by its place: "(World Bank, 2021)".
    pub(super) period: Option<usize>,
}

impl Sources {
    pub(super) fn is(&self, at: usize) -> bool {
        self.is.get(at).copied().unwrap_or(false)
    }

    /// Finds them. `known` is true when it is known whom the sentence is about.
    pub(super) fn find(pieces: &[Piece<'_>], known: bool) -> Self {
        let mut sources = Self { pieces: pieces.len(), ..Self::default() };
        for (at, piece) in pieces.iter().enumerate() {
            match piece.kind {
                Kind::Source(_) => sources.mark(at..at + 1),
                Kind::Mark(b'(') => sources.bracket(pieces, at, b')'),
                Kind::Mark(b'[') => sources.bracket(pieces, at, b']'),
                Kind::Known(Meaning::Reports) => sources.subject(pieces, at, true),
                Kind::Known(Meaning::ReportsOwn) => sources.subject(pieces, at, known),
                _ => {}
            }
            if piece.is(any_of!["as", "based"]) {
                sources.aside(pieces, at);
            }
        }
        sources.label(pieces);
        sources.signed(pieces);
        sources
    }

    /// "… was 3 % in 2023 — World Bank": a name behind a dash at the end.
    fn signed(&mut self, pieces: &[Piece<'_>]) {
        let named = |it: &&Piece<'_>| {
            matches!(it.kind, Kind::Name(_) | Kind::Known(Meaning::Suffix)) && !it.country
                || it.is(any_of!["of", "the", "for"])
        };
        let end = pieces.iter().rposition(|it| !it.is_mark(b'.')).map_or(0, |at| at + 1);
        let count = pieces.get(..end).unwrap_or_default().iter().rev().take_while(named).count();
        let start = end - count;
        let dash = start.checked_sub(1).and_then(|at| pieces.get(at));
        let dashed = dash.is_some_and(|it| it.is_mark(b'-') || it.is_mark(b' '));
        let before = pieces.get(..start).unwrap_or_default();
        let valued = before.iter().any(|it| matches!(it.kind, Kind::Value(_)));
        if count > 0 && dashed && valued && self.reporter.is_none() {
            self.reporter = pieces.get(start..end).and_then(words_span);
            self.mark(start..end);
        }
    }

    fn mark(&mut self, range: std::ops::Range<usize>) {
        self.is.resize(self.pieces, false);
        self.is.get_mut(range).unwrap_or_default().fill(true);
    }

    /// "(World Bank, 2021)", "(registry study)": words behind a value, and nothing that is measured.
    fn bracket(&mut self, pieces: &[Piece<'_>], open: usize, closing: u8) {
        // "(World Bank 2024, p. 12)": what looks like the end of a sentence may part a bracket.
        let length = pieces.iter().skip(open).position(|it| it.is_mark(closing));
        let close = length.map_or(pieces.len(), |length| open + length);
        let inside = pieces.get(open + 1..close).unwrap_or_default();
        let has = |wanted: fn(&Kind) -> bool| inside.iter().any(|piece| wanted(&piece.kind));
        let before = pieces.get(..open).unwrap_or_default();
        let behind_value = before.iter().any(|it| matches!(it.kind, Kind::Value(_)));
        let dated = has(|kind| matches!(kind, Kind::Period(_)))
            || inside.iter().any(|piece| piece.is(any_of!["edition"]));
        let measured = has(|kind| {
            matches!(kind, Kind::Value(_) | Kind::Base(_) | Kind::Known(Meaning::Concepts(_)))
        });
        // "(Peru, 2023)" says of whom and when, and so does whatever stands before a colon.
        let worded =
            inside.iter().any(|it| matches!(it.kind, Kind::Name(_) | Kind::Word(_)) && !it.country);
        let heads = !behind_value && pieces.get(close + 1).is_some_and(|it| it.is_mark(b':'));
        let compares = inside.first().is_some_and(|it| {
            it.is(any_of![
                "in",
                "of",
                "per",
                "up",
                "down",
                "from",
                "excluding",
                "including",
                "ages",
                "aged",
            ])
        });
        if (dated || behind_value) && worded && !measured && !compares && !heads {
            self.mark(open..close + 1);
            let dated = inside.iter().position(|it| matches!(it.kind, Kind::Period(_)));
            let named = dated.and_then(|at| words_span(inside.get(..at)?));
            self.reporter = named.or_else(|| words_span(inside)).or(self.reporter);
            self.period = match inside.last().map(|piece| piece.kind) {
                Some(Kind::Period(at)) => Some(at),
                _ => self.period,
            };
        }
    }

    /// "as reported by Eurostat", "based on World Bank data": as far as the next comma, value or verb.
    fn aside(&mut self, pieces: &[Piece<'_>], start: usize) {
        let is =
            |far: usize, words: &Listed| pieces.get(start + far).is_some_and(|it| it.is(words));
        let data = is(0, any_of!["based"]);
        let leads = if data {
            is(1, any_of!["on", "upon"])
        } else {
            is(1, any_of!["reported", "published", "estimated", "measured", "compiled", "stated"])
                && is(2, any_of!["by"])
        };
        let from = start + if data { 2 } else { 3 };
        let rest = pieces.get(from..).unwrap_or_default();
        let goes_on = |it: &&Piece<'_>| {
            let worded =
                matches!(it.kind, Kind::Name(_) | Kind::Word(_) | Kind::Known(Meaning::Neutral))
                    || matches!(it.kind, Kind::Period(_) | Kind::Known(Meaning::Suffix));
            worded || it.is(any_of!["the", "of", "for", "and"])
        };
        let length = rest.iter().take(SUBJECT).take_while(goes_on).count();
        let own = rest.get(..length).unwrap_or_default();
        // "Based on Oman's exports" says what was reckoned with, and not who says so.
        let ends = rest.get(length).is_none_or(|it| matches!(it.kind, Kind::Mark(_)));
        let named = own.iter().any(|it| matches!(it.kind, Kind::Name(_)));
        let last = own.iter().rfind(|it| !matches!(it.kind, Kind::Period(_)));
        let is_data = last.is_some_and(|it| it.is(&DATA));
        if leads && ends && named && (is_data || !data) {
            self.reporter = self.reporter.or_else(|| words_span(own));
            self.period = self.period.or_else(|| dated(own));
            self.mark(start..from + length);
        }
    }

    /// What stands before "puts", as far as the last comma, is who says so.
    fn subject(&mut self, pieces: &[Piece<'_>], verb: usize, always: bool) {
        let start = (0..verb).rev().find(|at| ends_clause(pieces.get(*at))).map_or(0, |at| at + 1);
        let subject = pieces.get(start..verb).unwrap_or_default();
        let worded = |piece: &Piece<'_>| {
            matches!(piece.kind, Kind::Name(_) | Kind::Word(_) | Kind::Known(Meaning::Neutral))
        };
        let measured = |piece: &Piece<'_>| {
            matches!(
                piece.kind,
                Kind::Value(_) | Kind::Known(Meaning::Concepts(_) | Meaning::Links)
            )
        };
        let mut around = (0..start).chain(verb + 1..pieces.len());
        let value = |at: usize| matches!(pieces.get(at).map(|it| it.kind), Some(Kind::Value(_)));
        if subject.len() > SUBJECT
            || !subject.iter().any(worded)
            || subject.iter().any(measured)
            || !around.clone().any(value)
        {
            return;
        }
        // "Acme reported revenue of 5 m" is of Acme, unless somebody else is named.
        let named = |at: usize| {
            pieces.get(at).is_some_and(|it| matches!(it.kind, Kind::Name(_))) && !self.is(at)
        };
        if always || around.any(named) {
            self.reporter = self.reporter.or_else(|| words_span(subject));
            self.period = self.period.or_else(|| dated(subject));
            self.mark(start..verb + 1);
        }
    }

    /// "Eurostat, 2019: the rate was 4 %": a name before a colon with a sentence behind it.
    fn label(&mut self, pieces: &[Piece<'_>]) {
        let colon = pieces.iter().position(|it| it.is_mark(b':'));
        let Some(colon) = colon.filter(|at| *at <= SUBJECT) else { return };
        let (before, behind) = pieces.split_at(colon);
        let plain = |it: &Piece<'_>| {
            matches!(
                it.kind,
                Kind::Name(_) | Kind::Word(_) | Kind::Function | Kind::Mark(_) | Kind::Period(_)
            ) && !it.owns
                || it.is(&DATA)
        };
        let says = |it: &Piece<'_>| {
            matches!(it.kind, Kind::Known(Meaning::Links | Meaning::Up | Meaning::Down))
        };
        let named = |it: &Piece<'_>| matches!(it.kind, Kind::Name(_));
        if before.iter().any(|it| matches!(it.kind, Kind::Name(_) | Kind::Word(_)))
            && before.iter().all(plain)
            && (behind.iter().any(says) || before.iter().any(|it| it.is(&DATA)))
            && behind.iter().any(|it| named(it) || it.owns || matches!(it.kind, Kind::Refers))
        {
            self.reporter = self.reporter.or_else(|| words_span(before));
            self.period = self.period.or_else(|| dated(before));
            self.mark(0..colon + 1);
        }
    }
}

/// The time that some pieces name, unless it dates an edition.
fn dated(pieces: &[Piece<'_>]) -> Option<usize> {
    pieces.iter().enumerate().find_map(|(at, piece)| match piece.kind {
        Kind::Period(number) => {
            let edition = pieces.get(at + 1).is_some_and(|it| it.is(&EDITIONS));
            (!edition).then_some(number)
        }
        _ => None,
    })
}

fn ends_clause(piece: Option<&Piece<'_>>) -> bool {
    piece.is_some_and(|it| matches!(it.kind, Kind::Mark(b',' | b';' | b':' | b' ' | b'|')))
}

/// From the first to the last word that says something.
fn words_span(pieces: &[Piece<'_>]) -> Option<Span> {
    let says = |piece: &&Piece<'_>| {
        !matches!(piece.kind, Kind::Function | Kind::Mark(_) | Kind::Period(_))
    };
    let (first, last) = (pieces.iter().find(says)?, pieces.iter().rfind(says)?);
    Some(first.span.join(last.span))
}
