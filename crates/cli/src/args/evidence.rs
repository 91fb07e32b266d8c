//! What was typed after `rebuttal check` and `rebuttal evidence`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{DbArgs, FailOn, ListFormat, MethodArg};

/// Shown below `rebuttal check --help`.
const CHECK_HELP: &str = "\
Examples:
  rebuttal check report.md --evidence notes/
  rebuttal check answer.txt --evidence costs.csv --evidence minutes.md --format html -o checked.html
  rebuttal check run.jsonl --evidence notes/ --format sarif
  rebuttal check report.md                     against what `rebuttal evidence add` keeps

Every sentence that states something is set beside the passages nearest to it, or
beside what it cites: [p0123456789ab], (costs.md, line 3). Words in quotation marks
must stand there; numbers, units and times must be those of the passage.

Exit codes:
  0  nothing at or above --fail-on
  1  a statement at or above it: high for a wrong quote, number, unit, time or a source that does
     not exist; medium for a passage that does not say so, or says it elsewhere; low where no
     passage speaks of it and none is cited
  2  the text or all of the evidence could not be read";

/// What was typed after `rebuttal check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckTextArgs {
    /// The text or transcript, or - for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Documents: files and folders of text, Markdown, HTML, PDF, CSV, Parquet, JSON lines, transcripts
    #[arg(long, value_name = "PATH")]
    pub(crate) evidence: Vec<PathBuf>,

    /// Who decides
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CheckFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Exit with 1 when a statement is at least this wrong
    #[arg(long, value_enum, default_value_t = FailOn::Medium, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How a checked text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One page with the passages beside the text
    Html,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Shown below `rebuttal evidence --help`.
const EVIDENCE_HELP: &str = "\
Examples:
  rebuttal evidence add notes/ costs.csv
  rebuttal evidence search \"what does hosting cost?\"
  rebuttal evidence list --format json

What is added is kept in the database and used by `rebuttal check` and `rebuttal
evidence search` where no --evidence is given. What has not changed is not read
again.";

/// What was typed after `rebuttal evidence`.
#[derive(Debug, Args)]
#[command(after_help = EVIDENCE_HELP)]
pub(crate) struct EvidenceArgs {
    #[command(subcommand)]
    pub(crate) command: EvidenceCommand,
}

/// What to do with documents.
#[derive(Debug, Subcommand)]
pub(crate) enum EvidenceCommand {
    /// Read files and folders into the database
    Add {
        /// Files and folders
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// How the result is written
        #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
        #[command(flatten)]
        db: DbArgs,
    },
    /// Find the passages nearest to a text
    Search {
        /// What to look for
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
        /// Look here instead of in the database
        #[arg(long, value_name = "PATH")]
        evidence: Vec<PathBuf>,
        /// How many
        #[arg(long, default_value_t = 5, value_name = "N")]
        limit: usize,
        /// How the result is written
        #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
        #[command(flatten)]
        db: DbArgs,
    },
    /// List the documents that are kept
    List {
        /// How the list is written
        #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
        #[command(flatten)]
        db: DbArgs,
    },
}
