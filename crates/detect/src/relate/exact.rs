//! What is known for certain of two statements, whoever else judges them: the same words, words that have
//! changed places, and how far each statement goes.

use rebuttal_model::Span;
use rebuttal_semantics::Related;

use super::reserve::Reach;
use super::roles::{Swapped, swapped};
use super::{CONTRADICTS, Statement};
use crate::pair::{CueKind, Feature, PairReading, Veto, is_same};

/// How sure it is that two parts which have changed places break with each other, or do not.
const PLACES: f32 = 0.9;
/// A break as strong as this is plain, whatever else is said with reserve.
const PLAIN: f32 = 0.75;
/// Share of the first statement's words that the second must say again to narrow it.
const RELATED: f32 = 0.6;
/// What a statement that narrows another by its words has of the other relations' shares.
const NARROWS: f32 = 0.8;

/// The shares in the light of what is certain, why where that decided, and the words that show it.
pub(super) struct Settled {
    pub(super) shares: Related,
    pub(super) why: Option<&'static str>,
    pub(super) at: Option<(Span, Span)>,
}

/// What witnesses say, put right where something is certain.
pub(super) fn settle(
    shares: Related,
    rules: &PairReading,
    a: &Statement<'_>,
    b: &Statement<'_>,
) -> Settled {
    let plain = |shares, why| Settled { shares, why, at: None };
    if is_same(a.text(), b.text()) {
        let shares = Related { same: 1.0, ..Related::NONE };
        return plain(shares, Some("it says the same, word for word"));
    }
    if let Some(settled) = places(shares, rules, a, b) {
        return settled;
    }
    if let Some(veto) = rules.veto.filter(|_| shares.contradicts < CONTRADICTS) {
        // What is said of other times or the other way round is another statement.
        let shares = match veto {
            Veto::Times | Veto::Turns => Related {
                contradicts: shares.contradicts,
                unrelated: 1.0 - shares.contradicts,
                ..Related::NONE
            },
            Veto::Denial => shares,
        };
        return plain(shares, Some(veto.as_str()));
    }
    if narrows(&shares, rules, a, b) {
        let (held, holds) = (a.reserve().span, b.reserve().span);
        let open = (1.0 - shares.qualifies) * NARROWS;
        let qualifies = shares.qualifies + open;
        let less = |share: f32| share * (1.0 - NARROWS);
        let shares = Related {
            same: less(shares.same),
            entails: less(shares.entails),
            contradicts: less(shares.contradicts),
            qualifies,
            unrelated: less(shares.unrelated),
        };
        let at = holds.or(held).map(|span| (held.unwrap_or_default(), span));
        return Settled { shares, why: Some("it holds only in part or under a condition"), at };
    }
    plain(shares, None)
}

/// Two parts of a line that have changed places.
fn places(
    shares: Related,
    rules: &PairReading,
    a: &Statement<'_>,
    b: &Statement<'_>,
) -> Option<Settled> {
    // Without a word in common nothing has changed places.
    if rules.feature(Feature::CoverageA) <= 0.0 {
        return None;
    }
    let swap = swapped(a.ordered()?, b.ordered()?)?;
    let at = Some((swap.a, swap.b));
    Some(match swap.kind {
        Swapped::Turned => Settled {
            shares: shares.with_contradiction(shares.contradicts.max(PLACES)),
            why: Some("who did it to whom has changed"),
            at,
        },
        Swapped::Back => Settled {
            shares: Related { same: PLACES, unrelated: 1.0 - PLACES, ..Related::NONE },
            why: Some("it says the same, turned round"),
            at,
        },
    })
}

/// Whether the second says of the first that it holds in part only: by its words, where what breaks is not
/// said plainly, or where nothing breaks and most of the first is said again.
fn narrows(shares: &Related, rules: &PairReading, a: &Statement<'_>, b: &Statement<'_>) -> bool {
    if b.reserve().reach != Reach::Partly || a.reserve().reach == Reach::Partly {
        return false;
    }
    if shares.contradicts < CONTRADICTS {
        let again = rules.feature(Feature::CoverageA) >= RELATED;
        return again && rules.cues.is_empty() && shares.unrelated < CONTRADICTS;
    }
    rules.cues.first().is_some_and(|cue| {
        let denies = matches!(cue.kind, CueKind::Negation | CueKind::Prefix | CueKind::Opposite);
        denies && (cue.strength < PLAIN || rules.feature(Feature::HedgeDifference) > 0.0)
    })
}
