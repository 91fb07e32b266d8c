//! For people, on a terminal: each contradiction with its quotes and its ruling, then the consensus.

use std::io::{self, Write};

use rebuttal::model::{Action, Contradiction, Resolution, Side};
use rebuttal_report::reconcile::{Reconciled, words};

use crate::output::Output;
use crate::report::{count, excerpt, severity};
use crate::terminal::{Paint, one_line, visible};
use crate::wrap::wrap;

/// Longest quote shown, in characters: about four lines. The file and line lead to the rest.
const QUOTE_CHARS: usize = 280;
/// Most sides shown of one contradiction.
const SIDES: usize = 12;
/// Most contradictions shown in full; nobody scrolls further.
const CONTRADICTIONS: usize = 200;

pub(super) fn write(reconciled: &Reconciled<'_>, out: &mut Output) -> io::Result<()> {
    let paint = out.paint();
    let headline = words::headline(reconciled);
    if reconciled.outcome.contradictions.is_empty() {
        return match reconciled.reports {
            [] => writeln!(out, "no reports, nothing to reconcile"),
            _ => writeln!(out, "{}", paint.green(headline)),
        };
    }
    writeln!(out, "{}", paint.bold(headline))?;
    for (number, (contradiction, resolution)) in
        reconciled.rulings().enumerate().take(CONTRADICTIONS)
    {
        writeln!(out)?;
        conflict(out, paint, number + 1, contradiction)?;
        ruling(out, paint, contradiction, resolution)?;
    }
    let further = reconciled.outcome.contradictions.len().saturating_sub(CONTRADICTIONS);
    if further > 0 {
        writeln!(out, "\n{} in --format json", count(further, "further contradiction"))?;
    }
    consensus(out, paint, reconciled)?;
    next(out, paint, reconciled)
}

fn conflict(
    out: &mut Output,
    paint: Paint,
    number: usize,
    contradiction: &Contradiction,
) -> io::Result<()> {
    let title = words::title(contradiction);
    writeln!(out, "  {}", paint.bold(format_args!("{number}. {}", one_line(&title))))?;
    let (grave, kind) = (severity(paint, contradiction.severity), words::kind(contradiction.kind));
    let name = paint.dim(format!("[{}]", contradiction.kind.as_str()));
    writeln!(out, "    {grave}  {kind} {name}")?;
    writeln!(out, "{}", wrap(&one_line(&contradiction.explanation), 12))?;
    contradiction.sides.iter().take(SIDES).try_for_each(|it| side(out, paint, it))?;
    match contradiction.sides.len().saturating_sub(SIDES) {
        0 => Ok(()),
        further => writeln!(out, "      {}", count(further, "further report")),
    }
}

/// `file:line` first and whole, so that a terminal can open it.
fn side(out: &mut Output, paint: Paint, side: &Side) -> io::Result<()> {
    let place = words::place(side);
    let agent = paint.bold(one_line(side.agent.as_str()));
    writeln!(out, "      {}  {agent}", one_line(&place))?;
    writeln!(out, "{}", paint.dim(wrap(&one_line(&words::facts(side)), 8)))?;
    let quote = format!("\"{}\"", excerpt(&visible(&side.quote), QUOTE_CHARS));
    writeln!(out, "{}", wrap(&quote, 8))
}

fn ruling(
    out: &mut Output,
    paint: Paint,
    contradiction: &Contradiction,
    resolution: &Resolution,
) -> io::Result<()> {
    let said = words::ruling(contradiction, resolution);
    let by = words::ruled_by(resolution);
    let line = wrap(&one_line(&format!("Ruling: {said} ({by})")), 4);
    let is_open = resolution.action == Action::FlagForReview;
    let painted = if is_open { paint.yellow(line) } else { paint.green(line) };
    writeln!(out, "{painted}")?;
    for step in &resolution.steps {
        let mark = if step.decided { '>' } else { '-' };
        let line = bullet(mark, &one_line(&words::step(step)), 6);
        writeln!(out, "{}", if step.decided { paint.bold(line) } else { paint.dim(line) })?;
    }
    match words::own_words(resolution) {
        Some(why) => writeln!(out, "{}", wrap(&format!("\"{}\"", visible(why)), 8)),
        None => Ok(()),
    }
}

/// A wrapped text with a mark before its first line.
fn bullet(mark: char, text: &str, indent: usize) -> String {
    let (margin, lines) = (" ".repeat(indent), wrap(text, indent + 2));
    format!("{margin}{mark} {}", lines.trim_start())
}

fn consensus(out: &mut Output, paint: Paint, reconciled: &Reconciled<'_>) -> io::Result<()> {
    writeln!(out, "\n{}", paint.bold("Consensus"))?;
    for line in reconciled.outcome.consensus.consensus_narrative.lines() {
        writeln!(out, "{}", bullet('-', &one_line(line), 2))?;
    }
    Ok(())
}

fn next(out: &mut Output, paint: Paint, reconciled: &Reconciled<'_>) -> io::Result<()> {
    writeln!(out, "\n{}", paint.bold("What next"))?;
    for (flag, why) in words::next(reconciled) {
        writeln!(out, "  {flag:<23}{}", paint.dim(why))?;
    }
    Ok(())
}
