//! Debates that run here: started, watched, paused, and ended with the server.
//!
//! A debate runs in a task of its own, whoever waits for it: a client that gives up on a call finds the
//! debate again by its id. Everything it does is in the database before anybody sees it, so what this
//! process knows beside that is only which debates run, and why one could not.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rebuttal::config::Config;
use rebuttal::debates::{self, StoredDebate};
use rebuttal::engine::debate::{Arena, Debate, Ended, Engine, Environment, Finished};
use rebuttal::ledger::{Saver, Search};
use rebuttal::model::{BreakpointAnswer, Budget, DebateId, Protocol, Spent};
use rebuttal::models::Analyzer;
use rebuttal::panel::{self, PanelNames, Tape};
use rebuttal::store::Store;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::fault::{Code, Fault};
use crate::purse::{Allowance, Purse, Share, left};

/// How many debates that could not run are remembered, with the reason.
const FAILURES: usize = 64;

/// How long a new debate is waited for before it is left to itself: settings that are wrong show at
/// once, a local model that has to be fetched does not.
const BEGINS_WITHIN: Duration = Duration::from_secs(10);

/// What is to be debated, by whom and how.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) id: DebateId,
    pub(crate) environment: Environment,
    pub(crate) panel: PanelNames,
    pub(crate) protocol: Protocol,
}

/// Where a job stands.
#[derive(Clone, Debug)]
enum Phase {
    /// Its agents are being found, and models fetched.
    Starting,
    Running,
    Over,
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
}

/// What is known of a debate here, beside what is stored.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Starting,
    Running,
    Failed(Fault),
    Nothing,
}

#[derive(Debug)]
struct Table {
    running: BTreeMap<DebateId, Job>,
    failed: VecDeque<(DebateId, Fault)>,
    purse: Purse,
    tasks: JoinSet<()>,
}

/// The debates of one server. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Jobs {
    engine: Engine,
    store: Arc<Store>,
    config: Arc<Config>,
    table: Arc<Mutex<Table>>,
}

