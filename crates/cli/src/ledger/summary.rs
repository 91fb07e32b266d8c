//! `rebuttal summary`: the whole ledger at a glance.
//!
//! As JSON exactly what the seed document's `get_flip_summary` gives: `total_flips`, `by_type`,
//! `by_agent`, `recent_24h`. Everything is read from totals, so that it costs the same at any size.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::ledger::{overview, summary};
use rebuttal::model::FlipKind;
use rebuttal::store::{Contested, DomainTotals, Summary};
use rebuttal_report::ledger::Overview;
use rebuttal_report::{flips, positions, share};

use super::Ledger;
use super::draw::Strokes;
use crate::args::ledger::{PageFormat, SummaryArgs};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, count, excerpt, grouped};
use crate::terminal::one_line;

/// Characters of a contested claim.
const WORDS: usize = 60;

/// Shows the ledger at a glance.
pub(crate) fn run(args: &SummaryArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    to_file(out, args.output.as_deref())?;
    match args.format {
        PageFormat::Json => {
            JsonText::line(out, &ledger.wait(summary(&ledger.store, ledger.now))?)?;
        }
        PageFormat::Text => text(out, &overview_of(&ledger)?)?,
        PageFormat::Html => {
            writeln!(
                out,
                "{}",
                rebuttal_report::ledger::summary(
                    &overview_of(&ledger)?,
                    rebuttal_report::Place::File
                )
                .stand_alone()
                .into_string()
            )?;
        }
    }
    Ok(Status::Clean)
}

fn overview_of(ledger: &Ledger) -> Result<Overview> {
    ledger.wait(overview(&ledger.store, ledger.now))
}

fn text(out: &mut Output, overview: &Overview) -> io::Result<()> {
    let paint = out.paint();
    let Summary { positions: total, total_flips, silent, recent_24h, unseen, .. } =
        overview.summary;
    writeln!(
        out,
        "{}, {}: {silent} silent, {recent_24h} in the last 24 hours",
        positions(total),
        paint.bold(flips(total_flips)),
    )?;
    if unseen > 0 {
        let waiting = positions(unseen);
        writeln!(
            out,
            "{waiting} not looked at yet; the next import or `rebuttal db rebuild --flips` will"
        )?;
    }
    if total_flips > 0 {
        writeln!(out, "\n{}", paint.bold("By type"))?;
        for kind in FlipKind::ALL.into_iter().rev() {
            let flips = overview.summary.by_type.get(&kind).copied().unwrap_or_default();
            line(out, kind.as_str(), flips, total_flips)?;
        }
        writeln!(out, "\n{}", paint.bold("By agent"))?;
        for (agent, flips) in &overview.summary.by_agent {
            line(out, &excerpt(agent, 20), *flips, total_flips)?;
        }
    }
    domains(out, overview)?;
    contested(out, overview)
}

fn line(out: &mut Output, label: &str, number: u64, of: u64) -> io::Result<()> {
    let bar = Strokes::of(out).bar(share(number, of));
    let number = grouped(usize::try_from(number).unwrap_or(usize::MAX));
    writeln!(out, "  {:<20}  {bar}  {number:>6}", one_line(label))
}

fn domains(out: &mut Output, overview: &Overview) -> io::Result<()> {
    let named: Vec<_> =
        overview.domains.iter().filter(|it| !it.domain.is_empty() && it.flips > 0).collect();
    if named.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", out.paint().bold("By field, flips of its positions"))?;
    for domain in named {
        let bar = Strokes::of(out).bar(share(domain.flips, domain.positions));
        let DomainTotals { flips, positions, .. } = domain;
        writeln!(
            out,
            "  {:<20}  {bar}  {flips:>6} of {positions}",
            one_line(&excerpt(&domain.domain, 20))
        )?;
    }
    Ok(())
}

fn contested(out: &mut Output, overview: &Overview) -> io::Result<()> {
    if overview.contested.is_empty() {
        return Ok(());
    }
    let title = "Contested: several agents flip on it, both ways first";
    writeln!(out, "\n{}", out.paint().bold(title))?;
    overview.contested.iter().try_for_each(|claim| matter(out, claim))
}

/// One contested claim.
pub(super) fn matter(out: &mut Output, claim: &Contested) -> io::Result<()> {
    let Contested { words, agents, flips: number, toward_yes, toward_no } = claim;
    writeln!(out, "  “{}”", one_line(&excerpt(words, WORDS)))?;
    let sides = match (toward_yes, toward_no) {
        (0, 0) => String::new(),
        (0, _) | (_, 0) => format!(": {toward_yes} ended for it, {toward_no} against"),
        _ => format!(", both ways: {toward_yes} ended for it, {toward_no} against"),
    };
    let agents = count(usize::try_from(*agents).unwrap_or(usize::MAX), "agent");
    writeln!(out, "    {agents}, {}{sides}", flips(*number))
}
