//! Beliefs that are kept up to date: a flip is passed on to what it is connected with, and to nothing
//! else.

use std::collections::BTreeSet;

use rebuttal_model::FlipKind;

use super::infer::{BeliefOptions, Beliefs, PartBeliefs};
use super::network::{Evidence, Network, NetworkError};

/// A posterior that moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The claim, by number.
    pub claim: usize,
    /// Its posterior before.
    pub before: f64,
    /// Its posterior now.
    pub after: f64,
}

/// What came of a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// Claims that were computed again; all others could not have changed.
    pub touched: usize,
    /// Those that moved, farthest first.
    pub moved: Vec<Moved>,
}

/// Moves smaller than this are rounding.
const MOVE_MIN: f64 = 1e-9;

/// A network with its posteriors, kept up to date.
#[derive(Clone, Debug)]
pub struct Live {
    network: Network,
    evidence: Evidence,
    options: BeliefOptions,
    beliefs: Beliefs,
}

impl Live {
    /// Computes everything once.
    pub fn new(network: Network, options: BeliefOptions) -> Result<Self, NetworkError> {
        let evidence = Evidence::new();
        let beliefs = network.infer(&evidence, &options)?;
        Ok(Self { network, evidence, options, beliefs })
    }

    /// The network as it stands.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The posteriors as they stand.
    pub fn beliefs(&self) -> &Beliefs {
        &self.beliefs
    }

    /// An agent flipped on a claim: how much of its prior stays depends on the kind. In log odds, a
    /// contradiction turns it round, a retraction leaves nothing, a qualification seven tenths and a
    /// refinement nine.
    pub fn flipped(&mut self, claim: &str, kind: FlipKind) -> Result<Update, NetworkError> {
        let claim = self.network.find(claim)?;
        let prior = self.network.nodes().get(claim).map_or(0.5, |node| node.prior);
        self.assume(claim, after_flip(prior, kind))
    }

    /// Sets a claim's prior.
    pub fn set_prior(&mut self, claim: &str, prior: f64) -> Result<Update, NetworkError> {
        let claim = self.network.find(claim)?;
        self.assume(claim, prior)
    }

    /// Gives a claim as true or false, or no more.
    pub fn give(&mut self, claim: &str, given: Option<bool>) -> Result<Update, NetworkError> {
        let claim = self.network.find(claim)?;
        let mut evidence = self.evidence.clone();
        match given {
            Some(given) => evidence.insert(claim, given),
            None => evidence.remove(&claim),
        };
        let before = self.network.fixed(&self.evidence)?;
        let after = self.network.fixed(&evidence)?;
        self.evidence = evidence;
        Ok(self.refresh(claim, &before, &after))
    }

    fn assume(&mut self, claim: usize, prior: f64) -> Result<Update, NetworkError> {
        let before = self.network.fixed(&self.evidence)?;
        let old = self.network.nodes().get(claim).map_or(0.5, |node| node.prior);
        self.network.set_prior(claim, prior)?;
        match self.network.fixed(&self.evidence) {
            Ok(after) => Ok(self.refresh(claim, &before, &after)),
            // What was given forbids the new prior: nothing changes.
            Err(error) => self.network.set_prior(claim, old).and(Err(error)),
        }
    }

    /// Computes again the parts that a change of one claim can reach.
    fn refresh(&mut self, claim: usize, before: &[Option<bool>], after: &[Option<bool>]) -> Update {
        let state = |fixed: &[Option<bool>]| fixed.get(claim).copied().flatten();
        if state(before) == state(after) && state(after).is_some() {
            return Update::default();
        }
        let mut starts = BTreeSet::from([claim]);
        if state(before) != state(after) {
            let near = self.network.near.get(claim).map_or(&[][..], Vec::as_slice);
            starts.extend(near.iter().map(|(other, _)| *other));
        }
        let (changed, kept): (Vec<PartBeliefs>, Vec<PartBeliefs>) =
            std::mem::take(&mut self.beliefs.parts)
                .into_iter()
                .partition(|part| part.claims.iter().any(|claim| starts.contains(claim)));
        let mut claims: Vec<usize> = changed.into_iter().flat_map(|part| part.claims).collect();
        claims.push(claim);
        claims.sort_unstable();
        claims.dedup();
        let old = self.beliefs.posteriors.clone();
        self.beliefs.parts = kept;
        let now = &mut self.beliefs.posteriors;
        let parts = self.network.solve(after, claims.iter().copied(), &self.options, now);
        self.beliefs.parts.extend(parts);
        let posteriors = claims.iter().map(|&claim| Moved {
            claim,
            before: super::at(&old, claim),
            after: self.beliefs.at(claim),
        });
        let far = |moved: &Moved| (moved.after - moved.before).abs();
        let mut moved: Vec<Moved> = posteriors.filter(|moved| far(moved) > MOVE_MIN).collect();
        moved.sort_by(|a, b| far(b).total_cmp(&far(a)));
        Update { touched: claims.len(), moved }
    }
}

/// A prior after a flip: its log odds times what stays.
fn after_flip(prior: f64, kind: FlipKind) -> f64 {
    let stays = match kind {
        FlipKind::Contradiction => return 1.0 - prior,
        FlipKind::Retraction => return 0.5,
        FlipKind::Qualification => 0.7,
        FlipKind::Refinement => 0.9,
    };
    let odds = (prior / (1.0 - prior)).powf(stays);
    if odds.is_finite() { odds / (1.0 + odds) } else { prior }
}
