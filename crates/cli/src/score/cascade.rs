//! `rebuttal score … --cascade`: what a judge costs and brings, by when it is asked.
//!
//! The thresholds go up, and what was answered at one is kept for the next, so that the whole table costs
//! as much as its last line.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use rebuttal::config::Config;
use rebuttal::judge::{Judge, When};
use rebuttal::model::Method;
use rebuttal::models::Analyzer;
use rebuttal::score::{Methods, ScoreOptions, score};

use super::ScoreArgs;
use crate::output::{Output, Status};

/// The shares from which the reader counts as sure: never asked, … always.
const SHARES: [f32; 6] = [0.0, 0.6, 0.75, 0.85, 0.95, 1.01];

/// Scores at every threshold and prints a line for each.
pub(super) fn run(args: &ScoreArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let mut settings =
        args.judge.settings(config)?.context("--cascade needs a judge: --judge AGENT")?;
    settings.when = When::Unsure;
    let mut judge = Judge::new(config, settings).context("the judge cannot be asked")?;
    let methods = Methods::One(Method::Model);
    let options = ScoreOptions { task: args.task.0, methods, every: args.every };
    writeln!(out, "sure from  questions  calls  cost so far  figures")?;
    for share in SHARES {
        judge = judge.sure_from(share);
        let asked = Arc::new(judge.clone());
        let analyzer = Analyzer::new(Method::Model, &config.semantics).judged(asked)?;
        let before = judge.told();
        let report = score(&args.files, &options, &analyzer, None)?;
        let told = judge.told();
        let set = report.all_sets().last();
        let figures = set.and_then(|set| set.methods.first()).map(|method| {
            let metrics = method.metrics.iter().filter_map(|metric| {
                Some(format!("{} {:.3}", metric.name, metric.estimate.as_ref()?.value))
            });
            metrics.take(4).collect::<Vec<_>>().join(", ")
        });
        let cost = told
            .micro_usd
            .map_or_else(|| "-".to_owned(), |micro| format!("${:.4}", dollars(micro)));
        let named = if share > 1.0 { "always".to_owned() } else { format!("{share:.2}") };
        writeln!(
            out,
            "{named:>9}  {:>9}  {:>5}  {cost:>11}  {}",
            told.questions - before.questions,
            told.calls - before.calls,
            figures.unwrap_or_default()
        )?;
    }
    Ok(Status::Clean)
}

#[expect(clippy::cast_precision_loss, reason = "millionths of a dollar stay far below 2^53")]
fn dollars(micro: u64) -> f64 {
    micro as f64 / 1e6
}
