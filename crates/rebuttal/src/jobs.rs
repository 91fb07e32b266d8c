//! Debates that run in the background of one program: started, watched, paused, and ended with it.
//!
//! A debate runs in a task of its own, whoever waits for it: a client that gives up on a call finds the
//! debate again by its id. Everything it does is in the database before anybody sees it, so what this
//! program knows beside that is only which debates run, and why one could not. The MCP server and the
//! HTTP server both run their debates here.

mod beside;
mod purse;
mod request;
mod standing;

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_engine::debate::{Arena, Debate, Ended, Engine, Environment, Finished, Update};
use rebuttal_model::{BreakpointAnswer, Budget, DebateId, Protocol, Spent};
use rebuttal_store::Store;
use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::config::Config;
use crate::debates::{self, StoredDebate};
use crate::error::{Error, ErrorKind, Result};
use crate::ledger::{Saver, Search};
use crate::models::Analyzer;
use crate::panel::{self, PanelNames, Tape};

pub use beside::beside;
pub use purse::Allowance;
use purse::{Purse, Share};
pub use request::DebateRequest;
pub use standing::{SoFar, Standing, StandingWord, is_stored};

/// How many debates that could not run are remembered, with the reason.
const FAILURES: usize = 64;

/// How long a new debate is waited for before it is left to itself: settings that are wrong show at
/// once, a local model that has to be fetched does not.
const BEGINS_WITHIN: Duration = Duration::from_secs(10);

/// How many updates wait for a slow watcher. One that falls further behind misses words, never records.
const WAITING: usize = 256;

/// What is to be debated, by whom and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Order {
    /// The id it will have.
    pub id: DebateId,
    /// What is asked, and what is known of it.
    pub environment: Environment,
    /// Who takes part.
    pub panel: PanelNames,
    /// How it is run.
    pub protocol: Protocol,
}

impl Order {
    /// A debate to be run.
    pub fn new(
        id: DebateId,
        environment: Environment,
        panel: PanelNames,
        protocol: Protocol,
    ) -> Self {
        Self { id, environment, panel, protocol }
    }
}

/// How one run of a debate ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// With a decision, which may name no answer.
    Decided,
    /// It waits for a person, who has until then.
    Waiting(Option<Timestamp>),
    /// It was asked to pause.
    Paused,
    /// It could not go on. A debate that is decided but not in the ledger counts as failed too.
    Failed(Error),
}

/// Where a job stands.
#[derive(Clone, Debug)]
enum Phase {
    /// Its agents are being found, and models fetched.
    Starting,
    Running,
    Over(Outcome),
}

/// What is wanted of a running debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Run,
    /// That it asks nobody any more; it can be resumed.
    Pause,
    /// That the votes so far are counted.
    Stop,
}

#[derive(Debug)]
struct Job {
    phase: watch::Receiver<Phase>,
    wish: watch::Sender<Wish>,
    updates: broadcast::Sender<Update>,
}

/// A run of a debate that was begun here, to wait for its end.
#[derive(Clone, Debug)]
pub struct Run(watch::Receiver<Phase>);

impl Run {
    /// Waits until the run has ended.
    pub async fn over(mut self) -> Outcome {
        match self.0.wait_for(|phase| matches!(phase, Phase::Over(_))).await.as_deref() {
            Ok(Phase::Over(outcome)) => outcome.clone(),
            // Its task was cut off.
            _ => Outcome::Paused,
        }
    }

    /// Waits a moment until the debate runs, or says why it does not.
    async fn begun(mut self) -> Result<Self> {
        let runs = self.0.wait_for(|phase| !matches!(phase, Phase::Starting));
        timeout(BEGINS_WITHIN, runs).await.ok();
        let failed = match &*self.0.borrow() {
            Phase::Over(Outcome::Failed(error)) => Some(error.clone()),
            _ => None,
        };
        failed.map_or(Ok(self), Err)
    }
}

/// What is known of a debate here, beside what is stored.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Known {
    /// Its agents are being found, and models fetched.
    Starting,
    /// It runs.
    Running,
    /// It could not go on.
    Failed(Error),
    /// It does not run here.
    Nothing,
}

#[derive(Debug)]
struct Table {
    running: BTreeMap<DebateId, Job>,
    failed: VecDeque<(DebateId, Error)>,
    purse: Purse,
    tasks: JoinSet<()>,
}

/// The debates of one program. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Jobs {
    engine: Engine,
    store: Arc<Store>,
    config: Arc<Config>,
    table: Arc<Mutex<Table>>,
}

