//! Carries out what the state machine asks for: intent to the journal, the call, the result to the
//! journal, and only then anything anybody sees.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt};
use jiff::Timestamp;
use rebuttal_detect::panel::group_answers;
use rebuttal_llm::Request;
use rebuttal_model::{
    AgentId, BreakpointAnswer, Call, DebateId, Decision, Event, Fired, Spent, StopReason, StreamId,
};
use rebuttal_store::{Error as StoreError, Lease};
use tokio::sync::watch;
use tokio::task::{JoinError, spawn_blocking};

use super::agent::{AgentErrorKind, Ask, Seat};
use super::arena::{ArenaError, check_prices};
use super::asking::ask;
use super::budget::Terms;
use super::callbacks::Callbacks;
use super::engine::Engine;
use super::events::Feed;
use super::handle::Wish;
use super::state::{FoldError, STOPPED, State};
use super::steering::AnswerError;
use super::step::Step;
use super::{analysis, budget, grounding, prompt, steering};

/// How a run ended, for now or for good.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ended {
    /// With a decision.
    Decided(Box<Decision>),
    /// It waits for a person, for this reason.
    Waiting(String),
    /// Whoever held it paused it.
    Paused,
}

/// Why a run could not go on. The journal holds everything up to there, and the debate can be resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It could not begin.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The journal could not be written or read.
    #[error("the journal of the debate")]
    Journal(#[from] StoreError),
    /// The journal does not hold a debate.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A breakpoint that could not be answered.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Nobody answers for one who takes part.
    #[error("nobody answers for {0}: it takes part, but no such agent is configured")]
    NoAgent(AgentId),
    /// The run itself broke: a mistake in this library or in an embedder.
    #[error("the run of the debate broke: {0}")]
    Broken(String),
    /// An exchange could not be recorded. What was answered in it is not in the journal either, so
    /// that the debate can go on from there.
    #[error("{0}")]
    NotRecorded(String),
}

impl RunError {
    /// A task that panicked or was cancelled.
    pub(super) fn broken(error: &JoinError) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Why an answer was cut off that the budget had no time for.
const TIME_UP: &str = "the debate's time was up before it answered";

/// Runs one debate.
#[derive(Debug)]
pub(super) struct Runner {
    engine: Engine,
    stream: StreamId,
    seats: BTreeMap<AgentId, Seat>,
    callbacks: Callbacks,
}

/// What a person says at a breakpoint: its number if it is known, the answer, and words for the agents.
pub(super) type Word<'w> = (Option<u32>, BreakpointAnswer, Option<&'w str>);

impl Runner {
    /// A runner of the debate in this stream.
    pub(super) fn new(engine: Engine, stream: StreamId, seats: BTreeMap<AgentId, Seat>) -> Self {
        Self { engine, stream, seats, callbacks: Callbacks::default() }
    }

    /// With those who hear of hollow agreement and interventions.
    pub(super) fn with_callbacks(mut self, callbacks: Callbacks) -> Self {
        self.callbacks = callbacks;
        self
    }

    /// The debate's id.
    pub(super) fn id(&self) -> DebateId {
        let stream = self.stream.as_str();
        DebateId::new(stream.strip_prefix("debate/").unwrap_or(stream))
    }

    /// The right to run this debate, which nobody else has meanwhile. If somebody else has it, the error
    /// says who.
    pub(super) async fn lease(&self) -> Result<Lease, RunError> {
        Ok(self.engine.journal.lease(&self.stream).await?)
    }

    /// Writes the first record.
    pub(super) async fn begin(&self, first: Event, feed: &Feed) -> Result<State, RunError> {
        let events = [first];
        let records =
            self.engine.journal.append(&self.stream, 0, self.engine.now(), &events).await?;
        let state = State::fold(&records)?;
        feed.record(records);
        Ok(state)
    }

