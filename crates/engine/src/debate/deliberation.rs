//! Where the debate's state meets the written rules of `policy`: who debates, when it ends, and what
//! it comes to.

use std::collections::BTreeMap;

use rebuttal_detect::{Reader, audit, changed_vote};
use rebuttal_model::{
    AgentId, Ballot, BreakpointAnswer, Decision, Event, Finding, Fired, Quote, Quotes, RoundRecord,
    Spent, StopReason, Transcript, Turn, TurnId, limits,
};
use rebuttal_policy::debate::{
    Budget, Conflict, DebatePolicy, Evidence, Holders, LiftOf, Moderated, Proposal, Said, Stop,
    StopProgress, conflicts, debate_metrics, debate_quality, debate_quality_with, lift, moderate,
    position_changes,
};
use rebuttal_policy::trickster::qualify;
use rebuttal_policy::voting::{Election, Options, decide as count};

use super::items;
use super::state::{Round, State};
use super::steering;

/// The debate's protocol as the pure rules of deliberation take it.
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

/// The camps after a round; `None` where all are of one mind.
fn conflict(state: &State, round: u32) -> Option<Conflict> {
    conflicts(&proposals(state, round), &policy(state))
}

/// Who debates next: the camps that disagree, or everybody; and in either case whoever was asked and
/// could not be heard yet. Where nobody else has anything to debate, only those are asked.
pub(crate) fn debating(state: &State) -> Vec<AgentId> {
    let spoke = |agent: &AgentId| state.latest_through(agent, u32::MAX).is_some();
    let targeted = state.spec().protocol.targeted;
    let called: Vec<AgentId> = match conflict(state, state.round()) {
        Some(conflict) if targeted => conflict.debating,
        None if asks_unheard(state) && !steering::needs_another_round(state) => Vec::new(),
        _ => state.panel().into_iter().filter(spoke).collect(),
    };
    let again = unheard(state);
    let mut panel = state.panel();
    panel.retain(|agent| called.contains(agent) || again.contains(agent));
    panel
}

/// Who was asked and has given neither an answer nor an abstention yet.
fn unheard(state: &State) -> Vec<AgentId> {
    let mut panel = state.panel();
    panel.retain(|agent| {
        let mut own = state.ballots.iter().filter(|ballot| ballot.agent == *agent).peekable();
        own.peek().is_some() && own.all(|ballot| state.passes_over(ballot))
    });
    if state.is_first_policy() { Vec::new() } else { panel }
}

/// True when the blind round left somebody unheard: a next round asks again, whatever the others say.
fn asks_unheard(state: &State) -> bool {
    state.round() == 0 && !unheard(state).is_empty()
}

/// True when there is something between the sides: another number, other words, or an option to hold.
pub(crate) fn has_middle(options: &Options) -> bool {
    let policy = DebatePolicy::default();
    options.is_open() || options.names().iter().any(|name| policy.is_holding(name))
}

/// What a finished round leaves behind: who moved, and what detectors saw in it.
pub(crate) fn end_round(state: &State, round: &Round) -> Vec<Event> {
    let raised = findings(state).into_iter().map(|finding| Event::FindingRaised { finding });
    let mut events: Vec<Event> = raised.collect();
    events.push(Event::RoundEnded { record: record(state, round) });
    events
}

/// What a round came to: votes, changes, how many moved.
fn record(state: &State, round: &Round) -> RoundRecord {
    let policy = policy(state);
    let after = proposals(state, round.number);
    let before = match round.number.checked_sub(1) {
        Some(last) => proposals(state, last),
        None => after.clone(),
    };
    let quality = conflicts(&before, &policy).filter(|_| round.number > 0).and_then(|conflict| {
        if state.is_first_policy() {
            return debate_quality(&conflict, &before, &after);
        }
        let exchanged = |agent: &AgentId| items::answered(state, agent, round.number);
        debate_quality_with(&conflict, &before, &after, exchanged)
    });
    let observing = state.panel().into_iter().filter(|agent| !round.debating.contains(agent));
    RoundRecord {
        round: round.number,
        debating: round.debating.clone(),
        observing: observing.collect(),
        changes: position_changes(&before, &after, &policy),
        metrics: debate_metrics(&before, &after, quality, &policy),
    }
}

