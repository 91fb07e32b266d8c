//! What was typed after `rebuttal serve`.

use clap::Args;

use super::db::DbArgs;

/// Shown below `rebuttal serve --help`.
const HELP: &str = "\
What it answers:
  GET  /api/health              whether it runs
  GET  /api/debates             the stored debates, the latest first
  GET  /api/breakpoints         which debates wait for a person, and why
  POST /api/breakpoints/DEBATE  {\"answer\": \"continue\" | \"redirect\" | \"add_evidence\" | \"abort\",
                                 \"note\": \"…\", \"number\": 1}

It listens on this machine alone: there is no sign-in, so nobody else may reach
it. Ctrl-c or SIGTERM stops it once the requests that are open have been
answered. Exit codes: 0 stopped, 2 could not start.";

/// What was typed after `rebuttal serve`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8080, value_name = "PORT")]
    pub(crate) port: u16,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}
