//! Where the debate's state meets the written rules of `policy`: who debates, when it ends, and what
//! it comes to.

use std::collections::BTreeMap;

use rebuttal_detect::{Reader, audit};
use rebuttal_model::{
    AgentId, Ballot, Decision, Event, Finding, Fired, RoundRecord, Spent, StopReason, Transcript,
    limits,
};
use rebuttal_policy::debate::{
    Budget, Conflict, DebatePolicy, Evidence, Holders, LiftOf, Progress, Proposal, Said, Stop,
    conflicts, debate_metrics, debate_quality, lift, moderate, position_changes,
};
use rebuttal_policy::trickster::qualify;
use rebuttal_policy::voting::{Election, decide as count};

use super::state::{Round, State};
use super::steering;

fn policy(state: &State) -> DebatePolicy {
    let protocol = &state.spec().protocol;
    DebatePolicy {
        holders: Holders::Join,
        conviction_step: protocol.conviction_step,
        evidence: if protocol.evidence_required { Evidence::SEED } else { Evidence::Optional },
        ..DebatePolicy::default()
    }
}

/// What everybody proposes after a round: their last turn up to it. Who never spoke is not there.
pub(crate) fn proposals(state: &State, round: u32) -> Vec<Proposal> {
    let (policy, options) = (policy(state), state.options());
    let panel = state.spec().panel.iter();
    panel
        .filter_map(|member| {
            let turn = state.latest_through(&member.agent, round)?;
            Proposal::of_turn(member.agent.clone(), &turn.structured, &options).ok()
        })
        .map(|proposal| proposal.under(&policy, &options))
        .collect()
}

fn conflict(state: &State, round: u32) -> Option<Conflict> {
    conflicts(&proposals(state, round), &policy(state))
}

/// Who debates next: the camps that disagree, or everybody.
pub(crate) fn debating(state: &State) -> Vec<AgentId> {
    let spoke = |agent: &AgentId| state.latest_through(agent, u32::MAX).is_some();
    match conflict(state, state.round()) {
        Some(conflict) if state.spec().protocol.targeted => conflict.debating,
        _ => state.panel().into_iter().filter(spoke).collect(),
    }
}

/// What a finished round leaves behind: who moved, and what detectors saw in it.
pub(crate) fn end_round(state: &State, round: &Round) -> Vec<Event> {
    let raised = findings(state).into_iter().map(|finding| Event::FindingRaised { finding });
    let mut events: Vec<Event> = raised.collect();
    events.push(Event::RoundEnded { record: record(state, round) });
    events
}

fn record(state: &State, round: &Round) -> RoundRecord {
    let policy = policy(state);
    let after = proposals(state, round.number);
    let before = match round.number.checked_sub(1) {
        Some(last) => proposals(state, last),
        None => after.clone(),
    };
    let quality = conflicts(&before, &policy)
        .filter(|_| round.number > 0)
        .and_then(|conflict| debate_quality(&conflict, &before, &after));
    let observing = state.panel().into_iter().filter(|agent| !round.debating.contains(agent));
    RoundRecord {
        round: round.number,
        debating: round.debating.clone(),
        observing: observing.collect(),
        changes: position_changes(&before, &after, &policy),
        metrics: debate_metrics(&before, &after, quality, &policy),
    }
}

/// What detectors see in the debate so far that they had not seen before.
fn findings(state: &State) -> Vec<Finding> {
    let spec = state.spec();
    let transcript =
        Transcript::new(spec.id.clone(), Some(spec.question.clone()), state.turns.clone());
    let known = |finding: &Finding| state.findings.iter().any(|known| known.id == finding.id);
    audit(&transcript, Reader::Rules).into_iter().filter(|finding| !known(finding)).collect()
}

