//! What happens to a debate between its rounds: the panel is looked at, hollow agreement is challenged,
//! a devil's advocate objects, a person is asked.

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{
    AgentId, Breakpoint, BreakpointAnswer, Call, Event, Intervention, InterventionKind, PanelRole,
    Purpose, RoundAnalysis, limits,
};
use rebuttal_policy::debate::Stop;
use rebuttal_policy::roles;
use rebuttal_policy::trickster::{Allowance, Context, choose, go_on};

use super::deliberation;
use super::pressing;
use super::state::State;

/// What a devil's advocate said after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Critique {
    /// The agent.
    pub agent: AgentId,
    /// After which round.
    pub round: u32,
    /// The objections.
    pub text: String,
}

/// How a breakpoint was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// After which round.
    pub round: u32,
    /// The answer.
    pub answer: BreakpointAnswer,
    /// What the agents are to know.
    pub note: Option<String>,
    /// True when nobody answered in time.
    pub timed_out: bool,
}

/// Everything that was done to a debate between its rounds.
#[derive(Clone, Debug, Default)]
pub struct Steering {
    /// What was seen of the panel, round by round.
    pub analyses: Vec<RoundAnalysis>,
    /// What was done about it.
    pub interventions: Vec<Intervention>,
    /// What devil's advocates said.
    pub critiques: Vec<Critique>,
    /// Where it waited for a person.
    pub breakpoints: Vec<Breakpoint>,
    /// The answers to them.
    pub answers: Vec<Answered>,
    /// Who said after which round whether it is done.
    said_done: Vec<(AgentId, u32, bool)>,
}

impl Steering {
    /// Takes a record in that is about this; `round` is the latest one.
    pub(super) fn apply(&mut self, event: &Event, round: u32) {
        match event {
            Event::RoundAnalyzed { analysis } => self.analyses.push((**analysis).clone()),
            Event::Intervened { intervention } => self.interventions.push(intervention.clone()),
            Event::Critiqued { agent, round, text } => {
                let (agent, text) = (agent.clone(), text.clone());
                self.critiques.push(Critique { agent, round: *round, text });
            }
            Event::SaidDone { judge, round, done } => {
                self.said_done.push((judge.clone(), *round, *done));
            }
            Event::Paused { breakpoint: Some(breakpoint), .. } => {
                self.breakpoints.push(breakpoint.clone());
            }
            Event::Resumed { answer, note, timed_out } => {
                let (note, timed_out) = (note.clone(), *timed_out);
                self.answers.push(Answered { round, answer: *answer, note, timed_out });
            }
            _ => {}
        }
    }

    /// What was seen after a round.
    pub fn analysis(&self, round: u32) -> Option<&RoundAnalysis> {
        self.analyses.iter().find(|analysis| analysis.round == round)
    }

    /// What was done after a round.
    pub fn interventions_after(&self, round: u32) -> impl Iterator<Item = &Intervention> {
        self.interventions.iter().filter(move |done| done.round == round)
    }

    /// How many rounds were added so far.
    pub fn extra_rounds(&self) -> u32 {
        let added = self.interventions.iter().map(|done| done.extra_rounds);
        added.fold(0, u32::saturating_add)
    }

    /// What people told the agents after a round.
    pub(super) fn notes(&self, round: u32) -> impl Iterator<Item = &Answered> {
        let is_note = |answered: &&Answered| answered.note.is_some();
        self.answers.iter().filter(move |answered| answered.round == round).filter(is_note)
    }

    /// The objections of a round.
    pub(super) fn critique(&self, round: u32) -> Option<&Critique> {
        self.critiques.iter().find(|critique| critique.round == round)
    }

    /// How the debate was ended after this round at a breakpoint, if it was.
    pub(super) fn aborted(&self, round: u32) -> Option<&Answered> {
        let abort = BreakpointAnswer::Abort;
        self.answers.iter().find(|answered| answered.round == round && answered.answer == abort)
    }

    /// True when a breakpoint after this round was answered, and not by ending the debate.
    fn goes_on(&self, round: u32) -> bool {
        let answered = self.answers.iter().any(|answered| answered.round == round);
        answered && self.aborted(round).is_none()
    }

