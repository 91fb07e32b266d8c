//! `rebuttal serve`: debates, the ledger and audits over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rebuttal::config::Config;
use rebuttal_mcp::Allowance;
use rebuttal_server::{Auth, Limits, Options, Server, Tls, Transport, Webhook};
use tracing_subscriber::filter::LevelFilter;

use crate::args::{LogLevel, ServeArgs};
use crate::debate::engine_on;
use crate::output::{Output, Status};
use crate::store;

/// The variable that holds the secret of webhooks: it must not stand on a command line.
const SECRET: &str = "REBUTTAL_WEBHOOK_SECRET";

/// Runs the command until it is stopped.
pub(crate) fn run(args: &ServeArgs, config: Config, out: &mut Output) -> Result<Status> {
    log(args.log);
    let options = options(args)?;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls::open(certificate, key)?),
        _ => None,
    };
    let (runtime, store) = store::open(&args.db)?;
    let store = Arc::new(store);
    let engine = engine_on(&store, &config, out)?;
    let ended = runtime.block_on(async {
        let server = Server::bind(SocketAddr::new(args.listen, args.port), options).await?;
        let server = tls.into_iter().fold(server, Server::tls);
        let stop = stop_signal().context("signals cannot be waited for here")?;
        out.note(format_args!("{}/; ctrl-c stops it", server.url()))?;
        Box::pin(server.run(engine, store, Arc::new(config), stop)).await;
        Ok(Status::Clean)
    });
    // Work that nobody waits for any more is given up.
    runtime.shutdown_background();
    ended
}

fn options(args: &ServeArgs) -> Result<Options> {
    let secret = std::env::var(SECRET).unwrap_or_default();
    let webhook = |address: &String| {
        Webhook::new(address, &secret, &args.webhook_networks)
            .with_context(|| format!("--webhook, signed with {SECRET}"))
    };
    Ok(Options {
        auth: if args.auth { Auth::Required } else { Auth::Open },
        limits: Limits {
            connections: args.connections as usize,
            requests_a_minute: args.requests_a_minute,
            ..Limits::default()
        },
        allowance: Allowance {
            calls: args.budget_calls,
            usd: args.budget_usd,
            debates: args.debates.into(),
        },
        webhooks: args.webhooks.iter().map(webhook).collect::<Result<_>>()?,
        names: args.names.clone(),
        transport: if args.tls_cert.is_some() { Transport::Tls } else { Transport::Plain },
    })
}

/// Lines of JSON on stderr: everything in them is escaped, so that no text of a client can forge one.
fn log(level: LogLevel) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt().json().with_max_level(level);
    // Another log in this process goes before.
    log.with_writer(std::io::stderr).try_init().ok();
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
        // Whoever asks a second time does not want to wait.
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            std::process::exit(130);
        });
    })
}

/// Ready when the user presses ctrl-c.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { tokio::signal::ctrl_c().await.unwrap_or_default() })
}
