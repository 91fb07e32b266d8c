//! What was typed after `rebuttal knowledge`.

use clap::{Args, Subcommand, ValueEnum};

use super::{DbArgs, ListFormat};

/// Shown below `rebuttal knowledge --help`.
const HELP: &str = "\
Examples:
  rebuttal knowledge search 'hardware keys for staff'
  rebuttal knowledge search 'hardware keys' --agent claude   has it flipped on this?
  rebuttal knowledge contested

Every flip of the ledger is in this store, once. Debates ask it before they
begin.";

/// What was typed after `rebuttal knowledge`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct KnowledgeArgs {
    #[command(subcommand)]
    pub(crate) command: KnowledgeCommand,
}

/// What to ask.
#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// Find flips by what they are about; with --agent, whether it has flipped on this before
    Search(SearchArgs),
    /// List what agents flip on, those matters first on which they go both ways
    Contested(ContestedArgs),
}

/// What was typed after `rebuttal knowledge search`.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// A question, a claim, or a few words
    #[arg(required = true, value_name = "WORDS")]
    pub(crate) words: Vec<String>,

    /// Of this agent only
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// At most so many
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: u32,

    /// By meaning, as the model sees it, or by words alone
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub(crate) by: SearchBy,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How flips are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchBy {
    /// What means the same comes first; among the latest flips also what shares no word
    #[default]
    Meaning,
    /// Full text: what shares words
    Words,
}

/// What was typed after `rebuttal knowledge contested`.
#[derive(Debug, Args)]
pub(crate) struct ContestedArgs {
    /// At most so many
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: u32,

    /// How the list is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}
