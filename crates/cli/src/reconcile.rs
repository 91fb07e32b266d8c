//! `rebuttal reconcile`: read reports, find where they conflict, rule on it, adjust.

mod plan;
mod text;
mod watch;

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use rebuttal::engine::reconcile::{Reconciliation, Settings};
use rebuttal::model::{Action, Arbiter, Resolution};
use rebuttal::reconcile::{Gathered, cannot_write, gather, write_adjusted};
use rebuttal_llm::Chat;
use rebuttal_report::problems::Gravity;
use rebuttal_report::reconcile::{self, Reconciled};

pub(crate) use plan::ReconcilePlan;

use crate::args::ReconcileFormat;
use crate::output::{Output, Status};
use crate::report::{count, grouped};
use crate::terminal::one_line;
use crate::warnings;
use plan::FailOn;

/// Runs a reconciliation and writes what came of it.
pub(crate) fn run(plan: &ReconcilePlan, out: &mut Output) -> Result<Status> {
    if let Some(path) = &plan.output {
        let file = File::create(path).with_context(|| cannot_write(path))?;
        out.redirect(Box::new(BufWriter::new(file)));
    }
    let mut gathered = gather(
        &plan.inputs,
        plan.from,
        (&plan.authority, &plan.authority_problems),
        plan.strictness,
    );
    warnings::note_repeated(out, &plan.repeated)?;
    for note in &plan.analyzer.notes {
        out.note(one_line(note))?;
    }
    let settings = Settings {
        options: plan.options,
        reader: plan.analyzer.reader(),
        authority: &plan.authority,
        arbiter: plan.arbiter.as_deref(),
        limits: plan.limits,
    };
    let outcome = watch::reconcile(&gathered.reports, &settings, plan.events, out)?;
    gathered.warn_of_one_agent();
    gathered.warn_of(&outcome.problems);
    let status = status(plan, &gathered, &outcome);
    let failures: Vec<String> =
        plan.analyzer.remarks().into_iter().chain(unruled(plan, &outcome)).collect();
    let notes = plan.analyzer.notes.iter().chain(&failures).cloned().collect();
    let reconciled = Reconciled {
        reports: &gathered.reports,
        problems: &gathered.problems,
        outcome: &outcome,
        method: plan.analyzer.reader().method(),
        arbiter: plan.arbiter.as_deref().map(Chat::id),
        authority_file: plan.authority_file.as_deref(),
        notes,
    };
    status.after(write(plan, &gathered, &reconciled, &failures, out))
}

/// How often the arbiter did not rule, if it was asked.
fn unruled(plan: &ReconcilePlan, outcome: &Reconciliation) -> Option<String> {
    let arbiter = plan.arbiter.as_ref()?;
    let by_rules = |it: &&Resolution| it.by == Arbiter::Rules;
    let (number, all) =
        (outcome.resolutions.iter().filter(by_rules).count(), outcome.resolutions.len());
    (number > 0).then(|| {
        let (name, number) = (arbiter.id(), grouped(number));
        format!(
            "{name} did not rule on {number} of {}: rules decided instead, and the last step of \
             each ruling says why",
            count(all, "contradiction")
        )
    })
}

fn write(
    plan: &ReconcilePlan,
    gathered: &Gathered,
    reconciled: &Reconciled<'_>,
    failures: &[String],
    out: &mut Output,
) -> Result<()> {
    let is_said = plan.format == ReconcileFormat::Text || plan.output.is_some();
    for (problem, gravity) in &gathered.problems {
        match gravity {
            Gravity::Skipped => warnings::name_skipped(out, problem)?,
            Gravity::Warning | Gravity::Error if is_said => warnings::say(out, problem, *gravity)?,
            Gravity::Warning | Gravity::Error => {}
        }
    }
    match plan.format {
        ReconcileFormat::Text => text::write(reconciled, out)?,
        ReconcileFormat::Json => reconcile::json(reconciled, out)?,
        ReconcileFormat::Markdown => reconcile::markdown(reconciled, out)?,
        ReconcileFormat::Html => reconcile::html(reconciled, out)?,
    }
    out.flush()?;
    warnings::count_skipped(out, gathered.skipped, gathered.files - gathered.skipped)?;
    for failure in failures {
        out.note(one_line(failure))?;
    }
    if let Some(path) = &plan.output {
        out.note(format_args!("result written to {}", one_line(&path.display().to_string())))?;
    }
    if let Some(path) = &plan.adjusted {
        let written = write_adjusted(path, &reconciled.outcome.consensus.adjusted_reports)?;
        out.note(format_args!("adjusted reports written to {}", one_line(&written)))?;
    }
    Ok(())
}

fn status(plan: &ReconcilePlan, gathered: &Gathered, outcome: &Reconciliation) -> Status {
    let flagged = |ruling: &Resolution| ruling.action == Action::FlagForReview;
    let found = match plan.fail_on {
        FailOn::Never => false,
        FailOn::Flagged => outcome.resolutions.iter().any(flagged),
        FailOn::Severity(least) => outcome.contradictions.iter().any(|it| it.severity >= least),
    };
    let status = if found { Status::Findings } else { Status::Clean };
    let fatal = gathered.problems.iter().any(|(_, gravity)| *gravity == Gravity::Error);
    let nothing = gathered.skipped > 0 && gathered.skipped == gathered.files;
    if fatal || nothing { status.and(Status::CouldNotRun) } else { status }
}
