//! Whether propagation could have ended anywhere else.
//!
//! Wherever messages start, after one round they lie within intervals; passing the intervals on
//! narrows them. Within them, a change of one message changes the next by at most a known factor
//! (Mooij and Kappen 2007, with the fields counted in). If the matrix of these factors has a spectral
//! radius below 1, propagation is a contraction: there is one fixed point, every start leads to it,
//! and how far the last messages are from it is bounded by what they still changed.
//!
//! The radius is bounded from above by Collatz and Wielandt: for any positive x it is at most the
//! largest (Ax)ᵢ / xᵢ. So a bound below 1 is a proof, not an estimate.

use serde::Serialize;

use super::at;
use super::loopy::{Edge, Messages};
use super::odds::Odds;

/// What is known about a result of propagation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// An upper bound on the spectral radius; below 1 there is one fixed point only.
    pub radius_bound: f64,
    /// No posterior is farther than this from that of the only fixed point; `None` if there may be
    /// several.
    pub within: Option<f64>,
}

/// Times the intervals are passed on before each try.
const NARROWINGS: [u32; 2] = [3, 9];
/// Steps of the search for a good x.
const STEPS: u32 = 120;
/// Steps after which an x that still grows by this much in each will not settle.
const GROWTH: (u32, f64) = (12, 1.01);

/// A bound below this is below 1, whatever was rounded on the way.
const PROOF: f64 = 1.0 - 1e-6;

/// An interval for each message.
struct Intervals {
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Tries to prove that there is one fixed point, and how near the messages are to it.
pub(super) fn certify(network: &Messages<'_>, messages: &[f64]) -> Certificate {
    let reach: Vec<f64> = network.edges.iter().map(|edge| edge.coupling.abs()).collect();
    let mut intervals = Intervals { low: reach.iter().map(|reach| -reach).collect(), high: reach };
    let mut best = Certificate { radius_bound: f64::INFINITY, within: None };
    let odds = Odds::new(network);
    for rounds in NARROWINGS {
        match &odds {
            Some(odds) => odds.narrow(rounds, &mut intervals.low, &mut intervals.high),
            None => (0..rounds).for_each(|_| intervals.narrow(network)),
        }
        let factors = intervals.factors(network);
        let (bound, weights) = radius(network, &factors);
        best.radius_bound = best.radius_bound.min(bound);
        if bound < PROOF {
            best.within = Some(distance(network, messages, &weights, bound));
            break;
        }
    }
    best
}

impl Intervals {
    /// What a claim's leaning without one neighbour lies within, for each of its messages.
    fn leanings<'m>(
        &'m self,
        network: &'m Messages<'_>,
        claim: usize,
    ) -> impl Iterator<Item = (usize, Edge, f64, f64)> + 'm {
        let (low, high) = (network.total(claim, &self.low), network.total(claim, &self.high));
        let (start, edges) = network.of(claim);
        (start..).zip(edges).map(move |(number, edge)| {
            let without = |total: f64, of: &[f64]| total - at(of, edge.reverse);
            (number, *edge, without(low, &self.low), without(high, &self.high))
        })
    }

    /// Passes the intervals on once.
    fn narrow(&mut self, network: &Messages<'_>) {
        for claim in 0..network.claims() {
            let passed: Vec<(usize, f64, f64)> = self
                .leanings(network, claim)
                .map(|(number, edge, low, high)| {
                    let (one, two) = (edge.pass(low), edge.pass(high));
                    (number, one.min(two), one.max(two))
                })
                .collect();
            for (number, low, high) in passed {
                if let Some(slot) = self.low.get_mut(number) {
                    *slot = low;
                }
                if let Some(slot) = self.high.get_mut(number) {
                    *slot = high;
                }
            }
        }
    }

    /// The most that a message can change when what its claim leans on changes by one: the slope of
    /// what is passed on, (tanh(c + x) + tanh(c − x)) / 2, which falls with |x|, at the least |x| of
    /// the interval.
    fn factors(&self, network: &Messages<'_>) -> Vec<f64> {
        let leanings = (0..network.claims()).flat_map(|claim| self.leanings(network, claim));
        leanings
            .map(|(_, edge, low, high)| {
                let nearest =
                    if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
                let coupling = edge.coupling.abs();
                f64::midpoint((coupling + nearest).tanh(), (coupling - nearest).tanh())
            })
            .collect()
    }
}

/// Ax: what changes by x in all messages can change in each.
fn apply(network: &Messages<'_>, factors: &[f64], x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for claim in 0..network.claims() {
        let (start, edges) = network.of(claim);
        let total: f64 = edges.iter().map(|edge| at(x, edge.reverse)).sum();
        let changed = (start..).zip(edges);
        // A sum minus its largest part must not fall below zero by a last digit.
        out.extend(
            changed
                .map(|(number, edge)| at(factors, number) * (total - at(x, edge.reverse)).max(0.0)),
        );
    }
}

/// An upper bound on the spectral radius, and the weights that prove it.
fn radius(network: &Messages<'_>, factors: &[f64]) -> (f64, Vec<f64>) {
    let mut x = vec![1.0; factors.len()];
    let mut image = Vec::with_capacity(x.len());
    let mut best = (f64::INFINITY, Vec::new());
    for step in 0..STEPS {
        apply(network, factors, &x, &mut image);
        let bound = image.iter().zip(&x).map(|(image, x)| image / x).fold(0.0, f64::max);
        if bound < best.0 {
            best = (bound, x.clone());
        }
        let growth = image.iter().sum::<f64>() / x.iter().sum::<f64>();
        if bound < 0.999 || (step >= GROWTH.0 && growth > GROWTH.1) {
            break;
        }
        // 1 + A + A² + … applied to 1: settles exactly where the radius is below 1.
        for (x, image) in x.iter_mut().zip(&image) {
            *x = 1.0 + image;
        }
    }
    best
}

/// How far any posterior can be from the fixed point's: in the norm weighted by `weights` messages
/// are off by at most their last change over (1 − bound).
fn distance(network: &Messages<'_>, messages: &[f64], weights: &[f64], bound: f64) -> f64 {
    let mut change: f64 = 0.0;
    for claim in 0..network.claims() {
        let total = network.total(claim, messages);
        let (start, edges) = network.of(claim);
        for (number, edge) in (start..).zip(edges) {
            let news = edge.pass(total - at(messages, edge.reverse));
            change = change.max((news - at(messages, number)).abs() / at(weights, number));
        }
    }
    let off = change / (1.0 - bound);
    let claim_off = |claim: usize| -> f64 {
        network.of(claim).1.iter().map(|edge| off * at(weights, edge.reverse)).sum()
    };
    // A probability changes by at most half of what half its log odds do.
    (0..network.claims()).map(claim_off).fold(0.0, f64::max) / 2.0
}
