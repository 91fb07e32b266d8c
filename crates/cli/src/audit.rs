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
pub(crate) use sentence::{Sentences, in_sentence};
pub(crate) use summary::{Counts, Summary};

use crate::output::{Output, Status};
use crate::plan::AuditPlan;
use crate::report;
use crate::terminal::visible;
use pipeline::Message;
use progress::Progress;

/// Runs an audit and writes its report, transcript by transcript as they are done.
pub(crate) fn run(plan: &AuditPlan, out: &mut Output) -> Result<Status> {
    if let Some(path) = &plan.output {
        out.redirect(Box::new(BufWriter::new(create(path)?)));
    }
    let progress = Progress::new(plan.reading.inputs.len(), out.verbosity());
    let mut report = report::new(plan);
    let mut summary = Summary::default();

    let keep = report.keeps();
    let plan_shared = Arc::new(plan.clone());
    for (name, messages) in pipeline::start(&plan_shared, keep)? {
        summary.file(name);
        for message in messages {
            match message {
                Message::Audited(audited) => {
                    summary.transcript(&audited);
                    progress.around(out, |out| report.transcript(out, &audited))?;
                }
                Message::Problem(problem) => {
                    summary.problem(&problem);
                    progress.pause(|| report.problem(out, &problem))?;
                }
            }
            progress.transcripts(summary.transcripts);
        }
        progress.file_done();
    }
    progress.finish();
    report.finish(out, &summary)?;
    out.flush()?;
    if let Some(path) = &plan.output {
        out.note(format_args!("report written to {}", visible(&path.display().to_string())))?;
    }
    Ok(summary.status(plan.fail_on))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| {
        format!(
            "{} cannot be written; check that its folder exists and is yours to write to",
            visible(&path.display().to_string())
        )
    })
}
