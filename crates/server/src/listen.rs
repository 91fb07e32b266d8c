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
use crate::connections::{Connections, Place};
use crate::stream::TimedStream;
use crate::tls::Tls;

/// How long nothing is accepted when the system has no more connections to give.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Serves a connection until it ends or has to make room. A client that goes away in the middle is no error
/// of ours.
async fn until_closed(place: Place, connection: impl Future) {
    tokio::select! {
        _ = connection => {}
        () = place.activity.closed() => {}
    }
}

/// Accepts connections until `stop` is ready, then finishes the requests that are open.
pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: Limits,
    tls: Option<Tls>,
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
        let stream = TimedStream::new(stream, limits, place.activity.clone());
        let service = TowerToHyperService::new(routes);
        let Some(Tls(acceptor)) = &tls else {
            let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(until_closed(place, connection));
            continue;
        };
        let (handshake, http, watcher) = (acceptor.accept(stream), http.clone(), open.watcher());
        tokio::spawn(async move {
            let secured = tokio::time::timeout(limits.headers, handshake).await;
            if let Ok(Ok(stream)) = secured {
                let connection = http.serve_connection(TokioIo::new(stream), service);
                until_closed(place, watcher.watch(connection)).await;
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(limits.drain, open.shutdown()).await;
}
