//! `rebuttal reconcile`: read reports, find where they conflict, rule on it, adjust.

mod adjusted;
mod gather;
mod html;
mod json;
mod markdown;
mod plan;
mod text;
mod watch;
mod words;

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use rebuttal::engine::reconcile::{Outcome, Settings};
use rebuttal::model::{Action, Arbiter, Contradiction, Method, Report, Resolution};

pub(crate) use plan::ReconcilePlan;

use crate::args::ReconcileFormat;
use crate::inputs;
use crate::output::{Output, Status};
use crate::problems::{self, Gravity};
use crate::report::{count, grouped};
use crate::terminal::one_line;
use gather::Gathered;
use plan::FailOn;

/// What a format has to write.
#[derive(Debug)]
struct Reconciled<'r> {
    plan: &'r ReconcilePlan,
    gathered: &'r Gathered,
    outcome: &'r Outcome,
    /// What the user should know about who decided.
    notes: Vec<String>,
}

impl<'r> Reconciled<'r> {
    fn reports(&self) -> &'r [Report] {
        &self.gathered.reports
    }

    /// Every contradiction with its ruling.
    fn rulings(&self) -> impl Iterator<Item = (&'r Contradiction, &'r Resolution)> + use<'r> {
        self.outcome.contradictions.iter().zip(&self.outcome.resolutions)
    }

    fn method(&self) -> Method {
        self.plan.chosen.reader.method()
    }
}

/// Runs a reconciliation and writes what came of it.
pub(crate) fn run(plan: &ReconcilePlan, out: &mut Output) -> Result<Status> {
    if let Some(path) = &plan.output {
        let file = File::create(path).with_context(|| plan::cannot_write(path))?;
        out.redirect(Box::new(BufWriter::new(file)));
    }
    let mut gathered = gather::gather(plan);
    inputs::note_repeated(out, &plan.repeated)?;
    for note in &plan.chosen.notes {
        out.note(one_line(note))?;
    }
    let settings = Settings {
        options: plan.options,
        reader: plan.chosen.reader,
        authority: &plan.authority,
        arbiter: plan.arbiter.as_deref(),
        limits: plan.limits,
    };
    let outcome = watch::reconcile(&gathered.reports, &settings, plan.events, out)?;
    gathered.warn_of_one_agent();
    gathered.warn_of(&outcome.problems);
    let status = status(plan, &gathered, &outcome);
    let failures: Vec<String> =
        plan.chosen.failure().into_iter().chain(unruled(plan, &outcome)).collect();
    let notes = plan.chosen.notes.iter().chain(&failures).cloned().collect();
    let reconciled = Reconciled { plan, gathered: &gathered, outcome: &outcome, notes };
    status.after(write(&reconciled, &failures, out))
}

/// How often the arbiter did not rule, if it was asked.
fn unruled(plan: &ReconcilePlan, outcome: &Outcome) -> Option<String> {
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

fn write(reconciled: &Reconciled<'_>, failures: &[String], out: &mut Output) -> Result<()> {
    let Reconciled { plan, gathered, .. } = reconciled;
    let is_said = plan.format == ReconcileFormat::Text || plan.output.is_some();
    for (problem, gravity) in &gathered.problems {
        match gravity {
            Gravity::Skipped => problems::name_skipped(out, problem)?,
            Gravity::Warning | Gravity::Error if is_said => problems::say(out, problem, *gravity)?,
            Gravity::Warning | Gravity::Error => {}
        }
    }
    match plan.format {
        ReconcileFormat::Text => text::write(reconciled, out)?,
        ReconcileFormat::Json => json::write(reconciled, out)?,
        ReconcileFormat::Markdown => markdown::write(reconciled, out)?,
        ReconcileFormat::Html => html::write(reconciled, out)?,
    }
    out.flush()?;
    problems::count_skipped(out, gathered.skipped, gathered.files - gathered.skipped)?;
    for failure in failures {
        out.note(one_line(failure))?;
    }
    if let Some(path) = &plan.output {
        out.note(format_args!("result written to {}", one_line(&path.display().to_string())))?;
    }
    if let Some(path) = &plan.adjusted {
        let written = adjusted::write(path, &reconciled.outcome.consensus.adjusted_reports)?;
        out.note(format_args!("adjusted reports written to {}", one_line(&written)))?;
    }
    Ok(())
}

fn status(plan: &ReconcilePlan, gathered: &Gathered, outcome: &Outcome) -> Status {
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
