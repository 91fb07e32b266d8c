//! `rebuttal audit`: read, judge, report.

mod audited;
mod pipeline;
mod progress;
mod sentence;
mod summary;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

pub(crate) use audited::{Audited, Keep};
pub(crate) use sentence::{Sentences, in_sentence, sentence};
pub(crate) use summary::{Clean, Counts, Summary};

use crate::inputs;
use crate::ledger::Saver;
use crate::output::{Output, Status};
use crate::plan::AuditPlan;
use crate::problems::{self, FileProblems, Gravity};
use crate::report;
use crate::terminal::one_line;
use pipeline::{Message, Results};
use progress::Progress;

/// Runs an audit and writes its report, transcript by transcript as they are done.
pub(crate) fn run(plan: &AuditPlan, out: &mut Output) -> Result<Status> {
    if let Some(path) = &plan.output {
        out.redirect(Box::new(BufWriter::new(create(path)?)));
    }
    let mut summary = Summary::default();
    let written = audit(plan, out, &mut summary);
    summary.status(plan.fail_on, plan.reading.strictness).after(written)
}

/// Reads, judges and writes. `summary` is good for as far as it came, whatever happens.
fn audit(plan: &AuditPlan, out: &mut Output, summary: &mut Summary) -> Result<()> {
    inputs::note_repeated(out, &plan.reading.repeated)?;
    for note in &plan.reading.chosen.notes {
        out.note(one_line(note))?;
    }
    let progress = Progress::new(plan.reading.inputs.len(), out.draws_progress());
    let mut report = report::new(plan);
    let mut saver = plan.save.as_ref().map(Saver::open).transpose()?;
    let keep = if saver.is_some() { Keep::Conversation } else { report.keeps() };
    for results in pipeline::start(&Arc::new(plan.clone()), keep)? {
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
                        progress.pause(|| saver.add(transcript, &plan.reading.chosen, out))?;
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
                progress.pause(|| problems::name_skipped(out, problem))?;
            }
        }
        progress.file_done();
    }
    progress.finish();
    report.finish(out, summary)?;
    out.flush()?;
    if let Some(saver) = saver {
        saver.finish(&plan.reading.chosen, out)?;
    }
    problems::count_skipped(out, summary.skipped, summary.files_read())?;
    if let Some(failure) = plan.reading.chosen.failure() {
        out.note(one_line(&failure))?;
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
