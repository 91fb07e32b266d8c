//! Propagation with odds in place of their logarithms: multiplying and dividing, where messages as
//! logarithms take a power and a logarithm each.
//!
//! Odds leave the range of numbers where logarithms do not, so a part whose claims can be led too
//! far is left to [`super::loopy`]'s own way, which gives the same to the last digits.

use super::at;
use super::loopy::{Edge, Messages, STRONG};

/// The farthest that a claim's half log odds may be led: the square of its odds is still a number.
const FAR: f64 = 150.0;

/// A part whose messages can be odds.
#[derive(Debug)]
pub(super) struct Odds<'m> {
    network: &'m Messages<'m>,
    /// The odds of each claim by its field alone.
    fields: Vec<f64>,
}

impl<'m> Odds<'m> {
    /// `None` where odds would run out of range, or out of digits.
    pub(super) fn new(network: &'m Messages<'m>) -> Option<Self> {
        let fields = &network.part.field;
        let fits = fields.iter().enumerate().all(|(claim, field)| {
            let couplings = network.of(claim).1.iter().map(|edge| edge.coupling.abs());
            field.abs() + couplings.sum::<f64>() < FAR
        });
        let fits = fits && network.edges.iter().all(|edge| edge.coupling.abs() < STRONG);
        fits.then(|| Self { network, fields: fields.iter().map(|&field| odds(field)).collect() })
    }

    /// The odds of a claim by its field and all it is told.
    fn total(&self, claim: usize, messages: &[f64]) -> f64 {
        let (_, edges) = self.network.of(claim);
        edges.iter().fold(at(&self.fields, claim), |odds, edge| odds * at(messages, edge.reverse))
    }

    /// Every claim once, there or back; by how much half the log odds of a message changed at most.
    pub(super) fn sweep(&self, messages: &mut [f64], damping: f64, backwards: bool) -> f64 {
        let mut residual: f64 = 0.0;
        let claims = self.network.claims();
        for step in 0..claims {
            let claim = if backwards { claims - 1 - step } else { step };
            let total = self.total(claim, messages);
            let (start, edges) = self.network.of(claim);
            for (number, edge) in (start..).zip(edges) {
                let news = pass(*edge, total / at(messages, edge.reverse));
                if let Some(message) = messages.get_mut(number) {
                    residual = residual.max(((news - *message) / (news + *message)).abs());
                    *message = damped(*message, news, damping);
                }
            }
        }
        residual
    }

    /// Passes intervals of messages on, so many times. They are given and returned as half log odds.
    pub(super) fn narrow(&self, rounds: u32, low: &mut [f64], high: &mut [f64]) {
        for message in low.iter_mut().chain(high.iter_mut()) {
            *message = odds(*message);
        }
        for claim in (0..rounds).flat_map(|_| 0..self.network.claims()) {
            let (least, most) = (self.total(claim, low), self.total(claim, high));
            let (start, edges) = self.network.of(claim);
            // No claim tells itself anything, so what it hears stays as it is meanwhile.
            for (number, edge) in (start..).zip(edges) {
                let one = pass(*edge, least / at(low, edge.reverse));
                let two = pass(*edge, most / at(high, edge.reverse));
                if let (Some(low), Some(high)) = (low.get_mut(number), high.get_mut(number)) {
                    (*low, *high) = (one.min(two), one.max(two));
                }
            }
        }
        logs(low);
        logs(high);
    }
}

/// The odds that half log odds stand for.
fn odds(half_log: f64) -> f64 {
    (2.0 * half_log).exp()
}

/// Back to half log odds.
pub(super) fn logs(messages: &mut [f64]) {
    for message in messages {
        *message = message.ln() / 2.0;
    }
}

/// What a claim of these odds tells another.
fn pass(edge: Edge, odds: f64) -> f64 {
    let (more, less) = edge.ease;
    (odds * more + less) / (odds * less + more)
}

/// What stays of a message beside the news: a mean of their logarithms.
fn damped(message: f64, news: f64, damping: f64) -> f64 {
    if damping > 0.0 { news * (message / news).powf(damping) } else { news }
}