    /// True when a judge or moderator finds that enough was said.
    pub(super) fn done(&self, round: u32) -> bool {
        self.said_done.iter().any(|(_, at, done)| *at == round && *done)
    }
}

/// Most rounds after the blind one, those that were added among them.
pub(super) fn most_rounds(state: &State) -> u32 {
    planned_rounds(state).saturating_add(state.steering.extra_rounds()).min(limits::ROUNDS)
}

/// As many rounds as the protocol has, or as the stop rule leaves of them.
pub(super) fn planned_rounds(state: &State) -> u32 {
    let protocol = &state.spec().protocol;
    stops_after(&state.rules().stop).map_or(protocol.rounds, |stops| stops.min(protocol.rounds))
}

/// How many rounds there are beyond the planned ones: those that were added, and one for the words of a
/// person who was asked when no other was left. What somebody says to the agents is read by them,
/// whatever else the trickster may still do.
pub(super) fn added_rounds(state: &State) -> u32 {
    let (steering, planned) = (&state.steering, planned_rounds(state));
    // The oldest journals ended there.
    let policy = state.spec().policy;
    let heard =
        |round: u32| steering.analysis(round).is_none_or(|seen| seen.counts_answers(policy));
    let mut for_words: u32 = 0;
    for answered in &steering.answers {
        let round = answered.round;
        if answered.note.is_some() && answered.answer != BreakpointAnswer::Abort && heard(round) {
            let before = steering.interventions.iter().filter(|done| done.round <= round);
            let added: u32 = before.map(|done| done.extra_rounds).fold(0, u32::saturating_add);
            let last = planned.saturating_add(added).saturating_add(for_words);
            for_words = for_words.saturating_add(u32::from(round >= last));
        }
    }
    steering.extra_rounds().saturating_add(for_words)
}

/// After how many rounds a rule ends the debate at the latest, where it says so.
fn stops_after(rule: &Stop) -> Option<u32> {
    match rule {
        Stop::Rounds(rounds) => Some(u32::try_from(*rounds).unwrap_or(u32::MAX)),
        Stop::Any(parts) => parts.iter().filter_map(stops_after).min(),
        Stop::All(parts) => {
            let all: Option<Vec<u32>> = parts.iter().map(stops_after).collect();
            all?.into_iter().max()
        }
        _ => None,
    }
}

/// The rule in a debate to which rounds were added: who counts rounds counts these too.
pub(super) fn extended(rule: Stop, added: u32) -> Stop {
    let each = |parts: Vec<Stop>| parts.into_iter().map(|part| extended(part, added)).collect();
    match rule {
        Stop::Rounds(rounds) => Stop::Rounds(rounds.saturating_add(added as usize)),
        Stop::Any(parts) => Stop::Any(each(parts)),
        Stop::All(parts) => Stop::All(each(parts)),
        other => other,
    }
}

/// Whether the panel must be looked at before anything else: for the trickster, or because the rule
/// that ends the debate goes by what is seen.
pub(super) fn wants_analysis(state: &State) -> bool {
    let by_likeness = |rule: &Stop| matches!(rule, Stop::Convergence(_) | Stop::Repetition(_));
    let wanted = state.spec().protocol.enable_trickster || mentions(state, by_likeness);
    wanted && state.steering.analysis(state.round()).is_none()
}

/// True when the protocol's stop rule has such a part.
fn mentions(state: &State, part: impl Fn(&Stop) -> bool + Copy) -> bool {
    /// Whether a part of a stop rule is of this kind.
    fn within(rule: &Stop, part: impl Fn(&Stop) -> bool + Copy) -> bool {
        match rule {
            Stop::All(rules) | Stop::Any(rules) => rules.iter().any(|rule| within(rule, part)),
            one => part(one),
        }
    }
    within(&state.rules().stop, part)
}