/// What detectors see in the debate so far that they had not seen before. Who moved is told by the
/// votes: one change of vote is one finding. Turns are read in the panel's order, round by round, so
/// that what is found does not depend on who answered first.
fn findings(state: &State) -> Vec<Finding> {
    if state.is_first_policy() {
        return findings_first(state);
    }
    let spec = state.spec();
    let rounds = state.rounds.iter().map(|round| Some(round.number));
    let turns: Vec<&Turn> = rounds
        .flat_map(|round| state.panel_order(state.turns.iter().filter(|turn| turn.round == round)))
        .collect();
    let told = turns.iter().map(|turn| (*turn).clone()).collect();
    let transcript = Transcript::new(spec.id.clone(), Some(spec.question.clone()), told);
    let mut found: Vec<Finding> = audit(&transcript, Reader::Rules)
        .into_iter()
        .filter(|finding| !is_told_by_votes(finding, &turns))
        .map(|finding| renumbered(finding, &turns))
        .collect();
    found.extend(changed_votes(state));
    let known = |finding: &Finding| state.findings.iter().any(|known| known.id == finding.id);
    found.retain(|finding| !known(finding));
    found
}

/// True for a finding about a change of mind on the question, or on a claim between two turns of an
/// agent that voted otherwise in the second: the change of vote says it.
fn is_told_by_votes(finding: &Finding, turns: &[&Turn]) -> bool {
    let answer = |quote: &Quote| turns.get(quote.turn.index())?.structured.answer.as_deref();
    let (first, last) = (finding.quotes.first(), finding.quotes.last());
    let on_question = first.shows != "claim before";
    let of_one_agent = finding.rule.as_str().starts_with("self-contradiction/");
    of_one_agent && (on_question || answer(first) != answer(last))
}

/// The finding with the turns' numbers in the journal, for those in the panel's order. Its sentence
/// names rounds: which turn came first in a round says nothing.
fn renumbered(mut finding: Finding, turns: &[&Turn]) -> Finding {
    let quotes: Vec<Quote> = Vec::from(finding.quotes.clone())
        .into_iter()
        .map(|quote| {
            let turn = turns.get(quote.turn.index()).map_or(quote.turn, |turn| turn.id);
            Quote { turn, ..quote }
        })
        .collect();
    // The latest first, so that "turn 1" is not looked for in "turn 12".
    for (at, turn) in turns.iter().enumerate().rev() {
        let round = format!("round {}", turn.round.unwrap_or(0));
        finding.explanation = finding.explanation.replace(&TurnId::new(at).to_string(), &round);
    }
    finding.quotes = Quotes::try_from(quotes).unwrap_or(finding.quotes);
    finding
}

/// The changes of vote of the latest round.
fn changed_votes(state: &State) -> Vec<Finding> {
    let (round, options) = (state.round(), state.options());
    let own = |agent: &AgentId| {
        let after =
            state.turns.iter().find(|turn| turn.agent == *agent && turn.round == Some(round))?;
        let voted = |turn: &&Turn| turn.structured.answer.is_some() && turn.agent == *agent;
        let before =
            state.turns.iter().rev().filter(|turn| turn.round < Some(round)).find(voted)?;
        let (from, to) =
            (before.structured.answer.as_deref()?, after.structured.answer.as_deref()?);
        let moved = !options.same(from, to);
        moved.then(|| changed_vote(&state.spec().id, (before, from), (after, to)))
    };
    state.panel().iter().filter_map(own).collect()
}

