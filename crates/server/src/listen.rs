//! Connections: accepted, timed, limited, and closed.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use crate::Limits;
use crate::connections::Connections;
use crate::stream::TimedStream;

/// How long nothing is accepted when the system has no more connections to give.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Accepts connections until `stop` is ready, then finishes the requests that are open.
pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let mut stop = pin!(stop);
    let open = GracefulShutdown::new();
    let connections = Arc::new(Connections::default());
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.headers);
    loop {
        let next = async {
            let accepted = listener.accept().await;
            (accepted, connections.place(limits.connections).await)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_RETRY).await;
            continue;
        };
        let routes = routes.clone().layer(Extension(place.activity.clone()));
        let io = TokioIo::new(TimedStream::new(stream, limits));
        let service = TowerToHyperService::new(routes);
        let connection = open.watch(http.serve_connection(io, service));
        tokio::spawn(async move {
            // A client that goes away in the middle is no error of ours.
            tokio::select! {
                _ = connection => {}
                () = place.activity.closed() => {}
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(limits.drain, open.shutdown()).await;
}
