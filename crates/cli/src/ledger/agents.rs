//! `rebuttal agents`: how consistent each agent is, the least consistent first.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::detect::scores::ConsistencyClass;
use rebuttal::ledger::agents;
use rebuttal_report::ledger::Ranked;
use unicode_width::UnicodeWidthStr;

use super::Ledger;
use super::draw::Strokes;
use crate::args::ledger::{AgentsArgs, PageFormat};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, excerpt, grouped};
use crate::terminal::{Paint, Painted, one_line};

/// Widest name that is shown whole.
const NAME_CHARS: usize = 24;

/// Shows the table.
pub(crate) fn run(args: &AgentsArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let page = ledger.wait(agents(&ledger.store, args.limit))?;
    to_file(out, args.output.as_deref())?;
    match args.format {
        PageFormat::Json => {
            JsonText::line(out, &Versioned::new(&page))?;
        }
        PageFormat::Html => {
            writeln!(
                out,
                "{}",
                rebuttal_report::ledger::agents(
                    &page.agents,
                    page.more,
                    rebuttal_report::Place::File
                )
                .stand_alone()
                .into_string()
            )?;
        }
        PageFormat::Text if page.agents.is_empty() => {
            out.note("the ledger is empty; `rebuttal positions import FILE` fills it")?;
        }
        PageFormat::Text => {
            table(out, &page.agents)?;
            if page.more {
                let all = args.limit.saturating_mul(5);
                out.note(format_args!("there are more; --limit {all} shows them"))?;
            }
        }
    }
    Ok(Status::Clean)
}

fn table(out: &mut Output, ranked: &[Ranked]) -> io::Result<()> {
    let (paint, strokes) = (out.paint(), Strokes::of(out));
    let names: Vec<String> = ranked
        .iter()
        .map(|agent| one_line(&excerpt(&agent.totals.agent, NAME_CHARS)).into_owned())
        .collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0).max("agent".len());
    let head = format!(
        "{:width$}  {:<20}  score  positions  flips  silent  contradictions",
        "agent", "consistency"
    );
    writeln!(out, "{}", paint.dim(head))?;
    for (name, Ranked { totals, score }) in names.iter().zip(ranked) {
        let gap = " ".repeat(width - name.width());
        let share = score.consistency_score();
        let number = |number: u64| grouped(usize::try_from(number).unwrap_or(usize::MAX));
        writeln!(
            out,
            "{}{gap}  {}   {share:.2}  {:>9}  {:>5}  {:>6}  {:>14}",
            paint.bold(name),
            coloured(paint, score.class(), strokes.bar(share)),
            number(totals.positions),
            number(totals.flips),
            number(totals.silent),
            number(totals.contradictions),
        )?;
    }
    Ok(())
}

/// A bar in the colour of its class.
pub(super) fn coloured(paint: Paint, class: ConsistencyClass, bar: String) -> Painted<String> {
    match class {
        ConsistencyClass::High => paint.green(bar),
        ConsistencyClass::Medium => paint.yellow(bar),
        ConsistencyClass::Low => paint.red(bar),
    }
}
