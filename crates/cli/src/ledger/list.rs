//! `rebuttal positions list`: positions, the latest first.
//!
//! As JSON `{ "rebuttal", "schema", "positions": [ … ] }`: each has the fields of the journal and
//! `n`, `outcome`, `resolved_at` and `reversed`.

use std::io::{self, Write};

use anyhow::Result;
use jiff::Timestamp;
use rebuttal::model::{Outcome, Position};
use rebuttal::store::{HistoryPage, StoredPosition};
use rebuttal_report::ledger::became;
use serde::Serialize;

use super::{Ledger, when};
use crate::args::ledger::{ListArgs, RowFormat};
use crate::output::{Output, Status};
use crate::report::{JsonText, SCHEMA, VERSION};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;

#[derive(Serialize)]
struct Document<'d> {
    rebuttal: &'static str,
    schema: u32,
    positions: Vec<Row<'d>>,
}

/// A position and what became of it.
#[derive(Serialize)]
pub(super) struct Row<'h> {
    n: u64,
    #[serde(flatten)]
    position: &'h Position,
    outcome: Option<Outcome>,
    resolved_at: Option<Timestamp>,
    reversed: bool,
}

impl<'h> From<&'h StoredPosition> for Row<'h> {
    fn from(held: &'h StoredPosition) -> Self {
        let StoredPosition { n, position, outcome, resolved_at, reversed } = held;
        Self { n: *n, position, outcome: *outcome, resolved_at: *resolved_at, reversed: *reversed }
    }
}

/// Lists positions.
pub(super) fn run(args: &ListArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let held = match &args.agent {
        Some(agent) => {
            let page = HistoryPage { before: None, limit: args.limit };
            ledger.wait(ledger.store.history(agent, &page))?
        }
        None => latest(&ledger, args.limit)?,
    };
    match args.format {
        RowFormat::Json => {
            let positions = held.iter().map(Row::from).collect();
            JsonText::line(out, &Document { rebuttal: VERSION, schema: SCHEMA, positions })?;
        }
        RowFormat::Jsonl => {
            for held in &held {
                JsonText::line(out, &Row::from(held))?;
            }
        }
        RowFormat::Text => {
            for held in &held {
                show(out, held)?;
            }
        }
    }
    match &args.agent {
        Some(agent) if held.is_empty() => ledger.unknown_agent(agent, out)?,
        None if held.is_empty() => {
            out.note("the ledger is empty; `rebuttal positions import FILE` fills it")?;
        }
        _ => {}
    }
    Ok(Status::Clean)
}

/// The positions that were taken last, whoever holds them.
fn latest(ledger: &Ledger, limit: u32) -> Result<Vec<StoredPosition>> {
    let total = ledger.wait(ledger.store.summary(ledger.now, 0))?.positions;
    let after = total.saturating_sub(u64::from(limit));
    let mut held = ledger.wait(ledger.store.positions_after(after, limit))?;
    held.reverse();
    Ok(held)
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
