//! What can be seen in a debate's journal: what each detector saw, and what was done about it.

use std::collections::BTreeSet;

use rebuttal_model::{Event, InterventionKind, Record, RoundAnalysis, TricksterConfig};

/// A detector that can see a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sight {
    /// Agreement with nothing behind it, severe enough to be acted on.
    Hollow,
    /// A claim of several that nobody supports.
    Gap,
    /// Every agent cites the same few sources.
    Echo,
    /// An agent that brings nothing new.
    Stale,
    /// Fewer independent voices than heads.
    Dependence,
    /// An agent that turns around without saying so.
    SilentFlip,
    /// An agent that turns around and says so: no fault.
    StatedFlip,
    /// Orders to other agents in an answer.
    Order,
}

impl Sight {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Hollow,
        Self::Gap,
        Self::Echo,
        Self::Stale,
        Self::Dependence,
        Self::SilentFlip,
        Self::StatedFlip,
        Self::Order,
    ];

    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hollow => "hollow",
            Self::Gap => "gap",
            Self::Echo => "echo",
            Self::Stale => "novelty",
            Self::Dependence => "independence",
            Self::SilentFlip => "silent flip",
            Self::StatedFlip => "stated flip",
            Self::Order => "injection",
        }
    }

    /// True when it is a finding against an agent; the others are figures of a round, which the
    /// trickster's policy weighs before anything is done.
    pub(crate) fn is_finding(self) -> bool {
        matches!(self, Self::SilentFlip | Self::Order)
    }
}

/// The share of a panel's heads below which its voices count as dependent.
const INDEPENDENT_SHARE: f64 = 0.7;

/// What was seen and done in a debate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) sights: BTreeSet<Sight>,
    pub(crate) acts: Vec<InterventionKind>,
    /// The rounds that were run, the blind one among them.
    pub(crate) rounds: u32,
    /// The mean evidence quality after each round.
    pub(crate) quality: Vec<f64>,
    /// How severe the hollowest round was, and how alike and how well supported the answers were in it.
    pub(crate) hollowest: (f64, f64, f64),
    /// What was decided.
    pub(crate) answer: Option<String>,
}

impl Seen {
    /// What these records hold.
    pub(crate) fn of(records: &[Record], config: &TricksterConfig) -> Self {
        let mut seen = Self::default();
        for record in records {
            match &record.event {
                Event::RoundEnded { .. } => seen.rounds += 1,
                Event::RoundAnalyzed { analysis } => seen.look(analysis, config),
                Event::Intervened { intervention } => seen.acts.push(intervention.kind),
                Event::FindingRaised { finding } => {
                    seen.sights.extend(by_rule(finding.rule.as_str()));
                }
                Event::Decided { decision } => seen.answer.clone_from(&decision.answer),
                _ => {}
            }
        }
        seen
    }

    fn look(&mut self, analysis: &RoundAnalysis, config: &TricksterConfig) {
        if let Some(alert) = analysis.hollow.as_ref().filter(|it| it.severity > self.hollowest.0) {
            self.hollowest = (alert.severity, alert.similarity, alert.avg_quality);
        }
        let hollow = analysis.hollow.as_ref().is_some_and(|alert| {
            alert.detected && alert.severity >= config.hollow_detection_threshold
        });
        let echo = analysis.echo.as_ref();
        let echo = echo.is_some_and(|echo| echo.redundancy > config.redundancy_threshold);
        let stale = analysis.round > 0
            && analysis.novelty.values().any(|novelty| *novelty < config.novelty_threshold);
        let heads = u32::try_from(analysis.quality.len()).unwrap_or(u32::MAX);
        let dependent =
            heads > 1 && analysis.independent_voices < f64::from(heads) * INDEPENDENT_SHARE;
        let sights = [
            (hollow, Sight::Hollow),
            (!analysis.gaps.is_empty(), Sight::Gap),
            (echo, Sight::Echo),
            (stale, Sight::Stale),
            (dependent, Sight::Dependence),
        ];
        self.sights.extend(sights.into_iter().filter(|(saw, _)| *saw).map(|(_, sight)| sight));
        let sum: f64 = analysis.quality.values().map(|quality| quality.overall).sum();
        if heads > 0 {
            self.quality.push(sum / f64::from(heads));
        }
    }
}

fn by_rule(rule: &str) -> Option<Sight> {
    match rule {
        "self-contradiction/silent" => Some(Sight::SilentFlip),
        "self-contradiction/acknowledged" => Some(Sight::StatedFlip),
        rule if rule.starts_with("injection/") => Some(Sight::Order),
        _ => None,
    }
}
