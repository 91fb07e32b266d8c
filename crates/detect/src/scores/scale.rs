//! Positions on a scale from disagreement to agreement, and how they move on it.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Stance};
use serde::{Deserialize, Serialize};

use crate::measure::share;

/// How far an agent agrees, in seven steps.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum Degree {
    /// 0.
    StronglyDisagree,
    /// 0.25.
    Disagree,
    /// 0.45.
    LeanDisagree,
    /// 0.5.
    #[default]
    Neutral,
    /// 0.55.
    LeanAgree,
    /// 0.75.
    Agree,
    /// 1.
    StronglyAgree,
}

impl Degree {
    /// All of them, from 0 to 1.
    pub const ALL: [Self; 7] = [
        Self::StronglyDisagree,
        Self::Disagree,
        Self::LeanDisagree,
        Self::Neutral,
        Self::LeanAgree,
        Self::Agree,
        Self::StronglyAgree,
    ];

    /// Its place on the scale.
    pub fn value(self) -> f64 {
        match self {
            Self::StronglyDisagree => 0.0,
            Self::Disagree => 0.25,
            Self::LeanDisagree => 0.45,
            Self::Neutral => 0.5,
            Self::LeanAgree => 0.55,
            Self::Agree => 0.75,
            Self::StronglyAgree => 1.0,
        }
    }

    /// The degree nearest to a place on the scale; of two as near, the milder.
    pub fn nearest(value: f64) -> Self {
        let apart = |degree: &Self| (degree.value() - value).abs();
        let mild = |degree: &Self| (degree.value() - 0.5).abs();
        Self::ALL
            .into_iter()
            .min_by(|a, b| apart(a).total_cmp(&apart(b)).then(mild(a).total_cmp(&mild(b))))
            .unwrap_or_default()
    }

    /// What a confidence in a side says: from 0.9 strongly, from 0.7 plainly, from 0.5 leaning; below
    /// that, nothing.
    pub fn from_confidence(confidence: f64, agrees: bool) -> Self {
        let degree = if confidence >= 0.9 {
            Self::StronglyAgree
        } else if confidence >= 0.7 {
            Self::Agree
        } else if confidence >= 0.5 {
            Self::LeanAgree
        } else {
            Self::Neutral
        };
        if agrees { degree } else { degree.mirrored() }
    }

    /// As far on the other side.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::StronglyDisagree => Self::StronglyAgree,
            Self::Disagree => Self::Agree,
            Self::LeanDisagree => Self::LeanAgree,
            Self::Neutral => Self::Neutral,
            Self::LeanAgree => Self::LeanDisagree,
            Self::Agree => Self::Disagree,
            Self::StronglyAgree => Self::StronglyDisagree,
        }
    }

    /// The side without how far.
    pub fn side(self) -> Stance {
        match self.cmp(&Self::Neutral) {
            std::cmp::Ordering::Less => Stance::No,
            std::cmp::Ordering::Equal => Stance::Unclear,
            std::cmp::Ordering::Greater => Stance::Yes,
        }
    }

    /// `strongly_agree`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StronglyDisagree => "strongly_disagree",
            Self::Disagree => "disagree",
            Self::LeanDisagree => "lean_disagree",
            Self::Neutral => "neutral",
            Self::LeanAgree => "lean_agree",
            Self::Agree => "agree",
            Self::StronglyAgree => "strongly_agree",
        }
    }
}

/// A step that is none: the three degrees in the middle are as good as one.
const STEP_MIN: f64 = 0.1;

/// How steady an agent is: `1 − mean step`, steps of at most 0.1 counting 0; 1 with fewer than two
/// positions.
pub fn stability(held: &[Degree]) -> f64 {
    let steps = held.iter().zip(held.iter().skip(1));
    let moved: f64 = steps
        .map(|(before, after)| (after.value() - before.value()).abs())
        .filter(|step| *step > STEP_MIN)
        .sum();
    share(1, held.len().saturating_sub(1) as u64).map_or(1.0, |weight| weight.mul_add(-moved, 1.0))
}

/// How near agents are to each other: `1 − variance / 0.25`, the variance being at most 0.25; 1 for
/// one agent, `None` for none.
pub fn convergence(held: &[Degree]) -> Option<f64> {
    let weight = share(1, held.len() as u64)?;
    let mean = weight * held.iter().map(|degree| degree.value()).sum::<f64>();
    let squares: f64 = held.iter().map(|degree| (degree.value() - mean).powi(2)).sum();
    Some(1.0 - weight * squares / 0.25)
}

