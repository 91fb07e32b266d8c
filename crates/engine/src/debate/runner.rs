//! Carries out what the state machine asks for: intent to the journal, the call, the result to the
//! journal, and only then anything anybody sees.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use jiff::Timestamp;
use rebuttal_detect::panel::group_answers;
use rebuttal_llm::{Chat, Price, Request};
use rebuttal_model::{AgentId, BreakpointAnswer, Call, Decision, Event, Record, Spent, StreamId};
use rebuttal_semantics::{BuiltinVectors, Embedder};
use rebuttal_store::Error as StoreError;

use super::journal::Journal;
use super::state::{FoldError, State};
use super::steering::AnswerError;
use super::step::Step;
use super::{eyes, prompt, steering};

/// Whoever answers for an agent, and what that costs.
#[derive(Clone)]
pub struct Seat {
    /// Who is asked.
    pub chat: Arc<dyn Chat>,
    /// What tokens cost; nothing is known without.
    pub price: Option<Price>,
    /// How long one answer may take, retries included.
    pub patience: Duration,
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("chat", &self.chat.id()).finish_non_exhaustive()
    }
}

impl Seat {
    /// A seat without a price and with ten minutes' patience.
    pub fn new(chat: Arc<dyn Chat>) -> Self {
        Self { chat, price: None, patience: Duration::from_mins(10) }
    }
}

/// What can be seen while a debate runs.
#[derive(Clone, Debug)]
pub enum Seen<'s> {
    /// A record, once it is in the journal.
    Written(&'s Record),
    /// A call is on its way.
    Asked(&'s Call),
    /// Words of an answer as they come. They are no answer until a record says so.
    Words {
        /// Who speaks.
        agent: &'s AgentId,
        /// The words.
        words: &'s str,
    },
}

/// Who watches.
pub type Watch<'w> = dyn Fn(Seen<'_>) + Send + Sync + 'w;

/// What tells the time. A clock of one's own makes a debate the same every time.
pub type Clock<'c> = dyn Fn() -> Timestamp + Send + Sync + 'c;

/// How a run ended, for now or for good.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// With a decision.
    Decided(Box<Decision>),
    /// It waits for a person, for this reason.
    Waiting(String),
}

/// Why a run could not go on. The journal holds everything up to there, and the debate can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal could not be written or read.
    #[error("the journal of the debate: {0}")]
    Journal(#[from] StoreError),
    /// The journal does not hold a debate.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A breakpoint that could not be answered.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Nobody answers for one who takes part.
    #[error("nobody answers for {0}: it takes part, but no such agent is configured")]
    Empty(AgentId),
}

/// Runs debates.
pub struct Runner<'r> {
    journal: &'r dyn Journal,
    seats: &'r BTreeMap<AgentId, Seat>,
    clock: &'r Clock<'r>,
    watch: &'r Watch<'r>,
    embedder: &'r dyn Embedder,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("seats", &self.seats).finish_non_exhaustive()
    }
}

impl<'r> Runner<'r> {
    /// A runner that writes here, asks these, and shows what it does.
    pub fn new(
        journal: &'r dyn Journal,
        seats: &'r BTreeMap<AgentId, Seat>,
        clock: &'r Clock<'r>,
        watch: &'r Watch<'r>,
    ) -> Self {
        Self { journal, seats, clock, watch, embedder: &BuiltinVectors }
    }

    /// The same, with another model to tell by how alike texts are.
    #[must_use]
    pub fn embedder(self, embedder: &'r dyn Embedder) -> Self {
        Self { embedder, ..self }
    }

    /// Runs a debate from its first record, or from wherever its journal ends.
    pub async fn run(&self, stream: &StreamId, first: Option<Event>) -> Result<Ended, RunError> {
        if let Some(first) = first {
            self.write(stream, 0, &[first]).await?;
        }
        let records = self.journal.records(stream).await?;
        let mut state = State::fold(&records)?;
        self.check_seats(&state)?;
        if let Some(late) = steering::timed_out(&state, (self.clock)()) {
            self.advance(stream, &mut state, &[late]).await?;
        }
        loop {
            match state.next() {
                Step::Done(decision) => return Ok(Ended::Decided(decision)),
                Step::Wait(reason) => return Ok(Ended::Waiting(reason)),
                Step::Write(events) => self.advance(stream, &mut state, &events).await?,
                Step::Analyze => {
                    let seen = state.analyzed(eyes::look(&state, self.embedder));
                    self.advance(stream, &mut state, &seen).await?;
                }
                Step::Group => {
                    let groups = group_answers(&state.wordings(), self.embedder);
                    let groups = state.grouped(groups);
                    self.advance(stream, &mut state, &groups).await?;
                }
                Step::Calls(calls) => self.call(stream, &mut state, calls).await?,
            }
        }
    }