impl State {
    /// The records that an analysis leads to: itself, what is done about it, and the pause if a person
    /// is to look. Written together, so that a restart finds all of it or nothing.
    pub fn analyzed(&self, analysis: RoundAnalysis) -> Vec<Event> {
        let protocol = &self.spec().protocol;
        let mut chosen = if protocol.enable_trickster {
            let past = &self.steering.interventions;
            within(self, |context| choose(&protocol.trickster, &analysis, past, context))
        } else {
            Vec::new()
        };
        if !self.is_first_policy() {
            chosen.retain(|done| can_change(self, done));
            drop_idle_rounds(&mut chosen);
        }
        let mut events = vec![Event::RoundAnalyzed { analysis: Box::new(analysis) }];
        let pause = chosen.iter().find(|done| done.kind == InterventionKind::Breakpoint);
        let pause = pause.map(|done| pause_for(self, &done.reason, done.priority));
        events.extend(chosen.into_iter().map(|intervention| Event::Intervened { intervention }));
        events.extend(pause);
        events
    }

    /// The part an agent plays in a round, if it plays one.
    pub fn role_of(&self, agent: &AgentId, round: u32) -> Option<PanelRole> {
        let before = round.checked_sub(1);
        let given = before.and_then(|before| {
            let mut done = self.steering.interventions_after(before);
            done.find_map(|done| done.role.filter(|_| done.targets.contains(agent)))
        });
        given.or_else(|| {
            let (panel, protocol) = (self.panel(), &self.spec().protocol);
            let all = most_rounds(self).saturating_add(1);
            roles::assign(&panel, round, all, protocol.roles).get(agent).copied()
        })
    }
}

/// False for an intervention that could only cost a round: the debate would end now, and its targets,
/// who disagree, are told no more than to say something new; or none of them is asked in the next round.
fn can_change(state: &State, done: &Intervention) -> bool {
    if done.kind == InterventionKind::Novelty && deliberation::is_over(state) {
        return false;
    }
    let asked = deliberation::debating(state);
    done.targets.is_empty() || done.targets.iter().any(|agent| asked.contains(agent))
}

/// A round is added for what is said in it: without that it would only cost.
fn drop_idle_rounds(chosen: &mut Vec<Intervention>) {
    let speaks = |done: &Intervention| done.extra_rounds == 0;
    if !chosen.iter().any(speaks) {
        chosen.clear();
    }
}

