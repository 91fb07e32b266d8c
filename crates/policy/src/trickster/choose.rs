//! What is done after a round: the written policy, carried out.

use std::collections::BTreeSet;

use rebuttal_model::{
    AgentId, BreakpointAnswer, EvidenceGap, HollowAlert, Intervention, InterventionKind, PanelRole,
    RoundAnalysis, TricksterConfig, limits,
};

use super::Context;
use super::share::{mean, number, percent, share};
use super::targets::{challenger, overall, targets};
use super::texts::text;

/// True for the kinds that challenge somebody: they share `max_challenges_per_round`.
pub fn is_challenge(kind: InterventionKind) -> bool {
    use InterventionKind as Kind;
    match kind {
        Kind::Challenge | Kind::EvidenceGap | Kind::EchoChamber | Kind::Novelty => true,
        Kind::Role | Kind::ExtraRound | Kind::Breakpoint => false,
    }
}

/// What may still be done after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Interventions of any kind.
    pub interventions: u32,
    /// Challenges of any kind.
    pub challenges: u32,
}

impl Allowance {
    /// No intervention at all.
    pub const NONE: Self = Self { interventions: 0, challenges: 0 };

    /// What the limits leave after a round, given what was done before. A round that is nearer to
    /// the last one acted on than the cooldown, or lies before it, gets nothing.
    pub fn after(config: &TricksterConfig, past: &[Intervention], round: u32) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let rested = match past.iter().map(|done| done.round).max() {
            None => true,
            Some(last) => round
                .checked_sub(last)
                .is_some_and(|rounds| rounds >= config.intervention_cooldown_rounds),
        };
        if !rested {
            return Self::NONE;
        }
        let same_round = past.iter().filter(|done| done.round == round && is_challenge(done.kind));
        let interventions = config.max_interventions_total.saturating_sub(count(past.len()));
        let own = config.max_challenges_per_round.saturating_sub(count(same_round.count()));
        let challenges = if config.enable_challenge_prompts { own.min(interventions) } else { 0 };
        Self { interventions, challenges }
    }

    /// True when nothing may be done after this round for no other reason than that it comes too soon,
    /// and something may be done about hollow consensus after a later one, up to `last`.
    pub fn later(config: &TricksterConfig, past: &[Intervention], round: u32, last: u32) -> bool {
        let Some(acted) = past.iter().map(|done| done.round).max() else { return false };
        let next = acted.saturating_add(config.intervention_cooldown_rounds);
        let left = Self::after(config, past, next);
        let longer = config.enable_extended_rounds && config.extension_rounds > 0;
        // What is done after the last round brings a round with it, and counts twice.
        let heard = next < last || (next == last && longer && left.interventions > 1);
        let able = left.challenges > 0 || (config.enable_role_assignment && left.interventions > 0);
        next > round && heard && able
    }

    /// What is left once the breakpoint after this round is answered. It counts, but is no cause to rest:
    /// what follows is the answer to its question.
    fn answered(config: &TricksterConfig, past: &[Intervention], round: u32) -> Self {
        let asks =
            |done: &Intervention| done.round == round && done.kind == InterventionKind::Breakpoint;
        let others: Vec<Intervention> = past.iter().filter(|done| !asks(done)).cloned().collect();
        let asked = u32::try_from(past.len() - others.len()).unwrap_or(u32::MAX);
        let left = Self::after(config, &others, round);
        let interventions = left.interventions.saturating_sub(asked);
        Self { interventions, challenges: left.challenges.min(interventions) }
    }

    /// Takes what these need; or nothing, if it is not all there.
    fn take(&mut self, group: &[Intervention]) -> bool {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let challenges = group.iter().filter(|one| is_challenge(one.kind)).count();
        let left = (
            self.interventions.checked_sub(count(group.len())),
            self.challenges.checked_sub(count(challenges)),
        );
        let (Some(interventions), Some(challenges)) = left else { return false };
        *self = Self { interventions, challenges };
        true
    }
}

