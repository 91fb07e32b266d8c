//! A running debate, held by whoever started it.

use std::sync::Arc;

use rebuttal_model::{BreakpointAnswer, DebateId, Decision, Event, Record};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::arena::ArenaError;
use super::events::{Closing, Events, Feed};
use super::runner::{Ended, RunError, Runner};
use super::state::State;

/// What whoever holds a debate wants of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wish {
    /// The debate goes on.
    #[default]
    Run,
    /// Nothing more is asked; the debate can be resumed.
    Pause,
    /// The rounds end, and the votes so far are counted.
    Stop,
}

/// A debate that runs by itself. Dropping it ends the run at once, with the calls in flight: the journal
/// holds everything up to there, and the debate can be resumed.
///
/// ```
/// # use rebuttal_engine::debate::{Agent, Arena, Ended, Engine, Environment, MemoryJournal, Vote};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// # let agent = |name| Agent::from_fn(name, |_| async { Ok(Vote::new("yes")) });
/// # let arena = Arena::new(Environment::new("Ship?")).agent(agent("ann")).agent(agent("bob"));
/// let engine = Engine::new(MemoryJournal::default());
/// let debate = arena.start(&engine)?;
/// let mut events = debate.events();
/// while let Some(update) = events.next().await {
///     println!("record {}: {update:?}", update.seq());
/// }
/// let ended = debate.result().await?;
/// # assert!(matches!(ended, Ended::Decided(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Debug)]
pub struct Debate {
    runner: Arc<Runner>,
    feed: Arc<Feed>,
    wish: watch::Sender<Wish>,
    run: Run,
}

/// The task of a run, which ends with its owner.
#[derive(Debug)]
struct Run(JoinHandle<Result<(Ended, State), RunError>>);

impl Drop for Run {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A run that has ended: by a decision, or for now.
#[derive(Debug)]
pub struct Finished {
    /// How the run ended.
    pub ended: Ended,
    /// What the debate has come to.
    pub state: State,
    /// The journal's records, in order.
    pub records: Vec<Arc<Record>>,
    runner: Arc<Runner>,
}

/// Where a run begins.
pub(super) enum Begin {
    /// A new debate, with this first record.
    Start(Box<Event>),
    /// A stored debate, from the end of its journal.
    Journal,
    /// Where the last run ended.
    State(Box<State>),
}

impl Debate {
    /// Runs a debate; `records` are those that are known of it.
    pub(super) fn spawn(
        runner: Arc<Runner>,
        begin: Begin,
        records: Vec<Arc<Record>>,
    ) -> Result<Self, ArenaError> {
        let runtime = Handle::try_current().map_err(|_| ArenaError::NoRuntime)?;
        let feed = Arc::new(Feed::new(records));
        let (wish, wished) = watch::channel(Wish::default());
        let (running, closing) = (Arc::clone(&runner), Closing(Arc::clone(&feed)));
        let task = async move {
            let feed = &closing.0;
            let lease = running.lease().await?;
            let run = async {
                let state = match begin {
                    Begin::Start(first) => running.begin(*first, feed).await?,
                    Begin::Journal => running.load(feed).await?,
                    Begin::State(state) => running.catch_up(*state, feed).await?,
                };
                running.run(state, feed, wished).await
            };
            Box::pin(lease.keep(run)).await
        };
        Ok(Self { runner, feed, wish, run: Run(runtime.spawn(task)) })
    }

    /// The debate's id.
    pub fn id(&self) -> DebateId {
        self.runner.id()
    }

    /// Everything from the first record on.
    pub fn events(&self) -> Events {
        self.events_after(0)
    }

    /// Everything after the record of this number.
    pub fn events_after(&self, seq: u64) -> Events {
        Events::new(&self.feed, seq)
    }

    /// The records so far.
    pub fn records(&self) -> Vec<Arc<Record>> {
        self.feed.after(0)
    }

    /// Asks nobody any more: the run ends with [`Ended::Paused`] as soon as the calls in flight are
    /// answered and written. [`Engine::resume`](super::Engine::resume) goes on.
    pub fn pause(&self) {
        self.wish.send_if_modified(|wish| {
            let runs = *wish == Wish::Run;
            if runs {
                *wish = Wish::Pause;
            }
            runs
        });
    }

    /// Ends the debate now: calls in flight are cut, and the votes so far are counted.
    pub fn stop(&self) {
        self.wish.send_replace(Wish::Stop);
    }

    /// Waits for the end of the run.
    pub async fn result(self) -> Result<Ended, RunError> {
        self.finished().await.map(|finished| finished.ended)
    }

    /// Waits for the end of the run, with everything it came to.
    pub async fn finished(mut self) -> Result<Finished, RunError> {
        let (ended, state) =
            (&mut self.run.0).await.map_err(|error| RunError::broken(&error))??;
        let (records, runner) = (self.feed.after(0), Arc::clone(&self.runner));
        Ok(Finished { ended, state, records, runner })
    }
}

impl Finished {
    /// The decision, if there is one yet.
    pub fn decision(&self) -> Option<&Decision> {
        self.state.decision.as_ref()
    }

    /// Answers the breakpoint the debate waits at; [`Finished::resume`] then goes on. Where the time for
    /// an answer has passed, what is done then was written instead, and the error says so.
    pub async fn answer(
        &mut self,
        answer: BreakpointAnswer,
        note: Option<&str>,
    ) -> Result<(), RunError> {
        let feed = Feed::new(Vec::new());
        let lease = self.runner.lease().await?;
        let answering = self.runner.answer(&mut self.state, &feed, (None, answer, note));
        let answered = lease.keep(answering).await;
        self.records.extend(feed.after(0));
        answered
    }

    /// Goes on from here: after an answer, a pause, or the time a breakpoint waits.
    pub fn resume(self) -> Result<Debate, ArenaError> {
        Debate::spawn(self.runner, Begin::State(Box::new(self.state)), self.records)
    }
}
