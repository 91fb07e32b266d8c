//! What was typed after `rebuttal rubric`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::judge::JudgeArgs;

use super::{FailOnContradiction, ListFormat, MethodArg, ReadingArgs, TestFormat};

/// What was typed after `rebuttal rubric`.
#[derive(Debug, Args)]
pub(crate) struct RubricArgs {
    #[command(subcommand)]
    pub(crate) command: RubricCommand,
}

/// What to do with the rubric.
#[derive(Debug, Subcommand)]
pub(crate) enum RubricCommand {
    /// Say for each conversation whether it contradicts itself, and why
    Check(CheckArgs),
    /// Run the rubric on labelled examples and report pass or fail for each
    Test(TestArgs),
}

/// Shown below `rebuttal rubric check --help`.
const CHECK_HELP: &str = "\
A conversation contradicts itself when a later answer takes the opposite side
of an earlier one and nothing in it acknowledges the change.

Exit codes:
  0  no contradiction
  1  at least one contradiction (not with --fail-on never)
  2  some input could not be read at all, or, with --strict, content was left out because
     of a limit or a malformed line (everything else is still reported)
In a folder, files in no known format are skipped; named outright, they are
errors.";

/// What was typed after `rebuttal rubric check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// Files, folders, or - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    /// Exit with 1 on a contradiction, or never
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) fail_on: FailOnContradiction,
}

/// Shown below `rebuttal rubric test --help`.
const TEST_HELP: &str = "\
DIR/positive/*.json must contradict themselves, DIR/negative/*.json must not.
A file is
  {\"id\": \"positive-001\", \"type\": \"positive\",
   \"conversation\": [{\"role\": \"user\", \"content\": \"…\"},
                    {\"role\": \"assistant\", \"content\": \"…\"}, …],
   \"expectedResult\": true, \"rationale\": \"…\"}

Exit codes:
  0  every example is classified as expected
  1  at least one is not
  2  an example could not be read";

/// What was typed after `rebuttal rubric test`.
#[derive(Debug, Args)]
#[command(after_help = TEST_HELP)]
pub(crate) struct TestArgs {
    /// The folder that holds positive/ and negative/
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Who decides
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: TestFormat,
}
