//! `rebuttal mcp`: the tools of this program for clients of the Model Context Protocol.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use rebuttal::config::Config;
use rebuttal_mcp::{Allowance, Server};

use crate::args::McpArgs;
use crate::debate::engine_on;
use crate::output::{Output, Status};
use crate::serve::stop_signal;
use crate::store;

/// Runs the command until its client has gone or it is stopped.
pub(crate) fn run(args: &McpArgs, config: Config, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let store = Arc::new(store);
    let engine = engine_on(&store, &config, out)?;
    let allowance = Allowance {
        calls: Some(args.budget_calls),
        usd: args.budget_usd,
        debates: args.debates.into(),
    };
    let server = Server::new(engine, store, config, allowance);
    let ended = runtime.block_on(async {
        let stop = stop_signal().context("signals cannot be waited for here")?;
        match args.http {
            None => Box::pin(server.stdio(stop)).await?,
            Some(port) => {
                let listening = server.http(port).await?;
                out.note(format_args!("{}; ctrl-c stops it", listening.url()))?;
                Box::pin(listening.run(stop)).await;
            }
        }
        Ok(Status::Clean)
    });
    // A read of standard input that nobody will answer cannot be given up.
    runtime.shutdown_background();
    ended
}