    /// Reads what the journal holds.
    pub(super) async fn load(&self, feed: &Feed) -> Result<State, RunError> {
        let records = self.engine.journal.records(&self.stream).await?;
        let state = State::fold(&records)?;
        feed.record(records);
        Ok(state)
    }

    /// Takes in what others wrote between the reading of a state and the lease. A call that was in
    /// flight then may have its answer by now, and would be made again without it.
    pub(super) async fn catch_up(&self, mut state: State, feed: &Feed) -> Result<State, RunError> {
        let journal = &self.engine.journal;
        match journal.append(&self.stream, state.seq, self.engine.now(), &[]).await {
            Err(error) if error.is_conflict() => {}
            checked => return checked.map(|_| state).map_err(Into::into),
        }
        let mut records = journal.records(&self.stream).await?;
        let seen = usize::try_from(state.seq).unwrap_or(usize::MAX).min(records.len());
        let new = records.split_off(seen);
        for record in &new {
            state.apply(record)?;
        }
        feed.record(new);
        Ok(state)
    }

    /// Answers a breakpoint.
    pub(super) async fn answer(
        &self,
        state: &mut State,
        feed: &Feed,
        (number, answer, note): Word<'_>,
    ) -> Result<(), RunError> {
        let now = self.now(state);
        let answered = steering::answered(state, number, answer, note, now);
        if let Err(AnswerError::TimedOut { .. }) = &answered
            && let Some(late) = steering::timed_out(state, now)
        {
            self.advance(state, feed, &[late]).await?;
        }
        self.advance(state, feed, &[answered?]).await
    }

    /// Runs a debate from a state to its end, or until somebody must speak.
    pub(super) async fn run(
        &self,
        mut state: State,
        feed: &Arc<Feed>,
        mut wished: watch::Receiver<Wish>,
    ) -> Result<(Ended, State), RunError> {
        self.check_seats(&state)?;
        if let Some(late) = steering::timed_out(&state, self.now(&state)) {
            self.advance(&mut state, feed, &[late]).await?;
        }
        loop {
            let wish = *wished.borrow_and_update();
            match wish {
                Wish::Pause if state.decision.is_none() => return Ok((Ended::Paused, state)),
                Wish::Stop if state.decision.is_none() && state.stop.is_none() => {
                    self.advance(&mut state, feed, &[stopped()]).await?;
                }
                _ => {}
            }
            match state.next() {
                Step::Done(decision) => return Ok((Ended::Decided(decision), state)),
                Step::Wait(reason) => return Ok((Ended::Waiting(reason), state)),
                Step::Write(events) => self.advance(&mut state, feed, &events).await?,
                Step::EndRound => {
                    let events;
                    (state, events) = apart(state, State::round_end).await?;
                    self.advance(&mut state, feed, &events).await?;
                }
                Step::Analyze => {
                    let embedder = Arc::clone(&self.engine.embedder);
                    let analyze =
                        move |state: &State| state.analyzed(analysis::analyze(state, &*embedder));
                    let events;
                    (state, events) = apart(state, analyze).await?;
                    self.advance(&mut state, feed, &events).await?;
                }
                Step::Ground => {
                    let library = self.engine.library.clone();
                    let give = move |state: &State| grounding::give(state, library.as_deref());
                    let given;
                    (state, given) = apart(state, give).await?;
                    let event = Event::EvidenceGiven { evidence: Box::new(given) };
                    self.advance(&mut state, feed, &[event]).await?;
                }
                Step::Check => {
                    let library = self.engine.library.clone();
                    let check = move |state: &State| {
                        state.checked(grounding::check(state, library.as_deref()))
                    };
                    let events;
                    (state, events) = apart(state, check).await?;
                    self.advance(&mut state, feed, &events).await?;
                }
                Step::Group => {
                    let embedder = Arc::clone(&self.engine.embedder);
                    let group = move |state: &State| {
                        state.grouped(group_answers(&state.wordings(), &*embedder))
                    };
                    let events;
                    (state, events) = apart(state, group).await?;
                    self.advance(&mut state, feed, &events).await?;
                }
                Step::Calls(calls) => self.call(&mut state, feed, calls, &mut wished).await?,
            }
        }
    }

