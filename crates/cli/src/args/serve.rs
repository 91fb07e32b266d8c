//! What was typed after `rebuttal serve` and `rebuttal users`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use rebuttal_llm::Network;

use super::db::DbArgs;

/// Shown below `rebuttal serve --help`.
const HELP: &str = "\
Examples:
  rebuttal serve
  rebuttal serve --db postgres://host/rebuttal --debates 16
  rebuttal users add ann && rebuttal users token ann --scope run
  rebuttal serve --listen 0.0.0.0 --auth --name debates.example.org \\
      --tls-cert cert.pem --tls-key key.pem

What it answers is at /docs/api and /openapi.json: debates (POST /api/debates
starts one), their events as they happen, breakpoints, the ledger, audits, and
POST /v1/chat/completions for chat clients.

On loopback everybody on this machine may ask. Any other address needs --auth:
programs then send a token, and pages sign in with one. Several servers on one
PostgreSQL database share the debates; one that dies is taken over.

REBUTTAL_WEBHOOK_SECRET holds the secret that webhooks are signed with. Ctrl-c or
SIGTERM finishes open requests and pauses debates within 10 s; they go on with
the next server. Exit codes: 0 stopped, 2 could not start.";

/// What was typed after `rebuttal serve`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8080, value_name = "PORT")]
    pub(crate) port: u16,

    /// The address to listen on; others than loopback need --auth
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    pub(crate) listen: IpAddr,

    /// Answer signed-in users only; `rebuttal users` makes them
    #[arg(long)]
    pub(crate) auth: bool,

    /// A name under which clients reach the server, with its port if they send one; may be repeated
    #[arg(long = "name", value_name = "HOST")]
    pub(crate) names: Vec<String>,

    /// Certificates in PEM, the server's own first; encrypts every connection
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The certificate's private key in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// Most debates that run here at the same time; more wait
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=512))]
    pub(crate) debates: u16,

    /// Most requests to models that all debates may make until the server stops; no limit if not given
    #[arg(long, value_name = "N")]
    pub(crate) budget_calls: Option<u64>,

    /// Most US dollars that they may cost until then; needs `price` of every agent in rebuttal.toml
    #[arg(long, value_name = "USD", value_parser = super::mcp::dollars)]
    pub(crate) budget_usd: Option<f64>,

    /// Most connections at once
    #[arg(long, value_name = "N", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    pub(crate) connections: u32,

    /// Most requests of one user in a minute
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) requests_a_minute: u32,

    /// Tell this address of decisions and flips; may be repeated
    #[arg(long = "webhook", value_name = "URL")]
    pub(crate) webhooks: Vec<String>,

    /// A network of one's own that webhooks may be in, as 10.1.0.0/16; may be repeated
    #[arg(long = "webhook-network", value_name = "NETWORK")]
    pub(crate) webhook_networks: Vec<Network>,

    /// What is written to stderr, as lines of JSON
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub(crate) log: LogLevel,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogLevel {
    /// Mistakes
    Error,
    /// What operators should know
    Warn,
    /// Every request
    Info,
    /// Everything
    Debug,
}

/// What was typed after `rebuttal users`.
#[derive(Debug, Args)]
pub(crate) struct UsersArgs {
    #[command(subcommand)]
    pub(crate) command: UsersCommand,
}

/// What is done about users.
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// Add somebody who may ask a server on this database
    Add {
        /// A name of up to 64 letters, digits and . _ -
        name: String,
        /// Most requests to models in 24 hours; no limit if not given
        #[arg(long, value_name = "N")]
        calls: Option<u64>,
        #[command(flatten)]
        db: DbArgs,
    },
    /// List users, and their tokens and sessions that are good now
    List {
        /// How it is written
        #[arg(long, default_value = "text", value_name = "FORMAT")]
        format: UsersFormat,
        #[command(flatten)]
        db: DbArgs,
    },
    /// Take everything from a user, or one token by its id
    Revoke {
        /// The user, or the id of a token
        name: String,
        #[command(flatten)]
        db: DbArgs,
    },
    /// Make a token; it is shown once
    Token {
        /// Whose it will be
        name: String,
        /// What it allows: to look at one's own debates, to start them too, or everything
        #[arg(long, default_value = "run", value_name = "SCOPE")]
        scope: ScopeArg,
        /// For how many days it is good
        #[arg(long, default_value_t = 90, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..=3650))]
        days: u16,
        #[command(flatten)]
        db: DbArgs,
    },
}

/// What a token allows.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ScopeArg {
    /// One's own debates
    Read,
    /// Starting debates, too
    Run,
    /// Everything, of everybody
    Admin,
}

/// How users are listed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum UsersFormat {
    /// For people
    Text,
    /// For programs
    Json,
}
