//! Markdown for a comment on a pull request: as careful with what agents wrote as the audit's, and
//! as short.

use std::fmt::Write as _;
use std::io::{self, Write};

use rebuttal_model::{Contradiction, Resolution};
use rebuttal_policy::adjusted_text;

use super::Reconciled;
use super::words::{self, Stands};
use crate::problems::Gravity;
use crate::{count, escape, excerpt, fenced, span};
use rebuttal_text::{one_line, visible};

/// Most bytes of contradictions, and of adjusted reports. GitHub takes 65 536 characters in all.
const PART_BYTES: usize = 25_000;
/// Longest quote shown, in characters.
const QUOTE_CHARS: usize = 600;
/// Longest adjusted report shown, in characters.
const REPORT_CHARS: usize = 4_000;
/// Most problems listed.
const PROBLEMS: usize = 20;

/// Writes Markdown.
pub fn write(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Rebuttal reconciliation\n\n{}.", escape(&words::headline(reconciled)))?;
    if !reconciled.outcome.contradictions.is_empty() {
        contradictions(reconciled, out)?;
        writeln!(out, "\n### Consensus\n")?;
        for line in reconciled.outcome.consensus.consensus_narrative.lines() {
            writeln!(out, "* {}", escape(&one_line(line)))?;
        }
        adjusted(reconciled, out)?;
    }
    problems(reconciled, out)
}

fn contradictions(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut body, mut left_out) = (String::new(), 0);
    for (number, (contradiction, resolution)) in reconciled.rulings().enumerate() {
        let text = block(number + 1, contradiction, resolution);
        if body.len() + text.len() > PART_BYTES {
            left_out += 1;
        } else {
            body.push_str(&text);
        }
    }
    write!(out, "{body}")?;
    if left_out > 0 {
        let more = count(left_out, "more contradiction");
        writeln!(out, "\n{more} not shown here; `--format html` or `json` shows all.")?;
    }
    Ok(())
}

fn block(number: usize, contradiction: &Contradiction, resolution: &Resolution) -> String {
    let mut text = format!(
        "\n### {number}. {}\n\n**{}** · {}\n\n{}\n",
        escape(&one_line(&words::title(contradiction))),
        contradiction.severity.as_str(),
        words::kind(contradiction.kind),
        escape(&one_line(&contradiction.explanation)),
    );
    text.push_str("\n| | agent | value | source | period | confidence | where |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for (index, side) in contradiction.sides.iter().enumerate() {
        let cell = |text: Option<String>| text.map_or("none".to_owned(), |it| cell(&it));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            match words::stands(contradiction, resolution, index) {
                Stands::Itself => "✓",
                Stands::WithWinner => "=",
                Stands::No => "",
            },
            cell(Some(side.agent.to_string())),
            cell(Some(words::value(side))),
            cell(words::source(side)),
            cell(words::period(side)),
            side.confidence.map_or("none".to_owned(), |it| it.value().to_string()),
            cell(Some(words::place(side))),
        );
    }
    for side in &contradiction.sides {
        let quote = excerpt(&visible(&side.quote), QUOTE_CHARS);
        let _ = write!(text, "\n{}:\n{}", span(side.agent.as_str()), fenced(&quote));
    }
    let (said, by) = (words::ruling(contradiction, resolution), words::ruled_by(resolution));
    let _ = writeln!(text, "\n**Ruling: {}** ({})\n", escape(&one_line(&said)), escape(&by));
    for step in &resolution.steps {
        let line = escape(&one_line(&words::step(step)));
        let bold = if step.decided { "**" } else { "" };
        let _ = writeln!(text, "1. {bold}{line}{bold}");
    }
    if let Some(why) = words::own_words(resolution) {
        let _ = write!(text, "\n{}", fenced(&excerpt(&visible(why), QUOTE_CHARS)));
    }
    text
}

/// A code span that does not end its cell.
fn cell(text: &str) -> String {
    span(text).replace('|', "\\|")
}

fn adjusted(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut body, mut left_out) = (String::new(), 0);
    for report in &reconciled.outcome.consensus.adjusted_reports {
        if report.adjustments.is_empty() {
            continue;
        }
        let adjusted = adjusted_text(report);
        let text = excerpt(&visible(&adjusted), REPORT_CHARS);
        let text = format!("\n{}:\n{}", span(report.agent.as_str()), fenced(&text));
        if body.len() + text.len() > PART_BYTES {
            left_out += 1;
        } else {
            body.push_str(&text);
        }
    }
    writeln!(out, "\n### Adjusted reports\n\nNotes stand in brackets; nothing else was changed.")?;
    write!(out, "{body}")?;
    if left_out > 0 {
        let more = count(left_out, "more report");
        writeln!(out, "\n{more} not shown here; `--adjusted FILE` writes all.")?;
    }
    Ok(())
}

fn problems(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    let problems = reconciled.problems;
    let mut told = problems.iter().filter(|it| it.1 != Gravity::Skipped).peekable();
    if told.peek().is_some() {
        writeln!(out, "\n### Problems with the input\n")?;
    }
    for (problem, _) in told.by_ref().take(PROBLEMS) {
        writeln!(out, "* {}", span(&problem.to_string()))?;
    }
    match told.count() {
        0 => Ok(()),
        further => writeln!(out, "* {}", count(further, "further problem")),
    }
}
