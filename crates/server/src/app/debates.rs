//! Debates: started, listed, read, stopped, branched.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rebuttal::debates::{self, StoredDebate, fork};
use rebuttal::engine::debate::State;
use rebuttal::jobs::{DebateRequest, Standing, is_stored};
use rebuttal::model::{AgentId, DebateId, Event};
use rebuttal::store::{DebateFilter, DebateOrder, DebatePage, Placed, Scope, Wanted, read_file};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::App;
use crate::auth::Caller;
use crate::problem::{BUDGET, CONFLICT, INVALID, KEY_REUSED, Problem};

/// Most requests to models of a debate that says nothing about it.
const DEBATE_CALLS: u64 = 500;

/// Longest word that a client may give a request, in characters.
const KEY_CHARS: usize = 200;

/// How long a user's budget is for.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A debate that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub(crate) id: DebateId,
    /// Whether the same request had come before.
    pub(crate) repeated: bool,
}

/// How a debate is branched.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkRequest {
    /// After which round; the last one if it does not say.
    pub(crate) round: Option<u32>,
    /// The protocol to start from; the debate's own if it does not say.
    pub(crate) preset: Option<String>,
    /// What is otherwise in it.
    #[serde(default)]
    pub(crate) protocol: Map<String, Value>,
    /// Who answers for whom from then on, by seat.
    #[serde(default)]
    pub(crate) agents: BTreeMap<AgentId, String>,
}

impl App {
    /// Takes a debate in. It is run as soon as there is room; the same key stands for the same debate.
    pub(crate) async fn start(
        &self,
        caller: &Caller,
        request: &DebateRequest,
        key: Option<&str>,
    ) -> Result<Started, Problem> {
        if key.is_some_and(|key| key.trim().is_empty() || key.chars().count() > KEY_CHARS) {
            let message =
                format!("`Idempotency-Key` is empty, or longer than {KEY_CHARS} characters");
            return Err(Problem::new(INVALID, message));
        }
        caller.needs(Scope::Run)?;
        let id = self.jobs.new_id();
        let written = serde_json::to_string(request).map_err(rebuttal::Error::from)?;
        let checked = request.order(id.clone(), &self.config)?;
        let calls = checked.protocol.budget.calls.unwrap_or(DEBATE_CALLS);
        let now = self.now();
        let order = DebateOrder {
            debate: id.clone(),
            owner: caller.name.to_string(),
            key: key.map(str::to_owned),
            body: blake3::hash(written.as_bytes()).to_hex().to_string(),
            request: written,
            wanted: Wanted::Run,
            due: now,
            calls,
            at: now,
            failed: None,
        };
        self.within_budget(caller, &order).await?;
        match self.store.place_order(&order).await? {
            Placed::New => {
                self.wake();
                Ok(Started { id, repeated: false })
            }
            Placed::Before(before) if before.body == order.body => {
                Ok(Started { id: before.debate, repeated: true })
            }
            Placed::Before(_) => {
                let message =
                    "this `Idempotency-Key` was used before, for a debate of another body";
                Err(Problem::new(KEY_REUSED, message).hint("take a new key for a new debate"))
            }
        }
    }

    /// Refuses a debate that may call more than its user has left for the day.
    async fn within_budget(&self, caller: &Caller, order: &DebateOrder) -> Result<(), Problem> {
        let user = self.store.user(&caller.name).await?;
        let Some(most) = user.and_then(|user| user.calls) else { return Ok(()) };
        let since = order.at.checked_sub(DAY).unwrap_or(Timestamp::MIN);
        let left = most.saturating_sub(self.store.calls_of(&caller.name, since).await?);
        if order.calls <= left {
            return Ok(());
        }
        let message = format!(
            "the debate may make {} requests to models, and you have {left} of {most} left for these 24 hours",
            order.calls
        );
        Err(Problem::new(BUDGET, message).hint("set `protocol.budget.calls` lower, or wait"))
    }

    /// The debates that the caller may see, the latest first.
    pub(crate) async fn list(
        &self,
        caller: &Caller,
        mut filter: DebateFilter,
    ) -> Result<DebatePage, Problem> {
        filter.owner = caller.sees_only();
        Ok(self.store.debates(&filter).await?)
    }

    /// Debates that were taken in and have no record yet.
    pub(crate) async fn queued(&self, caller: &Caller) -> Result<Vec<DebateOrder>, Problem> {
        let owner = caller.sees_only().unwrap_or_default();
        Ok(self.store.orders_queued(&owner, 100).await?)
    }

