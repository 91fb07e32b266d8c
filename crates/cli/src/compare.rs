//! `rebuttal compare`: what is made of two statements side by side.

use std::io::Write;

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::compare::{Comparison, Shares, compare};

use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::plan::ComparePlan;
use crate::report::JsonText;
use crate::terminal::{one_line, visible};

/// Compares two texts and writes what was found.
pub(crate) fn run(plan: &ComparePlan, out: &mut Output) -> Result<Status> {
    let (first, second) = (plan.first.load()?, plan.second.load()?);
    let comparison = compare(&first, &second, &plan.analyzer)?;
    match plan.format {
        ListFormat::Json => JsonText::line(out, &Versioned::new(&comparison))?,
        ListFormat::Text => show(out, &comparison)?,
    }
    Ok(Status::Clean)
}

fn show(out: &mut Output, found: &Comparison<'_>) -> std::io::Result<()> {
    let line = |shares: &Shares| {
        format!(
            "entailment {:.2}  neutral {:.2}  contradiction {:.2}",
            shares.entailment, shares.neutral, shares.contradiction
        )
    };
    writeln!(out, "{} (by {})", found.verdict, visible(&found.model))?;
    let (relation, sure) = (found.relation, found.confidence);
    writeln!(out, "  relation        {relation} {sure:.2}: {}", found.why)?;
    writeln!(out, "  first → second  {}", line(&found.forward))?;
    writeln!(out, "  second → first  {}", line(&found.reverse))?;
    writeln!(out, "  similarity      {:.2}", found.similarity)?;
    for cue in &found.cues {
        let (a, b) = (one_line(cue.a), one_line(cue.b));
        writeln!(out, "  {:<15} “{a}” / “{b}”", cue.kind)?;
    }
    for note in &found.notes {
        writeln!(out, "  note: {}", one_line(note))?;
    }
    Ok(())
}
