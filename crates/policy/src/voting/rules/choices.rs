//! Rules that look at first choices, approvals, points and weights.

use rebuttal_model::Basis;

use super::{Tally, figure, shares};
use crate::voting::count::{Cast, Count, real};
use crate::voting::rule::WeightBy;

/// What an agent weighs that does not say how sure it is: neither sure nor unsure.
const UNSTATED: f64 = 0.5;

fn first_choices(count: &Count) -> Vec<f64> {
    sums(count, |cast| cast.first().map(|first| (first, 1.0)).into_iter().collect())
}

/// What all ballots give to each option.
fn sums(count: &Count, gives: impl Fn(&Cast) -> Vec<(usize, f64)>) -> Vec<f64> {
    let mut sums = count.zeros();
    for (option, amount) in count.casts.iter().flat_map(gives) {
        if let Some(sum) = sums.get_mut(option) {
            *sum += amount;
        }
    }
    sums
}

pub(super) fn plurality(count: &Count) -> Tally {
    let votes = first_choices(count);
    let shares = shares(&votes, real(count.panel()));
    let unit = format!("of {} votes", count.panel());
    Tally::by_score(count, votes, shares, &unit)
}

/// Plurality with a bar. The bar is a share of the whole panel, so at most one option passes.
fn barred(count: &Count, passes: impl Fn(f64) -> bool, needs: &str) -> Tally {
    let mut tally = plurality(count);
    let best = tally.scores.iter().copied().fold(0.0, f64::max);
    if tally.short.is_none() && !passes(best) {
        tally.short = Some(needs.to_owned());
    }
    tally
}

pub(super) fn majority(count: &Count) -> Tally {
    let needed = count.panel() / 2 + 1;
    barred(count, |votes| votes + 0.5 > real(needed), &format!("a majority needs {needed}"))
}

pub(super) fn supermajority(count: &Count, share: f64) -> Tally {
    let bar = share * real(count.panel());
    let needs = format!("{}% of the panel are needed", figure(share * 100.0));
    barred(count, |votes| votes + 1e-9 >= bar, &needs)
}

pub(super) fn unanimity(count: &Count) -> Tally {
    let panel = count.panel();
    barred(count, |votes| votes + 0.5 > real(panel), &format!("all {panel} must agree"))
}

pub(super) fn approval(count: &Count) -> Tally {
    let approvals = sums(count, |cast| match (cast.approves.as_slice(), cast.first()) {
        ([], Some(first)) => vec![(first, 1.0)],
        (approved, _) => approved.iter().map(|option| (*option, 1.0)).collect(),
    });
    let shares = shares(&approvals, real(count.panel()));
    let unit = format!("approvals by a panel of {}", count.panel());
    Tally::by_score(count, approvals, shares, &unit)
}

/// Each ballot hands out one point in all, so that nobody votes louder than the others.
pub(super) fn cumulative(count: &Count) -> Tally {
    let points = sums(count, |cast| {
        let whole: f64 = cast.points.values().sum();
        match (whole > 0.0, cast.first()) {
            (true, _) => cast.points.iter().map(|(option, own)| (*option, own / whole)).collect(),
            (false, Some(first)) => vec![(first, 1.0)],
            (false, None) => Vec::new(),
        }
    });
    let shares = shares(&points, real(count.panel()));
    let unit = format!("of {} points", count.panel());
    Tally::by_score(count, points, shares, &unit)
}

/// The share is of all weight there could be: an agent without a vote counts with weight 1, as if
/// it were sure of something else.
pub(super) fn weighted(count: &Count, by: WeightBy, needed: Option<f64>) -> Tally {
    let weight = |cast: &Cast| {
        let conviction = cast.conviction.unwrap_or(UNSTATED);
        match by {
            WeightBy::Conviction => conviction,
            WeightBy::Skill => cast.weight,
            WeightBy::Calibration => cast.weight * conviction,
        }
    };
    let weights =
        sums(count, |cast| cast.first().map(|first| (first, weight(cast))).into_iter().collect());
    let missing = count.panel().saturating_sub(count.casts.len());
    let whole = count.casts.iter().map(weight).sum::<f64>() + real(missing);
    let shares = shares(&weights, whole);
    let best = shares.iter().copied().fold(0.0, f64::max);
    let unit = format!("of a weight of {}", figure(whole));
    let mut tally = Tally::by_score(count, weights, shares, &unit);
    tally.basis = Basis::Weight;
    if let Some(needed) = needed
        && tally.short.is_none()
        && best + 1e-9 < needed
    {
        tally.short = Some(format!("{}% of the weight are needed", figure(needed * 100.0)));
    }
    tally
}
