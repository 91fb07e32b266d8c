//! What was typed after `rebuttal beliefs`.

use std::path::PathBuf;

use clap::Args;

use super::{DbArgs, ListFormat};

/// Shown below `rebuttal beliefs --help`.
const HELP: &str = "\
Examples:
  rebuttal beliefs claims.json
  rebuttal beliefs claims.json --given pilot-worked=true --conclusion migrate
  cat claims.json | rebuttal beliefs - --format json
  rebuttal beliefs claims.json --save && rebuttal beliefs

Input is one JSON document:
  {\"claims\": [{\"id\": \"costs-fall\", \"text\": \"…\", \"prior\": 0.6}, …],
   \"links\": [{\"from\": \"costs-fall\", \"to\": \"migrate\", \"kind\": \"supports\", \"strength\": 0.9}, …]}
with kind supports, contradicts or depends_on, and strength 1 where it is left
out.

What is given is certain. A crux is a claim on which the conclusion turns: how
likely the conclusion is if the claim holds, and if it does not.

Exit codes:
  0  the posteriors were computed
  2  the file cannot be read, or something in it or in --given makes no sense";

/// What was typed after `rebuttal beliefs`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct BeliefsArgs {
    /// A JSON file of claims and links, or - for stdin; without one, the network that --save stored
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Keep the network in the ledger: flips on its claims are passed on to the others
    #[arg(long, requires = "file")]
    pub(crate) save: bool,

    /// Take a claim as true or false; give it several times for several claims
    #[arg(long = "given", value_name = "CLAIM=true|false")]
    pub(crate) given: Vec<String>,

    /// The claim to find the cruxes of, instead of the one nothing is built on
    #[arg(long, value_name = "CLAIM")]
    pub(crate) conclusion: Option<String>,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}
