//! Whom or what a sentence is about.

use std::ops::Range;

use rebuttal_model::Span;

use super::listed::{Listed, any_of};
use super::meaning::Meaning;
use super::pieces::{Kind, Piece};
use super::reach::HAVING;
use super::sources::Sources;
use crate::claims::Term;

/// Most words without a capital that belong to a name: "the users API", "the Novatek assay".
const WORDS: usize = 3;

/// One mention of somebody or something by name.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    /// Its pieces.
    pub(super) range: Range<usize>,
    /// Its words, sorted.
    pub(super) terms: Vec<Term>,
    /// Where it stands in the clean text.
    pub(super) span: Span,
}

/// The mentions of a sentence, in order.
pub(super) fn mentions(pieces: &[Piece<'_>], sources: &Sources) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        if is_name(pieces, sources, at) {
            let floor = found.last().map_or(0, |last| last.range.end);
            let mention = mention(pieces, sources, at, floor);
            at = mention.range.end;
            found.push(mention);
        } else {
            at += 1;
        }
    }
    if found.is_empty() {
        found.extend(label(pieces, sources));
    }
    found
}

/// "The payments gateway, Q3 2014: memory use 4 GB": words before a colon, and a measure behind it.
fn label(pieces: &[Piece<'_>], sources: &Sources) -> Option<Mention> {
    const PIECES: usize = 10;
    let colon = pieces.iter().position(|it| it.is_mark(b':')).filter(|at| *at <= PIECES)?;
    let (before, behind) = pieces.split_at_checked(colon)?;
    let plain = before.iter().enumerate().all(|(at, it)| {
        let word =
            matches!(it.kind, Kind::Word(_) | Kind::Function | Kind::Period(_) | Kind::Mark(_));
        word && !sources.is(at)
    });
    let measured = behind.iter().any(|it| matches!(it.kind, Kind::Known(Meaning::Concepts(_))))
        && behind.iter().any(|it| matches!(it.kind, Kind::Value(_)));
    if !plain || !measured {
        return None;
    }
    let (terms, span) = words(before)?;
    Some(Mention { range: 0..colon, terms, span })
}

fn is_name(pieces: &[Piece<'_>], sources: &Sources, at: usize) -> bool {
    matches!(pieces.get(at).map(|it| it.kind), Some(Kind::Name(_))) && !sources.is(at)
}

fn mention(pieces: &[Piece<'_>], sources: &Sources, first: usize, floor: usize) -> Mention {
    let word = |at: usize| {
        matches!(pieces.get(at).map(|it| it.kind), Some(Kind::Word(_))) && !sources.is(at)
    };
    let owns = |at: usize| pieces.get(at).is_some_and(|it| it.owns);
    let mut start = first;
    while start > floor && first - start < WORDS && word(start - 1) && !owns(start - 1) {
        start -= 1;
    }
    let mut end = first + 1;
    while let Some(next) = goes_on(pieces, sources, end) {
        end = next + 1;
    }
    // "the Novatek assay's": words behind belong to it unless they lead to what is measured.
    let mut ahead = end;
    while !owns(ahead - 1) && ahead - end < WORDS && word(ahead) {
        ahead += 1;
    }
    let leads_on = !owns(ahead - 1)
        && pieces.get(ahead).is_some_and(|it| {
            // "Zara sales were": what is said to be so much is the measure.
            it.kind == Kind::Known(Meaning::Links) && !it.is(&HAVING)
                || matches!(
                    it.kind,
                    Kind::Word(_)
                        | Kind::Value(_)
                        | Kind::Known(Meaning::Concepts(_) | Meaning::Minus(_) | Meaning::Plus(_))
                )
        });
    if !leads_on {
        end = ahead;
    }
    // "Congo (Brazzaville)".
    let bracket = |at: usize, mark: u8| pieces.get(at).is_some_and(|it| it.is_mark(mark));
    if (start..end).any(|at| bracket(at, b'(')) && bracket(end, b')') {
        end += 1;
    }
    let own = pieces.get(start..end).unwrap_or_default();
    let mut terms: Vec<Term> = own
        .iter()
        .filter_map(|it| match it.kind {
            Kind::Name(term) | Kind::Word(term) => Some(term),
            _ => None,
        })
        .collect();
    terms.sort_unstable();
    terms.dedup();
    let span = own.iter().filter(|it| matches!(it.kind, Kind::Name(_) | Kind::Word(_)));
    let span = span.map(|it| it.span).reduce(Span::join).unwrap_or_default();
    Mention { range: start..end, terms, span }
}

/// What opens a name and is written short.
const SHORTENED: Listed = Listed::new(&["St", "Ste", "Mt", "Ft", "Dr", "Mr", "Mrs", "Ms", "Prof"]);

/// The next piece of the same name: "Antigua and Barbuda", "Bank of England", "Queen's Park".
fn goes_on(pieces: &[Piece<'_>], sources: &Sources, at: usize) -> Option<usize> {
    if is_name(pieces, sources, at) {
        return Some(at);
    }
    if pieces.get(at.checked_sub(1)?).is_some_and(|it| it.owns) {
        return None;
    }
    let piece = pieces.get(at)?;
    // "St. Mary's", "Mt. Elgon".
    let shortened = pieces.get(at.checked_sub(1)?).is_some_and(|it| it.is(&SHORTENED));
    let joins = piece.is(any_of!["and", "of", "the", "&"])
        || piece.is_mark(b'.') && shortened
        || matches!(piece.kind, Kind::Mark(b'-' | b'(' | b'&') | Kind::Known(Meaning::Suffix));
    let mut ahead = at + 1;
    while pieces.get(ahead).is_some_and(|it| it.is(any_of!["the"])) {
        ahead += 1;
    }
    (joins && is_name(pieces, sources, ahead)).then_some(ahead)
}

/// What a heading is about: a name, or its words; whether that is a guess.
pub(super) fn titled(pieces: &[Piece<'_>]) -> Option<(Vec<Term>, Span, bool)> {
    const ABOUT: Listed = Listed::new(&[
        "key figures",
        "figures",
        "findings",
        "report",
        "results",
        "profile",
        "overview",
        "summary",
        "facts",
        "metrics",
    ]);
    if let Some(mention) = mentions(pieces, &Sources::default()).into_iter().next() {
        return Some((mention.terms, mention.span, false));
    }
    let (terms, span) = words(pieces)?;
    Some((terms, span, !pieces.iter().any(|it| it.is(&ABOUT))))
}

/// What a sentence without a name speaks of: "Consider the billing service."
pub(super) fn thing(pieces: &[Piece<'_>]) -> Option<(Vec<Term>, Span)> {
    let (start, length) = thing_at(pieces)?;
    words(pieces.get(start..start + length)?)
}

/// Where such words stand, and how many they are.
pub(super) fn thing_at(pieces: &[Piece<'_>]) -> Option<(usize, usize)> {
    let word = |it: &Piece<'_>| matches!(it.kind, Kind::Word(_));
    let pointed = |at: &usize| {
        pieces.get(*at).is_some_and(|it| it.is(any_of!["the", "our", "this"]))
            && pieces.get(*at + 1).is_some_and(word)
    };
    let length = |start: usize| {
        let own = pieces.get(start..).unwrap_or_default();
        own.iter().take(WORDS).take_while(|it| word(it)).count()
    };
    // The longest, and the first of these: "Turning to the billing service, the records were complete."
    let found = (0..pieces.len()).filter(pointed).map(|at| (at + 1, length(at + 1)));
    found.max_by_key(|(at, length)| (*length, std::cmp::Reverse(*at)))
}

fn words(pieces: &[Piece<'_>]) -> Option<(Vec<Term>, Span)> {
    let words = || {
        pieces.iter().filter_map(|it| match it.kind {
            Kind::Word(term) => Some((term, it.span)),
            _ => None,
        })
    };
    let span = words().map(|it| it.1).reduce(Span::join)?;
    let mut terms: Vec<Term> = words().map(|it| it.0).collect();
    terms.sort_unstable();
    terms.dedup();
    Some((terms, span))
}
