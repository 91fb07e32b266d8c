//! The two statements on one proposition inside two long texts.
//!
//! Every statement of the later text is looked up by the words it shares with one of the earlier, so
//! that texts of any length cost their length; the few pairs that share most are compared.

use std::collections::HashMap;

use rebuttal_model::{FlipKind, Owner, Span};
use rebuttal_text::{ClaimReading, Reading, Term};

use super::FlipOutcome;
use super::line::{self, Found};

/// Most statements of a text that are looked at.
const CLAIMS: usize = 128;
/// Most earlier statements looked at for one word.
const PER_TERM: usize = 8;
/// Most pairs of statements that are compared.
const PAIRS: usize = 8;
/// The least share of all their words that two statements must have in common.
const ALIKE: f64 = 0.6;

/// What became of the statements of `before` that come again in `after`: the gravest change, or that
/// there is none; nothing if no statement comes again.
pub(super) fn compare(before: &Reading<'_>, after: &Reading<'_>) -> Option<Found> {
    let found = pairs(&own(before), &own(after));
    let compared = found.into_iter().map(|(alike, one, two)| {
        let words = |reading: &Reading<'_>, span: Span| {
            span.of(reading.original()).unwrap_or_default().to_owned()
        };
        let (first, second) = (words(before, one), words(after, two));
        let found = line::compare(&Reading::new(&first), &Reading::new(&second));
        let place = |inner: Option<Span>, outer: Span| {
            Some(inner.map_or(outer, |span| span.shifted(outer.start())))
        };
        Found {
            similarity: alike,
            before: place(found.before, one),
            after: place(found.after, two),
            acknowledgment: None,
            ..found
        }
    });
    compared.max_by_key(|found| gravity(found.outcome))
}

fn gravity(outcome: FlipOutcome) -> u8 {
    match outcome {
        FlipOutcome::Unrelated => 0,
        FlipOutcome::Same => 1,
        FlipOutcome::Changed(FlipKind::Refinement) => 2,
        FlipOutcome::Changed(FlipKind::Qualification) => 3,
        FlipOutcome::Changed(FlipKind::Retraction) => 4,
        FlipOutcome::Changed(FlipKind::Contradiction) => 5,
    }
}

fn own(reading: &Reading<'_>) -> Vec<ClaimReading> {
    let claims = reading.claims().into_iter();
    claims.filter(|claim| claim.owner == Owner::Speaker).take(CLAIMS).collect()
}

/// The pairs that share most of their words, best first.
fn pairs(before: &[ClaimReading], after: &[ClaimReading]) -> Vec<(f64, Span, Span)> {
    let mut by_term: HashMap<Term, Vec<usize>> = HashMap::new();
    for (at, claim) in before.iter().enumerate() {
        for term in &claim.terms {
            let places = by_term.entry(*term).or_default();
            if places.len() < PER_TERM {
                places.push(at);
            }
        }
    }
    let mut found: Vec<(f64, Span, Span)> = Vec::new();
    for claim in after {
        let mut shared: HashMap<usize, u64> = HashMap::new();
        for place in claim.terms.iter().filter_map(|term| by_term.get(term)).flatten() {
            *shared.entry(*place).or_default() += 1;
        }
        let alike = shared.into_iter().filter_map(|(at, both)| {
            let other = before.get(at)?;
            let all = (other.terms.len() + claim.terms.len()) as u64 - both;
            Some((crate::measure::share(both, all)?, at, other.span))
        });
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        found.extend(
            best.filter(|best| best.0 >= ALIKE).map(|(alike, _, span)| (alike, span, claim.span)),
        );
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    found.truncate(PAIRS);
    found
}