    /// Every agent of the debate must have somebody who answers for it.
    fn check_seats(&self, state: &State) -> Result<(), RunError> {
        let protocol = &state.spec().protocol;
        let mut wanted: Vec<AgentId> = state.panel();
        wanted.extend(protocol.moderator.clone());
        wanted.extend(protocol.synthesis.clone());
        wanted.extend(protocol.judges.clone());
        match wanted.into_iter().find(|agent| !self.seats.contains_key(agent)) {
            Some(agent) if state.decision.is_none() => Err(RunError::NoAgent(agent)),
            _ => Ok(check_prices(&protocol.budget, &self.seats)?),
        }
    }

    /// The time; never before the last record, whatever the clock does.
    fn now(&self, state: &State) -> Timestamp {
        self.engine.now().max(state.last)
    }

    /// Writes events to the journal, takes them up into the state, and shows them.
    async fn advance(
        &self,
        state: &mut State,
        feed: &Feed,
        events: &[Event],
    ) -> Result<(), RunError> {
        let now = self.now(state);
        let records = self.engine.journal.append(&self.stream, state.seq, now, events).await?;
        for record in &records {
            state.apply(record)?;
            self.callbacks.tell(record);
        }
        feed.record(records);
        Ok(())
    }

    /// Makes calls side by side, if the budget allows all of them. Those a killed run has left open are
    /// announced again: they are the only ones that may be made, and paid for, twice.
    async fn call(
        &self,
        state: &mut State,
        feed: &Arc<Feed>,
        calls: Vec<Call>,
        wished: &mut watch::Receiver<Wish>,
    ) -> Result<(), RunError> {
        let Some(asked) = self.terms(state, feed, &calls).await? else { return Ok(()) };
        let intents: Vec<Event> = calls
            .iter()
            .zip(&asked)
            .map(|(call, (_, _, terms))| Event::CallIntended {
                call: call.clone(),
                at_most: terms.at_most,
            })
            .collect();
        self.advance(state, feed, &intents).await?;
        let mut open: Vec<(Call, Terms)> = Vec::new();
        let mut running = FuturesUnordered::new();
        for (call, (request, seat, terms)) in calls.into_iter().zip(asked) {
            open.push((call.clone(), terms));
            running.push(self.ask(state, feed, call, (request, seat, terms)));
        }
        let time = budget::time_left(state, self.now(state));
        let time_up = async {
            match time {
                Some(left) => tokio::time::sleep(left).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(time_up);
        let mut cut = None;
        while cut.is_none() && !open.is_empty() {
            tokio::select! {
                Some((call, result)) = running.next() => {
                    let result = result?;
                    open.retain(|(other, _)| *other != call);
                    let events = state.result(&call, result);
                    self.advance(state, feed, &events).await?;
                }
                () = stop_wished(wished) => cut = Some("the debate was stopped before it answered"),
                () = &mut time_up => cut = Some(TIME_UP),
            }
        }
        drop(running);
        for (call, terms) in open {
            let spent = terms.at_most.unwrap_or(Spent { calls: 1, ..Spent::default() }).in_doubt();
            let events = state.result(&call, Err((cut.unwrap_or_default().to_owned(), spent)));
            self.advance(state, feed, &events).await?;
        }
        if cut == Some(TIME_UP) && state.stop.is_none() {
            let stopped = budget::time_up(state, self.now(state));
            self.advance(state, feed, &[stopped]).await?;
        }
        Ok(())
    }

    /// The requests of calls with the terms they leave under. Where the budget does not allow them, writes
    /// what follows from that.
    async fn terms(
        &self,
        state: &mut State,
        feed: &Feed,
        calls: &[Call],
    ) -> Result<Option<Vec<(Request, Seat, Terms)>>, RunError> {
        let mut asked: Vec<(Request, Seat)> = Vec::new();
        for call in calls {
            let seat = self.seats.get(&call.agent);
            let seat = seat.ok_or_else(|| RunError::NoAgent(call.agent.clone()))?;
            asked.push((prompt::request(state, call), seat.clone()));
        }
        let open = state.left_open(calls);
        let borrowed: Vec<(&Request, &Seat)> = asked.iter().map(|(one, two)| (one, two)).collect();
        match budget::admit(state, open, &borrowed, self.now(state)) {
            Ok(terms) => {
                let all = asked.into_iter().zip(terms).map(|((mut request, seat), terms)| {
                    terms.bind(&mut request);
                    (request, seat, terms)
                });
                Ok(Some(all.collect()))
            }
            Err(exceeded) if open == Spent::default() => {
                let events = state.unaffordable(budget::too_much(&exceeded));
                self.advance(state, feed, &events).await?;
                Ok(None)
            }
            // A killed run has left these open, and asking again would cost too much.
            Err(exceeded) => {
                for call in calls {
                    let reason = format!("it is not asked again after a restart: {exceeded}");
                    let spent = state.left_open(std::slice::from_ref(call));
                    let events = state.result(call, Err((reason, spent)));
                    self.advance(state, feed, &events).await?;
                }
                Ok(None)
            }
        }
    }

    /// The question to one agent, and what came of it.
    fn ask(
        &self,
        state: &State,
        feed: &Arc<Feed>,
        call: Call,
        (request, seat, terms): (Request, Seat, Terms),
    ) -> impl Future<Output = (Call, Result<Answered, RunError>)> + use<> {
        let (engine, listening, agent) =
            (self.engine.clone(), Arc::clone(feed), call.agent.clone());
        let listener = Arc::new(move |words: &str| listening.words(&agent, words));
        let asked = Ask::of_call(call.clone(), request, state, listener);
        let feed = Arc::clone(feed);
        async move {
            feed.asked(&call);
            let began = engine.now();
            let answer = ask(Arc::clone(&seat.responder), asked, seat.timeout).await;
            let took = engine.now().duration_since(began).as_millis();
            let spent = terms.settle(&answer, &seat);
            let spent = Spent { millis: u64::try_from(took).unwrap_or(0), ..spent };
            let result = match answer {
                Ok(response) => Ok((response.text, spent)),
                Err(error) if error.kind() == AgentErrorKind::NotRecorded => {
                    return (call, Err(RunError::NotRecorded(error.to_string())));
                }
                Err(error) => Err((error.to_string(), spent)),
            };
            (call, Ok(result))
        }
    }
}

/// What came of a call, and what it cost.
type Answered = Result<(String, Spent), (String, Spent)>;

/// Ready once somebody wants the debate to stop.
async fn stop_wished(wished: &mut watch::Receiver<Wish>) {
    // Nobody can wish anything any more once the sender is gone.
    if wished.wait_for(|wish| *wish == Wish::Stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The record of a debate that its holder ended.
fn stopped() -> Event {
    let (rule, seen) = (STOPPED.to_owned(), "whoever ran the debate stopped it".to_owned());
    let words = "Whoever ran the debate stopped it.".to_owned();
    let fired = vec![Fired { rule: rule.clone(), seen }];
    Event::Stopped { reason: StopReason { rule, fired, words } }
}

/// Does work on a thread that may block: reading texts and running models takes long.
async fn apart<T: Send + 'static>(
    state: State,
    work: impl FnOnce(&State) -> T + Send + 'static,
) -> Result<(State, T), RunError> {
    let both = spawn_blocking(move || {
        let done = work(&state);
        (state, done)
    });
    both.await.map_err(|error| RunError::broken(&error))
}
