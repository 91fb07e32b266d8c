//! Rebuttal over HTTP: debates that are started, watched and answered for, the ledger, and texts to judge.
//!
//! [`Server`] listens; every request passes the `guard`, and a handler in `api` or `page` calls a function of
//! `app`, which both share. On loopback everybody on this machine may ask; elsewhere nobody is answered without
//! a token or a session ([`Auth`]).

mod api;
mod app;
mod auth;
mod connections;
mod guard;
mod limits;
mod listen;
mod metrics;
mod page;
mod problem;
mod stream;
mod tls;
mod webhooks;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use rebuttal::config::Config;
use rebuttal::engine::debate::Engine;
use rebuttal::store::Store;
use tokio::net::TcpListener;

pub use api::openapi::openapi;
pub use app::Options;
pub use auth::{Auth, Transport, minted};
pub use limits::Limits;
pub use tls::{Tls, TlsError};
pub use webhooks::{Webhook, WebhookError};

use app::App;

/// A server that has its port and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    tls: Option<Tls>,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// The address is taken, or may not be opened.
    #[error("{address} could not be opened: {source}; is another server on it? Port 0 takes any")]
    Taken {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Others can reach the address, and nobody would be asked who they are.
    #[error(
        "{0} can be reached from other machines, so clients must say who they are: add --auth, and make \
         tokens with `rebuttal users`"
    )]
    Open(SocketAddr),
}

impl Server {
    /// Takes an address; any free port for 0. Without sign-in only loopback addresses are taken.
    pub async fn bind(address: SocketAddr, options: Options) -> Result<Self, BindError> {
        if !address.ip().is_loopback() && options.auth == Auth::Open {
            return Err(BindError::Open(address));
        }
        let wrong = |source| BindError::Taken { address, source };
        let listener = TcpListener::bind(address).await.map_err(wrong)?;
        let address = listener.local_addr().map_err(wrong)?;
        Ok(Self { listener, address, options, tls: None })
    }

    /// Encrypts every connection.
    #[must_use]
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where clients find it.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Answers, and runs debates, until `stop` is ready. Then open requests are finished and debates
    /// paused, within [`Limits::drain`] each; the debates go on with the next server on the database.
    pub async fn run(
        self,
        engine: Engine,
        store: Arc<Store>,
        config: Arc<Config>,
        stop: impl Future<Output = ()>,
    ) {
        let Self { listener, address, options, tls } = self;
        let limits = options.limits;
        let hosts = guard::Hosts::new(address, &options.names);
        let app = Arc::new(App::new(engine, store, config, options));
        let routes = guard::guarded(routes(&app), Arc::clone(&app), hosts);
        let dispatch = tokio::spawn(Arc::clone(&app).dispatch());
        let stopping = async {
            stop.await;
            app.stopping.send_replace(true);
        };
        listen::serve(listener, routes, limits, tls, stopping).await;
        // Nothing new begins; what runs writes down how far it came.
        dispatch.abort();
        app.jobs.close(limits.drain).await;
    }
}

/// Everything that is answered.
fn routes(app: &Arc<App>) -> Router {
    api::routes()
        .merge(page::routes())
        .fallback(api::not_found)
        .method_not_allowed_fallback(api::method_not_allowed)
        .with_state(Arc::clone(app))
}
