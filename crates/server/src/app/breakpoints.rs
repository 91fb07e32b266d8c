//! Debates that wait for a person, and the person's answer.

use rebuttal::engine::debate::{State, Waiting};
use rebuttal::model::{BreakpointAnswer, DebateId, StreamId};
use rebuttal::store::{DebateFilter, DebateStatus, Scope, Wanted};
use serde::Deserialize;

use super::App;
use crate::auth::Caller;
use crate::problem::{NOT_FOUND, Problem};

/// How many debates are looked at in one step.
const PAGE: usize = 100;

/// How a person answers a breakpoint.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answering {
    pub(crate) answer: BreakpointAnswer,
    /// The words for the agents: needed to redirect and to add evidence.
    pub(crate) note: Option<String>,
    /// Which breakpoint is meant, so that an answer to an earlier one is refused.
    pub(crate) number: Option<u32>,
}

impl App {
    /// Where debates wait that the caller may see, the one to be answered first before the others.
    pub(crate) async fn waiting(&self, caller: &Caller) -> Result<Vec<Waiting>, Problem> {
        let mut filter = DebateFilter {
            status: Some(DebateStatus::Waiting),
            owner: caller.sees_only(),
            limit: PAGE,
            ..DebateFilter::default()
        };
        let mut states = Vec::new();
        loop {
            let page = self.store.debates(&filter).await?;
            for row in page.debates.iter().filter(|row| row.damage.is_none()) {
                let records = self.store.records(&StreamId::debate(&row.id)).await?;
                states.extend(State::fold(&records));
            }
            match page.next {
                Some(next) => filter.after = Some(next),
                None => return Ok(Waiting::list(states.iter(), self.now())),
            }
        }
    }

    /// Where one debate waits.
    pub(crate) async fn waits_at(&self, caller: &Caller, id: &str) -> Result<Waiting, Problem> {
        let debate = self.debate(caller, id).await?;
        Waiting::of(&debate.state, self.now())
            .ok_or_else(|| Problem::new(NOT_FOUND, format!("{} waits for nobody", debate.id())))
    }

    /// Answers the breakpoint at which a debate waits; it then goes on.
    pub(crate) async fn answer(
        &self,
        caller: &Caller,
        id: &str,
        answering: &Answering,
    ) -> Result<DebateId, Problem> {
        caller.needs(Scope::Run)?;
        let debate = self.debate(caller, id).await?.id().clone();
        let Answering { answer, note, number } = answering;
        self.jobs.answer(&debate, *number, *answer, note.as_deref()).await?;
        if !self.store.want(&debate, Wanted::Run, self.now()).await? {
            self.adopt(caller, &debate, Wanted::Run).await?;
        }
        self.wake();
        Ok(debate)
    }
}