    /// Answers the breakpoint a debate waits at: the one of this number, or whichever it is. The debate
    /// goes on when it is run again.
    pub async fn answer(
        &self,
        stream: &StreamId,
        number: Option<u32>,
        answer: BreakpointAnswer,
        note: Option<&str>,
    ) -> Result<(), RunError> {
        let mut state = State::fold(&self.journal.records(stream).await?)?;
        let now = (self.clock)();
        let answered = steering::answered(&state, number, answer, note, now);
        if let Err(AnswerError::TimedOut { .. }) = &answered
            && let Some(late) = steering::timed_out(&state, now)
        {
            self.advance(stream, &mut state, &[late]).await?;
        }
        self.advance(stream, &mut state, &[answered?]).await
    }

    fn check_seats(&self, state: &State) -> Result<(), RunError> {
        let protocol = &state.spec().protocol;
        let mut wanted: Vec<AgentId> = state.panel();
        wanted.extend(protocol.moderator.clone());
        wanted.extend(protocol.judges.clone());
        match wanted.into_iter().find(|agent| !self.seats.contains_key(agent)) {
            Some(agent) if state.decision.is_none() => Err(RunError::Empty(agent)),
            _ => Ok(()),
        }
    }

    async fn write(
        &self,
        stream: &StreamId,
        seen: u64,
        events: &[Event],
    ) -> Result<Vec<Record>, RunError> {
        let records = self.journal.append(stream, seen, (self.clock)(), events).await?;
        for record in &records {
            (self.watch)(Seen::Written(record));
        }
        Ok(records)
    }

    async fn advance(
        &self,
        stream: &StreamId,
        state: &mut State,
        events: &[Event],
    ) -> Result<(), RunError> {
        for record in self.write(stream, state.seq, events).await? {
            state.apply(&record)?;
        }
        Ok(())
    }

    /// Makes calls side by side. Those already announced before a restart are not announced again:
    /// they are the calls in flight, the only ones that may be made twice.
    async fn call(
        &self,
        stream: &StreamId,
        state: &mut State,
        calls: Vec<Call>,
    ) -> Result<(), RunError> {
        let new = calls.iter().filter(|call| !state.tried.contains_key(call));
        let intents: Vec<Event> =
            new.map(|call| Event::CallIntended { call: call.clone() }).collect();
        if !intents.is_empty() {
            self.advance(stream, state, &intents).await?;
        }
        let asked: Vec<(Call, Request)> =
            calls.into_iter().map(|call| (call.clone(), prompt::request(state, &call))).collect();
        let mut running: FuturesUnordered<_> =
            asked.into_iter().map(|(call, request)| self.ask(call, request)).collect();
        while let Some((call, result)) = running.next().await {
            let events = state.result(&call, result);
            self.advance(stream, state, &events).await?;
        }
        Ok(())
    }

    async fn ask(
        &self,
        call: Call,
        request: Request,
    ) -> (Call, Result<(String, Spent), (String, Spent)>) {
        let Some(seat) = self.seats.get(&call.agent) else {
            return (call, Err(("nobody answers for it".to_owned(), Spent::default())));
        };
        (self.watch)(Seen::Asked(&call));
        let began = (self.clock)();
        let agent = call.agent.clone();
        let hear = |words: &str| (self.watch)(Seen::Words { agent: &agent, words });
        let answer = tokio::time::timeout(seat.patience, seat.chat.stream(&request, &hear)).await;
        let mut spent = Spent { calls: 1, ..Spent::default() };
        let took = (self.clock)().duration_since(began).as_millis();
        spent.millis = u64::try_from(took).unwrap_or(0);
        let result = match answer {
            Ok(Ok(reply)) => {
                spent.input_tokens = reply.usage.input.unwrap_or(0);
                spent.output_tokens = reply.usage.output.unwrap_or(0);
                let cost = seat.price.and_then(|price| price.cost(reply.usage));
                spent.micro_usd = cost.unwrap_or(0);
                Ok((reply.text, spent))
            }
            Ok(Err(error)) => Err((error.to_string(), spent)),
            Err(_) => {
                let seconds = seat.patience.as_secs();
                Err((format!("no answer within {seconds} s"), spent))
            }
        };
        (call, result)
    }
}
