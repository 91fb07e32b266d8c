//! Connections: taken, timed, limited, and let go.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Most connections at once; more wait until one is free.
const CONNECTIONS: usize = 256;
/// Longest that a client may take to say what it wants.
const HEADERS: Duration = Duration::from_secs(10);
/// Longest that open requests are waited for at the end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long nothing is taken when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(100);

/// Takes connections until `stop` is ready.
pub(crate) async fn serve(listener: TcpListener, routes: Router, stop: impl Future<Output = ()>) {
    let mut stop = pin!(stop);
    let open = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    loop {
        let next = async {
            let place = Arc::clone(&free).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that goes away in the middle is no trouble of ours.
            let _ = connection.await;
            drop(place);
        });
    }
    let _ = tokio::time::timeout(FAREWELL, open.shutdown()).await;
}
