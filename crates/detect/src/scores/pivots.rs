//! Where an agent turned, in which way, and who turned it.
//!
//! Each step to another degree is a pivot, with one exception: an agent that goes to the other side by
//! way of neutral turned once. "disagree, neutral, agree" is one reversal, not a weakening and a
//! strengthening.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Flip, Stance};
use serde::Serialize;

use super::Degree;

/// What an agent held at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldDegree {
    /// How far it agreed.
    pub degree: Degree,
    /// Whom it names as having moved it, the most important first.
    pub influenced_by: Vec<AgentId>,
}

impl From<Degree> for HeldDegree {
    fn from(degree: Degree) -> Self {
        Self { degree, influenced_by: Vec::new() }
    }
}

/// In which way a position turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PivotKind {
    /// To the other side.
    Reversal,
    /// Farther out on the same side.
    Strengthening,
    /// Nearer to neutral, or to neutral.
    Weakening,
    /// From neutral to a side, by who had none before.
    Shift,
}

impl PivotKind {
    /// `reversal`, `strengthening`, `weakening` or `shift`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reversal => "reversal",
            Self::Strengthening => "strengthening",
            Self::Weakening => "weakening",
            Self::Shift => "shift",
        }
    }
}

/// One turn of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pivot {
    /// In which way.
    pub kind: PivotKind,
    /// Where it stood.
    pub from: Degree,
    /// Where it stands.
    pub to: Degree,
    /// Which of its positions it left, counted from 0.
    pub left: usize,
    /// Which of its positions is the new one.
    pub taken: usize,
    /// Who moved it, by its own words.
    pub influenced_by: Option<AgentId>,
}

/// An agent's pivots, in order.
pub fn pivots(held: &[HeldDegree]) -> Vec<Pivot> {
    let mut found: Vec<Pivot> = Vec::new();
    // The last position on a side, and where it stands.
    let mut sided: Option<(usize, Degree)> = None;
    for (at, (before, after)) in held.iter().zip(held.iter().skip(1)).enumerate() {
        if before.degree.side() != Stance::Unclear {
            sided = Some((at, before.degree));
        }
        if before.degree == after.degree {
            continue;
        }
        let (left, from) = match sided {
            Some((left, from)) if from.side().opposes(after.degree.side()) => (left, from),
            _ => (at, before.degree),
        };
        // The way to neutral was the first half of the reversal.
        let halves = found.last().is_some_and(|last| last.left >= left && left < at);
        let named = after.influenced_by.first().cloned();
        let earlier = if halves { found.pop().and_then(|half| half.influenced_by) } else { None };
        found.push(Pivot {
            kind: kind(from, after.degree, sided.map(|(_, degree)| degree)),
            from,
            to: after.degree,
            left,
            taken: at + 1,
            influenced_by: named.or(earlier),
        });
    }
    found
}

fn kind(from: Degree, to: Degree, sided: Option<Degree>) -> PivotKind {
    let far = |degree: Degree| (degree.value() - 0.5).abs();
    if from.side().opposes(to.side()) {
        PivotKind::Reversal
    } else if far(to) < far(from) {
        PivotKind::Weakening
    } else if from.side() == Stance::Unclear && sided.is_none() {
        PivotKind::Shift
    } else {
        PivotKind::Strengthening
    }
}

/// How many turns each agent caused, by the words of those who turned.
pub fn influencers<'h>(
    histories: impl IntoIterator<Item = &'h [HeldDegree]>,
) -> BTreeMap<AgentId, u64> {
    let mut counts = BTreeMap::new();
    for history in histories {
        for agent in pivots(history).into_iter().filter_map(|pivot| pivot.influenced_by) {
            *counts.entry(agent).or_default() += 1;
        }
    }
    counts
}

/// How many flips each agent caused, by the words quoted as their cause. Who moved itself, by
/// evidence of its own, moved nobody else.
pub fn influencers_of_flips<'f>(
    flips: impl IntoIterator<Item = &'f Flip>,
) -> BTreeMap<AgentId, u64> {
    let mut counts = BTreeMap::new();
    for flip in flips {
        let others = flip.because.iter().filter(|because| because.by != flip.after.agent);
        others.for_each(|because| *counts.entry(because.by.clone()).or_default() += 1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use Degree::{Agree, Disagree, LeanAgree, Neutral, StronglyAgree};

    fn kinds(held: &[Degree]) -> Vec<&'static str> {
        let held: Vec<HeldDegree> = held.iter().map(|degree| (*degree).into()).collect();
        pivots(&held).iter().map(|pivot| pivot.kind.as_str()).collect()
    }

    #[test]
    fn by_way_of_neutral_is_one_reversal() {
        assert_eq!(kinds(&[Disagree, Neutral, Agree]), ["reversal"]);
        assert_eq!(kinds(&[Disagree, Neutral, Neutral, Neutral, Agree]), ["reversal"]);
        assert_eq!(kinds(&[Disagree, Agree, Neutral, Disagree]), ["reversal", "reversal"]);
        let held = [Disagree, Neutral, Agree].map(HeldDegree::from);
        let [pivot] = pivots(&held).try_into().unwrap();
        assert_eq!((pivot.left, pivot.taken, pivot.from, pivot.to), (0, 2, Disagree, Agree));
    }

    #[test]
    fn other_ways() {
        assert_eq!(kinds(&[Neutral, Agree]), ["shift"]);
        assert_eq!(kinds(&[Neutral, Neutral, LeanAgree, Agree]), ["shift", "strengthening"]);
        assert_eq!(kinds(&[StronglyAgree, LeanAgree, Neutral]), ["weakening", "weakening"]);
        assert_eq!(kinds(&[Agree, Neutral, Agree]), ["weakening", "strengthening"]);
        assert_eq!(kinds(&[StronglyAgree, Agree, Neutral, Disagree]), ["weakening", "reversal"]);
        assert!(kinds(&[Agree, Agree]).is_empty() && kinds(&[]).is_empty());
    }

    #[test]
    fn who_moved_the_first_half_is_remembered() {
        let by =
            |name: &str, degree| HeldDegree { degree, influenced_by: vec![AgentId::new(name)] };
        let history = [HeldDegree::from(Disagree), by("ann", Neutral), HeldDegree::from(Agree)];
        assert_eq!(influencers([&history[..]]), [(AgentId::new("ann"), 1)].into());
    }
}
