//! `rebuttal audit`: read, judge, report.

mod progress;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use rebuttal::audit::{AuditSettings, Message, Results, start};
use rebuttal::ledger::Search;
use rebuttal_report::audit::{Keep, Summary};
use rebuttal_report::problems::{FileProblems, Gravity};

use crate::ledger::{Ledger, Saving};
use crate::output::{Output, Status};
use crate::plan::AuditPlan;
use crate::report::Report;
use crate::terminal::one_line;
use crate::warnings;
use progress::Progress;

/// Runs an audit and writes its report, transcript by transcript as they are done.
pub(crate) fn run(plan: &AuditPlan, out: &mut Output) -> Result<Status> {
    if let Some(path) = &plan.output {
        out.redirect(Box::new(BufWriter::new(create(path)?)));
    }
    let mut summary = Summary::default();
    let written = audit(plan, out, &mut summary);
    Status::from(summary.status(plan.fail_on, plan.reading.strictness)).after(written)
}

/// Reads, judges and writes. `summary` is good for as far as it came, whatever happens.
fn audit(plan: &AuditPlan, out: &mut Output, summary: &mut Summary) -> Result<()> {
    warnings::note_repeated(out, &plan.reading.repeated)?;
    for note in &plan.reading.analyzer.notes {
        out.note(one_line(note))?;
    }
    let progress = Progress::new(plan.reading.inputs.len(), out.draws_progress());
    let mut report = Report::new(plan);
    // Opened first: what is wrong with the ledger is said before the audit begins.
    let ledger = plan.save.as_ref().map(Ledger::open).transpose()?;
    let search = Search::new(plan.reading.analyzer.clone()).lookback(plan.lookback);
    let mut saver = ledger.as_ref().map(|ledger| Saving::new(ledger, search));
    let keep = if saver.is_some() { Keep::Conversation } else { report.keeps() };
    let settings = AuditSettings {
        analyzer: plan.reading.analyzer.clone(),
        trickster: plan.trickster.clone(),
        min_severity: plan.min_severity,
    };
    let (inputs, options) = (plan.reading.inputs.clone(), plan.reading.options.clone());
    for results in start(inputs, options, Arc::new(settings), keep)? {
        let Results { file, origin, messages } = results;
        let mut problems = FileProblems::new(origin);
        summary.file(file);
        for message in messages {
            match message {
                Message::Audited(mut audited) => {
                    problems.transcript();
                    summary.transcript(&audited);
                    progress.around(out, |out| report.transcript(out, &audited))?;
                    if let (Some(saver), Some(transcript)) = (&mut saver, audited.transcript.take())
                    {
                        progress.pause(|| saver.add(transcript, out))?;
                    }
                }
                Message::Problem(problem) => problems.push(problem),
            }
            progress.transcripts(summary.transcripts);
        }
        summary.file_done(&problems);
        for (problem, gravity) in problems.weighed(plan.reading.strictness) {
            progress.pause(|| report.problem(out, problem, gravity))?;
            if gravity == Gravity::Skipped {
                progress.pause(|| warnings::name_skipped(out, problem))?;
            }
        }
        progress.file_done();
    }
    progress.finish();
    report.finish(out, summary)?;
    out.flush()?;
    if let Some(saver) = saver {
        saver.finish(out)?;
    }
    warnings::count_skipped(out, summary.skipped, summary.files_read())?;
    for remark in plan.reading.analyzer.remarks() {
        out.note(one_line(&remark))?;
    }
    if let Some(path) = &plan.output {
        out.note(format_args!("report written to {}", one_line(&path.display().to_string())))?;
    }
    Ok(())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| {
        format!(
            "{} cannot be written; check that its folder exists and is yours to write to",
            one_line(&path.display().to_string())
        )
    })
}
