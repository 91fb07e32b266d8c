//! One connected part of a network, cut loose from all claims that are given.

use std::collections::VecDeque;

use super::network::Network;

/// Claims that are connected through claims that are not given, in breadth-first order. What given
/// neighbours do to a claim is in its field, so that nothing else of the network matters.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The claims, by their numbers in the network.
    pub(super) members: Vec<usize>,
    /// What speaks for each: half the log odds of prior, links and given neighbours.
    pub(super) field: Vec<f64>,
    /// Each claim's neighbours within the part, by their place in [`Self::members`], in order.
    pub(super) near: Vec<Vec<(usize, f64)>>,
}

/// What is not a place.
const NOWHERE: usize = usize::MAX;

/// Cuts a network into parts. `fixed` says which claims are given and how.
pub(super) struct Cutter<'n> {
    network: &'n Network,
    fixed: &'n [Option<bool>],
    /// Each claim's place in its part, once it is in one.
    place: Vec<usize>,
}

impl<'n> Cutter<'n> {
    pub(super) fn new(network: &'n Network, fixed: &'n [Option<bool>]) -> Self {
        Self { network, fixed, place: vec![NOWHERE; fixed.len()] }
    }

    /// The part of a claim; `None` if it is given, or in a part already.
    pub(super) fn part(&mut self, start: usize) -> Option<Part> {
        if self.is_fixed(start) || self.place.get(start) != Some(&NOWHERE) {
            return None;
        }
        let members = self.reach(start);
        let field = members.iter().map(|&claim| self.field(claim)).collect();
        let near = members.iter().map(|&claim| self.neighbours(claim)).collect();
        Some(Part { members, field, near })
    }

    fn is_fixed(&self, claim: usize) -> bool {
        self.fixed.get(claim).is_none_or(Option::is_some)
    }

    fn near(&self, claim: usize) -> &'n [(usize, f64)] {
        self.network.near.get(claim).map_or(&[], Vec::as_slice)
    }

    fn reach(&mut self, start: usize) -> Vec<usize> {
        let mut members = Vec::new();
        let mut queue = VecDeque::from([start]);
        self.settle(start, 0);
        let mut places = 1;
        while let Some(claim) = queue.pop_front() {
            members.push(claim);
            for &(other, _) in self.near(claim) {
                if !self.is_fixed(other) && self.place.get(other) == Some(&NOWHERE) {
                    self.settle(other, places);
                    places += 1;
                    queue.push_back(other);
                }
            }
        }
        members
    }

    fn settle(&mut self, claim: usize, place: usize) {
        if let Some(slot) = self.place.get_mut(claim) {
            *slot = place;
        }
    }

    fn field(&self, claim: usize) -> f64 {
        let prior = self.network.nodes().get(claim).map_or(0.5, |node| node.prior);
        let own = (prior / (1.0 - prior)).ln() / 2.0 + super::at(&self.network.pull, claim);
        let given = self.near(claim).iter().filter_map(|&(other, coupling)| {
            let given = self.fixed.get(other).copied().flatten()?;
            Some(if given { coupling } else { -coupling })
        });
        own + given.sum::<f64>()
    }

    fn neighbours(&self, claim: usize) -> Vec<(usize, f64)> {
        let inside = self.near(claim).iter().filter(|(other, _)| !self.is_fixed(*other));
        let mut near: Vec<(usize, f64)> = inside
            .filter_map(|&(other, coupling)| Some((*self.place.get(other)?, coupling)))
            .collect();
        near.sort_by_key(|(other, _)| *other);
        near
    }
}
