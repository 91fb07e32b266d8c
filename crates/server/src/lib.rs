//! Rebuttal over HTTP: which debates are stored, which of them wait for a person, and the person's answer.
//!
//! It listens on this machine alone: there is no sign-in yet, so nobody else may reach it. Pages of
//! other sites that a browser here has open cannot either; see [`guard`](self).

mod api;
mod connections;
mod error;
mod guard;
mod limits;
mod listen;
mod stream;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_store::Store;
use tokio::net::TcpListener;

pub use limits::Limits;

/// Looks at the clock.
pub type Clock = fn() -> Timestamp;

/// A server that has its port and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[error("port {port} could not be opened: {source}; is another server on it? --port 0 takes any")]
pub struct BindError {
    port: u16,
    source: std::io::Error,
}

impl Server {
    /// Takes a port of this machine's loopback address; any free one for 0.
    pub async fn bind(port: u16) -> Result<Self, BindError> {
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let wrong = |source| BindError { port, source };
        let listener = bound.map_err(wrong)?;
        let address = listener.local_addr().map_err(wrong)?;
        Ok(Self { listener, address, limits: Limits::default() })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets how many clients are served at once, and how long each may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Answers until `stop` is ready; then finishes the requests that are open, within
    /// [`Limits::drain`].
    pub async fn run(self, store: Arc<Store>, clock: Clock, stop: impl Future<Output = ()>) {
        let routes = api::routes(store, clock);
        let routes = guard::guarded(routes, self.address.port(), self.limits);
        listen::serve(self.listener, routes, self.limits, stop).await;
    }
}
