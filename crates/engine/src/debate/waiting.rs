//! Which debates wait for a person.

use jiff::Timestamp;
use rebuttal_model::{Breakpoint, BreakpointAnswer, DebateId};
use serde::Serialize;

use super::State;

/// A debate that waits at a breakpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// Which debate.
    pub debate: DebateId,
    /// What it is about.
    pub question: String,
    /// Where it waits, and why.
    #[serde(flatten)]
    pub breakpoint: Breakpoint,
    /// Whether the time to answer has passed.
    pub timed_out: bool,
    /// What it is answered with then, by whoever goes on with the debate.
    pub on_timeout: BreakpointAnswer,
}

impl Waiting {
    /// Where a debate waits, if it does.
    pub fn of(state: &State, now: Timestamp) -> Option<Self> {
        state.paused.as_ref()?;
        let breakpoint = state.steering.breakpoints.last()?.clone();
        Some(Self {
            debate: state.spec().id.clone(),
            question: state.spec().question.clone(),
            timed_out: breakpoint.until.is_some_and(|until| until <= now),
            on_timeout: state.spec().protocol.breakpoints.on_timeout,
            breakpoint,
        })
    }
}
