//! What was seen and done in a debate, in numbers, and over many debates.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Intervention, InterventionKind, RoundAnalysis};
use serde::{Deserialize, Serialize};

use super::share::{mean, number};
use super::targets::judged;

/// One intervention as the numbers know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatsIntervention {
    /// After which round.
    pub round: u32,
    /// What was done.
    pub kind: InterventionKind,
    /// The agents it was addressed to.
    pub targets: Vec<AgentId>,
    /// How much it mattered, 0 to 1.
    pub priority: f64,
}

/// What was seen and done in one debate: seed 001's `get_stats()`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct InterventionStats {
    /// How often it stepped in.
    pub total_interventions: usize,
    /// After how many rounds the agreement was hollow, acted on or not.
    pub hollow_alerts_detected: usize,
    /// The mean evidence quality of each round in which anybody could be judged.
    pub avg_quality_per_round: BTreeMap<u32, f64>,
    /// Each intervention with its targets.
    pub interventions: Vec<StatsIntervention>,
}

/// What was seen and done in a debate. A round that was looked at twice counts as it was seen last.
pub fn stats(analyses: &[RoundAnalysis], interventions: &[Intervention]) -> InterventionStats {
    let rounds: BTreeMap<u32, &RoundAnalysis> =
        analyses.iter().map(|analysis| (analysis.round, analysis)).collect();
    let hollow =
        |analysis: &&&RoundAnalysis| analysis.hollow.as_ref().is_some_and(|alert| alert.detected);
    let quality = |(round, analysis): (&u32, &&RoundAnalysis)| {
        Some((*round, mean(judged(analysis).map(|(_, overall)| overall))?))
    };
    let one = |done: &Intervention| StatsIntervention {
        round: done.round,
        kind: done.kind,
        targets: done.targets.clone(),
        priority: done.priority,
    };
    InterventionStats {
        total_interventions: interventions.len(),
        hollow_alerts_detected: rounds.values().filter(hollow).count(),
        avg_quality_per_round: rounds.iter().filter_map(quality).collect(),
        interventions: interventions.iter().map(one).collect(),
    }
}

/// An agent and how often its evidence was challenged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flagged {
    /// The agent.
    pub agent: AgentId,
    /// How many interventions were aimed at it.
    pub interventions: usize,
    /// The number of debates it took part in.
    pub debates: usize,
}

/// The agents whose evidence was challenged, over many debates, the most often challenged first.
///
/// A role is no reproach: it goes to the agent with the best evidence, and is not counted.
pub fn flagged_agents<'s>(
    debates: impl IntoIterator<Item = &'s InterventionStats>,
) -> Vec<Flagged> {
    let mut flagged: BTreeMap<&AgentId, (usize, usize, usize)> = BTreeMap::new();
    for (debate, stats) in debates.into_iter().enumerate() {
        let own = stats.interventions.iter().filter(|done| done.kind != InterventionKind::Role);
        for agent in own.flat_map(|done| &done.targets) {
            let (interventions, debates, last) = flagged.entry(agent).or_insert((0, 0, 0));
            *interventions += 1;
            if *debates == 0 || *last != debate {
                (*debates, *last) = (*debates + 1, debate);
            }
        }
    }
    let one = |(agent, (interventions, debates, _)): (&AgentId, _)| Flagged {
        agent: agent.clone(),
        interventions,
        debates,
    };
    let mut flagged: Vec<Flagged> = flagged.into_iter().map(one).collect();
    flagged.sort_by_key(|one| Reverse(one.interventions));
    flagged
}

/// One debate of a trend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrendPoint {
    /// Which of the debates, from 0.
    pub debate: usize,
    /// The evidence quality of its first judged round.
    pub first: f64,
    /// That of its last.
    pub last: f64,
    /// The mean over its rounds.
    pub mean: f64,
}

/// How evidence quality went over many debates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct QualityTrend {
    /// The debates in which anybody could be judged, in their order.
    pub points: Vec<TrendPoint>,
    /// By how much the mean rises from one debate to the next (least squares); `None` with fewer
    /// than two debates.
    pub slope: Option<f64>,
    /// By how much quality rises from the first to the last round of a debate, on average; `None`
    /// without a debate of two judged rounds.
    pub gain: Option<f64>,
}

/// How evidence quality went over debates in their order.
pub fn quality_trend<'s>(debates: impl IntoIterator<Item = &'s InterventionStats>) -> QualityTrend {
    let mut points = Vec::new();
    let mut gains = Vec::new();
    for (debate, stats) in debates.into_iter().enumerate() {
        let rounds = &stats.avg_quality_per_round;
        let ends = rounds.values().next().zip(rounds.values().next_back());
        let (Some((first, last)), Some(mean)) = (ends, mean(rounds.values().copied())) else {
            continue;
        };
        points.push(TrendPoint { debate, first: *first, last: *last, mean });
        if rounds.len() > 1 {
            gains.push(last - first);
        }
    }
    QualityTrend { slope: slope(&points), gain: mean(gains), points }
}

/// The least-squares slope of the means over the debates.
fn slope(points: &[TrendPoint]) -> Option<f64> {
    let at = mean(points.iter().map(|point| number(point.debate)))?;
    let level = mean(points.iter().map(|point| point.mean))?;
    let (mut rise, mut run) = (0.0, 0.0);
    for point in points {
        let from = number(point.debate) - at;
        rise += from * (point.mean - level);
        run += from * from;
    }
    (run > 0.0).then(|| rise / run)
}