/// What is chosen, given where in the debate it is.
fn within(
    state: &State,
    choose: impl FnOnce(&Context<'_>) -> Vec<Intervention>,
) -> Vec<Intervention> {
    let panel = state.panel();
    let name = |agent: &AgentId| state.name_of(agent);
    let next = state.round().saturating_add(1);
    let sums_up = |agent: &&AgentId| state.role_of(agent, next) == Some(PanelRole::Synthesizer);
    let left = most_rounds(state).saturating_sub(state.round());
    choose(&Context {
        synthesizer: panel.iter().find(sums_up),
        name: &name,
        ..Context::new(state.round(), left, &panel)
    })
}

/// What is done after a breakpoint whose answer lets the debate go on, until it was done.
pub(super) fn goes_on(state: &State) -> Option<Vec<Event>> {
    let round = state.round();
    let asked = state.steering.interventions_after(round).last()?;
    let answered = state.steering.answers.last().filter(|answered| answered.round == round)?;
    if asked.kind != InterventionKind::Breakpoint {
        return None;
    }
    let (seen, past) = (state.steering.analysis(round)?, &state.steering.interventions);
    let config = &state.spec().protocol.trickster;
    let chosen = within(state, |context| go_on(answered.answer, config, seen, past, context));
    let events = chosen.into_iter().map(|intervention| Event::Intervened { intervention });
    Some(events.collect()).filter(|events: &Vec<Event>| !events.is_empty())
}

/// The record that makes a debate wait.
fn pause_for(state: &State, reason: &str, severity: f64) -> Event {
    let wait = state.spec().protocol.breakpoints.timeout_seconds;
    let wait = wait.and_then(|seconds| SignedDuration::try_from_secs_f64(seconds).ok());
    let until = wait.and_then(|wait| state.last.checked_add(wait).ok());
    let number = u32::try_from(state.steering.breakpoints.len()).unwrap_or(u32::MAX);
    let breakpoint = Breakpoint {
        number: number.saturating_add(1),
        round: state.round(),
        reason: reason.to_owned(),
        severity,
        until,
    };
    Event::Paused { reason: reason.to_owned(), breakpoint: Some(breakpoint) }
}

/// The pause that the stop rule `human` asks for after every round.
pub(super) fn asks_person(state: &State) -> Option<Event> {
    let round = state.round();
    let asked = state.steering.breakpoints.iter().any(|asked| asked.round == round);
    if asked || !mentions(state, |rule| *rule == Stop::Human) {
        return None;
    }
    let reason = format!("Round {round} is done. Continue, or abort to count the votes?");
    Some(pause_for(state, &reason, 0.0))
}

/// Who is asked whether it is done, where the stop rule wants to know.
pub(super) fn asks_judge(state: &State) -> Option<AgentId> {
    let protocol = &state.spec().protocol;
    let judge = protocol.moderator.as_ref().or(protocol.judges.first())?;
    let round = state.round();
    let said = state.steering.said_done.iter().any(|(_, at, _)| *at == round);
    (!said && mentions(state, |rule| *rule == Stop::Judge)).then(|| judge.clone())
}

/// Who objects before the next round, where the protocol wants objections: whoever plays the devil's
/// advocate, or another one each time.
pub(super) fn critic(state: &State) -> Option<AgentId> {
    let round = state.round();
    let spoken = !state.turns.is_empty();
    if !spoken || !state.spec().protocol.critique || state.steering.critique(round).is_some() {
        return None;
    }
    let panel = state.panel();
    let plays = |agent: &&AgentId| state.role_of(agent, round) == Some(PanelRole::DevilsAdvocate);
    let turn = round as usize % panel.len().max(1);
    panel.iter().find(plays).or_else(|| panel.get(turn)).cloned()
}

/// True when what was done after the latest round would come to nothing if the debate ended with it:
/// a challenge that nobody hears, objections that nobody answers, a person who said that it goes on,
/// a challenger whom nobody has heard while the agreement is as hollow as before, or a trickster that
/// only waits until it may step in again.
pub(super) fn needs_another_round(state: &State) -> bool {
    let round = state.round();
    let heard = |done: &Intervention| done.kind != InterventionKind::Breakpoint;
    let unheard = state.steering.interventions_after(round).any(heard);
    let objected = state.spec().protocol.critique && round == 0 && !state.turns.is_empty();
    let pressed = pressing::spoke(state) && is_hollow(state, round);
    unheard || state.steering.goes_on(round) || objected || pressed || waits_for_its_turn(state)
}

/// True when the agreement is hollow, and the trickster only waits until it may step in again.
/// The oldest journals did not wait for it.
fn waits_for_its_turn(state: &State) -> bool {
    let (round, protocol, policy) = (state.round(), &state.spec().protocol, state.spec().policy);
    let seen = state.steering.analysis(round).is_some_and(|seen| seen.counts_answers(policy));
    let (past, last) = (&state.steering.interventions, most_rounds(state));
    let later = || Allowance::later(&protocol.trickster, past, round, last);
    protocol.enable_trickster && seen && is_hollow(state, round) && later()
}

/// True when the agreement after a round is hollow enough to be acted on.
fn is_hollow(state: &State, round: u32) -> bool {
    let least = state.spec().protocol.trickster.hollow_detection_threshold;
    let alert = state.steering.analysis(round).and_then(|seen| seen.hollow.as_ref());
    alert.is_some_and(|alert| alert.detected && alert.severity >= least)
}

/// Why a breakpoint cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The debate waits for nobody.
    #[error("the debate does not wait for anybody{}", last(.0.as_ref()))]
    NotWaiting(Option<Answered>),
    /// It waits at another breakpoint.
    #[error("the debate waits at breakpoint {waits}, not {asked}")]
    Other {
        /// The breakpoint it waits at.
        waits: u32,
        /// Which was to be answered.
        asked: u32,
    },
    /// Nobody answered in time, and what is done then was done.
    #[error("breakpoint {number} timed out at {at:.0} and was answered with `{with}`")]
    TimedOut {
        /// The number of the breakpoint.
        number: u32,
        /// The time of the answer.
        at: Timestamp,
        /// The answer.
        with: BreakpointAnswer,
    },
    /// Words are missing.
    #[error("to {0}, say with which words")]
    NoWords(BreakpointAnswer),
    /// More words than an agent is shown of anything: who is not told so takes the rest for read.
    #[error("the note has {0} characters, and agents are shown at most {most}", most = limits::FRAGMENT_CHARS)]
    TooLong(usize),
}

