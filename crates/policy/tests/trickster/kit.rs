//! Rounds as they are seen, in few words.

use rebuttal_model::{
    AgentId, Echo, EvidenceGap, HollowAlert, Intervention, InterventionKind, Quality,
    RoundAnalysis, TricksterConfig,
};
use rebuttal_policy::trickster::{Context, choose};

pub(crate) fn id(name: &str) -> AgentId {
    AgentId::new(name)
}

pub(crate) fn panel(names: &[&str]) -> Vec<AgentId> {
    names.iter().map(|name| id(name)).collect()
}

/// A quality whose four parts are all the same.
pub(crate) fn quality(overall: f64) -> Quality {
    Quality {
        citation_density: overall,
        specificity_score: overall,
        logical_chain_score: overall,
        evidence_diversity: overall,
        overall,
    }
}

/// A round of agents with these qualities that agree this much; hollow by the seed's formula.
pub(crate) fn round(round: u32, alike: f64, qualities: &[(&str, f64)]) -> RoundAnalysis {
    let count = f64::from(u32::try_from(qualities.len()).unwrap());
    let mean = qualities.iter().map(|(_, own)| own).sum::<f64>() / count;
    let variance = qualities.iter().map(|(_, own)| (own - mean).powi(2)).sum::<f64>() / count;
    let raw = HollowAlert::raw_severity_of(mean, alike, variance);
    let config = TricksterConfig::default();
    RoundAnalysis {
        round,
        quality: qualities.iter().map(|(name, own)| (id(name), quality(*own))).collect(),
        convergence: Some(alike),
        hollow: Some(HollowAlert {
            detected: alike > config.convergence_threshold && mean < config.min_quality_threshold,
            severity: raw.min(1.0),
            raw_severity: raw,
            avg_quality: mean,
            quality_variance: variance,
            similarity: alike,
            reason: "The answers are alike and the evidence is thin.".to_owned(),
        }),
        independent_voices: 1.0,
        ..RoundAnalysis::default()
    }
}

pub(crate) fn gap(claim: &str, agents: &[&str]) -> EvidenceGap {
    EvidenceGap { claim: claim.to_owned(), agents: panel(agents), quotes: Vec::new() }
}

pub(crate) fn echo(redundancy: f64, agents: &[&str]) -> Echo {
    Echo {
        redundancy,
        unique_sources: 3,
        total_citations: 15,
        sources: vec!["https://example.org/report".to_owned()],
        agents: panel(agents),
    }
}

/// What is chosen for a round with so many rounds left.
pub(crate) fn chosen(
    config: &TricksterConfig,
    analysis: &RoundAnalysis,
    past: &[Intervention],
    rounds_left: u32,
) -> Vec<Intervention> {
    let panel: Vec<AgentId> =
        analysis.quality.keys().chain(analysis.not_judged.keys()).cloned().collect();
    choose(config, analysis, past, &Context::new(analysis.round, rounds_left, &panel))
}

pub(crate) fn kinds(interventions: &[Intervention]) -> Vec<InterventionKind> {
    interventions.iter().map(|one| one.kind).collect()
}

/// Something that was done after a round.
pub(crate) fn done(kind: InterventionKind, round: u32) -> Intervention {
    Intervention {
        kind,
        round,
        priority: 0.5,
        reason: String::new(),
        findings: Vec::new(),
        targets: Vec::new(),
        text: String::new(),
        role: None,
        extra_rounds: 0,
    }
}
