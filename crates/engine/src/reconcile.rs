//! From agents' reports to a consensus: find where they conflict, rule on each conflict, adjust.
//!
//! ```
//! use rebuttal_engine::reconcile::{Settings, Status, reconcile};
//! use rebuttal_model::{AgentId, Report};
//!
//! let report = |agent: &str, text: &str| Report::new(AgentId::new(agent), text);
//! let reports = [
//!     report("labour", "Unemployment in Qatar was 4.6 % in 2017, the World Bank reports."),
//!     report("strategy", "In 2017 the jobless rate in Qatar stood at 5.9 %."),
//! ];
//! let outcome = reconcile(&reports, &Settings::default(), &|_| ());
//! assert_eq!(outcome.status, Status::Complete);
//! assert_eq!(outcome.contradictions.len(), outcome.resolutions.len());
//! ```

use std::time::Instant;

use rebuttal_detect::{Reader, reports};
use rebuttal_llm::Chat;
use rebuttal_model::{ConsensusResult, Contradiction, Problem, Report, Resolution};
use rebuttal_policy::{Authority, consensus};
use serde::Serialize;

use crate::arbitration::{self, Limits};

/// How reports are reconciled.
#[derive(Clone, Copy)]
pub struct Settings<'s> {
    /// What counts as a contradiction.
    pub options: reports::ContradictionOptions,
    /// Who reads: rules, or rules with models beside them.
    pub reader: Reader<'s>,
    /// Whose word counts for more.
    pub authority: &'s Authority,
    /// The model that rules; the written rules do when there is none.
    pub arbiter: Option<&'s dyn Chat>,
    /// How that model is asked.
    pub limits: Limits,
}

/// No ranking of sources: all are unknown, and none outranks another.
static NOBODY: std::sync::LazyLock<Authority> = std::sync::LazyLock::new(Authority::default);

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            options: reports::ContradictionOptions::default(),
            reader: Reader::Rules,
            authority: &NOBODY,
            arbiter: None,
            limits: Limits::default(),
        }
    }
}

impl std::fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("options", &self.options)
            .field("reader", &self.reader)
            .field("authority", &self.authority)
            .field("arbiter", &self.arbiter.map(Chat::id))
            .field("limits", &self.limits)
            .finish()
    }
}

/// Whether there was anything to rule on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No contradictions: nothing was asked of anybody.
    Skipped,
    /// Every contradiction has a ruling or is flagged.
    Complete,
}

/// What happens, for whoever listens.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// It began.
    Running {
        /// How many reports there are.
        reports: usize,
    },
    /// Rulings were made; says how far the run is.
    Progress {
        /// Contradictions with a ruling.
        ruled: usize,
        /// All contradictions.
        contradictions: usize,
    },
    /// It ended.
    Complete {
        /// How many contradictions there are.
        contradictions: usize,
        /// How many have a ruling to go on with.
        resolved: usize,
        /// How many a person must look at.
        flagged: usize,
        /// How long it took, in milliseconds.
        latency_ms: f64,
    },
    /// It ended with nothing to rule on.
    Skipped {
        /// How long it took to see that, in milliseconds.
        latency_ms: f64,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reconciliation {
    /// Whether there was anything to rule on.
    pub status: Status,
    /// Where the reports conflict.
    pub contradictions: Vec<Contradiction>,
    /// A ruling for each, in the same order.
    pub resolutions: Vec<Resolution>,
    /// What to go on with, and the adjusted reports.
    pub consensus: ConsensusResult,
    /// What is wrong with a report by itself, such as an agent that contradicts itself.
    pub problems: Vec<Problem>,
    /// How long it took, in milliseconds.
    pub latency_ms: f64,
}

/// Reconciles reports. `listen` hears what happens as it happens, from any thread.
pub fn reconcile(
    reports: &[Report],
    settings: &Settings<'_>,
    listen: &(dyn Fn(&Event) + Sync),
) -> Reconciliation {
    let start = Instant::now();
    let elapsed = || start.elapsed().as_secs_f64() * 1e3;
    listen(&Event::Running { reports: reports.len() });
    let (contradictions, problems) =
        reports::contradictions_and_problems(reports, &settings.options, settings.reader);
    let progress = |ruled, contradictions| listen(&Event::Progress { ruled, contradictions });
    let resolutions = arbitration::arbitrate(
        &contradictions,
        settings.authority,
        settings.arbiter,
        &settings.limits,
        &progress,
    );
    let consensus = consensus(&contradictions, &resolutions, reports);
    let latency_ms = elapsed();
    let status = if contradictions.is_empty() { Status::Skipped } else { Status::Complete };
    listen(&match status {
        Status::Skipped => Event::Skipped { latency_ms },
        Status::Complete => Event::Complete {
            contradictions: contradictions.len(),
            resolved: consensus.resolved_contradictions,
            flagged: consensus.flagged_for_review,
            latency_ms,
        },
    });
    Reconciliation { status, contradictions, resolutions, consensus, problems, latency_ms }
}

#[cfg(test)]
mod tests;
