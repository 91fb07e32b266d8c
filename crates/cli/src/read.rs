//! `rebuttal read`: what Rebuttal reads in one text, so that a surprising finding can be understood.

mod text;

use anyhow::{Result, ensure};
use rebuttal::Versioned;
use rebuttal::read::{Facts, read};

use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::plan::ReadPlan;
use crate::report::JsonText;

/// Reads the text and writes what was found in it.
pub(crate) fn run(plan: &ReadPlan, out: &mut Output) -> Result<Status> {
    let text = plan.source.load()?;
    if plan.source.names_a_file() {
        out.note(format!("{text} is read as a text; --file {text} reads that file"))?;
    }
    ensure!(!text.trim().is_empty(), "there is nothing to read: {} is empty", plan.source.name());
    let facts = read(&text, plan.question.as_deref())?;
    let facts = Facts { file: plan.source.file_name(), ..facts };
    match plan.format {
        ListFormat::Text => text::show(out, &facts)?,
        ListFormat::Json => JsonText::line(out, &Versioned::new(&facts))?,
    }
    Ok(Status::Clean)
}