/// Below this, a debate's stances are stable.
pub const VOLATILITY_STABLE: f64 = 0.2;

/// Whether stances move so little that nothing more is to be expected.
pub fn is_stable(volatility: f64) -> bool {
    volatility < VOLATILITY_STABLE
}

/// How often agents change sides from round to round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Volatility {
    /// Answers in all.
    pub responses: u64,
    /// Answers of an agent that has had a side before, and has one.
    pub steps: u64,
    /// Those on another side than its last.
    pub changes: u64,
}

impl Volatility {
    /// Counts, round by round. An unclear answer neither changes a side nor forgets one.
    pub fn of<'r>(rounds: impl IntoIterator<Item = &'r BTreeMap<AgentId, Stance>>) -> Self {
        let mut found = Self::default();
        let mut sides: BTreeMap<&AgentId, Stance> = BTreeMap::new();
        for (agent, stance) in rounds.into_iter().flatten() {
            found.responses += 1;
            if *stance == Stance::Unclear {
                continue;
            }
            if let Some(before) = sides.insert(agent, *stance) {
                found.steps += 1;
                found.changes += u64::from(before != *stance);
            }
        }
        found
    }

    /// Changes for each step; 0 without one.
    pub fn value(&self) -> f64 {
        share(self.changes, self.steps).unwrap_or(0.0)
    }
}

/// A change of conviction that is none.
const CONVICTION_MIN: f64 = 0.1;

/// What changed between two decisions of one agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// What changed.
    #[serde(rename = "type")]
    pub kind: ChangeKind,
    /// Conviction after minus before.
    pub delta: f64,
}

/// What of a decision changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The action: `BUY` became `SELL`.
    Action,
    /// The conviction, by 0.1 or more.
    Conviction,
    /// Both.
    Both,
}

impl ChangeKind {
    /// `action`, `conviction` or `both`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Conviction => "conviction",
            Self::Both => "both",
        }
    }
}

/// What changed from one decision (an action and a conviction) to the next; `None` if nothing did.
pub fn change(before: (&str, f64), after: (&str, f64)) -> Option<Change> {
    let delta = after.1 - before.1;
    // What was typed as 0.8 and 0.7 differs by 0.1, whatever the last binary digit says.
    let moved = delta.abs() >= CONVICTION_MIN - 1e-9;
    let acts = !before.0.trim().eq_ignore_ascii_case(after.0.trim());
    let kind = match (acts, moved) {
        (true, true) => ChangeKind::Both,
        (true, false) => ChangeKind::Action,
        (false, true) => ChangeKind::Conviction,
        (false, false) => return None,
    };
    Some(Change { kind, delta })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_prefers_the_milder() {
        assert_eq!(Degree::nearest(0.875), Degree::Agree);
        assert_eq!(Degree::nearest(0.5), Degree::Neutral);
        assert_eq!(Degree::nearest(-3.0), Degree::StronglyDisagree);
        for degree in Degree::ALL {
            assert_eq!(Degree::nearest(degree.value()), degree);
            assert!((degree.value() + degree.mirrored().value() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn small_steps_are_no_steps() {
        let wavering = [Degree::LeanAgree, Degree::Neutral, Degree::LeanDisagree];
        assert!((stability(&wavering) - 1.0).abs() < 1e-12);
        assert!((stability(&[Degree::StronglyAgree, Degree::StronglyDisagree])).abs() < 1e-12);
        assert!((stability(&[]) - 1.0).abs() < 1e-12);
        assert_eq!((convergence(&[]), convergence(&[Degree::Agree])), (None, Some(1.0)));
    }

    #[test]
    fn an_unclear_answer_forgets_nothing() {
        let agent = AgentId::new("a");
        let rounds = [Stance::Yes, Stance::Unclear, Stance::No, Stance::No]
            .map(|stance| BTreeMap::from([(agent.clone(), stance)]));
        let found = Volatility::of(&rounds);
        assert_eq!(found, Volatility { responses: 4, steps: 2, changes: 1 });
        assert!((found.value() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_tenth_is_a_change() {
        let conviction = change(("BUY", 0.8), ("buy", 0.7)).map(|change| change.kind);
        assert_eq!(conviction, Some(ChangeKind::Conviction));
        assert_eq!(change(("BUY", 0.8), ("BUY ", 0.85)), None);
    }
}
