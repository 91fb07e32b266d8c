//! Where a claim's true posterior must lie, when it cannot be computed exactly.
//!
//! A claim's posterior is that of the root of its tree of self-avoiding walks (Weitz 2006). Cutting
//! the tree off at some depth leaves out messages, but each lies between minus and plus its coupling;
//! passing these intervals up bounds the posterior from both sides, whatever was cut off.

use serde::Serialize;

use super::loopy::pass;
use super::network::{Evidence, Network, NetworkError};
use super::part::{Cutter, Part};
use super::{at, probability};

/// Steps through the tree that are taken at most.
const STEPS_MAX: usize = 200_000;
/// Deepest look.
const DEPTH_MAX: usize = 24;
/// Bounds this near to each other need no deeper look.
const NARROW: f64 = 1e-9;

/// What a posterior is at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

impl Network {
    /// Bounds on a claim's true posterior; proven, however tangled the network is.
    pub fn bounds(&self, evidence: &Evidence, claim: usize) -> Result<Bounds, NetworkError> {
        let fixed = self.fixed(evidence)?;
        if let Some(given) = fixed.get(claim).copied().flatten() {
            let certain = f64::from(u8::from(given));
            return Ok(Bounds { low: certain, high: certain });
        }
        let Some(part) = Cutter::new(self, &fixed).part(claim) else {
            return Ok(Bounds { low: 0.0, high: 1.0 });
        };
        Ok(bounds(&part))
    }
}

/// Bounds for the first claim of a part, from ever deeper looks.
fn bounds(part: &Part) -> Bounds {
    let mut best = Bounds { low: 0.0, high: 1.0 };
    let mut walk = Walk { part, on_path: vec![false; part.members.len()], steps: 0 };
    for depth in 1..=DEPTH_MAX {
        let before = walk.steps;
        let (low, high) = walk.leaning(0, None, depth);
        let found = Bounds { low: probability(low), high: probability(high) };
        best = Bounds { low: best.low.max(found.low), high: best.high.min(found.high) };
        // The next look takes several times the steps of this one.
        let is_last = (walk.steps - before) * 3 + walk.steps > STEPS_MAX;
        if is_last || best.high - best.low < NARROW {
            break;
        }
    }
    best
}

struct Walk<'p> {
    part: &'p Part,
    on_path: Vec<bool>,
    steps: usize,
}

impl Walk<'_> {
    /// What a claim leans to, at least and at most, without what it hears from where the walk came.
    fn leaning(&mut self, claim: usize, from: Option<usize>, depth: usize) -> (f64, f64) {
        let part = self.part;
        let field = at(&part.field, claim);
        let (mut low, mut high) = (field, field);
        self.mark(claim, true);
        for &(other, coupling) in part.near.get(claim).map_or(&[][..], Vec::as_slice) {
            if Some(other) == from {
                continue;
            }
            self.steps += 1;
            let closes = self.on_path.get(other).copied().unwrap_or(true);
            let (one, two) = if closes || depth == 0 || self.steps > STEPS_MAX {
                (-coupling.abs(), coupling.abs())
            } else {
                let (low, high) = self.leaning(other, Some(claim), depth - 1);
                (pass(coupling, low), pass(coupling, high))
            };
            low += one.min(two);
            high += one.max(two);
        }
        self.mark(claim, false);
        (low, high)
    }

    fn mark(&mut self, claim: usize, on: bool) {
        if let Some(slot) = self.on_path.get_mut(claim) {
            *slot = on;
        }
    }
}
