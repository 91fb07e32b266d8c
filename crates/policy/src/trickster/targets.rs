//! Whom an intervention is for, and what each of them lacks.

use std::fmt;

use rebuttal_model::{AgentId, Intervention, PanelRole, Quality, RoundAnalysis, TricksterConfig};
use serde::{Deserialize, Serialize};

use super::Context;

/// What an agent's evidence lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Sources for its claims.
    Citations,
    /// Figures and names instead of vague words.
    Specificity,
    /// The way from premises to the conclusion.
    Reasoning,
    /// Evidence of more than one kind.
    EvidenceDiversity,
}

impl Missing {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Citations, Self::Specificity, Self::Reasoning, Self::EvidenceDiversity];

    /// `citations`, `specificity`, `reasoning` or `evidence_diversity`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Citations => "citations",
            Self::Specificity => "specificity",
            Self::Reasoning => "reasoning",
            Self::EvidenceDiversity => "evidence_diversity",
        }
    }

    /// The score below which it is missing.
    pub fn cut_off(self) -> f64 {
        match self {
            Self::Citations | Self::EvidenceDiversity => 0.2,
            Self::Specificity | Self::Reasoning => 0.3,
        }
    }

    /// The score that says whether it is missing.
    pub fn score(self, quality: &Quality) -> f64 {
        match self {
            Self::Citations => quality.citation_density,
            Self::Specificity => quality.specificity_score,
            Self::Reasoning => quality.logical_chain_score,
            Self::EvidenceDiversity => quality.evidence_diversity,
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a turn's evidence lacks, by the cut-offs.
pub fn missing(quality: &Quality) -> Vec<Missing> {
    Missing::ALL.into_iter().filter(|part| part.score(quality) < part.cut_off()).collect()
}

/// An agent's overall quality, if it could be judged.
pub(super) fn overall(analysis: &RoundAnalysis, agent: &AgentId) -> Option<f64> {
    let overall = analysis.quality.get(agent)?.overall;
    (!analysis.not_judged.contains_key(agent) && !overall.is_nan()).then_some(overall)
}

/// The agents that could be judged, with their overall quality.
pub(super) fn judged(analysis: &RoundAnalysis) -> impl Iterator<Item = (&AgentId, f64)> {
    analysis.quality.keys().filter_map(|agent| Some((agent, overall(analysis, agent)?)))
}

/// How much better supported than a hollow majority an agent is that does not belong to it.
const CLEARLY: f64 = 0.15;

/// The agents below the least quality; if there is none, the lowest. Agents that could not be judged
/// are never among them, nor, where not all give one answer, whoever is clearly better supported than
/// the hollow majority: it is not the one that owes something.
pub fn targets(config: &TricksterConfig, analysis: &RoundAnalysis) -> Vec<AgentId> {
    // Where nobody gave an answer, nobody stands apart; nor in the oldest journals, which do not say.
    let apart = analysis.one_answer.is_some_and(|share| share < 1.0);
    let majority = analysis.hollow.as_ref().filter(|alert| alert.detected && apart);
    let most = majority.map_or(f64::INFINITY, |alert| alert.avg_quality + CLEARLY);
    let below: Vec<AgentId> = judged(analysis)
        .filter(|(_, overall)| *overall < config.min_quality_threshold && *overall < most)
        .map(|(agent, _)| agent.clone())
        .collect();
    if !below.is_empty() {
        return below;
    }
    let lowest = judged(analysis).min_by(|one, two| one.1.total_cmp(&two.1));
    lowest.map(|(agent, _)| agent.clone()).into_iter().collect()
}

/// Who becomes the quality challenger: the one with the best evidence, of equals the first of the
/// panel. Who was it before, or is to bring the views together, only if there is nobody else.
pub fn challenger(
    analysis: &RoundAnalysis,
    past: &[Intervention],
    ctx: &Context<'_>,
) -> Option<AgentId> {
    let times = |agent: &AgentId| {
        let roles = past.iter().filter(|done| done.role == Some(PanelRole::QualityChallenger));
        roles.filter(|done| done.targets.contains(agent)).count()
    };
    let able = ctx.panel.iter().filter_map(|agent| {
        let overall = overall(analysis, agent)?;
        Some((ctx.synthesizer == Some(agent), times(agent), overall, agent))
    });
    let better = |one: &(bool, usize, f64, &AgentId), two: &(bool, usize, f64, &AgentId)| {
        (one.0, one.1).cmp(&(two.0, two.1)).then(two.2.total_cmp(&one.2))
    };
    able.min_by(better).map(|(_, _, _, agent)| agent.clone())
}
