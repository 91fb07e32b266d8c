//! A stored debate run again without asking anybody: every record must follow from those before it.
//!
//! The chain of hashes shows that nothing was changed after it was written; this shows that what was
//! written is what the rules make of the answers. Together they are what a receipt is worth.

use rebuttal_model::{Call, Event, Record};

use super::state::{FoldError, STOPPED, State};
use super::step::Step;

/// Where a journal stops following from itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Divergence {
    /// The records do not make a debate.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A record that the rules would not have written.
    #[error("record {seq} is not what follows from the records before it: {expected} was due")]
    Differs {
        /// Its number.
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
        let due = due(&state, record)?;
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

/// The events that must stand from this record on.
fn due(state: &State, record: &Record) -> Result<Vec<Event>, Divergence> {
    match (&record.event, state.next()) {
        // What was seen is measured, as an answer is heard; what is done about it follows.
        (Event::RoundAnalyzed { analysis }, Step::Analyze) => {
            Ok(state.analyzed((**analysis).clone()))
        }
        // What people do follows from nothing.
        (Event::Stopped { reason }, _) if reason.rule == STOPPED => Ok(vec![record.event.clone()]),
        (Event::Resumed { .. }, _) => Ok(vec![record.event.clone()]),
        (_, Step::Write(events)) => Ok(events),
        (_, Step::EndRound) => Ok(state.round_end()),
        (_, Step::Analyze) => Err(differs(record, "a look at the panel")),
        (event, Step::Calls(calls)) => of_calls(state, record, event, &calls),
        (_, Step::Wait(_)) => Err(differs(record, "a person's word")),
        (_, Step::Done(_)) => Err(differs(record, "nothing")),
    }
}

fn of_calls(
    state: &State,
    record: &Record,
    event: &Event,
    calls: &[Call],
) -> Result<Vec<Event>, Divergence> {
    let (call, result) = match event {
        Event::CallIntended { .. } => {
            let new = calls.iter().filter(|call| !state.tried.contains_key(call));
            return Ok(new.map(|call| Event::CallIntended { call: call.clone() }).collect());
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
