//! Rebuttal for programs that speak the Model Context Protocol: coding assistants, chat programs, agents.
//!
//! Debates are jobs: a call starts one and returns its id, others ask how it stands and fetch its end, and
//! it goes on whatever becomes of the call. Audits and comparisons are answered directly. What goes wrong
//! is told in the tool's answer, with a code and what to try; nothing is thrown. What the debates may spend
//! together has a limit ([`Allowance`]).
//!
//! [`Server::stdio`] speaks over standard input and output, as most clients start a server;
//! [`Server::http`] listens on this machine alone, and checks `Host` and `Origin`.

mod arguments;
mod debates;
mod fault;
mod handler;
mod http;
mod ledger;
mod prompts;
mod reading;
mod resources;
mod service;
mod tools;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rebuttal::config::Config;
use rebuttal::engine::debate::Engine;
use rebuttal::store::Store;
use rmcp::ServiceExt as _;
use rmcp::transport::io::stdio_pipes;
use tokio::net::TcpListener;

use handler::Handler;
use service::Service;

pub use rebuttal::jobs::Allowance;

/// How long debates may go on with calls in flight when the server ends.
const CLOSING: Duration = Duration::from_secs(10);

/// A server over one database and one configuration.
#[derive(Clone, Debug)]
pub struct Server(Arc<Service>);

/// Why there is no server, or no client any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port is taken, or may not be opened.
    #[error("port {port} could not be opened: {source}; is another server on it? 0 takes any")]
    Bind {
        /// Which.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// Standard input did not begin as the protocol does.
    #[error("no client spoke the protocol on standard input: {0}")]
    Handshake(String),
}

/// A port that is open and not answered on yet.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<Service>,
}

impl Server {
    /// A server whose debates this engine runs and this store keeps.
    pub fn new(engine: Engine, store: Arc<Store>, config: Config, allowance: Allowance) -> Self {
        Self(Arc::new(Service::new(engine, store, Arc::new(config), allowance)))
    }

    /// Speaks over standard input and output until the client closes them or `stop` is ready. Debates
    /// that run then are paused; they can be resumed.
    pub async fn stdio(self, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let serving = async {
            let service = Box::pin(Handler(Arc::clone(&self.0)).serve(stdio_pipes())).await;
            let running = service.map_err(|error| ServerError::Handshake(error.to_string()))?;
            // However the connection ended: there is nobody left to tell.
            running.waiting().await.ok();
            Ok(())
        };
        let served = tokio::select! {
            served = serving => served,
            () = stop => Ok(()),
        };
        self.0.jobs.close(CLOSING).await;
        served
    }

    /// Takes a port of this machine's loopback address; any free one for 0.
    pub async fn http(self, port: u16) -> Result<Listening, ServerError> {
        let wrong = |source| ServerError::Bind { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(wrong)?;
        let address = listener.local_addr().map_err(wrong)?;
        Ok(Listening { listener, address, service: self.0 })
    }
}

impl Listening {
    /// Where clients connect.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, http::PATH)
    }

    /// Answers until `stop` is ready. Debates that run then are paused; they can be resumed.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, address, service } = self;
        http::serve(listener, address.port(), Arc::clone(&service), stop).await;
        service.jobs.close(CLOSING).await;
    }
}