/// Why the debate ends after the round it is in, if it does.
pub(crate) fn stop(state: &State) -> Option<StopReason> {
    let rule = stop_rule(state);
    let panel = state.panel();
    let rounds = || state.rounds.iter().map(|round| round.number);
    let positions: Vec<BTreeMap<AgentId, String>> = rounds()
        .map(|round| {
            let held = proposals(state, round).into_iter();
            held.map(|proposal| (proposal.agent, proposal.action)).collect()
        })
        .collect();
    let records = state.rounds.iter().filter_map(|round| round.record.as_ref());
    let changes: Vec<usize> = records.map(|record| record.changes.len()).collect();
    let seen = state.steering.analysis(state.round());
    let said = |done: bool| if done { Said::Done } else { Said::GoOn };
    let progress = Progress {
        panel: &panel,
        positions: &positions,
        changes: &changes,
        convergence: seen.and_then(|seen| seen.convergence),
        repetition: seen.and_then(|seen| seen.repetition),
        judge: said(state.steering.done(state.round())),
        human: said(state.steering.aborted(state.round()).is_some()),
        spent: state.settled().at_most(),
        budget: budget(state),
    };
    let aborted = aborted(state);
    if steering::holds(state) && aborted.is_none() {
        return steering::limits_of(&rule)?.reason(&progress);
    }
    aborted.or_else(|| rule.reason(&progress)).or_else(|| no_conflict(state))
}

/// A person ended it, or nobody came who could have said otherwise, whatever the rule says.
fn aborted(state: &State) -> Option<StopReason> {
    let answered = state.steering.aborted(state.round())?;
    let (rule, seen) = if answered.timed_out {
        ("time-out", "nobody answered the breakpoint in time, and the rounds end then")
    } else {
        ("human", "a person ended the rounds at a breakpoint")
    };
    let (rule, words) = (rule.to_owned(), format!("{}.", capital(seen)));
    let fired = vec![Fired { rule: rule.clone(), seen: seen.to_owned() }];
    Some(StopReason { rule, fired, words })
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The protocol's own stop rule, and the limits it cannot do without.
fn stop_rule(state: &State) -> Stop {
    let added = steering::added_rounds(state);
    let most = steering::planned_rounds(state).saturating_add(added).min(limits::ROUNDS);
    let rounds = Stop::Rounds(most as usize);
    let rule = steering::extended(state.rules().stop.clone(), added);
    Stop::Any(vec![rule, rounds, Stop::Budget])
}

/// Nothing is left to debate when nobody is opposed: all who spoke agree, or only one did. Where
/// everybody debates, those who agree may still have more to say.
fn no_conflict(state: &State) -> Option<StopReason> {
    let company = proposals(state, u32::MAX).len() > 1;
    if conflict(state, state.round()).is_some() || (company && !state.spec().protocol.targeted) {
        return None;
    }
    let seen = "nobody who answered is opposed to another".to_owned();
    let words = "Nobody who answered is opposed to another.".to_owned();
    let rule = "no-conflict".to_owned();
    Some(StopReason { rule: rule.clone(), fired: vec![Fired { rule, seen }], words })
}

/// What the debate may cost.
pub(crate) fn budget(state: &State) -> Budget {
    let given = state.spec().protocol.budget;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "kept from being negative, and a cast of a float saturates"
    )]
    let scaled = |value: f64, by: f64| (value.max(0.0) * by).round() as u64;
    Budget {
        calls: given.calls,
        tokens: given.tokens,
        micro_usd: given.usd.map(|usd| scaled(usd, 1e6)),
        millis: given.seconds.map(|seconds| scaled(seconds, 1e3)),
    }
}

/// What a call costs that has not been made, under policy 0: the mean of those that were, or what a short answer takes.
fn planned(state: &State, calls: u64) -> Spent {
    let done = state.spent.calls.max(1);
    let tokens = if state.spent.calls == 0 { 1_000 } else { state.spent.tokens() / done };
    Spent {
        calls,
        input_tokens: tokens.saturating_mul(calls),
        micro_usd: (state.spent.micro_usd / done).saturating_mul(calls),
        ..Spent::default()
    }
}

