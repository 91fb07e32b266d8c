//! What was typed after the commands of the position ledger.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use rebuttal::model::{FlipKind, Outcome};
use rebuttal::transcripts::PositionFormat;

use super::{DbArgs, ListFormat, MethodArg};
use crate::judge::JudgeArgs;

/// Shown below `rebuttal positions --help`.
const POSITIONS_HELP: &str = "\
Examples:
  rebuttal positions add --agent claude --claim 'Caching is safe.' --confidence 0.8
  rebuttal positions import positions.jsonl more.csv.gz old.parquet
  rebuttal positions list --agent claude
  rebuttal positions resolve p-0123… correct
  rebuttal positions export all.parquet

Exit codes:
  0  done
  2  some of it could not be done: bad rows, ids that are taken, or the database
Whatever is good is taken all the same, and running an import again adds
nothing twice.";

/// What was typed after `rebuttal positions`.
#[derive(Debug, Args)]
#[command(after_help = POSITIONS_HELP)]
pub(crate) struct PositionsArgs {
    #[command(subcommand)]
    pub(crate) command: PositionsCommand,
}

/// What to do with positions.
#[derive(Debug, Subcommand)]
pub(crate) enum PositionsCommand {
    /// Take one position, and say whether it is a flip
    Add(Box<AddArgs>),
    /// Take positions from files, and look for flips in them
    Import(ImportArgs),
    /// Write all positions to a file
    Export(ExportPositionsArgs),
    /// Show positions, the latest first
    List(ListArgs),
    /// Say how a position turned out; calibration is made of this
    Resolve(ResolveArgs),
}

/// What was typed after `rebuttal positions add`.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Who holds it
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,

    /// What it said, exactly
    #[arg(long, value_name = "TEXT")]
    pub(crate) claim: String,

    /// How sure it said it is, from 0 to 1
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) confidence: Option<f64>,

    /// The field it belongs to; positions of two fields are never compared
    #[arg(long, value_name = "NAME")]
    pub(crate) domain: Option<String>,

    /// The debate it was taken in
    #[arg(long, value_name = "ID")]
    pub(crate) debate: Option<String>,

    /// The round, counted from 0
    #[arg(long, value_name = "N")]
    pub(crate) round: Option<u32>,

    /// When: 2026-11-16T08:00:00Z or 2026-11-16; now, if not given
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,

    /// The question it answers
    #[arg(long, value_name = "TEXT")]
    pub(crate) question: Option<String>,

    /// An id of your own; else it is made from the rest
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) detection: DetectionArgs,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How flips are looked for.
#[derive(Clone, Debug, Args)]
pub(crate) struct DetectionArgs {
    /// Who decides what is a flip
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    /// Do not look for flips now; the next command that takes positions will
    #[arg(long)]
    pub(crate) no_detect: bool,

    #[command(flatten)]
    pub(crate) lookback: LookbackArgs,
}

/// How far back flips are looked for.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LookbackArgs {
    /// Compare a position with at most so many earlier ones of its agent: those that share most
    #[arg(long, default_value_t = rebuttal::detect::flips::LOOKBACK, value_name = "N")]
    pub(crate) lookback: usize,
}

/// What was typed after `rebuttal positions import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Files of positions (JSONL, CSV, Parquet, also packed as .gz), or - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What the files are, instead of finding out
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<FileFormat>,

    #[command(flatten)]
    pub(crate) detection: DetectionArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal positions export`.
#[derive(Debug, Args)]
pub(crate) struct ExportPositionsArgs {
    /// The file to write, or - for stdout
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What it is written as; else as its name ends
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,

    /// Of this agent only
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What a file of positions is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    /// One object a line
    Jsonl,
    /// A table with named columns
    Csv,
    /// Apache Parquet
    Parquet,
}

impl From<FileFormat> for PositionFormat {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Jsonl => Self::Jsonl,
            FileFormat::Csv => Self::Csv,
            FileFormat::Parquet => Self::Parquet,
        }
    }
}

/// What was typed after `rebuttal positions list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Of this agent only
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// At most so many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,

    /// How the list is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: RowFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One object a line
    Jsonl,
}

/// What was typed after `rebuttal positions resolve`.
#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// The id, as `rebuttal positions list` shows it
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// How it turned out
    #[arg(value_enum, value_name = "OUTCOME")]
    pub(crate) outcome: OutcomeArg,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How a position turned out, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutcomeArg {
    Correct,
    Incorrect,
    Unresolved,
}

