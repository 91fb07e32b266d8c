//! `rebuttal score`: how right a method is on rows that carry their answer.
//!
//! Rows are streamed in bounded chunks, judged on all cores, and counted in the order of the file,
//! so the same file prints the same figures on every machine; only the speed differs.

mod evidence;
mod flip;
mod label;
mod models;
mod pairs;
mod print;
mod rows;
mod tally;
mod task;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use rayon::prelude::*;
use rebuttal::model::Method;
use serde::Serialize;
use serde_json::Value;

use crate::output::{Output, Status};
use crate::terminal::one_line;
use models::Models;
use rebuttal::config::Config;
use rebuttal::models::Chosen;
use rows::{BadRow, Chunk, Line, Row, Rows};
use tally::{Decided, Metric};
use task::{Gold, Task, Verdict};

/// Most bad rows named; the rest are counted.
const BAD_ROWS_SHOWN: usize = 20;

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

For self-contradiction a reversal counts whether it was acknowledged or not. Where one role is
called `target`, only its turns are judged. Rows labelled moved, moved_from_or_to_unclear or
unclear are judged and counted, and left out of the figures.

A row is one line: {\"id\", \"text_a\", \"text_b\", \"label\", \"meta\"} or
{\"id\", \"messages\": [{\"role\", \"content\"}], \"label\", \"meta\"}.";

/// Precision and recall of a detector on your own labelled rows
#[derive(Debug, clap::Args)]
#[command(after_long_help = FIGURES)]
pub(crate) struct ScoreArgs {
    /// Which question the labels answer
    #[arg(value_enum)]
    task: Task,
    /// Files of labelled rows, .jsonl or .jsonl.gz; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Whose answers to measure
    #[arg(long, value_enum, default_value_t = Methods::All)]
    method: Methods,
    /// Judge every N-th row only: models take their time
    #[arg(long, value_name = "N", default_value_t = NonZeroU64::MIN)]
    every: NonZeroU64,
    /// Write every answer to this file, one JSON object a line
    #[arg(long, value_name = "OUT.jsonl")]
    predictions: Option<PathBuf>,
    /// How to print the figures
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Whose answers to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Methods {
    /// Rules over the text as Rebuttal reads it
    Rules,
    /// The word lists of the seed documents
    Seed,
    /// The models of this build
    Model,
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

/// Everything that is printed.
#[derive(Debug)]
struct Report {
    task: Task,
    sets: Vec<SetReport>,
    notes: Vec<String>,
}

/// One file, or all files together.
#[derive(Debug)]
struct SetReport {
    name: String,
    rows: u64,
    labels: Vec<(&'static str, u64)>,
    bad: Vec<BadRow>,
    bad_count: u64,
    methods: Vec<MethodReport>,
}

/// One method on one set.
#[derive(Debug)]
struct MethodReport {
    method: Method,
    metrics: Vec<Metric>,
    judged: u64,
    time: Duration,
}

/// Scores every file and prints the report.
pub(crate) fn run(args: &ScoreArgs, config: &Config, out: &mut Output) -> anyhow::Result<Status> {
    let chosen = Chosen::new(Method::Model, &config.semantics);
    let models = Models::of(chosen.reader());
    let (methods, mut notes) = methods(args.task, args.method, models)?;
    notes.extend(chosen.notes.iter().cloned());
    let mut predictions = args.predictions.as_deref().map(create).transpose()?;
    let mut status = Status::Clean;
    let mut scored = Vec::new();
    for file in &args.files {
        let mut set = Scored::new(&methods);
        let broken = set.read(
            (args.task, models),
            Rows::open(file)?.every(args.every),
            predictions.as_mut(),
        )?;
        set.warn(file, broken.as_deref(), out)?;
        if broken.is_some() || set.golds.is_empty() {
            status = Status::CouldNotRun;
        }
        scored.push((file.display().to_string(), set));
    }
    if let Some(mut predictions) = predictions {
        predictions.flush().context("predictions")?;
    }
    let mut sets: Vec<SetReport> =
        scored.iter().map(|(name, set)| set.report(args.task, name.clone())).collect();
    if scored.len() > 1 {
        let name = format!("all {} files", scored.len());
        let sets_alone = scored.into_iter().map(|(_, set)| set);
        sets.push(Scored::pooled(&methods, sets_alone).report(args.task, name));
    }
    let report = Report { task: args.task, sets, notes };
    status.after(match args.format {
        Format::Text => print::text(&report, out).map_err(Into::into),
        Format::Json => print::json(&report, out),
    })
}

/// The methods to run, and what to say about those that do not exist.
fn methods(
    task: Task,
    wanted: Methods,
    models: Models<'_>,
) -> anyhow::Result<(Vec<Method>, Vec<String>)> {
    if wanted == Methods::Model && task.has(Method::Model) && !models.answer(task) {
        bail!("no model can be asked: see `rebuttal config`");
    }
    let wanted = match wanted {
        Methods::Rules => vec![Method::Rules],
        Methods::Seed => vec![Method::Seed],
        Methods::Model => vec![Method::Model],
        Methods::All if models.answer(task) => vec![Method::Rules, Method::Seed, Method::Model],
        Methods::All => vec![Method::Rules, Method::Seed],
    };
    let lacking = |method: &Method| format!("{} has no {} method", task.name(), method.as_str());
    let (have, lack): (Vec<Method>, Vec<Method>) =
        wanted.into_iter().partition(|&method| task.has(method));
    let notes: Vec<String> = lack.iter().map(lacking).collect();
    if have.is_empty() {
        bail!("{}", notes.join(", "));
    }
    Ok((have, notes))
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create(path).with_context(|| path.display().to_string())?))
}

/// One line of `--predictions`.
#[derive(Serialize)]
struct Prediction<'r> {
    id: &'r Value,
    label: Value,
    score: f64,
    method: Method,
    explanation: &'r str,
}

/// A row with its label and every method's verdict.
struct Judged {
    row: Row,
    line: u64,
    gold: Gold,
    verdicts: Vec<Verdict>,
}

/// What is known of one set so far.
struct Scored {
    golds: Vec<Gold>,
    methods: Vec<ByMethod>,
    bad: Vec<BadRow>,
    bad_count: u64,
}

/// One method's answers so far, and how long they took.
struct ByMethod {
    method: Method,
    decided: Vec<Decided>,
    time: Duration,
}

impl Scored {
    fn new(methods: &[Method]) -> Self {
        let empty = |&method| ByMethod { method, decided: Vec::new(), time: Duration::ZERO };
        let methods = methods.iter().map(empty).collect();
        Self { golds: Vec::new(), methods, bad: Vec::new(), bad_count: 0 }
    }

    /// Reads and judges all rows; returns why the file broke off, if it did.
    fn read(
        &mut self,
        (task, models): (Task, Models<'_>),
        mut rows: Rows,
        mut predictions: Option<&mut BufWriter<File>>,
    ) -> anyhow::Result<Option<String>> {
        while let Some(Chunk { lines, bad, broken }) = rows.next_chunk() {
            for bad in bad {
                self.note_bad(bad);
            }
            let judged = self.judge((task, models), &lines);
            if let Some(predictions) = predictions.as_deref_mut() {
                for judged in &judged {
                    self.write(task, judged, predictions).context("predictions")?;
                }
            }
            self.golds.extend(judged.iter().map(|judged| judged.gold));
            if broken.is_some() {
                return Ok(broken);
            }
        }
        Ok(None)
    }

    /// Judges one chunk, method by method so that each can be timed, rows on all cores.
    fn judge(&mut self, (task, models): (Task, Models<'_>), lines: &[Line]) -> Vec<Judged> {
        let parse = |line: &Line| -> Result<Judged, BadRow> {
            let row = line.parse()?;
            let gold = task.gold(&row).map_err(|why| BadRow::new(line.number, why))?;
            Ok(Judged { row, line: line.number, gold, verdicts: Vec::new() })
        };
        let parsed: Vec<Result<Judged, BadRow>> = lines.par_iter().map(parse).collect();
        let mut good = self.keep_good(parsed);
        let methods: Vec<Method> = self.methods.iter().map(|by| by.method).collect();
        for (index, method) in methods.into_iter().enumerate() {
            // The first row ever read also loads the word lists, which is no property of a row.
            if let Some(first) = good.first().filter(|_| self.golds.is_empty()) {
                drop(task.judge_all(&[&first.row], method, models));
            }
            let rows: Vec<&Row> = good.iter().map(|judged| &judged.row).collect();
            let started = Instant::now();
            let verdicts = task.judge_all(&rows, method, models);
            let time = started.elapsed();
            if let Some(by) = self.methods.get_mut(index) {
                by.time += time;
            }
            let with_verdict = good.into_iter().zip(verdicts).map(|(mut judged, verdict)| {
                let verdict = verdict.map_err(|why| BadRow::new(judged.line, why))?;
                judged.verdicts.push(verdict);
                Ok(judged)
            });
            good = self.keep_good(with_verdict.collect());
        }
        for judged in &good {
            for (by, verdict) in self.methods.iter_mut().zip(&judged.verdicts) {
                let Verdict { answer, score, .. } = *verdict;
                by.decided.push(Decided { gold: judged.gold, answer, score });
            }
        }
        good
    }

    /// Keeps what is good and remembers what is not.
    fn keep_good<T>(&mut self, rows: Vec<Result<T, BadRow>>) -> Vec<T> {
        rows.into_iter().filter_map(|row| row.map_err(|bad| self.note_bad(bad)).ok()).collect()
    }

    fn note_bad(&mut self, bad: BadRow) {
        self.bad_count += 1;
        if self.bad.len() < BAD_ROWS_SHOWN {
            self.bad.push(bad);
        }
    }

    /// One line per method: what it answers to the row.
    fn write(&self, task: Task, judged: &Judged, out: &mut impl Write) -> anyhow::Result<()> {
        let id = match &judged.row.id {
            Value::Null => judged.line.into(),
            id => id.clone(),
        };
        for (by, verdict) in self.methods.iter().zip(&judged.verdicts) {
            let line = Prediction {
                id: &id,
                label: task.spell(verdict),
                score: verdict.score,
                method: by.method,
                explanation: &verdict.explanation,
            };
            serde_json::to_writer(&mut *out, &line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Names the bad rows on stderr.
    fn warn(&self, file: &Path, broken: Option<&str>, out: &mut Output) -> anyhow::Result<()> {
        let file = file.display().to_string();
        let file = one_line(&file);
        for bad in &self.bad {
            out.warn(format_args!("{file}:{}: {}", bad.line, one_line(&bad.reason)))?;
        }
        let shown = self.bad.len() as u64;
        if self.bad_count > shown {
            out.warn(format_args!("{file}: {} more bad rows", self.bad_count - shown))?;
        }
        if let Some(broken) = broken {
            out.error(format_args!("{file}: {}", one_line(broken)))?;
        }
        if self.golds.is_empty() {
            out.error(format_args!("{file}: no row could be scored"))?;
        }
        Ok(())
    }

    /// All sets as one. Bad rows keep their count only: a line number needs its file.
    fn pooled(methods: &[Method], sets: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::new(methods);
        for set in sets {
            all.golds.extend(set.golds);
            all.bad_count += set.bad_count;
            for (into, from) in all.methods.iter_mut().zip(set.methods) {
                into.decided.extend(from.decided);
                into.time += from.time;
            }
        }
        all
    }

    fn report(&self, task: Task, name: String) -> SetReport {
        let report = |by: &ByMethod| MethodReport {
            method: by.method,
            metrics: tally::metrics(&by.decided, task.gives_probability()),
            judged: by.decided.len() as u64,
            time: by.time,
        };
        SetReport {
            name,
            rows: self.golds.len() as u64,
            labels: tally::label_counts(&self.golds),
            bad: self.bad.clone(),
            bad_count: self.bad_count,
            methods: self.methods.iter().map(report).collect(),
        }
    }
}
