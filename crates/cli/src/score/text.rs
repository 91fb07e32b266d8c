//! Figures for a person.

use std::io::{self, Write};

use rebuttal::detect::measure::Estimate;
use rebuttal::score::{ScoreReport, SetReport};

use crate::output::Output;
use crate::terminal::one_line;

/// The report as text: one table per set, one column per method.
pub(super) fn text(report: &ScoreReport, out: &mut Output) -> io::Result<()> {
    for (index, set) in report.all_sets().enumerate() {
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
    let speeds = set
        .methods
        .iter()
        .map(|method| method.rows_per_second().map_or("-".to_owned(), |it| it.to_string()));
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