impl From<OutcomeArg> for Outcome {
    fn from(outcome: OutcomeArg) -> Self {
        match outcome {
            OutcomeArg::Correct => Self::Correct,
            OutcomeArg::Incorrect => Self::Incorrect,
            OutcomeArg::Unresolved => Self::Unresolved,
        }
    }
}

/// Shown below `rebuttal flips --help`.
const FLIPS_HELP: &str = "\
Examples:
  rebuttal flips --agent claude --type contradiction
  rebuttal flips --since 7d --silent
  rebuttal flips --format html -o flips.html
  rebuttal flips --format ui                  the JSON of the seed's format_flip_for_ui

A flip is two positions of one agent on one matter, the later of which is not
the earlier any more: a contradiction, a retraction, a qualification or a
refinement. It is silent when the agent did not say that it changed its mind.";

/// What was typed after `rebuttal flips`.
#[derive(Debug, Args)]
#[command(after_help = FLIPS_HELP)]
pub(crate) struct FlipsArgs {
    /// Of this agent only
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// Of this kind only
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<KindArg>,

    /// Only those whose new position was taken since then: 2026-11-01, a time, or an age such as 24h,
    /// 7d, 4w. The summary's last 24 hours go by the same
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,

    /// In this field only
    #[arg(long, value_name = "NAME")]
    pub(crate) domain: Option<String>,

    /// Only those that the agent did not own up to
    #[arg(long)]
    pub(crate) silent: bool,

    /// At most so many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,

    /// How they are written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: FlipsFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// A kind of flip, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    Contradiction,
    Retraction,
    Qualification,
    Refinement,
}

impl From<KindArg> for FlipKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Contradiction => Self::Contradiction,
            KindArg::Retraction => Self::Retraction,
            KindArg::Qualification => Self::Qualification,
            KindArg::Refinement => Self::Refinement,
        }
    }
}

/// How flips are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlipsFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document with everything that is known
    Json,
    /// The fields of json, one flip a line
    Jsonl,
    /// What a page shows: the seed's `format_flip_for_ui`
    Ui,
    /// One page to read and to hand on
    Html,
}

/// What was typed after `rebuttal agents`.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// `check` asks each configured agent once and reports, instead of the table
    #[arg(value_parser = ["check"], hide_possible_values = true, value_name = "check")]
    pub(crate) check: Option<String>,

    /// At most so many, the least consistent first
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: u32,

    /// How the table is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PageFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal agent`.
#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// Who
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// At most so many positions and flips
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: u32,

    /// How it is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PageFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal summary`.
#[derive(Debug, Args)]
pub(crate) struct SummaryArgs {
    /// How it is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PageFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// How an overview is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One page with plots, to read and to hand on
    Html,
}

/// What was typed after `rebuttal db`.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    #[command(subcommand)]
    pub(crate) command: DatabaseCommand,
}

/// What to do with the database.
#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Say where it is and what it holds
    Info(DatabaseListArgs),
    /// Check every record of the journal, and that the tables follow from it
    Verify(DatabaseListArgs),
    /// Make the ledger's tables anew from the journal
    Rebuild(RebuildArgs),
}

/// What was typed after `rebuttal db info` and `rebuttal db verify`.
#[derive(Debug, Args)]
pub(crate) struct DatabaseListArgs {
    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal db rebuild`.
#[derive(Debug, Args)]
pub(crate) struct RebuildArgs {
    /// Also look for flips again at every position; those that were found stay
    #[arg(long)]
    pub(crate) flips: bool,

    #[command(flatten)]
    pub(crate) lookback: LookbackArgs,

    /// Who decides what is a flip
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What an audit does besides.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SaveArgs {
    /// Put the agents' positions into the ledger, and look for flips there too
    #[arg(long)]
    pub(crate) save: bool,

    /// The database, with --save: a file, or postgres://…; else `REBUTTAL_DB`, else the user's data
    /// folder
    #[arg(long, value_name = "DB", requires = "save", display_order = 90)]
    pub(crate) db: Option<String>,

    /// With --save: compare a position with at most so many earlier ones of its agent: those that share
    /// most
    #[arg(long, default_value_t = rebuttal::detect::flips::LOOKBACK, value_name = "N", requires = "save")]
    pub(crate) lookback: usize,
}

impl SaveArgs {
    /// Where to, if anywhere.
    pub(crate) fn database(&self) -> Option<DbArgs> {
        self.save.then(|| DbArgs { db: self.db.clone() })
    }
}