/// [`findings`] of debates of policy version 0.
fn findings_first(state: &State) -> Vec<Finding> {
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
    let changes: Vec<usize> =
        records.map(|record| record.changes.len() + newly_heard(state, record.round)).collect();
    let seen = state.steering.analysis(state.round());
    let said = |done: bool| if done { Said::Done } else { Said::GoOn };
    let progress = StopProgress {
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
    if steering::needs_another_round(state) && aborted.is_none() {
        return steering::limits_of(&rule)?.reason(&progress);
    }
    aborted.or_else(|| rule.reason(&progress)).or_else(|| no_conflict(state))
}

/// True when the debate would end now, before anything is done about what is seen of the panel.
pub(crate) fn is_over(state: &State) -> bool {
    stop(state).is_some()
}

/// How many gave their first answer in a round after the blind one: that is something new too.
fn newly_heard(state: &State, round: u32) -> usize {
    let Some(before) = round.checked_sub(1).filter(|_| !state.is_first_policy()) else { return 0 };
    let spoke = |agent: &AgentId, until: u32| state.latest_through(agent, until).is_some();
    let panel = state.panel();
    panel.iter().filter(|agent| spoke(agent, round) && !spoke(agent, before)).count()
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

/// A sentence with its first letter in capitals.
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
    if asks_unheard(state) {
        return None;
    }
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

/// The decision that follows from the votes so far.
fn decision(state: &State) -> Decision {
    let (options, panel, policy) = (state.options(), state.panel(), policy(state));
    let ballots = standing(state);
    let spec = state.spec();
    let weights = spec.panel.iter().map(|member| (member.agent.clone(), member.weight)).collect();
    let election = Election::new(&options, &panel, &ballots)
        .weighing(weights)
        .judged(&state.judged)
        .breaking_ties(state.rules().tie);
    let (outcome, quotes) = (count(&state.rules().rule, &election), quotes(state));
    let mut decision = outcome.decision(&election, &quotes);
    let barred = planted_order(state).filter(|_| !state.is_first_policy());
    if let Some((moderator, said)) = &state.moderated {
        let (moderator, said, barred) = (moderator.clone(), said.clone(), barred.as_deref());
        let came = moderate(&mut decision, moderator.clone(), said, &options, &policy, barred);
        let overrode = came == Moderated::Overrode && !state.is_first_policy();
        decision.overridden_by = overrode.then_some(moderator);
    }
    decision.dissent = if state.is_first_policy() {
        outcome.apart_from(outcome.winner.as_deref(), &election, &quotes)
    } else {
        outcome.dissent_from(decision.answer.as_deref(), &election, &quotes)
    };
    decision.groups.clone_from(&state.groups);
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

/// Why a moderator may not override: an order to others stands in a turn that it read, and no person
/// has looked at it since and let the debate go on.
fn planted_order(state: &State) -> Option<String> {
    let is_order = |found: &&Finding| found.rule.as_str().starts_with("injection/");
    let orders = state.findings.iter().filter(is_order);
    let mut open = orders.filter_map(|found| {
        let turn = state.turns.get(found.quotes.last().turn.index())?;
        let round = turn.round.unwrap_or(0);
        let answers = &state.steering.answers;
        let looked_at = answers.iter().any(|answered| {
            let goes_on = answered.answer != BreakpointAnswer::Abort && !answered.timed_out;
            goes_on && answered.round >= round
        });
        (!looked_at).then(|| (turn.agent.clone(), round))
    });
    let (agent, round) = open.next()?;
    Some(format!(
        "what {agent} said in round {round} holds an order to others, and no person has looked at it"
    ))
}

/// The ballots that count: one who could not be heard in a later round keeps the vote it gave before.
pub(crate) fn standing(state: &State) -> Vec<Ballot> {
    let spoke_before = |silent: &Ballot| {
        state.ballots.iter().any(|ballot| {
            ballot.agent == silent.agent
                && ballot.round < silent.round
                && !state.passes_over(ballot)
        })
    };
    let counts = |ballot: &&Ballot| !state.passes_over(ballot) || !spoke_before(ballot);
    state.ballots.iter().filter(counts).cloned().collect()
}

/// What each agent said for its last vote.
fn quotes(state: &State) -> BTreeMap<AgentId, String> {
    let last =
        |agent: &AgentId| state.latest_through(agent, u32::MAX).map(|turn| turn.text.clone());
    state.panel().into_iter().filter_map(|agent| Some((agent.clone(), last(&agent)?))).collect()
}