/// What is done after a round, by the [policy](super): what matters most first, and nothing beyond
/// the limits. Each comes with its text.
pub fn choose(
    config: &TricksterConfig,
    analysis: &RoundAnalysis,
    past: &[Intervention],
    ctx: &Context<'_>,
) -> Vec<Intervention> {
    let round = Round { config, analysis, past, ctx };
    round.choose(Allowance::after(config, past, ctx.round))
}

/// What is done when a person who was asked after a round lets the debate go on, or nobody answered
/// and that is done for it: the rung that would have been used had nobody been asked. Who gives the
/// agents something to read has said what there is to say, and needs no more than a round for it.
pub fn go_on(
    answer: BreakpointAnswer,
    config: &TricksterConfig,
    analysis: &RoundAnalysis,
    past: &[Intervention],
    ctx: &Context<'_>,
) -> Vec<Intervention> {
    match answer {
        BreakpointAnswer::Abort => Vec::new(),
        BreakpointAnswer::Continue => {
            let unattended = TricksterConfig { enable_breakpoints: false, ..*config };
            let round = Round { config: &unattended, analysis, past, ctx };
            round.choose(Allowance::answered(config, past, ctx.round))
        }
        BreakpointAnswer::Redirect | BreakpointAnswer::AddEvidence => {
            let mut left = Allowance::answered(config, past, ctx.round);
            let round = Round { config, analysis, past, ctx };
            let alert = analysis.hollow.as_ref().filter(|_| ctx.rounds_left == 0);
            let extra: Vec<Intervention> =
                alert.and_then(|alert| round.extra_round(alert)).into_iter().collect();
            if left.take(&extra) { round.written(extra) } else { Vec::new() }
        }
    }
}

/// A round and all that is known about it.
struct Round<'r> {
    config: &'r TricksterConfig,
    analysis: &'r RoundAnalysis,
    past: &'r [Intervention],
    ctx: &'r Context<'r>,
}

