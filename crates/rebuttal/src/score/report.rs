//! What a scoring came to.

use std::time::Duration;

use rebuttal_detect::measure::{Estimate, RESAMPLES};
use rebuttal_model::Method;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{BadRow, Metric, Task};

/// Everything that was measured. As JSON `{ "task", "version", "resamples", "sets", "notes" }`; where
/// there are several files, the last set is all of them together.
#[derive(Debug)]
#[non_exhaustive]
pub struct ScoreReport {
    /// The question that the labels answer.
    pub task: Task,
    /// Each file.
    pub sets: Vec<SetReport>,
    /// All files together, where there are several.
    pub all: Option<SetReport>,
    /// What was not as configured, and which methods the task does not have.
    pub notes: Vec<String>,
}

/// One file, or all files together.
#[derive(Debug)]
#[non_exhaustive]
pub struct SetReport {
    /// The file.
    pub name: String,
    /// Rows that were scored.
    pub rows: u64,
    /// How many rows carry each label.
    pub labels: Vec<(&'static str, u64)>,
    /// The first rows that could not be used.
    pub bad: Vec<BadRow>,
    /// How many could not be used.
    pub bad_count: u64,
    /// Why the file breaks off, if it does.
    pub broken: Option<String>,
    /// Each method's figures.
    pub methods: Vec<MethodReport>,
}

/// One method on one set.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodReport {
    /// The method that was measured.
    pub method: Method,
    /// Its figures.
    pub metrics: Vec<Metric>,
    /// Rows it judged.
    pub judged: u64,
    /// How long that took.
    pub time: Duration,
}

impl MethodReport {
    /// Rows judged per second on all cores; reading the file is not counted.
    pub fn rows_per_second(&self) -> Option<u64> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a speed for people: whole rows, never negative"
        )]
        let speed = |seconds: f64| (self.judged as f64 / seconds) as u64;
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| speed(seconds))
    }
}

impl ScoreReport {
    /// Each file, and then all of them together where there are several.
    pub fn all_sets(&self) -> impl Iterator<Item = &SetReport> {
        self.sets.iter().chain(&self.all)
    }
}

impl Serialize for ScoreReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sets: Vec<Value> = self.all_sets().map(set_json).collect();
        let document = json!({
            "task": self.task.name(),
            "version": env!("CARGO_PKG_VERSION"),
            "resamples": RESAMPLES,
            "sets": sets,
            "notes": self.notes,
        });
        document.serialize(serializer)
    }
}

fn set_json(set: &SetReport) -> Value {
    let labels: Map<String, Value> =
        set.labels.iter().map(|(name, count)| (name.replace(' ', "_"), (*count).into())).collect();
    let count = |wanted: &str| {
        set.labels.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count)
    };
    json!({
        "file": set.name,
        "n": set.rows - count("left out"),
        "positives": labels.get("positive").or_else(|| labels.get("yes")),
        "labels": labels,
        "bad_rows": { "count": set.bad_count, "first": set.bad },
        "methods": set.methods.iter().map(method_json).collect::<Vec<_>>(),
    })
}

fn method_json(method: &MethodReport) -> Value {
    let metrics: Map<String, Value> = method
        .metrics
        .iter()
        .map(|metric| {
            let value = metric.estimate.map(|Estimate { value, interval }| {
                let (low, high) = interval.map(|at| (at.low, at.high)).unzip();
                json!({ "value": value, "low": low, "high": high })
            });
            (metric.name.to_owned(), value.into())
        })
        .collect();
    json!({
        "method": method.method.as_str(),
        "metrics": metrics,
        "rows_per_second": method.rows_per_second(),
    })
}
