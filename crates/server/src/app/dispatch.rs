//! Which debates this server runs: those that were asked for, and those of servers that have died.
//!
//! What is wanted stands in the database, so that servers need not know each other. A debate is run by
//! whoever gets its lease; a server that was overtaken leaves it alone.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use rebuttal::debates;
use rebuttal::engine::debate::RunError;
use rebuttal::jobs::{DebateRequest, Outcome, Run, is_stored};
use rebuttal::store::{DebateOrder, Wanted};
use rebuttal::{Error, ErrorKind};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::App;
use crate::webhooks::News;

/// How often the database is asked for what other servers left, and for what is wanted of what runs here.
const LOOK: Duration = Duration::from_secs(1);

/// How long a debate rests that the database or another server kept from going on.
const AGAIN: SignedDuration = SignedDuration::from_secs(2);

/// How many orders are looked at in one step.
const AT_ONCE: usize = 64;

impl App {
    /// Says that there may be a debate to run.
    pub(super) fn wake(&self) {
        self.work.notify_one();
    }

    /// Runs what is due until it is dropped.
    pub(crate) async fn dispatch(self: Arc<Self>) {
        let mut runs = JoinSet::new();
        loop {
            while runs.try_join_next().is_some() {}
            // A database that cannot be reached now is asked again.
            if let Err(error) = self.steer().await {
                tracing::warn!(%error, "the orders cannot be read");
            }
            match self.due().await {
                Ok(due) => {
                    for order in due {
                        let app = Arc::clone(&self);
                        runs.spawn(async move { app.run_order(order).await });
                    }
                }
                Err(error) => tracing::warn!(%error, "the orders cannot be read"),
            }
            timeout(LOOK, self.work.notified()).await.ok();
        }
    }

    async fn due(&self) -> Result<Vec<DebateOrder>, rebuttal::store::Error> {
        let free = self.jobs.free();
        if free == 0 {
            return Ok(Vec::new());
        }
        let running = self.jobs.running();
        let mut due = self.store.orders_due(self.now(), AT_ONCE).await?;
        due.retain(|order| !running.contains(&order.debate));
        due.truncate(free);
        Ok(due)
    }

    /// Passes on what was asked of another server for debates that run here.
    async fn steer(&self) -> Result<(), rebuttal::store::Error> {
        for id in self.jobs.running() {
            let wanted = self.store.order(&id).await?.map(|order| order.wanted);
            match wanted {
                Some(Wanted::Pause) => drop(self.jobs.pause(&id)),
                Some(Wanted::Stop) => drop(self.jobs.stop(&id)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Runs one debate to where it rests, and writes down what is wanted then.
    async fn run_order(&self, order: DebateOrder) {
        let outcome = match self.begin(&order).await {
            Ok(run) => {
                if order.wanted == Wanted::Stop {
                    self.jobs.stop(&order.debate);
                }
                run.over().await
            }
            Err(error) => Outcome::Failed(error),
        };
        let now = self.now();
        let (again, failed) = match &outcome {
            Outcome::Paused => return,
            Outcome::Waiting(until) => (*until, None),
            Outcome::Failed(error) if is_passing(error) => (now.checked_add(AGAIN).ok(), None),
            Outcome::Failed(error) => (None, Some(error.whole())),
            _ => (None, None),
        };
        if let Some(failed) = &failed {
            tracing::warn!(debate = %order.debate, %failed, "a debate could not go on");
        }
        let written = self.store.order_rests(&order, again, failed.as_deref()).await;
        if let Err(error) = written {
            // It is due still: whoever looks next finds that it has ended.
            tracing::warn!(debate = %order.debate, %error, "what became of a debate cannot be written");
        }
        if matches!(outcome, Outcome::Decided) {
            self.metrics.decided();
            self.webhooks.tell(self, News::Decided(order.debate.clone())).await;
        }
    }

    async fn begin(&self, order: &DebateOrder) -> Result<Run, Error> {
        let id = &order.debate;
        if is_stored(&self.store, id).await? {
            let debate = debates::read(&self.store, id).await?;
            return self.jobs.resume(debate).await;
        }
        if order.request.is_empty() {
            return Err(Error::new(ErrorKind::Missing, format!("nothing is stored of {id}")));
        }
        let request = DebateRequest::parse(&order.request, order.at)?;
        let mut wanted = request.order(id.clone(), &self.config)?;
        wanted.protocol.budget.calls = Some(order.calls);
        self.jobs.start(wanted).await
    }
}

/// Whether the debate itself has nothing to do with it: the database is away, or another server was first.
fn is_passing(error: &Error) -> bool {
    let of_store = error.find::<rebuttal::store::Error>().is_some_and(|error| {
        error.is_retryable() || error.is_leased() || error.is_conflict() || error.is_full()
    });
    of_store
        || error.kind() == ErrorKind::Busy
        || error.find().is_some_and(|error| matches!(error, RunError::Journal(_)))
}
