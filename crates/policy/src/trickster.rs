//! What is done about a panel that agrees with nothing behind it: seed 001, by a written policy.
//!
//! [`choose`] is handed what was seen of a round and what was done before, and says what is done
//! now. Nothing here looks at a clock, draws a lot or asks a model: the same round gives the same
//! interventions.
//!
//! # The policy
//!
//! **When.** Nothing happens while the [allowance](Allowance) is used up: `max_interventions_total`
//! in the debate, `max_challenges_per_round` challenges of any kind after one round, and
//! `intervention_cooldown_rounds` between the round last acted on and this one (a cooldown of 1
//! lets every round be acted on, 3 every third). A kind that is switched off is as if it did not
//! exist.
//!
//! **What.** Four things can be wrong with a round. Hollow consensus has the first claim on what
//! the limits leave, gaps and echoes by their priority what is left then. What was chosen is handed
//! back with the greatest priority first.
//!
//! | what | when | what is done | priority | whom |
//! |---|---|---|---|---|
//! | hollow consensus | an alert whose severity reaches `hollow_detection_threshold` | the ladder below | severity | agents below `min_quality_threshold`; if there is none, the lowest |
//! | evidence gap | the panel agrees, and those who share a claim that nobody supports are on average below 0.4 | evidence-gap challenge | the greatest share of the panel behind such a claim | those who make the claims |
//! | echo chamber | the redundancy of sources is above `redundancy_threshold`, in the blind round; later only in an agreement with thin evidence | echo-chamber challenge | redundancy | those who repeat the sources |
//! | nothing new | after the blind round: in an agreement, agents below `novelty_threshold` and `min_quality_threshold`; in a disagreement, all of them, if nobody brings anything | novelty challenge | 1 − the lowest novelty | those agents |
//!
//! The panel agrees when its convergence is above `convergence_threshold`. So a well-supported
//! agreement is left alone, whoever repeats itself, and so is a real disagreement,
//! unless a majority with nothing stands against better evidence, or both sides repeat themselves.
//!
//! **The ladder** of hollow consensus; the first rung that may be used is:
//!
//! 1. *Breakpoint*, when the severity reaches `breakpoint_severity`. It stands alone: the person
//!    decides before anything else is said. Who lets it go on lets the next rung be used
//!    ([`go_on`]). A person is asked again only when a challenge was tried since.
//! 2. *Role*, the first time: the agent with the best evidence becomes the quality challenger. It
//!    knows what evidence looks like, and has the least to defend. Of equals the first of the
//!    panel; one that was it before, or is to be the synthesizer, only if there is nobody else.
//! 3. *Challenge*, as long as it lasts. It names the gaps and the echo of the round as well, so
//!    that these are not said twice.
//! 4. *Role* again, where challenges are switched off.
//!
//! Where no round is left in which anybody could answer, the second to fourth rung bring an *extra
//! round* with them, and are not used without one. Gaps, echoes and novelty are no reason for
//! another round: without one they are left unsaid.
//!
//! A novelty challenge is made only when nothing else was: who was just asked for evidence should
//! not be sent to look for new ideas.

pub mod breakpoint;
mod calibration;
mod choose;
mod qualify;
mod quote;
mod share;
mod stats;
mod targets;
mod texts;
mod watch;

use rebuttal_model::AgentId;

pub use calibration::{
    Adjusted, Calibration, CalibrationEvidence, CalibrationSettings, DebateOutcome, Difference,
    Success, calibrate, sensitivity_of, threshold_of,
};
pub use choose::{Allowance, choose, go_on, is_challenge};
pub use qualify::qualify;
pub use stats::{
    Flagged, InterventionStats, QualityTrend, StatsIntervention, TrendPoint, flagged_agents,
    quality_trend, stats,
};
pub use targets::{Missing, challenger, missing, targets};
pub use texts::text;
pub use watch::{CallbackError, CallbackFailure, RoleAssignment, Trickster};

/// Where in the debate it is.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The round that just ended; 0 is the blind one.
    pub round: u32,
    /// How many rounds are still to come.
    pub rounds_left: u32,
    /// Everybody on the panel, in order.
    pub panel: &'c [AgentId],
    /// Who is to bring the views together in the next round, if anybody.
    pub synthesizer: Option<&'c AgentId>,
    /// What field the debate is in; may be empty.
    pub domain: &'c str,
    /// What an agent is called in the texts: panels can be anonymous.
    pub name: &'c dyn Fn(&AgentId) -> String,
}

impl<'c> Context<'c> {
    /// A debate without a synthesizer or a field, whose agents are called by their names.
    pub fn new(round: u32, rounds_left: u32, panel: &'c [AgentId]) -> Self {
        Self { round, rounds_left, panel, synthesizer: None, domain: "", name: &own_name }
    }
}

/// An agent by its own name.
pub fn own_name(agent: &AgentId) -> String {
    agent.to_string()
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("round", &self.round)
            .field("rounds_left", &self.rounds_left)
            .field("panel", &self.panel)
            .field("synthesizer", &self.synthesizer)
            .field("domain", &self.domain)
            .finish_non_exhaustive()
    }
}