/// What a person answered last, in words.
fn last(answered: Option<&Answered>) -> String {
    let Some(answered) = answered else { return String::new() };
    let by = if answered.timed_out { "by its time-out" } else { "already" };
    format!(": its last breakpoint was answered {by} with `{}`", answered.answer)
}

/// The record of a breakpoint's time-out, if nobody has answered by now.
pub(super) fn timed_out(state: &State, now: Timestamp) -> Option<Event> {
    state.paused.as_ref()?;
    let until = state.steering.breakpoints.last()?.until?;
    let answer = state.spec().protocol.breakpoints.on_timeout;
    (now >= until).then_some(Event::Resumed { answer, note: None, timed_out: true })
}

/// True for answers that are nothing without words to the agents.
pub(super) fn needs_words(answer: BreakpointAnswer) -> bool {
    match answer {
        BreakpointAnswer::Redirect | BreakpointAnswer::AddEvidence => true,
        BreakpointAnswer::Continue | BreakpointAnswer::Abort => false,
    }
}

/// The record of a person's answer, or why it cannot be one.
pub(super) fn answered(
    state: &State,
    asked: Option<u32>,
    answer: BreakpointAnswer,
    note: Option<&str>,
    now: Timestamp,
) -> Result<Event, AnswerError> {
    let answers = &state.steering.answers;
    let open = state.steering.breakpoints.last().filter(|_| state.paused.is_some());
    let Some(open) = open else {
        return Err(AnswerError::NotWaiting(answers.last().cloned()));
    };
    if let Some(asked) = asked.filter(|asked| *asked != open.number) {
        return Err(AnswerError::Other { waits: open.number, asked });
    }
    if timed_out(state, now).is_some() {
        let (number, with) = (open.number, state.spec().protocol.breakpoints.on_timeout);
        return Err(AnswerError::TimedOut { number, at: open.until.unwrap_or(now), with });
    }
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    if needs_words(answer) && note.is_none() {
        return Err(AnswerError::NoWords(answer));
    }
    let long = note.map(|note| note.chars().count()).filter(|long| *long > limits::FRAGMENT_CHARS);
    if let Some(long) = long {
        return Err(AnswerError::TooLong(long));
    }
    Ok(Event::Resumed { answer, note: note.map(ToOwned::to_owned), timed_out: false })
}

/// The calls that a pass between rounds needs, if it is still to be made.
pub(super) fn due_call(state: &State, who: Option<AgentId>, purpose: Purpose) -> Option<Call> {
    let (agent, round) = (who?, state.round());
    (!state.gave_up(round, &agent, purpose)).then(|| state.call_for(round, &agent, purpose))
}

/// The parts of a stop rule that are limits rather than signs of agreement: these end a debate even
/// when something still wants to be heard.
pub(super) fn limits_of(rule: &Stop) -> Option<Stop> {
    match rule {
        Stop::Any(parts) => {
            let hard: Vec<Stop> = parts.iter().filter_map(limits_of).collect();
            (!hard.is_empty()).then_some(Stop::Any(hard))
        }
        Stop::All(parts) => {
            let hard: Option<Vec<Stop>> = parts.iter().map(limits_of).collect();
            hard.map(Stop::All)
        }
        Stop::Unanimity
        | Stop::NoChange
        | Stop::Stable(_)
        | Stop::Convergence(_)
        | Stop::Repetition(_) => None,
        limit => Some(limit.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(kind: InterventionKind, extra_rounds: u32) -> Intervention {
        Intervention {
            kind,
            round: 1,
            priority: 0.5,
            reason: String::new(),
            findings: Vec::new(),
            targets: Vec::new(),
            text: String::new(),
            role: None,
            extra_rounds,
        }
    }

    #[test]
    fn a_round_is_added_only_for_what_is_said_in_it() {
        let mut idle = vec![done(InterventionKind::ExtraRound, 1)];
        drop_idle_rounds(&mut idle);
        assert_eq!(idle, []);
        let both =
            vec![done(InterventionKind::ExtraRound, 1), done(InterventionKind::Challenge, 0)];
        let mut kept = both.clone();
        drop_idle_rounds(&mut kept);
        assert_eq!(kept, both);
    }
}
