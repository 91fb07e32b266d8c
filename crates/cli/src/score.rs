//! `rebuttal score`: how right a method is on rows that carry their answer.

mod cascade;
#[cfg(test)]
mod tests;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use rebuttal::config::Config;
use rebuttal::judge::{Judge, When};
use rebuttal::model::Method;
use rebuttal::models::Analyzer;
use rebuttal::score::{Methods, ScoreOptions, SetReport, Task, score};

use crate::judge::{self, JudgeArgs};
use crate::output::{Output, Status};
use crate::terminal::one_line;

/// What each figure means, for `--help`.
const FIGURES: &str = "\
Figures (each with a 95 % interval from 1000 bootstrap resamples; - where undefined):
  precision          share of alarms that are right
  recall             share of positive rows found
  f1                 harmonic mean of the two
  mcc                Matthews' correlation coefficient
  accuracy           share of rows answered with their own label; for stance over all rows, so
                     that `unclear` is right only where the label is unclear
  false alarm rate   share of negative rows called positive; flip: of `none` rows called a flip
  recall explicit    recall over rows labelled explicit_flip alone
  auroc              chance that a positive row (stance: a yes) scores above a negative one
  coverage           stance: share of all rows answered yes or no
  accuracy answered  stance: among rows labelled yes or no and answered yes or no, share right
  macro f1           stance, flip: mean F1 over the labels that occur in the file
  spearman           rank correlation of the score with the label
  spearman length    the same for the number of characters: the figure to beat
  pearson            similarity: correlation of the score with the label in a straight line
  f1 none …          flip: F1 of each outcome; `none` is that the position is still held
  f1 acknowledged    flip: whether the speaker says that it changed its mind; likewise its
                     precision and recall
  calibration error  contradiction: how far the probability lies from the share of positives,
                     over 15 bins of probability; lower is better
  rows per second    rows judged per second on all cores; reading the file and loading the
                     word lists not counted

For self-contradiction a reversal counts whether it was acknowledged or not.
Where one role is called `target`, only its turns are judged. Rows labelled
moved, moved_from_or_to_unclear or unclear are judged and counted, and left out
of the figures.

A row is one line: {\"id\", \"text_a\", \"text_b\", \"label\", \"meta\"} or
{\"id\", \"messages\": [{\"role\", \"content\"}], \"label\", \"meta\"}.";

/// Precision and recall of a detector on your own labelled rows
#[derive(Debug, clap::Args)]
#[command(after_long_help = FIGURES)]
pub(crate) struct ScoreArgs {
    /// Which question the labels answer
    #[arg(value_enum)]
    task: TaskName,
    /// Files of labelled rows, .jsonl or .jsonl.gz; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Whose answers to measure
    #[arg(long, value_enum, default_value_t = MethodsArg::All)]
    method: MethodsArg,
    /// Judge every N-th row only: models take their time
    #[arg(long, value_name = "N", default_value_t = NonZeroU64::MIN)]
    every: NonZeroU64,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Show what the judge costs and brings, for each share from which the reader counts as sure
    #[arg(long, requires = "judge", conflicts_with_all = ["predictions", "format"])]
    cascade: bool,
    /// Write every answer to this file, one JSON object a line
    #[arg(long, value_name = "OUT.jsonl")]
    predictions: Option<PathBuf>,
    /// How to print the figures
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Whose answers to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodsArg {
    /// Rules over the text as Rebuttal reads it
    Rules,
    /// The word lists of the seed documents
    Seed,
    /// The models of this build
    Model,
    /// The judge from outside, asked for every row
    Judge,
    /// All there are, side by side
    All,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON document
    Json,
}

/// A task as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TaskName(Task);

impl ValueEnum for TaskName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TaskName; 10] = [
            TaskName(Task::Stance),
            TaskName(Task::SelfContradiction),
            TaskName(Task::Acknowledgement),
            TaskName(Task::Hedge),
            TaskName(Task::Specificity),
            TaskName(Task::Evidence),
            TaskName(Task::EvidencePair),
            TaskName(Task::Contradiction),
            TaskName(Task::Similarity),
            TaskName(Task::Flip),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.name()).help(self.0.about());
        Some(if self.0 == Task::Acknowledgement { value.alias("acknowledgment") } else { value })
    }
}

/// Scores every file and prints the report.
pub(crate) fn run(args: &ScoreArgs, config: &Config, out: &mut Output) -> Result<Status> {
    if args.cascade {
        return cascade::run(args, config, out);
    }
    let analyzer = analyzer(args, config)?;
    let methods = match args.method {
        MethodsArg::Rules => Methods::One(Method::Rules),
        MethodsArg::Seed => Methods::One(Method::Seed),
        MethodsArg::Model | MethodsArg::Judge => Methods::One(Method::Model),
        MethodsArg::All => Methods::All,
    };
    let options = ScoreOptions { task: args.task.0, methods, every: args.every };
    let mut predictions = args.predictions.as_deref().map(create).transpose()?;
    let to = predictions.as_mut().map(|file| file as &mut dyn Write);
    let report = score(&args.files, &options, &analyzer, to)?;
    if let Some(mut predictions) = predictions {
        predictions.flush().context("predictions")?;
    }
    for remark in analyzer.remarks() {
        out.note(one_line(&remark))?;
    }
    let mut status = Status::Clean;
    for set in &report.sets {
        warn(set, out)?;
        if set.broken.is_some() || set.rows == 0 {
            status = Status::CouldNotRun;
        }
    }
    status.after(match args.format {
        Format::Text => text::text(&report, out).map_err(Into::into),
        Format::Json => serde_json::to_writer_pretty(&mut *out, &report)
            .map_err(Into::into)
            .and_then(|()| Ok(writeln!(out)?)),
    })
}

/// The models of this build, with the judge behind them where one is asked for.
fn analyzer(args: &ScoreArgs, config: &Config) -> Result<Analyzer> {
    if args.method != MethodsArg::Judge {
        return judge::analyzer(Method::Model, &args.judge, config);
    }
    let mut settings = args.judge.settings(config)?.context(
        "--method judge needs a judge: name it with --judge AGENT, or in [judge] of rebuttal.toml",
    )?;
    settings.when = When::Always;
    let judge = Judge::new(config, settings).context("the judge cannot be asked")?;
    Ok(Analyzer::new(Method::Model, &config.semantics).judged(Arc::new(judge))?)
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create(path).with_context(|| path.display().to_string())?))
}

/// Names the bad rows on stderr.
fn warn(set: &SetReport, out: &mut Output) -> Result<()> {
    let file = one_line(&set.name);
    for bad in &set.bad {
        out.warn(format_args!("{file}:{}: {}", bad.line, one_line(&bad.reason)))?;
    }
    let shown = set.bad.len() as u64;
    if set.bad_count > shown {
        out.warn(format_args!("{file}: {} more bad rows", set.bad_count - shown))?;
    }
    if let Some(broken) = &set.broken {
        out.error(format_args!("{file}: {}", one_line(broken)))?;
    }
    if set.rows == 0 {
        out.error(format_args!("{file}: no row could be scored"))?;
    }
    Ok(())
}