/// Why so many more calls may not be made under policy 0. Later policies ask before a call leaves by
/// what it can cost at most (`budget.rs`).
pub(crate) fn over_budget(state: &State, calls: u64) -> Option<StopReason> {
    let elapsed = state.last.duration_since(state.began).as_millis();
    let spent = Spent { millis: u64::try_from(elapsed).unwrap_or(0), ..state.spent };
    let exceeded = budget(state).allows(spent, planned(state, calls)).err()?;
    let rule = "budget".to_owned();
    let words = format!("The next calls would go beyond the budget: {exceeded}.");
    let seen = exceeded.to_string();
    Some(StopReason { rule: rule.clone(), fired: vec![Fired { rule, seen }], words })
}

/// Who moderates: nobody if all agree.
pub(crate) fn moderator(state: &State) -> Option<AgentId> {
    conflict(state, 0).or_else(|| conflict(state, u32::MAX))?;
    state.spec().protocol.moderator.clone()
}

/// The record that ends the debate.
pub(crate) fn decide(state: &State) -> Vec<Event> {
    vec![Event::Decided { decision: Box::new(decision(state)) }]
}

fn decision(state: &State) -> Decision {
    let (options, panel, policy) = (state.options(), state.panel(), policy(state));
    let ballots = standing(state);
    let spec = state.spec();
    let weights = spec.panel.iter().map(|member| (member.agent.clone(), member.weight)).collect();
    let election = Election::new(&options, &panel, &ballots)
        .weighing(weights)
        .judged(&state.judged)
        .breaking_ties(state.rules().tie);
    let mut decision = count(&state.rules().rule, &election).decision(&election, &quotes(state));
    if let Some((moderator, evaluation)) = &state.moderated {
        moderate(&mut decision, moderator.clone(), evaluation.clone(), &options, &policy);
    }
    if spec.protocol.enable_trickster {
        let (config, rounds) = (&spec.protocol.trickster, &state.steering.analyses);
        qualify(&mut decision, config, spec.policy, rounds);
    }
    let (first, last) = (proposals(state, 0), proposals(state, u32::MAX));
    let records: Vec<RoundRecord> = state
        .rounds
        .iter()
        .filter(|round| round.number > 0)
        .filter_map(|round| round.record.clone())
        .collect();
    let qualities: Vec<f64> =
        records.iter().filter_map(|record| record.metrics.debate_quality).collect();
    let count = u32::try_from(qualities.len()).unwrap_or(u32::MAX);
    let quality = (!qualities.is_empty()).then(|| qualities.iter().sum::<f64>() / f64::from(count));
    decision.debate_metrics = Some(debate_metrics(&first, &last, quality, &policy));
    decision.rounds = records;
    decision.stop.clone_from(&state.stop);
    decision.cost = state.cost();
    let answer = decision.answer.clone();
    decision.lift = Some(lift(&LiftOf {
        options: &options,
        panel: &panel,
        ballots: &ballots,
        after: answer.as_deref(),
        rule: &state.rules().rule,
        truth: spec.truth.as_deref(),
        blind_cost: state.blind,
        cost: state.cost(),
    }));
    decision
}

/// The ballots that count: one who could not be heard in a later round keeps the vote it gave before.
pub(crate) fn standing(state: &State) -> Vec<Ballot> {
    let spoke_before = |silent: &Ballot| {
        state.ballots.iter().any(|ballot| {
            ballot.agent == silent.agent && ballot.round < silent.round && !ballot.is_silent()
        })
    };
    let counts = |ballot: &&Ballot| !ballot.is_silent() || !spoke_before(ballot);
    state.ballots.iter().filter(counts).cloned().collect()
}

/// What each agent said for its last vote.
fn quotes(state: &State) -> BTreeMap<AgentId, String> {
    let last =
        |agent: &AgentId| state.latest_through(agent, u32::MAX).map(|turn| turn.text.clone());
    state.panel().into_iter().filter_map(|agent| Some((agent.clone(), last(&agent)?))).collect()
}
