//! One agent as it stands in JSON.

use std::collections::BTreeMap;

use rebuttal_detect::scores::{
    AgentConsistencyScore, AgentRating, Calibration, Rate, Temperature, VoteWeight,
};
use rebuttal_model::{Cause, Flip};
use rebuttal_report::ledger::Portrait;
use serde::Serialize;

use super::queries::PositionEntry;

/// What one agent held, gave up, was moved by, and how right it was:
///
/// ```text
/// { "known": bool, "consistency": every field of the seed document's AgentConsistencyScore,
///   "silent": flips it did not acknowledge,
///   "history": [ positions, the latest first ], "flips": [ flips, the latest found first ],
///   "moved_by": { cause: { "count", "of", "value", "low", "high" } },
///   "calibration": null | { "predictions", "brier", "ece", "buckets", "temperature": null | n },
///   "rating": null | { "elo", "elo_with_consistency", "domains", "glicko", "debates" },
///   "vote_weight": { "consistency", "calibration", "rating", "weight" } }
/// ```
#[derive(Debug, Serialize)]
pub struct AgentAnswer<'p> {
    known: bool,
    consistency: &'p AgentConsistencyScore,
    silent: u64,
    history: Vec<PositionEntry<'p>>,
    flips: &'p [Flip],
    moved_by: &'p BTreeMap<Cause, Rate>,
    calibration: Option<Calibrated<'p>>,
    rating: Option<&'p AgentRating>,
    vote_weight: Weight,
}

#[derive(Debug, Serialize)]
struct Calibrated<'p> {
    #[serde(flatten)]
    measured: &'p Calibration,
    temperature: Option<Temperature>,
}

#[derive(Debug, Serialize)]
struct Weight {
    #[serde(flatten)]
    factors: VoteWeight,
    weight: f64,
}

impl<'p> From<&'p Portrait> for AgentAnswer<'p> {
    fn from(portrait: &'p Portrait) -> Self {
        Self {
            known: portrait.is_known(),
            consistency: &portrait.score,
            silent: portrait.totals.silent,
            history: portrait.listed().iter().map(PositionEntry::from).collect(),
            flips: &portrait.flips,
            moved_by: &portrait.moved_by,
            calibration: portrait.judged.as_ref().map(|judged| Calibrated {
                measured: &judged.calibration,
                temperature: judged.temperature,
            }),
            rating: portrait.rating.as_ref(),
            vote_weight: Weight { factors: portrait.weight, weight: portrait.weight.weight() },
        }
    }
}
