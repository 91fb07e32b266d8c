//! A trickster for programs that run debates of their own: it remembers what it saw and did, and
//! tells whoever listens.
//!
//! Our own engine does without it: there the past is the journal.
//!
//! A callback that fails breaks nothing. Its error is kept ([`Trickster::failures`]) and the
//! interventions are handed back all the same; a panic inside it is caught and counts as an error;
//! it is called again the next time. Callbacks are told after everything was decided, so that none
//! can change what is done.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rebuttal_model::{
    AgentId, HollowAlert, Intervention, PanelRole, RoundAnalysis, TricksterConfig,
    TricksterConfigError,
};

use super::stats::{InterventionStats, stats};
use super::{Context, choose};
use crate::roles;

/// What a callback may fail with.
pub type CallbackError = Box<dyn std::error::Error + Send + Sync>;

/// Somebody who is told of something.
type Callback<'c, T> = Box<dyn FnMut(&T) -> Result<(), CallbackError> + Send + 'c>;

/// Most failures kept; the rest are counted.
const FAILURES_KEPT: usize = 100;

/// A callback that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackFailure {
    /// `on_alert` or `on_intervention`.
    pub callback: &'static str,
    /// After which round.
    pub round: u32,
    /// What it said.
    pub error: String,
}

/// The quality challenger's part for one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleAssignment {
    /// Who plays it.
    pub agent: AgentId,
    /// The round.
    pub round: u32,
    /// The part.
    pub role: PanelRole,
    /// What the agent is told.
    pub prompt: String,
}

/// Seed 001's `EvidencePoweredTrickster`: settings, memory and callbacks.
pub struct Trickster<'c> {
    config: TricksterConfig,
    analyses: Vec<RoundAnalysis>,
    interventions: Vec<Intervention>,
    on_alert: Option<Callback<'c, HollowAlert>>,
    on_intervention: Option<Callback<'c, Intervention>>,
    failures: Vec<CallbackFailure>,
    failed: usize,
}

impl<'c> Trickster<'c> {
    /// One that has seen nothing yet. Settings out of range are refused.
    pub fn new(config: TricksterConfig) -> Result<Self, TricksterConfigError> {
        config.check()?;
        Ok(Self {
            config,
            analyses: Vec::new(),
            interventions: Vec::new(),
            on_alert: None,
            on_intervention: None,
            failures: Vec::new(),
            failed: 0,
        })
    }

    /// Tells of every hollow consensus, whether it is acted on or not.
    #[must_use]
    pub fn on_alert(
        mut self,
        callback: impl FnMut(&HollowAlert) -> Result<(), CallbackError> + Send + 'c,
    ) -> Self {
        self.on_alert = Some(Box::new(callback));
        self
    }

    /// Tells of every intervention.
    #[must_use]
    pub fn on_intervention(
        mut self,
        callback: impl FnMut(&Intervention) -> Result<(), CallbackError> + Send + 'c,
    ) -> Self {
        self.on_intervention = Some(Box::new(callback));
        self
    }

    /// Looks at a round, and says what is done about it. Empty if nothing is.
    pub fn check_and_intervene(
        &mut self,
        analysis: RoundAnalysis,
        ctx: &Context<'_>,
    ) -> Vec<Intervention> {
        let chosen = choose(&self.config, &analysis, &self.interventions, ctx);
        self.interventions.extend(chosen.iter().cloned());
        let alert = analysis.hollow.as_ref().filter(|alert| alert.detected);
        let mut failed: Vec<(&'static str, String)> = Vec::new();
        if let (Some(callback), Some(alert)) = (&mut self.on_alert, alert) {
            failed.extend(isolated(callback, alert).err().map(|error| ("on_alert", error)));
        }
        if let Some(callback) = &mut self.on_intervention {
            let errors = chosen.iter().filter_map(|one| isolated(callback, one).err());
            failed.extend(errors.map(|error| ("on_intervention", error)));
        }
        for (callback, error) in failed {
            self.failed += 1;
            if self.failures.len() < FAILURES_KEPT {
                self.failures.push(CallbackFailure { callback, round: ctx.round, error });
            }
        }
        self.analyses.push(analysis);
        chosen
    }

    /// What was seen and done so far.
    pub fn get_stats(&self) -> InterventionStats {
        stats(&self.analyses, &self.interventions)
    }

    /// The quality challenger's part for an agent in a round.
    pub fn get_quality_challenger_assignment(&self, agent: &AgentId, round: u32) -> RoleAssignment {
        let role = PanelRole::QualityChallenger;
        RoleAssignment { agent: agent.clone(), round, role, prompt: roles::prompt(role, "") }
    }

    /// Everything done so far.
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// The callbacks that failed: the first of them, and how many there were in all.
    pub fn failures(&self) -> (&[CallbackFailure], usize) {
        (&self.failures, self.failed)
    }

    /// The settings.
    pub fn config(&self) -> &TricksterConfig {
        &self.config
    }
}

impl fmt::Debug for Trickster<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trickster")
            .field("config", &self.config)
            .field("analyses", &self.analyses.len())
            .field("interventions", &self.interventions.len())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// Tells somebody, whatever becomes of it.
fn isolated<T>(callback: &mut Callback<'_, T>, about: &T) -> Result<(), String> {
    // Its error is asked for its words inside: they are the callback's code too.
    let tell = || callback(about).map_err(|error| error.to_string());
    match catch_unwind(AssertUnwindSafe(tell)) {
        Ok(told) => told,
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("it panicked: {}", said.as_deref().unwrap_or("without a word")))
        }
    }
}
