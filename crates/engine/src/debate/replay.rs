//! A stored debate run again without asking anybody: every record must follow from those before it.
//!
//! The chain of hashes shows that nothing was changed after it was written; this shows that what was
//! written is what the rules make of the answers. Together they are what a receipt is worth.

use rebuttal_model::{Call, Event, Record};

use super::deliberation;
use super::state::{BUDGET, FoldError, STOPPED, State};
use super::step::Step;

/// Where a journal stops following from itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Divergence {
    /// The records do not make a debate.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A record that the rules would not have written.
    #[error("record {seq} is not what follows from the records before it: {expected} was due")]
    Differs {
        /// The number of the record.
        seq: u64,
        /// What was due instead, in a word.
        expected: String,
    },
}

/// Runs a journal again, and gives the state it ends in. A debate that was cut off ends early and is
/// no divergence.
pub fn replay(records: &[Record]) -> Result<State, Divergence> {
    let mut state = State::fold(records.first())?;
    let mut rest = records.get(1..).unwrap_or_default();
    while let Some(record) = rest.first() {
        let due = due(&state, record, rest)?;
        let (now, later) = rest.split_at_checked(due.len()).unwrap_or((rest, &[]));
        for (record, due) in now.iter().zip(&due) {
            if record.event != *due {
                return Err(differs(record, name(due)));
            }
            state.apply(record)?;
        }
        rest = later;
    }
    Ok(state)
}

/// The events that must stand from the first of these records on.
fn due(state: &State, record: &Record, rest: &[Record]) -> Result<Vec<Event>, Divergence> {
    match (&record.event, state.next()) {
        // What was seen is measured, as an answer is heard; what is done about it follows.
        (Event::RoundAnalyzed { analysis }, Step::Analyze) => {
            Ok(state.analyzed((**analysis).clone()))
        }
        // So are groups of answers.
        (Event::AnswersGrouped { round, .. }, Step::Group) if *round == state.round() => {
            Ok(vec![record.event.clone()])
        }
        // And what was found in documents.
        (Event::EvidenceGiven { evidence }, Step::Ground) if evidence.round == state.round() => {
            Ok(vec![record.event.clone()])
        }
        (Event::CitationsChecked { round, checks }, Step::Check) if *round == state.round() => {
            Ok(state.checked(checks.clone()))
        }
        (_, Step::Ground) => Err(differs(record, "passages for the agents")),
        (_, Step::Check) => Err(differs(record, "a check of the citations")),
        (_, Step::Group) => Err(differs(record, "a comparison of the answers")),
        // What people do follows from nothing, nor does what calls can cost.
        (Event::Stopped { reason }, _) if reason.rule == STOPPED => Ok(vec![record.event.clone()]),
        (Event::Stopped { reason }, step) if reason.rule == BUDGET && may_end(state, &step) => {
            Ok(vec![record.event.clone()])
        }
        (Event::Decided { .. }, Step::Calls(_)) if state.stop.is_some() && is_limited(state) => {
            Ok(deliberation::decide(state))
        }
        (Event::Resumed { .. }, _) => Ok(vec![record.event.clone()]),
        (_, Step::Write(events)) => Ok(events),
        (_, Step::EndRound) => Ok(state.round_end()),
        (_, Step::Analyze) => Err(differs(record, "a look at the panel")),
        (_, Step::Calls(calls)) => of_calls(state, record, rest, &calls),
        (_, Step::Wait(_)) => Err(differs(record, "a person's word")),
        (_, Step::Done(_)) => Err(differs(record, "nothing")),
    }
}

/// True where whoever makes the calls may have found that they cost too much, or that time is up.
fn may_end(state: &State, step: &Step) -> bool {
    let timed = state.spec().protocol.budget.seconds.is_some();
    is_limited(state) && state.stop.is_none() && (timed || matches!(step, Step::Calls(_)))
}

/// True when there is a budget that is kept before calls leave.
fn is_limited(state: &State) -> bool {
    state.spec().protocol.budget != rebuttal_model::Budget::default()
}

/// Checks the records of calls, whose answers cannot be computed anew.
fn of_calls(
    state: &State,
    record: &Record,
    rest: &[Record],
    calls: &[Call],
) -> Result<Vec<Event>, Divergence> {
    let (call, result) = match &record.event {
        Event::CallIntended { .. } => {
            // What each can cost at most is known to whoever made them.
            let at_most = |at: usize| match rest.get(at).map(|record| &record.event) {
                Some(Event::CallIntended { at_most, .. }) => *at_most,
                _ => None,
            };
            let announced = calls
                .iter()
                .enumerate()
                .map(|(at, call)| Event::CallIntended { call: call.clone(), at_most: at_most(at) });
            return Ok(announced.collect());
        }
        Event::CallAnswered { call, text, spent } => (call, Ok((text.clone(), *spent))),
        Event::CallFailed { call, reason, spent } => (call, Err((reason.clone(), *spent))),
        _ => return Err(differs(record, "the result of a call")),
    };
    if !calls.contains(call) {
        return Err(differs(record, "the result of another call"));
    }
    Ok(state.result(call, result))
}

/// A record that does not follow from those before it.
fn differs(record: &Record, expected: &str) -> Divergence {
    Divergence::Differs { seq: record.seq, expected: expected.to_owned() }
}

/// A word for a person on what kind of record it is.
fn name(event: &Event) -> &'static str {
    match event {
        Event::RoundStarted { .. } => "the start of a round",
        Event::RoundEnded { .. } => "the end of a round with other changes",
        Event::Stopped { .. } => "another reason to stop",
        Event::TurnTaken { .. } => "another turn",
        Event::BallotCast { .. } => "another vote",
        Event::FindingRaised { .. } => "another finding",
        Event::Intervened { .. } => "another intervention",
        Event::Paused { .. } => "a pause for a person",
        Event::Decided { .. } => "another decision",
        Event::CallIntended { .. } => "another call",
        Event::ReplyRefused { .. } => "a refusal of the reply",
        _ => "another record",
    }
}
