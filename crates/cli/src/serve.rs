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
        out.note(format_args!("http://{}/api/debates; ctrl-c stops it", server.address()))?;
        let mut stopped = Ok(());
        let stop = async { stopped = tokio::signal::ctrl_c().await };
        server.run(Arc::new(store), store::now, stop).await;
        stopped.context("ctrl-c cannot be waited for here")?;
        Ok(Status::Clean)
    })
}
