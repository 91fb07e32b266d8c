//! Belief propagation on parts too tangled to be exact: claims tell each other what they think until
//! nobody has anything new to say.
//!
//! A message is half the log odds by which one claim moves another, without what the other told it.
//! On a tree the result is exact; with loops it is an approximation, and may depend on where one
//! starts. [`super::certificate`] says when it does not.

use super::odds::{Odds, logs};
use super::part::Part;
use super::{BeliefOptions, at, probability};

/// A message's way: from one claim to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The message that goes the other way.
    pub(super) reverse: usize,
    /// How strongly the two claims go together.
    pub(super) coupling: f64,
    /// One plus its hyperbolic tangent, and one minus it.
    pub(super) ease: (f64, f64),
}

/// A part as messages.
#[derive(Debug)]
pub(super) struct Messages<'p> {
    pub(super) part: &'p Part,
    /// The messages of all claims, claim by claim.
    pub(super) edges: Vec<Edge>,
    /// Where each claim's messages start, and where the last one's end.
    starts: Vec<usize>,
}

/// Sweeps forward and backward until nothing changes any more, or for as long as is allowed.
fn until_still(
    mut messages: Vec<f64>,
    options: &BeliefOptions,
    sweep: impl Fn(&mut [f64], f64, bool) -> f64,
) -> Settled {
    let (mut sweeps, mut residual) = (0, f64::INFINITY);
    while sweeps < options.sweeps_max && residual > options.tolerance {
        let damping = if sweeps < options.sweeps_max / 4 { 0.0 } else { options.damping };
        residual = sweep(&mut messages, damping, sweeps % 2 == 1);
        sweeps += 1;
    }
    Settled { messages, sweeps, residual }
}

/// Where propagation ended.
#[derive(Debug)]
pub(super) struct Settled {
    /// What each claim tells each neighbour.
    pub(super) messages: Vec<f64>,
    /// Walks over all claims.
    pub(super) sweeps: u32,
    /// By how much a message still changed in the last walk.
    pub(super) residual: f64,
}

impl<'p> Messages<'p> {
    pub(super) fn new(part: &'p Part) -> Self {
        let mut starts = Vec::with_capacity(part.near.len() + 1);
        let mut total = 0;
        for near in &part.near {
            starts.push(total);
            total += near.len();
        }
        starts.push(total);
        let reverse = |from: usize, to: usize| {
            let theirs = part.near.get(to)?;
            let place = theirs.binary_search_by_key(&from, |(other, _)| *other).ok()?;
            Some(starts.get(to)? + place)
        };
        let edges = part.near.iter().enumerate().flat_map(|(claim, near)| {
            near.iter().map(move |&(other, coupling)| (claim, other, coupling))
        });
        let edges = edges
            .map(|(claim, other, coupling)| Edge {
                reverse: reverse(claim, other).unwrap_or_default(),
                coupling,
                ease: (1.0 + coupling.tanh(), 1.0 - coupling.tanh()),
            })
            .collect();
        Self { part, edges, starts }
    }

    /// The messages a claim sends: their numbers and ways.
    pub(super) fn of(&self, claim: usize) -> (usize, &[Edge]) {
        let start = self.starts.get(claim).copied().unwrap_or_default();
        let end = self.starts.get(claim + 1).copied().unwrap_or_default();
        (start, self.edges.get(start..end).unwrap_or_default())
    }

    pub(super) fn claims(&self) -> usize {
        self.part.members.len()
    }

    /// All that speaks for a claim.
    pub(super) fn total(&self, claim: usize, messages: &[f64]) -> f64 {
        let (_, edges) = self.of(claim);
        at(&self.part.field, claim)
            + edges.iter().map(|edge| at(messages, edge.reverse)).sum::<f64>()
    }

    /// Propagates until no message changes by more than the tolerance, damped when that does not
    /// come about by itself.
    pub(super) fn settle(&self, options: &BeliefOptions) -> Settled {
        let Some(odds) = Odds::new(self) else {
            let messages = vec![0.0; self.edges.len()];
            return until_still(messages, options, |messages, damping, backwards| {
                self.sweep(messages, damping, backwards)
            });
        };
        let even = vec![1.0; self.edges.len()];
        let mut settled = until_still(even, options, |messages, damping, backwards| {
            odds.sweep(messages, damping, backwards)
        });
        logs(&mut settled.messages);
        settled
    }

    /// Passes every claim once, forward or backward, so that news crosses a tree in two sweeps.
    fn sweep(&self, messages: &mut [f64], damping: f64, backwards: bool) -> f64 {
        let mut residual: f64 = 0.0;
        for step in 0..self.claims() {
            let claim = if backwards { self.claims() - 1 - step } else { step };
            let total = self.total(claim, messages);
            let (start, edges) = self.of(claim);
            for (number, edge) in (start..).zip(edges) {
                let news = edge.pass(total - at(messages, edge.reverse));
                if let Some(message) = messages.get_mut(number) {
                    residual = residual.max((news - *message).abs());
                    *message = damping.mul_add(*message - news, news);
                }
            }
        }
        residual
    }

    /// The posteriors by these messages.
    pub(super) fn posteriors(&self, messages: &[f64]) -> Vec<f64> {
        (0..self.claims()).map(|claim| probability(self.total(claim, messages))).collect()
    }
}

impl Edge {
    /// What a claim that leans this far tells the other: [`pass`] with one power and one logarithm,
    /// where that loses no digits.
    pub(super) fn pass(self, leaning: f64) -> f64 {
        if self.coupling.abs() < STRONG && leaning.abs() < SURE {
            let (odds, (more, less)) = ((2.0 * leaning).exp(), self.ease);
            ((odds * more + less) / (odds * less + more)).ln() / 2.0
        } else {
            pass(self.coupling, leaning)
        }
    }
}

/// Couplings above which one minus the tangent runs out of digits.
pub(super) const STRONG: f64 = 3.0;
/// Leanings above which the odds do.
const SURE: f64 = 17.0;

/// What a claim that leans this far tells a neighbour, `atanh(tanh(coupling)·tanh(leaning))`, written
/// so that no digit is lost however large the two are.
pub(super) fn pass(coupling: f64, leaning: f64) -> f64 {
    (log_cosh(coupling + leaning) - log_cosh(coupling - leaning)) / 2.0
}

/// ln(2·cosh x).
fn log_cosh(x: f64) -> f64 {
    x.abs() + (-2.0 * x.abs()).exp().ln_1p()
}
