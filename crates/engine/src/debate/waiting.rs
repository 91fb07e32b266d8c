//! Which debates wait for a person.

use jiff::Timestamp;
use rebuttal_model::{Breakpoint, BreakpointAnswer, DebateId, InterventionKind};
use rebuttal_policy::trickster::{Context, text};
use serde::Serialize;

use super::State;

/// A debate that waits at a breakpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// The id of the debate.
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
    /// What the trickster has to say to the person, in Markdown: who lacks what, what was tried, what
    /// can be done, with the agents' own names. Nothing where the debate waits for another reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Waiting {
    /// Where a debate waits, if it does.
    pub fn of(state: &State, now: Timestamp) -> Option<Self> {
        state.paused.as_ref()?;
        let breakpoint = state.steering.breakpoints.last()?.clone();
        Some(Self {
            text: told(state, &breakpoint),
            debate: state.spec().id.clone(),
            question: state.spec().question.clone(),
            timed_out: breakpoint.until.is_some_and(|until| until <= now),
            on_timeout: state.spec().protocol.breakpoints.on_timeout,
            breakpoint,
        })
    }

    /// Those of these debates that wait, the one that must be answered first before the others.
    pub fn list<'s>(states: impl IntoIterator<Item = &'s State>, now: Timestamp) -> Vec<Self> {
        let mut waiting: Vec<Self> =
            states.into_iter().filter_map(|state| Self::of(state, now)).collect();
        waiting.sort_by_key(|one| {
            let until = one.breakpoint.until;
            (until.is_none(), until, one.debate.clone())
        });
        waiting
    }
}

/// What a person is told at a breakpoint of the trickster. The journal has it with the names that the
/// panel goes by, which mean nothing to whoever set it up.
fn told(state: &State, breakpoint: &Breakpoint) -> Option<String> {
    let steering = &state.steering;
    let asks = |round: u32, kind| round == breakpoint.round && kind == InterventionKind::Breakpoint;
    let at = steering.interventions.iter().position(|done| asks(done.round, done.kind))?;
    let (past, rest) = steering.interventions.split_at(at);
    let (panel, config) = (state.panel(), &state.spec().protocol.trickster);
    let context = Context::new(breakpoint.round, 0, &panel);
    let seen = steering.analysis(breakpoint.round)?;
    rest.first().map(|asked| text(asked, config, seen, past, &context))
}
