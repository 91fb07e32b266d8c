//! `rebuttal quality`: how well debates were supported, whether challenges helped, and who needed them.

mod page;
mod picture;

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::Result;
use rebuttal::detect::scores::detect_domain;
use rebuttal::engine::debate::State;
use rebuttal::model::{AgentId, InterventionKind};
use rebuttal::policy::trickster::{
    Adjusted, Calibration, CalibrationSettings, DebateOutcome, Flagged, InterventionStats,
    QualityTrend, calibrate, flagged_agents, quality_trend, sensitivity_of, stats,
};
use serde::Serialize;

use super::stored;
use crate::args::{QualityArgs, QualityFormat};
use crate::config::GENERAL;
use crate::output::{Output, Status};
use crate::report::{JsonText, count};
use crate::store;
use crate::terminal::one_line;

/// Quality over many debates.
#[derive(Debug, Serialize)]
struct Quality {
    /// The oldest first.
    debates: Vec<Debate>,
    trend: QualityTrend,
    flagged: Vec<Flagged>,
    /// Each agent's mean evidence quality, over all its judged turns.
    agents: BTreeMap<AgentId, f64>,
    /// How often each kind of intervention was made.
    interventions: BTreeMap<&'static str, usize>,
    /// What is learned from debates whose right answer is known.
    calibration: Vec<Calibration>,
}

/// One debate of them.
#[derive(Debug, Serialize)]
struct Debate {
    id: String,
    question: String,
    #[serde(flatten)]
    stats: InterventionStats,
}

/// Runs the command.
pub(crate) fn run(args: &QualityArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let mut states = stored::all((&runtime, &store), None, out)?;
    states.retain(|state| !state.steering.analyses.is_empty());
    states.sort_by_key(State::began);
    states.drain(..states.len().saturating_sub(args.limit));
    let quality = Quality::of(&states);
    crate::output::to_file(out, args.output.as_deref())?;
    match args.format {
        QualityFormat::Json => JsonText::line(out, &quality)?,
        QualityFormat::Html => write!(out, "{}", page::page(&quality).into_string())?,
        QualityFormat::Svg => {
            if let Some(latest) = states.last() {
                writeln!(out, "{}", picture::picture(latest).into_string())?;
            }
        }
        QualityFormat::Text => text(&quality, out)?,
    }
    if states.is_empty() {
        out.note("no debate was looked at yet; rebuttal debate \"…\" runs one")?;
    }
    Ok(Status::Clean)
}

impl Quality {
    fn of(states: &[State]) -> Self {
        let debates: Vec<Debate> = states
            .iter()
            .map(|state| Debate {
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
fn to_paste(learned: &Calibration) -> Option<String> {
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
pub(super) fn kind_words(kind: InterventionKind) -> &'static str {
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

/// As much of a text as there is room for.
fn shortened(text: &str, most: usize) -> String {
    let text = one_line(text);
    if text.chars().count() <= most {
        return text.into_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn text(quality: &Quality, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    if quality.debates.is_empty() {
        return Ok(());
    }
    let head =
        format!("{:<16} {:>8} {:>8} {:>7} {:>6}", "debate", "first", "last", "hollow", "acted");
    writeln!(out, "{}  question", paint.bold(head))?;
    for debate in &quality.debates {
        let rounds = &debate.stats.avg_quality_per_round;
        let (first, last) = (rounds.values().next(), rounds.values().next_back());
        let figure =
            |value: Option<&f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
        let question = shortened(&debate.question, 40);
        writeln!(
            out,
            "{:<16} {:>8} {:>8} {:>7} {:>6}  {question}",
            debate.id,
            figure(first),
            figure(last),
            debate.stats.hollow_alerts_detected,
            debate.stats.total_interventions,
        )?;
    }
    if let Some(gain) = quality.trend.gain {
        writeln!(out, "\nFrom the first to the last round evidence quality moves by {gain:+.2}.")?;
    }
    if let Some(slope) = quality.trend.slope {
        writeln!(out, "From one debate to the next it moves by {slope:+.3}.")?;
    }
    writeln!(out, "\n{}", paint.bold("agents, by evidence quality"))?;
    let mut agents: Vec<(&AgentId, &f64)> = quality.agents.iter().collect();
    agents.sort_by(|one, two| one.1.total_cmp(two.1));
    for (agent, mean) in agents {
        let flagged = quality.flagged.iter().find(|flagged| flagged.agent == *agent);
        let words = flagged.map_or(String::new(), |flagged| {
            let (times, debates) = (flagged.interventions, flagged.debates);
            let words =
                format!("challenged {} in {}", count(times, "time"), count(debates, "debate"));
            format!("  {}", paint.dim(words))
        });
        writeln!(out, "  {:<20} {mean:>5.2}{words}", shortened(agent.as_str(), 20))?;
    }
    if !quality.calibration.is_empty() {
        writeln!(out, "\n{}", paint.bold("learned from debates whose answer is known, by field"))?;
    }
    for learned in &quality.calibration {
        writeln!(out, "  {}: {}", learned.domain, learned.reason)?;
        for line in to_paste(learned).iter().flat_map(|text| text.lines()) {
            writeln!(out, "    {}", paint.dim(line))?;
        }
    }
    if quality.calibration.iter().any(|learned| to_paste(learned).is_some()) {
        writeln!(out, "  To step in as learned, put these lines into rebuttal.toml.")?;
    }
    Ok(())
}