    /// Whether the caller may see a debate of this id, with the order for it.
    pub(crate) async fn visible(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(DebateId, Option<DebateOrder>), Problem> {
        let debate = DebateId::new(id);
        let order = self.store.order(&debate).await?;
        let owned = order.as_ref().is_some_and(|order| *order.owner == *caller.name);
        let seen = match caller.sees_only() {
            Some(_) => owned,
            None => order.is_some() || is_stored(&self.store, &debate).await?,
        };
        if seen { Ok((debate, order)) } else { Err(Problem::no_debate(id)) }
    }

    /// A debate that has begun.
    pub(crate) async fn debate(&self, caller: &Caller, id: &str) -> Result<StoredDebate, Problem> {
        let (debate, order) = self.visible(caller, id).await?;
        if !is_stored(&self.store, &debate).await? {
            let why = order.and_then(|order| order.failed);
            let why = why.unwrap_or_else(|| "it has not begun yet".to_owned());
            return Err(Problem::new(CONFLICT, format!("{debate} has no records: {why}")));
        }
        Ok(debates::read(&self.store, &debate).await?)
    }

    /// A debate as it stood after its first `at` records.
    pub(crate) async fn state_at(
        &self,
        caller: &Caller,
        id: &str,
        at: Option<u64>,
    ) -> Result<(State, u64), Problem> {
        let debate = self.debate(caller, id).await?;
        let most = debate.records.len() as u64;
        let at = at.unwrap_or(most);
        if at == 0 || at > most {
            let message = format!("`at` is {at}, and the debate has the records 1 to {most}");
            return Err(Problem::new(INVALID, message));
        }
        let records = debate.records.get(..usize::try_from(at).unwrap_or(usize::MAX));
        let state = State::fold(records.unwrap_or_default()).map_err(rebuttal::Error::from)?;
        Ok((state, at))
    }

    /// Where a debate stands, with the reason why it could not be run.
    pub(crate) async fn standing(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(Standing, Option<DebateOrder>), Problem> {
        let (debate, order) = self.visible(caller, id).await?;
        Ok((Standing::of(&debate, &self.jobs, &self.store).await?, order))
    }

    /// Changes what is wanted of a debate that has not ended.
    pub(crate) async fn want(
        &self,
        caller: &Caller,
        id: &str,
        wanted: Wanted,
    ) -> Result<DebateId, Problem> {
        caller.needs(Scope::Run)?;
        let (debate, order) = self.visible(caller, id).await?;
        let stored = if is_stored(&self.store, &debate).await? {
            Some(debates::read(&self.store, &debate).await?)
        } else {
            None
        };
        if stored.as_ref().is_some_and(|stored| stored.state.decision.is_some()) {
            let message = format!("{debate} has ended");
            return Err(Problem::new(CONFLICT, message)
                .hint("fork branches it, redecide counts its votes again"));
        }
        let waits = stored.as_ref().is_some_and(|stored| stored.state.paused.is_some());
        if waits && wanted == Wanted::Run {
            let message = format!("{debate} waits for a person's answer");
            return Err(Problem::new(CONFLICT, message)
                .hint(format!("POST /api/breakpoints/{debate} answers")));
        }
        if order.is_some() {
            self.store.want(&debate, wanted, self.now()).await?;
        } else {
            self.adopt(caller, &debate, wanted).await?;
        }
        match wanted {
            Wanted::Pause => drop(self.jobs.pause(&debate)),
            Wanted::Stop => drop(self.jobs.stop(&debate)),
            _ => {}
        }
        self.wake();
        Ok(debate)
    }

    /// Takes in a debate that was begun elsewhere, on the command line or as a branch.
    pub(super) async fn adopt(
        &self,
        caller: &Caller,
        debate: &DebateId,
        wanted: Wanted,
    ) -> Result<(), Problem> {
        let now = self.now();
        let order = DebateOrder {
            debate: debate.clone(),
            owner: caller.name.to_string(),
            key: None,
            body: String::new(),
            request: String::new(),
            wanted,
            due: now,
            calls: DEBATE_CALLS,
            at: now,
            failed: None,
        };
        self.store.place_order(&order).await?;
        Ok(())
    }

    /// Takes in the journal of a debate that was recorded elsewhere, for the caller to look at.
    pub(crate) async fn take_recorded(
        &self,
        caller: &Caller,
        mut journal: &[u8],
    ) -> Result<DebateId, Problem> {
        let records = read_file(&mut journal, None)?;
        let started = records.first().and_then(|record| match &record.event {
            Event::DebateStarted { spec } => Some((spec.id.clone(), record.stream.clone())),
            _ => None,
        });
        let (id, stream) =
            started.ok_or_else(|| Problem::new(INVALID, "the file holds no debate"))?;
        if !is_stored(&self.store, &id).await? {
            let events: Vec<Event> = records.into_iter().map(|record| record.event).collect();
            self.store.append(&stream, Some(0), self.now(), &events).await?;
        }
        if self.store.order(&id).await?.is_none() {
            self.adopt(caller, &id, Wanted::Rest).await?;
        }
        Ok(id)
    }

    /// Branches a debate after a round; the branch goes on by itself.
    pub(crate) async fn fork(
        &self,
        caller: &Caller,
        id: &str,
        asked: ForkRequest,
    ) -> Result<DebateId, Problem> {
        caller.needs(Scope::Run)?;
        let old = self.debate(caller, id).await?;
        let spec = old.state.spec();
        let mut request = DebateRequest::new(spec.question.clone());
        request.preset = asked.preset;
        request.protocol = asked.protocol;
        let protocol = request.protocol_from(&spec.protocol, &self.config)?;
        let round = asked.round.unwrap_or_else(|| last_round(&old.state));
        let branch = self.jobs.new_id();
        let changes = (round, protocol, asked.agents);
        let forked = fork(&self.store, self.now(), &old, branch.clone(), changes).await;
        forked.map_err(|error| error.but(rebuttal::ErrorKind::Argument))?;
        self.adopt(caller, &branch, Wanted::Run).await?;
        self.wake();
        Ok(branch)
    }
}

fn last_round(state: &State) -> u32 {
    u32::try_from(state.rounds.len().saturating_sub(1)).unwrap_or(u32::MAX)
}
