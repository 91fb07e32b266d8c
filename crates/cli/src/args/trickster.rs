//! What was typed after `rebuttal breakpoints` and `rebuttal quality`.

use clap::{Args, Subcommand, ValueEnum};

use super::db::DbArgs;
use rebuttal::model::BreakpointAnswer;

/// Shown below `rebuttal breakpoints --help`.
const BREAKPOINTS_HELP: &str = "\
Examples:
  rebuttal breakpoints                             which debates wait, and why
  rebuttal breakpoints answer last continue
  rebuttal breakpoints answer last redirect --note \"Look at the cost of staying.\"
  rebuttal breakpoints answer last add-evidence --note \"The audit of March found 3 outages.\"
  rebuttal resume                                           the debate goes on

Exit codes: 0 nothing waits or the answer is written, 1 debates wait, 2 could
not be done.";

/// What was typed after `rebuttal breakpoints`.
#[derive(Debug, Args)]
#[command(after_help = BREAKPOINTS_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct BreakpointsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<BreakpointsCommand>,

    /// Text for people, or JSON
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: super::ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What to do about breakpoints, beside listing them.
#[derive(Debug, Subcommand)]
pub(crate) enum BreakpointsCommand {
    /// Say what becomes of a debate that waits
    Answer(AnswerArgs),
}

/// What was typed after `rebuttal breakpoints answer`.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Which debate: its id, the beginning of it, or `last`
    #[arg(value_name = "DEBATE")]
    pub(crate) debate: String,

    /// continue, redirect, add-evidence or abort
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: BreakpointAnswer,

    /// What the agents are to know: a direction, or evidence
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    /// Which breakpoint of the debate is meant, so that no other is answered by mistake
    #[arg(long, value_name = "N")]
    pub(crate) number: Option<u32>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal quality`.
#[derive(Debug, Args)]
pub(crate) struct QualityArgs {
    /// The latest so many debates
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: QualityFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<std::path::PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How quality over many debates is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum QualityFormat {
    /// A table for people
    #[default]
    Text,
    /// One JSON document
    Json,
    /// A page with plots, in one file
    Html,
    /// A picture of the latest debate, round by round
    Svg,
}