impl Jobs {
    pub(crate) fn new(
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

    pub(crate) fn now(&self) -> Timestamp {
        self.engine.now()
    }

    pub(crate) fn new_id(&self) -> DebateId {
        self.engine.new_id()
    }

    /// Starts a debate, and waits a moment for what is wrong with it.
    pub(crate) async fn start(&self, mut order: Order) -> Result<(), Fault> {
        let id = order.id.clone();
        let asked = order.protocol.budget;
        let started = self.begin(&id, &asked, |jobs, share| async move {
            order.protocol.budget = share.budget(asked);
            jobs.open(order).await
        })?;
        self.begun(&id, started).await
    }

    /// Goes on with a stored debate, within what its own budget has left.
    pub(crate) async fn resume(&self, debate: StoredDebate) -> Result<(), Fault> {
        let id = debate.id().clone();
        let budget = debate.state.spec().protocol.budget;
        let in_money = self.table().purse.is_in_money();
        let Some(asked) = left(&budget, debate.state.spent, in_money) else {
            let message =
                format!("{id} was begun without a budget that this server could hold it to");
            return Err(Fault::new(Code::Budget, message)
                .hint(format!("`rebuttal resume {id}` on the command line goes on with it")));
        };
        let started =
            self.begin(&id, &asked, |jobs, _| async move { jobs.reopen(debate).await })?;
        self.begun(&id, started).await
    }

    /// Puts a debate into the table and its run into a task of its own.
    fn begin<F, Opened>(
        &self,
        id: &DebateId,
        asked: &Budget,
        open: F,
    ) -> Result<watch::Receiver<Phase>, Fault>
    where
        F: FnOnce(Self, Share) -> Opened,
        Opened: Future<Output = Result<(Debate, Spent), Fault>> + Send + 'static,
    {
        let mut table = self.table();
        while table.tasks.try_join_next().is_some() {}
        if let Some(job) = table.running.get(id) {
            return Ok(job.phase.clone());
        }
        let share = table.purse.take(asked)?;
        table.failed.retain(|(failed, _)| failed != id);
        let (phase_is, phase) = watch::channel(Phase::Starting);
        let (wish, wished) = watch::channel(Wish::Run);
        let opening = open(self.clone(), share);
        let (jobs, own) = (self.clone(), id.clone());
        table.tasks.spawn(async move {
            let (spent, failed) = match opening.await {
                Ok((debate, already)) => {
                    phase_is.send_replace(Phase::Running);
                    jobs.follow(debate, already, wished).await
                }
                Err(fault) => (Some(Spent::default()), Some(fault)),
            };
            jobs.over(&own, share, spent, failed);
            phase_is.send_replace(Phase::Over);
        });
        table.running.insert(id.clone(), Job { phase: phase.clone(), wish });
        Ok(phase)
    }

    /// Waits until a job runs, or says why it does not.
    async fn begun(&self, id: &DebateId, mut phase: watch::Receiver<Phase>) -> Result<(), Fault> {
        let runs = phase.wait_for(|phase| !matches!(phase, Phase::Starting));
        timeout(BEGINS_WITHIN, runs).await.ok();
        match self.known(id) {
            Known::Failed(fault) => Err(fault),
            _ => Ok(()),
        }
    }

    /// Finds the agents of a new debate and starts it.
    async fn open(self, order: Order) -> Result<(Debate, Spent), Fault> {
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
    async fn reopen(self, debate: StoredDebate) -> Result<(Debate, Spent), Fault> {
        let (config, already) = (Arc::clone(&self.config), debate.state.spent);
        let spec = debate.state.spec().clone();
        let agents = beside(move || {
            panel::again(&spec, Vec::new(), Tape::Off, &config, &mut |_| ControlFlow::Continue(()))
        });
        let agents = agents.await??;
        let StoredDebate { state, records, .. } = debate;
        Ok((self.engine.resume_from(state, records, agents)?, already))
    }

    /// Lets a debate run to its end, or to what is wished before. What it spent, and why it failed.
    async fn follow(
        &self,
        debate: Debate,
        already: Spent,
        mut wished: watch::Receiver<Wish>,
    ) -> (Option<Spent>, Option<Fault>) {
        let id = debate.id();
        let mut events = debate.events();
        loop {
            tokio::select! {
                event = events.next() => if event.is_none() { break },
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
                (Some(spent), self.save(&finished).await.err())
            }
            Err(error) => {
                let stored = debates::read(&self.store, &id).await;
                (stored.ok().map(|stored| since(already, stored.state.spent)), Some(error.into()))
            }
        }
    }

    /// The positions that were taken go into the ledger: who flips over many debates is seen there.
    async fn save(&self, finished: &Finished) -> Result<(), Fault> {
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
        outcome.await.map(drop).map_err(|error| {
            let fault = Fault::from(error);
            let message = format!("the decision stands, but not in the ledger: {}", fault.message);
            Fault { message, ..fault }
        })
    }

    fn over(&self, id: &DebateId, share: Share, spent: Option<Spent>, failed: Option<Fault>) {
        let mut table = self.table();
        table.running.remove(id);
        table.purse.give_back(share, spent);
        if let Some(fault) = failed {
            table.failed.push_back((id.clone(), fault));
            if table.failed.len() > FAILURES {
                table.failed.pop_front();
            }
        }
    }

    /// What is known of a debate here.
    pub(crate) fn known(&self, id: &DebateId) -> Known {
        let table = self.table();
        if let Some(job) = table.running.get(id) {
            return match &*job.phase.borrow() {
                Phase::Starting => Known::Starting,
                Phase::Running | Phase::Over => Known::Running,
            };
        }
        let failed = table.failed.iter().rev().find(|(failed, _)| failed == id);
        failed.map_or(Known::Nothing, |(_, fault)| Known::Failed(fault.clone()))
    }

    /// Waits until a debate runs here no more, or the time is up.
    pub(crate) async fn wait(&self, id: &DebateId, most: Duration) {
        let phase = self.table().running.get(id).map(|job| job.phase.clone());
        if let Some(mut phase) = phase {
            timeout(most, phase.wait_for(|phase| matches!(phase, Phase::Over))).await.ok();
        }
    }

    /// Writes a person's answer to the breakpoint a debate waits at.
    pub(crate) async fn answer(
        &self,
        id: &DebateId,
        number: Option<u32>,
        answer: BreakpointAnswer,
        note: Option<&str>,
    ) -> Result<(), Fault> {
        Ok(self.engine.answer(id, number, answer, note).await?)
    }

    /// Ends a debate that runs here: the votes so far are counted. Whether it ran.
    pub(crate) fn stop(&self, id: &DebateId) -> bool {
        let table = self.table();
        let job = table.running.get(id);
        job.is_some_and(|job| job.wish.send(Wish::Stop).is_ok())
    }

    /// Asks nobody any more and waits for calls in flight, so that what was paid for is kept. What takes
    /// longer is cut off; the journal has everything up to there.
    pub(crate) async fn close(&self, most: Duration) {
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

/// What was spent since.
fn since(before: Spent, now: Spent) -> Spent {
    let (before, now) = (before.at_most(), now.at_most());
    Spent {
        calls: now.calls.saturating_sub(before.calls),
        micro_usd: now.micro_usd.saturating_sub(before.micro_usd),
        ..Spent::default()
    }
}

/// Does what computes or waits for long beside the executor.
pub(crate) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        Fault::new(Code::Internal, format!("the work broke off: {error}"))
            .hint("please report it, with what was asked")
    })
}
