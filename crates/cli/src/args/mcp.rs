//! What was typed after `rebuttal mcp`.

use clap::Args;

use super::db::DbArgs;

/// Shown below `rebuttal mcp --help`.
const HELP: &str = "\
Examples:
  claude mcp add rebuttal -- rebuttal mcp
  rebuttal mcp --budget-usd 2 --debates 1
  rebuttal mcp --http 8765

Tools: debate_start, debate_status, debate_result, debate_resume, debate_stop,
breakpoint_answer, audit_text, check_rubric, find_contradictions, compare,
agent_consistency, flips. Debates and their reports are resources, common panels
are prompts (docs/mcp.md).

It speaks on standard input and output, and everything else it says goes to
stderr. With --http it listens on this machine alone: there is no sign-in, so
nobody else may reach it. When the client goes, or on ctrl-c or SIGTERM, debates
that run are paused within 10 s; debate_resume or `rebuttal resume` goes on.

Exit codes: 0 the client has gone or it was stopped, 2 could not start.";

/// What was typed after `rebuttal mcp`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct McpArgs {
    /// Listen on this port instead of standard input; 0 takes any that is free
    #[arg(long, value_name = "PORT")]
    pub(crate) http: Option<u16>,

    /// Most requests to models that all debates it starts may make together
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) budget_calls: u64,

    /// Most US dollars that they may cost together; needs `price` of every agent in rebuttal.toml
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) budget_usd: Option<f64>,

    /// Most debates that run at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) debates: u16,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

pub(super) fn dollars(typed: &str) -> Result<f64, String> {
    let usd = typed.parse().ok().filter(|usd: &f64| usd.is_finite() && *usd >= 0.0);
    usd.ok_or_else(|| "not an amount from 0 up, as in 0.50".to_owned())
}
