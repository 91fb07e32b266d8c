//! `rebuttal serve`: stored debates, and answers to those that wait, over HTTP on this machine.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use rebuttal_server::Server;

use crate::args::ServeArgs;
use crate::output::{Output, Status};
use crate::store;

/// Runs the command until it is stopped.
pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    runtime.block_on(async {
        let server = Server::bind(args.port).await?;
        let stop = stop_signal().context("signals cannot be waited for here")?;
        out.note(format_args!("http://{}/api/debates; ctrl-c stops it", server.address()))?;
        server.run(Arc::new(store), store::now, stop).await;
        Ok(Status::Clean)
    })
}

/// Ready when the user presses ctrl-c or a service manager sends SIGTERM. Signals are caught from
/// this call on.
#[cfg(unix)]
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ready when the user presses ctrl-c.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { tokio::signal::ctrl_c().await.unwrap_or_default() })
}