impl Jobs {
    /// Runs debates on this engine, whose journal is this store.
    pub fn new(
        engine: Engine,
        store: Arc<Store>,
        config: Arc<Config>,
        allowance: Allowance,
    ) -> Self {
        let table = Table {
            running: BTreeMap::new(),
            failed: VecDeque::new(),
            purse: Purse::new(allowance),
            tasks: JoinSet::new(),
        };
        Self { engine, store, config, table: Arc::new(Mutex::new(table)) }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time by the engine's clock.
    pub fn now(&self) -> Timestamp {
        self.engine.now()
    }

    /// An id that no other debate has.
    pub fn new_id(&self) -> DebateId {
        self.engine.new_id()
    }

    /// How many more debates may begin now.
    pub fn free(&self) -> usize {
        self.table().purse.free()
    }

    /// The debates that run here.
    pub fn running(&self) -> Vec<DebateId> {
        self.table().running.keys().cloned().collect()
    }

    /// Starts a debate, and waits a moment for what is wrong with it.
    pub async fn start(&self, mut order: Order) -> Result<Run> {
        let id = order.id.clone();
        let asked = order.protocol.budget;
        let run = self.begin(&id, &asked, |jobs, share| async move {
            order.protocol.budget = share.budget(asked);
            jobs.open(order).await
        })?;
        run.begun().await
    }

    /// Goes on with a stored debate, within what its own budget has left.
    pub async fn resume(&self, debate: StoredDebate) -> Result<Run> {
        let id = debate.id().clone();
        let budget = debate.state.spec().protocol.budget;
        let Some(asked) = self.table().purse.left(&budget, debate.state.spent) else {
            let message =
                format!("{id} was begun without a budget that this server could hold it to");
            return Err(Error::new(ErrorKind::Budget, message)
                .hint(format!("`rebuttal resume {id}` on the command line goes on with it")));
        };
        let run = self.begin(&id, &asked, |jobs, _| async move { jobs.reopen(debate).await })?;
        run.begun().await
    }

    /// Puts a debate into the table and its run into a task of its own.
    fn begin<F, Opened>(&self, id: &DebateId, asked: &Budget, open: F) -> Result<Run>
    where
        F: FnOnce(Self, Share) -> Opened,
        Opened: Future<Output = Result<(Debate, Spent)>> + Send + 'static,
    {
        let mut table = self.table();
        while table.tasks.try_join_next().is_some() {}
        if let Some(job) = table.running.get(id) {
            return Ok(Run(job.phase.clone()));
        }
        let share = table.purse.take(asked)?;
        table.failed.retain(|(failed, _)| failed != id);
        let (phase_is, phase) = watch::channel(Phase::Starting);
        let (wish, wished) = watch::channel(Wish::Run);
        let updates = broadcast::Sender::new(WAITING);
        let opening = Box::pin(open(self.clone(), share));
        let (jobs, own, shown) = (self.clone(), id.clone(), updates.clone());
        table.tasks.spawn(async move {
            let (spent, outcome) = match opening.await {
                Ok((debate, already)) => {
                    phase_is.send_replace(Phase::Running);
                    Box::pin(jobs.follow(debate, already, wished, &shown)).await
                }
                Err(error) => (Some(Spent::default()), Outcome::Failed(error)),
            };
            jobs.over(&own, share, spent, &outcome);
            phase_is.send_replace(Phase::Over(outcome));
        });
        table.running.insert(id.clone(), Job { phase: phase.clone(), wish, updates });
        Ok(Run(phase))
    }

    /// Finds the agents of a new debate and starts it.
    async fn open(self, order: Order) -> Result<(Debate, Spent)> {
        let Order { id, environment, panel: wanted, mut protocol } = order;
        let (config, seed) = (Arc::clone(&self.config), self.engine.draw());
        let seats = beside(move || {
            panel::seats(&wanted, Tape::Off, seed, &config, &mut |_| ControlFlow::Continue(()))
        });
        let seats = seats.await??;
        if seats.note.is_some() {
            // A small model that is meant for trying out has no evidence to bring.
            protocol.trickster.enable_breakpoints = false;
            protocol.trickster.enable_extended_rounds = false;
        }
        let arena = Arena::new(environment).panel(seats.panel).protocol(protocol).seed(seed).id(id);
        let arena = seats.moderator.into_iter().fold(arena, Arena::moderator);
        let arena = seats.judges.into_iter().fold(arena, Arena::judge);
        Ok((arena.start(&self.engine)?, Spent::default()))
    }

    /// Finds the agents of a stored debate and goes on with it.
    async fn reopen(self, debate: StoredDebate) -> Result<(Debate, Spent)> {
        let (config, already) = (Arc::clone(&self.config), debate.state.spent);
        let spec = debate.state.spec().clone();
        let agents = beside(move || {
            panel::again(&spec, Vec::new(), Tape::Off, &config, &mut |_| ControlFlow::Continue(()))
        });
        let agents = agents.await??;
        let StoredDebate { state, records, .. } = debate;
        Ok((self.engine.resume_from(state, records, agents)?, already))
    }

    /// Lets a debate run to its end, or to what is wished before. What it spent, and how it ended.
    async fn follow(
        &self,
        debate: Debate,
        already: Spent,
        mut wished: watch::Receiver<Wish>,
        shown: &broadcast::Sender<Update>,
    ) -> (Option<Spent>, Outcome) {
        let id = debate.id();
        let mut events = debate.events();
        loop {
            tokio::select! {
                event = events.next() => match event {
                    // That nobody watches is no error.
                    Some(update) => drop(shown.send(update)),
                    None => break,
                },
                Ok(()) = wished.changed() => match *wished.borrow_and_update() {
                    Wish::Run => {}
                    Wish::Pause => debate.pause(),
                    Wish::Stop => debate.stop(),
                },
            }
        }
        match debate.finished().await {
            Ok(finished) => {
                let spent = since(already, finished.state.spent);
                let outcome = match self.save(&finished).await {
                    Ok(()) => outcome(&finished),
                    Err(error) => Outcome::Failed(error),
                };
                (Some(spent), outcome)
            }
            Err(error) => {
                let stored = debates::read(&self.store, &id).await;
                let spent = stored.ok().map(|stored| since(already, stored.state.spent));
                (spent, Outcome::Failed(error.into()))
            }
        }
    }

    /// The positions that were taken go into the ledger: who flips over many debates is seen there.
    async fn save(&self, finished: &Finished) -> Result<()> {
        if !matches!(finished.ended, Ended::Decided(_)) {
            return Ok(());
        }
        let search = Search::new(Analyzer::rules());
        let mut saver = Saver::new(Arc::clone(&self.store), self.now(), search);
        let outcome = async {
            saver.add_debate(&finished.state).await?;
            saver.score(&finished.state).await?;
            saver.finish().await
        };
        outcome
            .await
            .map(drop)
            .map_err(|error| Error::about("the decision stands, but not in the ledger", error))
    }

    fn over(&self, id: &DebateId, share: Share, spent: Option<Spent>, outcome: &Outcome) {
        let mut table = self.table();
        table.running.remove(id);
        table.purse.give_back(share, spent);
        if let Outcome::Failed(error) = outcome {
            table.failed.push_back((id.clone(), error.clone()));
            if table.failed.len() > FAILURES {
                table.failed.pop_front();
            }
        }
    }

    /// What is known of a debate here.
    pub fn known(&self, id: &DebateId) -> Known {
        let table = self.table();
        if let Some(job) = table.running.get(id) {
            return match &*job.phase.borrow() {
                Phase::Starting => Known::Starting,
                Phase::Running | Phase::Over(_) => Known::Running,
            };
        }
        let failed = table.failed.iter().rev().find(|(failed, _)| failed == id);
        failed.map_or(Known::Nothing, |(_, error)| Known::Failed(error.clone()))
    }

    /// What a debate that runs here does from now on: its records, and words as they come.
    pub fn updates(&self, id: &DebateId) -> Option<broadcast::Receiver<Update>> {
        self.table().running.get(id).map(|job| job.updates.subscribe())
    }

    /// Waits until a debate runs here no more, or the time is up.
    pub async fn wait(&self, id: &DebateId, most: Duration) {
        let run = self.table().running.get(id).map(|job| Run(job.phase.clone()));
        if let Some(run) = run {
            timeout(most, run.over()).await.ok();
        }
    }

    /// Writes a person's answer to the breakpoint a debate waits at.
    pub async fn answer(
        &self,
        id: &DebateId,
        number: Option<u32>,
        answer: BreakpointAnswer,
        note: Option<&str>,
    ) -> Result<()> {
        Ok(self.engine.answer(id, number, answer, note).await?)
    }

    /// Ends a debate that runs here: the votes so far are counted. Whether it ran.
    pub fn stop(&self, id: &DebateId) -> bool {
        self.wish(id, Wish::Stop)
    }

    /// Asks nobody any more in a debate that runs here; it can be resumed. Whether it ran.
    pub fn pause(&self, id: &DebateId) -> bool {
        self.wish(id, Wish::Pause)
    }

    fn wish(&self, id: &DebateId, wish: Wish) -> bool {
        let table = self.table();
        table.running.get(id).is_some_and(|job| job.wish.send(wish).is_ok())
    }

    /// Asks nobody any more and waits for calls in flight, so that what was paid for is kept. What takes
    /// longer is cut off; the journal has everything up to there.
    pub async fn close(&self, most: Duration) {
        let mut tasks = {
            let mut table = self.table();
            for job in table.running.values() {
                job.wish.send_replace(Wish::Pause);
            }
            std::mem::take(&mut table.tasks)
        };
        tokio::select! {
            () = async { while tasks.join_next().await.is_some() {} } => {}
            () = sleep(most) => tasks.shutdown().await,
        }
    }
}

fn outcome(finished: &Finished) -> Outcome {
    match &finished.ended {
        Ended::Decided(_) => Outcome::Decided,
        Ended::Paused => Outcome::Paused,
        _ => {
            let breakpoint = finished.state.steering.breakpoints.last();
            Outcome::Waiting(breakpoint.and_then(|breakpoint| breakpoint.until))
        }
    }
}

/// What was spent since.
fn since(before: Spent, now: Spent) -> Spent {
    let (before, now) = (before.at_most(), now.at_most());
    Spent {
        calls: now.calls.saturating_sub(before.calls),
        micro_usd: now.micro_usd.saturating_sub(before.micro_usd),
        ..Spent::default()
    }
}
