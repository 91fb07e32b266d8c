//! What every handler and every page stands on: one store, the debates that run, and who may ask.

mod breakpoints;
mod debates;
mod dispatch;
mod events;
mod feed;
mod judging;
mod ledger;

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal::config::Config;
use rebuttal::engine::debate::Engine;
use rebuttal::jobs::{Allowance, Jobs};
use rebuttal::store::Store;
use rebuttal::texts::Readings;
use tokio::sync::Notify;

use crate::Limits;
use crate::auth::{Auth, Rates, Transport};
use crate::metrics::Metrics;
use crate::webhooks::{Webhook, Webhooks};

pub(crate) use breakpoints::Answering;
pub(crate) use debates::ForkRequest;
pub(crate) use events::{Seen, Subscription, Wanted as Watched, Words};
use feed::Feeds;

/// What a server runs with, beside its store and its configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether callers must say who they are.
    pub auth: Auth,
    /// How many clients are served at once, and how long each may take.
    pub limits: Limits,
    /// What all debates of this server may spend, and how many run at once.
    pub allowance: Allowance,
    /// Who is told of decisions and flips.
    pub webhooks: Vec<Webhook>,
    /// Names under which clients reach the server, beside its address: `Host` must be one of them.
    pub names: Vec<String>,
    /// Whether browsers reach the server by encrypted connections.
    pub transport: Transport,
}

/// One server. Handlers and pages share it.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Arc<Store>,
    pub(crate) jobs: Jobs,
    pub(crate) config: Arc<Config>,
    pub(crate) readings: Readings,
    pub(crate) options: Options,
    pub(crate) rates: Rates,
    pub(crate) metrics: Metrics,
    pub(crate) webhooks: Webhooks,
    feeds: Feeds,
    /// Told whenever there may be a debate to run.
    work: Notify,
    /// Told when the server stops: whoever waits for events goes.
    pub(crate) stopping: tokio::sync::watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(
        engine: Engine,
        store: Arc<Store>,
        config: Arc<Config>,
        options: Options,
    ) -> Self {
        let jobs = Jobs::new(engine, Arc::clone(&store), Arc::clone(&config), options.allowance);
        Self {
            readings: Readings::new(&config.semantics),
            webhooks: Webhooks::new(options.webhooks.clone()),
            store,
            jobs,
            config,
            options,
            rates: Rates::default(),
            metrics: Metrics::default(),
            feeds: Feeds::default(),
            work: Notify::new(),
            stopping: tokio::sync::watch::Sender::new(false),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.jobs.now()
    }
}
