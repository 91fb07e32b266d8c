//! What a person reads, and what a program reads.

use std::io::{self, Write};

use rebuttal::detect::measure::{Estimate, RESAMPLES};
use serde_json::{Map, Value, json};

use super::{MethodReport, Report, SetReport};
use crate::output::Output;
use crate::terminal::one_line;

/// The report as text: one table per set, one column per method.
pub(super) fn text(report: &Report, out: &mut Output) -> io::Result<()> {
    for (index, set) in report.sets.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let heading = format!("{} · {}", report.task.name(), one_line(&set.name));
        writeln!(out, "{}", out.paint().bold(heading))?;
        writeln!(out, "{}", counted(set))?;
        // Nothing was scored: every figure would be a dash.
        if set.rows > 0 {
            table(set, out)?;
        }
    }
    for note in &report.notes {
        out.note(note)?;
    }
    Ok(())
}

/// `5000 rows: 1449 positive (29.0 %), 3551 negative; 2 bad rows`.
fn counted(set: &SetReport) -> String {
    let labels: Vec<String> = set
        .labels
        .iter()
        .map(|(name, count)| {
            if *name == "numbers" {
                return format!("{count} numbers");
            }
            let percent = 100.0 * rebuttal::detect::measure::share(*count, set.rows).unwrap_or(0.0);
            format!("{count} {name} ({percent:.1} %)")
        })
        .collect();
    let bad = match set.bad_count {
        0 => String::new(),
        1 => "; 1 bad row".to_owned(),
        count => format!("; {count} bad rows"),
    };
    let colon = if labels.is_empty() { "" } else { ": " };
    format!("{} rows{colon}{}{bad}", set.rows, labels.join(", "))
}

fn table(set: &SetReport, out: &mut Output) -> io::Result<()> {
    let Some(first) = set.methods.first() else { return Ok(()) };
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    let heads = set.methods.iter().map(|method| method.method.as_str().to_owned());
    rows.push((String::new(), heads.collect()));
    for (index, metric) in first.metrics.iter().enumerate() {
        let figures = set
            .methods
            .iter()
            .map(|method| shown(method.metrics.get(index).and_then(|metric| metric.estimate)));
        rows.push((metric.name.replace('_', " "), figures.collect()));
    }
    let speeds =
        set.methods.iter().map(|method| speed(method).map_or("-".to_owned(), |it| it.to_string()));
    rows.push(("rows per second".to_owned(), speeds.collect()));
    for (name, figures) in rows {
        let columns: Vec<String> = figures.iter().map(|figure| format!("{figure:<22}")).collect();
        writeln!(out, "{}", format!("  {name:<18} {}", columns.join(" ")).trim_end())?;
    }
    Ok(())
}

/// `0.412 [0.391, 0.433]`; a dash where undefined.
fn shown(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = estimate else { return "-".to_owned() };
    match interval {
        Some(at) => format!("{value:.3} [{:.3}, {:.3}]", at.low, at.high),
        None => format!("{value:.3}"),
    }
}

/// Rows judged per second on all cores; reading the file not counted.
fn speed(method: &MethodReport) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a speed for people: whole rows, never negative"
    )]
    let speed = |seconds: f64| (method.judged as f64 / seconds) as u64;
    let seconds = method.time.as_secs_f64();
    (seconds > 0.0).then(|| speed(seconds))
}

/// The report as one JSON document.
pub(super) fn json(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let sets: Vec<Value> = report.sets.iter().map(set_json).collect();
    let document = json!({
        "task": report.task.name(),
        "version": env!("CARGO_PKG_VERSION"),
        "resamples": RESAMPLES,
        "sets": sets,
        "notes": report.notes,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
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
        "rows_per_second": speed(method),
    })
}
