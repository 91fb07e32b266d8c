//! Streamable HTTP, on this machine alone.
//!
//! Every request stands by itself: there is no session to lose or to exhaust, and what a call started goes
//! on when its connection is gone. A page of another site that a browser here has open is refused by its
//! `Host` or its `Origin`.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rebuttal::model::limits::MCP_BODY_BYTES;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::handler::Handler;
use crate::service::Service;

/// Where clients are answered.
pub(crate) const PATH: &str = "/mcp";

/// Most connections at once; more wait to be accepted.
const CONNECTIONS: usize = 64;

/// Longest that a client may take to send a request's headers.
const HEADERS: Duration = Duration::from_secs(10);

/// Longest that one connection lives. Clients connect again; one that says nothing frees its place.
const LIFE: Duration = Duration::from_mins(10);

/// How long nothing is accepted when the system has no more connections to give.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Longest that open requests are waited for at the end.
const DRAIN: Duration = Duration::from_secs(5);

/// Answers until `stop` is ready, then finishes the requests that are open.
pub(crate) async fn serve(
    listener: TcpListener,
    port: u16,
    service: Arc<Service>,
    stop: impl Future<Output = ()>,
) {
    let routes = Router::new().nest_service(PATH, guarded(port, service));
    let (mut stop, open) = (pin!(stop), GracefulShutdown::new());
    let (places, mut connections) = (Arc::new(Semaphore::new(CONNECTIONS)), JoinSet::new());
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = accepted else {
            sleep(ACCEPT_RETRY).await;
            continue;
        };
        let served = TowerToHyperService::new(routes.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), served));
        connections.spawn(async move {
            let _place = place;
            // A client that goes away in the middle is no error of ours.
            timeout(LIFE, connection).await.ok();
        });
    }
    drop(listener);
    timeout(DRAIN, open.shutdown()).await.ok();
    connections.shutdown().await;
}

/// The protocol over HTTP, behind what every request has to pass.
fn guarded(
    port: u16,
    service: Arc<Service>,
) -> StreamableHttpService<Handler, NeverSessionManager> {
    let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let origins = names.clone().map(|name| format!("http://{name}"));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MCP_BODY_BYTES)
        .with_allowed_hosts(names)
        .with_allowed_origins(origins)
        .enforce_origin_validation();
    let handler = move || Ok(Handler(Arc::clone(&service)));
    StreamableHttpService::new(handler, Arc::new(NeverSessionManager::default()), config)
}
