//! A second look at the pieces of a sentence: what some of them are, the others tell.

use super::common;
use super::listed::{Listed, any_of};
use super::meaning::Meaning;
use super::pieces::{Kind, Piece};
use crate::quantities::{Quantity, Unit, measure};
use rebuttal_model::Span;

/// What a value is per is part of its unit: the `MWh` of `$220/MWh` is no name.
/// What is no unit ("per capita", "per student") tells which measure it is, and stays.
pub(super) fn pers(pieces: &mut [Piece<'_>], first: usize, quantities: &[Quantity], clean: &str) {
    for at in first..pieces.len() {
        let per = match pieces.get(at).map(|it| it.kind) {
            Some(Kind::Value(number)) => quantities.get(number).and_then(|it| it.per),
            _ => None,
        };
        let is_unit = |per: &Span| per.of(clean).is_some_and(|it| measure(it).is_some());
        let Some(per) = per.filter(is_unit) else { continue };
        let behind = pieces.iter_mut().skip(at + 1);
        for piece in behind.take_while(|it| it.span.start() < per.end()) {
            if piece.span.overlaps(per) || piece.is(any_of!["per"]) {
                piece.kind = Kind::Function;
            }
        }
    }
}

/// "its", and "the hospital" where no word says which.
pub(super) fn references(pieces: &mut [Piece<'_>]) {
    for at in 0..pieces.len() {
        let Some(piece) = pieces.get(at) else { continue };
        if piece.is(any_of!["that", "same"])
            && let Some(time) = pieces.get_mut(at + 1).filter(|it| it.is(&TIMES))
        {
            time.kind = Kind::Same;
            continue;
        }
        let Some(piece) = pieces.get(at) else { continue };
        let refers = if piece.is(any_of!["the", "this", "that"]) {
            is_pointed_at(pieces, at + 1).then_some(at + 1)
        } else {
            let means =
                piece.is(any_of!["its", "it", "their", "there"]) && piece.kind == Kind::Function;
            means.then_some(at)
        };
        if let Some(piece) = refers.and_then(|at| pieces.get_mut(at)) {
            piece.kind = Kind::Refers;
        }
    }
}

/// Stretches of time that one can point at.
const TIMES: Listed =
    Listed::new(&["year", "quarter", "month", "half", "week", "season", "period", "day"]);

/// True for the "hospital" of "the hospital", and not of "the hospital network".
fn is_pointed_at(pieces: &[Piece<'_>], at: usize) -> bool {
    let Some(piece) = pieces.get(at) else { return false };
    let narrowed = || {
        let next = pieces.get(at + 1).map(|it| it.kind);
        let names =
            matches!(next, Some(Kind::Word(_) | Kind::Name(_) | Kind::Known(Meaning::Concepts(_))));
        names && !piece.owns
    };
    matches!(piece.kind, Kind::Word(_) | Kind::Known(Meaning::Neutral))
        && !narrowed()
        && common::is_general(piece.text)
}

/// "in 2017 dollars", "constant 2015 prices": the year is no value and no time.
pub(super) fn bases(pieces: &mut [Piece<'_>], first: usize, quantities: &[Quantity]) {
    for at in first..pieces.len() {
        let Some(piece) = pieces.get(at).copied() else { continue };
        if piece.is(any_of!["current"])
            && is_money(pieces, at + 1)
            && let Some(piece) = pieces.get_mut(at)
        {
            piece.kind = Kind::Base(0);
            continue;
        }
        if !matches!(piece.kind, Kind::Value(_) | Kind::Period(_)) {
            continue;
        }
        let year = piece.text.get(..4).and_then(|digits| digits.parse::<u16>().ok());
        let year = year.filter(|year| (1900..2100).contains(year));
        let priced = match piece.kind {
            Kind::Value(number) => quantities.get(number).is_some_and(|it| {
                matches!(it.unit, Unit::Currency(_)) && it.scale <= 1.0 && it.decimals == 0
            }),
            Kind::Period(_) => is_money(pieces, at + 1),
            _ => false,
        };
        if let Some(year) = year.filter(|_| priced)
            && let Some(piece) = pieces.get_mut(at)
        {
            piece.kind = Kind::Base(year);
        }
    }
}

fn is_money(pieces: &[Piece<'_>], at: usize) -> bool {
    let money = any_of!["prices", "price", "dollars", "euros", "pounds", "us$", "usd", "us"];
    pieces.get(at).is_some_and(|it| it.is(money))
}
