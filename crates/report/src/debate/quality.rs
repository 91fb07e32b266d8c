//! How well debates were supported, whether challenges helped, and who needed them.

mod page;
mod picture;

use std::collections::BTreeMap;

use rebuttal_detect::scores::{GENERAL, detect_domain};
use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, InterventionKind};
use rebuttal_policy::trickster::{
    Adjusted, Calibration, CalibrationSettings, DebateOutcome, Flagged, InterventionStats,
    QualityTrend, calibrate, flagged_agents, quality_trend, sensitivity_of, stats,
};
use serde::Serialize;

pub use page::page;
pub use picture::picture;

/// Quality over many debates.
#[derive(Debug, Serialize)]
pub struct Quality {
    /// The oldest first.
    pub debates: Vec<DebateQuality>,
    /// From debate to debate, and from the first to the last round.
    pub trend: QualityTrend,
    /// Who was challenged, and how often.
    pub flagged: Vec<Flagged>,
    /// Each agent's mean evidence quality, over all its judged turns.
    pub agents: BTreeMap<AgentId, f64>,
    /// How often each kind of intervention was made.
    pub interventions: BTreeMap<&'static str, usize>,
    /// What is learned from debates whose right answer is known.
    pub calibration: Vec<Calibration>,
}

/// One debate of them.
#[derive(Debug, Serialize)]
pub struct DebateQuality {
    /// The debate's id.
    pub id: String,
    /// What it was about.
    pub question: String,
    #[serde(flatten)]
    /// Its numbers.
    pub stats: InterventionStats,
}

impl Quality {
    /// Of these debates, the oldest first.
    pub fn of(states: &[State]) -> Self {
        let debates: Vec<DebateQuality> = states
            .iter()
            .map(|state| DebateQuality {
                id: state.spec().id.to_string(),
                question: state.spec().question.clone(),
                stats: stats_of(state),
            })
            .collect();
        let all = || debates.iter().map(|debate| &debate.stats);
        let mut interventions = BTreeMap::new();
        for done in all().flat_map(|stats| &stats.interventions) {
            *interventions.entry(kind_words(done.kind)).or_insert(0) += 1;
        }
        let (trend, flagged) = (quality_trend(all()), flagged_agents(all()));
        let calibration = learned(states);
        Self { trend, flagged, agents: means(states), interventions, calibration, debates }
    }
}

/// The numbers of a debate. As in the live view, hollow is what reached the debate's own threshold.
fn stats_of(state: &State) -> InterventionStats {
    let least = state.spec().protocol.trickster.hollow_detection_threshold;
    let alerts = state.steering.analyses.iter().filter_map(|seen| seen.hollow.as_ref());
    let hollow = alerts.filter(|alert| alert.detected && alert.severity >= least).count();
    let all = stats(&state.steering.analyses, &state.steering.interventions);
    InterventionStats { hollow_alerts_detected: hollow, ..all }
}

/// How readily the trickster should step in, by debates that were right or wrong with and without it.
fn learned(states: &[State]) -> Vec<Calibration> {
    let outcome = |state: &State| {
        let truth = state.decision.as_ref()?.lift.as_ref()?.truth.as_ref()?;
        Some(DebateOutcome {
            domain: field(state).to_owned(),
            intervened: !state.steering.interventions.is_empty(),
            succeeded: truth.after_right,
        })
    };
    let outcomes: Vec<DebateOutcome> = states.iter().filter_map(outcome).collect();
    // The latest debate of a field has the threshold that is in use there.
    let now = |state: &State| {
        let threshold = state.spec().protocol.trickster.hollow_detection_threshold;
        (field(state).to_owned(), sensitivity_of(threshold))
    };
    let current: BTreeMap<String, f64> = states.iter().map(now).collect();
    calibrate(&CalibrationSettings::default(), &current, &outcomes)
}

/// The field of a debate, or [`GENERAL`].
fn field(state: &State) -> &'static str {
    detect_domain(&state.spec().question).unwrap_or(GENERAL)
}

/// What of a calibration belongs into the settings: nothing where all stays as it was.
pub fn to_paste(learned: &Calibration) -> Option<String> {
    let changed = learned.adjusted != Adjusted::Kept;
    let (field, threshold) = (&learned.domain, learned.threshold);
    changed.then(|| {
        format!("[debate.trickster.fields.{field}]\nhollow_detection_threshold = {threshold:.2}")
    })
}

/// Each agent's mean evidence quality.
fn means(states: &[State]) -> BTreeMap<AgentId, f64> {
    let mut sums: BTreeMap<AgentId, (f64, u32)> = BTreeMap::new();
    for analysis in states.iter().flat_map(|state| &state.steering.analyses) {
        for (agent, quality) in &analysis.quality {
            let (sum, count) = sums.entry(agent.clone()).or_default();
            (*sum, *count) = (*sum + quality.overall, *count + 1);
        }
    }
    sums.into_iter().map(|(agent, (sum, count))| (agent, sum / f64::from(count))).collect()
}

/// What an intervention is called.
pub fn kind_words(kind: InterventionKind) -> &'static str {
    match kind {
        InterventionKind::Challenge => "challenge",
        InterventionKind::Role => "role",
        InterventionKind::ExtraRound => "extra round",
        InterventionKind::Breakpoint => "breakpoint",
        InterventionKind::EvidenceGap => "evidence gap",
        InterventionKind::EchoChamber => "echo chamber",
        InterventionKind::Novelty => "novelty",
    }
}