impl Round<'_> {
    /// What is done within what is left.
    fn choose(&self, mut left: Allowance) -> Vec<Intervention> {
        if left.interventions == 0 {
            return Vec::new();
        }
        let mut chosen = self.hollow(left);
        if !left.take(&chosen) {
            chosen.clear();
        }
        if chosen.iter().any(|one| one.kind == InterventionKind::Breakpoint) {
            return self.written(chosen);
        }
        let readable = self.ctx.rounds_left > 0 || chosen.iter().any(|one| one.extra_rounds > 0);
        let said = chosen.iter().any(|one| one.kind == InterventionKind::Challenge);
        if readable && !said {
            let mut others: Vec<Intervention> = self.gap().into_iter().chain(self.echo()).collect();
            others.sort_by(|one, two| two.priority.total_cmp(&one.priority));
            others.retain(|one| left.take(std::slice::from_ref(one)));
            chosen.append(&mut others);
        }
        if readable && chosen.is_empty() {
            chosen.extend(self.novelty().filter(|one| left.take(std::slice::from_ref(one))));
        }
        // Stable: an extra round stays before what is to be said in it.
        chosen.sort_by(|one, two| two.priority.total_cmp(&one.priority));
        self.written(chosen)
    }

    /// An intervention without its text.
    fn intervene(
        &self,
        kind: InterventionKind,
        priority: f64,
        reason: String,
        targets: Vec<AgentId>,
    ) -> Intervention {
        Intervention {
            kind,
            round: self.ctx.round,
            priority: share(priority),
            reason,
            findings: Vec::new(),
            targets,
            text: String::new(),
            role: None,
            extra_rounds: 0,
        }
    }

    fn written(&self, mut chosen: Vec<Intervention>) -> Vec<Intervention> {
        for one in &mut chosen {
            one.text = text(one, self.config, self.analysis, self.past, self.ctx);
        }
        chosen
    }

    /// Whether the panel agrees.
    fn agrees(&self) -> bool {
        self.analysis.convergence.is_some_and(|alike| alike > self.config.convergence_threshold)
    }

    /// The rung of the ladder that hollow consensus is on, with the extra round it may need.
    fn hollow(&self, left: Allowance) -> Vec<Intervention> {
        let threshold = self.config.hollow_detection_threshold;
        let acted_on = |alert: &&HollowAlert| alert.detected && alert.severity >= threshold;
        let Some(alert) = self.analysis.hollow.as_ref().filter(acted_on) else {
            return Vec::new();
        };
        if alert.severity >= self.config.breakpoint_severity && self.may_ask_a_person() {
            let reason = format!(
                "Hollow consensus of severity {:.2}, from {:.2} on a person is asked: {}",
                alert.severity, self.config.breakpoint_severity, alert.reason
            );
            return vec![self.about(InterventionKind::Breakpoint, alert, reason)];
        }
        let Some(rung) = self.role_or_challenge(alert, left) else { return Vec::new() };
        if self.ctx.rounds_left > 0 {
            return vec![rung];
        }
        self.extra_round(alert).map_or_else(Vec::new, |round| vec![round, rung])
    }

    /// Somebody was not asked yet, or a challenge was tried since, or none can be.
    fn may_ask_a_person(&self) -> bool {
        let is = |kind| move |done: &Intervention| done.kind == kind;
        let asked = self.past.iter().rposition(is(InterventionKind::Breakpoint));
        let tried = self.past.iter().rposition(is(InterventionKind::Challenge));
        self.config.enable_breakpoints
            && (asked.is_none() || tried > asked || !self.config.enable_challenge_prompts)
    }

    fn role_or_challenge(&self, alert: &HollowAlert, left: Allowance) -> Option<Intervention> {
        let first = !self
            .past
            .iter()
            .any(|done| matches!(done.kind, InterventionKind::Role | InterventionKind::Challenge));
        if self.config.enable_role_assignment && (first || left.challenges == 0) {
            let agent = challenger(self.analysis, self.past, self.ctx)?;
            let reason = format!(
                "Hollow consensus of severity {:.2}: the agent with the best evidence asks for the others'. {}",
                alert.severity, alert.reason
            );
            let role = Some(PanelRole::QualityChallenger);
            let new = self.intervene(InterventionKind::Role, alert.severity, reason, vec![agent]);
            return Some(Intervention { role, ..new });
        }
        let reason =
            format!("Hollow consensus of severity {:.2}: {}", alert.severity, alert.reason);
        let challenge = self.about(InterventionKind::Challenge, alert, reason);
        (left.challenges > 0 && !challenge.targets.is_empty()).then_some(challenge)
    }

    fn about(&self, kind: InterventionKind, alert: &HollowAlert, reason: String) -> Intervention {
        self.intervene(kind, alert.severity, reason, targets(self.config, self.analysis))
    }

    /// Further rounds, as far as a debate may go on. They are everybody's, so they have no targets.
    fn extra_round(&self, alert: &HollowAlert) -> Option<Intervention> {
        let room = limits::ROUNDS.saturating_sub(self.ctx.round);
        let extra_rounds = self.config.extension_rounds.min(room);
        if !self.config.enable_extended_rounds || extra_rounds == 0 {
            return None;
        }
        let reason = format!(
            "Hollow consensus of severity {:.2} after the last round: evidence needs time.",
            alert.severity
        );
        let new = self.intervene(InterventionKind::ExtraRound, alert.severity, reason, Vec::new());
        Some(Intervention { extra_rounds, ..new })
    }

    /// The gap challenge, when agents without much evidence share claims that nobody supports.
    fn gap(&self) -> Option<Intervention> {
        let gaps: Vec<&EvidenceGap> = acted_on(self.config, self.analysis).collect();
        let most = gaps.iter().map(|gap| gap.agents.len()).max().filter(|_| self.agrees())?;
        let agents: BTreeSet<&AgentId> = gaps.iter().flat_map(|gap| &gap.agents).collect();
        let agents = agents.into_iter().cloned().collect();
        let priority = number(most) / number(self.ctx.panel.len().max(most));
        let reason = match gaps.len() {
            1 => format!("{most} agents make a claim that nobody supports."),
            count => format!("{count} claims that several agents make and nobody supports."),
        };
        Some(self.intervene(InterventionKind::EvidenceGap, priority, reason, agents))
    }

    fn echo(&self) -> Option<Intervention> {
        let above = |redundancy: f64| redundancy > self.config.redundancy_threshold;
        let echo = self.analysis.echo.as_ref().filter(|echo| above(echo.redundancy))?;
        let reason = format!(
            "{} of the citations repeat a source that another agent gave for the same claim.",
            percent(echo.redundancy)
        );
        let (kind, agents) = (InterventionKind::EchoChamber, echo.agents.clone());
        let known = agents.iter().filter_map(|agent| overall(self.analysis, agent));
        let thin = mean(known).is_none_or(|quality| quality < THIN);
        // Blind, nobody had the source from another. Later who is convinced cites what convinced it.
        let own_fault = self.ctx.round == 0 || (self.agrees() && thin);
        own_fault.then(|| self.intervene(kind, echo.redundancy, reason, agents))
    }

    /// The novelty challenge, for agents that bring neither anything new nor evidence. Who holds on
    /// to its side of a disagreement need not find a new one, unless nobody else brings anything
    /// either: then both sides only repeat themselves.
    fn novelty(&self) -> Option<Intervention> {
        if self.ctx.round == 0 {
            return None;
        }
        let mut stale = stale(self.config, self.analysis);
        if self.analysis.convergence.is_some() && !self.agrees() {
            let all =
                self.analysis.novelty.iter().map(|(agent, novelty)| (agent.clone(), *novelty));
            stale = all.filter(|(_, novelty)| *novelty < self.config.novelty_threshold).collect();
            if stale.len() < 2 || stale.len() < self.analysis.novelty.len() {
                return None;
            }
        }
        let lowest = stale.iter().map(|(_, novelty)| *novelty).min_by(f64::total_cmp)?;
        let reason = match stale.len() {
            1 => "One agent says nothing that was not said before.".to_owned(),
            count => format!("{count} agents say nothing that was not said before."),
        };
        let agents = stale.into_iter().map(|(agent, _)| agent).collect();
        Some(self.intervene(InterventionKind::Novelty, 1.0 - lowest, reason, agents))
    }
}

