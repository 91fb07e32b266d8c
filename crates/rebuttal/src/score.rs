//! How right a method is on rows that carry their answer.
//!
//! Rows are streamed in bounded chunks, judged on all cores, and counted in the order of the file, so the
//! same file gives the same figures on every machine; only the speed differs.

mod evidence;
mod flip;
mod label;
mod models;
mod pairs;
mod report;
mod rows;
mod tally;
mod task;

use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rebuttal_model::Method;
use serde::Serialize;
use serde_json::Value;

pub use report::{MethodReport, ScoreReport, SetReport};
pub use rows::BadRow;
pub use tally::Metric;
pub use task::Task;

use crate::error::{Context, Result, err};
use crate::models::Analyzer;
use models::Models;
use rows::{Chunk, Line, Row, Rows};
use tally::Decided;
use task::{Gold, Verdict};

/// Most bad rows named; the rest are counted.
const BAD_ROWS_SHOWN: usize = 20;

/// Whose answers to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Methods {
    /// One method's; it is an error if the task has no such method.
    One(Method),
    /// Those of every method the task has, side by side.
    All,
}

/// What is scored, and how.
#[derive(Clone, Debug)]
pub struct ScoreOptions {
    /// The question that the labels answer.
    pub task: Task,
    /// Whose answers to measure.
    pub methods: Methods,
    /// Every so-many-th row is judged: 1 for all.
    pub every: NonZeroU64,
}

/// Scores files of labelled rows (`.jsonl` or `.jsonl.gz`; `-` is standard input). Every answer is written
/// to `predictions`, one JSON object a line, if there is such a place.
pub fn score(
    files: &[PathBuf],
    options: &ScoreOptions,
    analyzer: &Analyzer,
    mut predictions: Option<&mut dyn Write>,
) -> Result<ScoreReport> {
    let task = options.task;
    let models = Models::of(analyzer.reader());
    let (methods, mut notes) = methods(task, options.methods, models)?;
    notes.extend(analyzer.notes.iter().cloned());
    let (mut scored, mut sets) = (Vec::new(), Vec::new());
    for file in files {
        let mut set = Scored::new(&methods);
        let rows = Rows::open(file)?.every(options.every);
        let broken = set.read((task, models), rows, &mut predictions)?;
        sets.push(SetReport { broken, ..set.report(task, file.display().to_string()) });
        scored.push(set);
    }
    let all = (scored.len() > 1).then(|| {
        let name = format!("all {} files", scored.len());
        Scored::pooled(&methods, scored.into_iter()).report(task, name)
    });
    Ok(ScoreReport { task, sets, all, notes })
}

/// The methods to run, and what to say about those that do not exist.
fn methods(task: Task, wanted: Methods, models: Models<'_>) -> Result<(Vec<Method>, Vec<String>)> {
    let wanted = match wanted {
        Methods::One(Method::Model) if task.has(Method::Model) && !models.answer(task) => {
            return Err(err!(Model; "no model can be asked: see `rebuttal config`"));
        }
        Methods::One(method) => vec![method],
        Methods::All if models.answer(task) => vec![Method::Rules, Method::Seed, Method::Model],
        Methods::All => vec![Method::Rules, Method::Seed],
    };
    let lacking = |method: &Method| format!("{} has no {} method", task.name(), method.as_str());
    let (have, lack): (Vec<Method>, Vec<Method>) =
        wanted.into_iter().partition(|&method| task.has(method));
    let notes: Vec<String> = lack.iter().map(lacking).collect();
    if have.is_empty() {
        return Err(err!("{}", notes.join(", ")));
    }
    Ok((have, notes))
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
        predictions: &mut Option<&mut dyn Write>,
    ) -> Result<Option<String>> {
        while let Some(Chunk { lines, bad, broken }) = rows.next_chunk() {
            for bad in bad {
                self.note_bad(bad);
            }
            let judged = self.judge((task, models), &lines);
            if let Some(predictions) = predictions {
                for judged in &judged {
                    self.write(task, judged, &mut **predictions).context("predictions")?;
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
    fn write(&self, task: Task, judged: &Judged, out: &mut dyn Write) -> std::io::Result<()> {
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
            broken: None,
            methods: self.methods.iter().map(report).collect(),
        }
    }
}
