//! `rebuttal positions list`: positions, the latest first.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::ledger::positions;
use rebuttal::model::Position;
use rebuttal::store::StoredPosition;
use rebuttal_report::ledger::became;

use super::{Ledger, when};
use crate::args::ledger::{ListArgs, RowFormat};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;

/// Lists positions.
pub(super) fn run(args: &ListArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let page = ledger.wait(positions(&ledger.store, args.agent.as_deref(), args.limit))?;
    match args.format {
        RowFormat::Json => JsonText::line(out, &Versioned::new(&page))?,
        RowFormat::Jsonl => {
            for entry in page.entries() {
                JsonText::line(out, &entry)?;
            }
        }
        RowFormat::Text => {
            for held in &page.positions {
                show(out, held)?;
            }
        }
    }
    match &args.agent {
        Some(agent) if page.positions.is_empty() => ledger.unknown_agent(agent, out)?,
        None if page.positions.is_empty() => {
            out.note("the ledger is empty; `rebuttal positions import FILE` fills it")?;
        }
        _ => {}
    }
    Ok(Status::Clean)
}

fn show(out: &mut Output, held: &StoredPosition) -> io::Result<()> {
    let paint = out.paint();
    let Position { agent, domain, at, id, claim, .. } = &held.position;
    let domain =
        domain.as_deref().map_or_else(String::new, |domain| format!("  {}", one_line(domain)));
    let became = became(held).map(|became| format!("  {}", paint.yellow(became)));
    let sure = sure(&held.position);
    writeln!(
        out,
        "{}  {}  {sure}{domain}{}",
        when::day(*at),
        paint.bold(one_line(agent.as_str())),
        became.unwrap_or_default()
    )?;
    writeln!(out, "{}", wrap(&format!("“{}”", visible(claim)), 2))?;
    writeln!(out, "  {}", paint.dim(one_line(id.as_str())))
}

/// How sure the agent was, in four columns.
pub(super) fn sure(position: &Position) -> String {
    position.confidence.map_or("   –".to_owned(), |sure| format!("{:.2}", sure.value()))
}