/// Agents with more evidence than this may share an assumption, and nobody needs to be asked for it.
const THIN: f64 = 0.4;

/// The gaps that are acted on: those who make the claim have, on average, thin evidence.
/// Well-supported answers may share an assumption.
pub(super) fn acted_on<'a>(
    config: &TricksterConfig,
    analysis: &'a RoundAnalysis,
) -> impl Iterator<Item = &'a EvidenceGap> {
    let least = config.min_quality_threshold.min(THIN);
    let thin = move |gap: &EvidenceGap| {
        let known = gap.agents.iter().filter_map(|agent| overall(analysis, agent));
        mean(known).is_none_or(|quality| quality < least)
    };
    analysis.gaps.iter().filter(move |gap| gap.agents.len() > 1 && thin(gap))
}

/// Who brings nothing new and little evidence, with its novelty.
pub(super) fn stale(config: &TricksterConfig, analysis: &RoundAnalysis) -> Vec<(AgentId, f64)> {
    let thin = |agent: &AgentId| {
        overall(analysis, agent).is_none_or(|quality| quality < config.min_quality_threshold)
    };
    let stale = analysis.novelty.iter().filter(|(agent, novelty)| {
        **novelty < config.novelty_threshold
            && !analysis.not_judged.contains_key(*agent)
            && thin(agent)
    });
    stale.map(|(agent, novelty)| (agent.clone(), *novelty)).collect()
}
