//! The same claim in other words.
//!
//! Claims on one thing share the words for it, so the likeness of whole claims tells the thing and not
//! what is said of it. What is left without the shared words tells: "the ferry is cheap" and "the ferry
//! costs little" are alike there, "the ferry is cheap" and "the ferry is old" are not.

use rebuttal_semantics::{Bag, BuiltinVectors, StaticVectors};

use super::claims::One;

/// What the likeness of whole claims counts beside that of what they do not share.
const WHOLE: f32 = 0.5;
/// From here on two claims say the same. On 161 pairs of our own, half of them other claims on the same
/// thing, a sketch of this finds 61 of 100 that say the same and takes 12 of 100 that do not
/// (docs/evidence.md).
const SAME: f32 = 0.62;
/// Most comparisons in a round. Panels that need more have said enough that is the same in the same
/// words.
const MOST: usize = 2_000;

/// Joins groups of claims that nobody supports where they say the same in other words. What a claim that
/// is `held` up by something says too is not joined: somebody supports it.
pub(super) fn joined<'s>(open: Vec<Vec<&'s One>>, held: &[Vec<&'s One>]) -> Vec<Vec<&'s One>> {
    let Ok(vectors) = BuiltinVectors.load() else { return open };
    let mut compared = Compared { vectors, left: MOST };
    let held: Vec<Claim<'_>> = held.iter().filter_map(|group| compared.claim(group)).collect();
    let mut groups: Vec<(Option<Claim<'_>>, Vec<&One>)> = Vec::new();
    for group in open {
        let claim = compared.claim(&group).filter(|claim| !compared.is_held(claim, &held));
        let same = claim.as_ref().and_then(|claim| {
            groups.iter().position(|(first, _)| {
                first.as_ref().is_some_and(|first| compared.same(first, claim))
            })
        });
        match same.and_then(|at| groups.get_mut(at)) {
            Some((_, members)) => members.extend(group),
            None => groups.push((claim, group)),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// A claim that stands for its group.
struct Claim<'s> {
    one: &'s One,
    bag: Bag,
}

struct Compared {
    vectors: &'static StaticVectors,
    left: usize,
}

impl Compared {
    /// The first of a group that is neither advice nor an opinion: what is advised is the answer of all
    /// who agree, and no claim that needs a source.
    fn claim<'s>(&self, group: &[&'s One]) -> Option<Claim<'s>> {
        let one = group.iter().find(|one| !one.advice && !one.opinion)?;
        Some(Claim { one, bag: self.vectors.bag(&one.bare) })
    }

    fn is_held(&mut self, claim: &Claim<'_>, held: &[Claim<'_>]) -> bool {
        held.iter().any(|other| self.same(claim, other))
    }

    fn same(&mut self, a: &Claim<'_>, b: &Claim<'_>) -> bool {
        if a.one.voice == b.one.voice || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let alike = self.vectors.alike(&a.bag, &b.bag);
        alike.beyond + WHOLE * alike.whole >= SAME && !a.one.opposes(b.one)
    }
}
