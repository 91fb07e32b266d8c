//! For people, on a terminal: what was found, transcript by transcript, then one line that sums up.

use std::io::{self, Write};

use rebuttal::model::{AgentId, Finding, Severity};
use rebuttal_report::audit::{Audited, Clean, Evidence, Sentences, Summary, evidence, title};

use super::{count, excerpt, grouped};
use crate::output::Output;
use crate::terminal::{Paint, one_line, visible};
use crate::wrap::wrap;

/// Longest quote shown, in characters: about four lines. The file and line lead to the rest.
const QUOTE_CHARS: usize = 280;

/// For people, on a terminal.
#[derive(Debug, Default)]
pub(crate) struct Text {
    any: bool,
}

impl Text {
    /// Writes what was found in a transcript, if anything was.
    pub(super) fn transcript(&mut self, out: &mut Output, audited: &Audited) -> io::Result<()> {
        if audited.findings.is_empty() {
            return Ok(());
        }
        let paint = out.paint();
        if self.any {
            writeln!(out)?;
        }
        self.any = true;
        heading(out, paint, audited)?;
        for agent in audited.names() {
            agent_findings(out, paint, audited, agent)?;
        }
        Ok(())
    }

    /// Writes the line that sums up.
    pub(super) fn finish(&mut self, out: &mut Output, summary: &Summary) -> io::Result<()> {
        let paint = out.paint();
        if self.any {
            writeln!(out)?;
        }
        match summary.clean() {
            Some(Clean::Sure(clean)) => {
                writeln!(out, "{} {}", paint.green(clean), reach(summary))?;
            }
            Some(Clean::Doubtful(clean)) => {
                writeln!(out, "{}", paint.yellow(wrap(&clean, 0)))?;
            }
            None => {}
        }
        writeln!(out, "{}", wrap(&totals(summary), 0))
    }
}

fn heading(out: &mut Output, paint: Paint, audited: &Audited) -> io::Result<()> {
    write!(out, "{}", paint.bold(one_line(&audited.label())))?;
    let (agents, turns) = (count(audited.agents.len(), "agent"), count(audited.turns, "turn"));
    writeln!(out, "\n{}", paint.dim(format_args!("{agents}, {turns}")))
}

fn agent_findings(
    out: &mut Output,
    paint: Paint,
    audited: &Audited,
    agent: &AgentId,
) -> io::Result<()> {
    for (index, finding) in audited.about(agent).enumerate() {
        if index == 0 {
            writeln!(out, "\n  {}", paint.bold(one_line(agent.as_str())))?;
        }
        show(out, paint, finding, &audited.sentences)?;
    }
    Ok(())
}

fn show(
    out: &mut Output,
    paint: Paint,
    finding: &Finding,
    sentences: &Sentences,
) -> io::Result<()> {
    let rule = paint.dim(format!("[{}]", one_line(finding.rule.as_str())));
    let title = title(&finding.rule);
    writeln!(out, "    {}  {} {rule}", severity(paint, finding.severity), one_line(title))?;
    writeln!(out, "{}", wrap(&one_line(&finding.explanation), 12))?;
    evidence(finding, sentences).iter().try_for_each(|it| show_evidence(out, paint, it))
}

/// `file:line` first and whole, so that a terminal can open it.
fn show_evidence(out: &mut Output, paint: Paint, evidence: &Evidence<'_>) -> io::Result<()> {
    let (place, shows) = (one_line(&evidence.place), one_line(&evidence.shows));
    writeln!(out, "      {place}  {}", paint.dim(shows))?;
    let words = format!("\"{}\"", excerpt(&visible(evidence.words), QUOTE_CHARS));
    writeln!(out, "{}", wrap(&words, 8))
}

/// The word itself says how severe it is; colour only helps to find it.
pub(crate) fn severity(paint: Paint, severity: Severity) -> String {
    let word = format!("{:6}", severity.as_str());
    match severity {
        Severity::High => paint.red(word).to_string(),
        Severity::Medium => paint.yellow(word).to_string(),
        Severity::Low => paint.blue(word).to_string(),
        Severity::Info => paint.dim(word).to_string(),
    }
}

/// How much a clean result says: a log in which nobody takes a position is clean for want of
/// anything to judge.
fn reach(summary: &Summary) -> String {
    format!(
        "{} of {} could be read as taking a position.",
        grouped(summary.positions),
        count(summary.agent_turns, "agent turn")
    )
}

fn totals(summary: &Summary) -> String {
    let mut found = count(summary.findings.total(), "finding");
    let each: Vec<_> = (summary.findings.gravest_first())
        .filter(|(_, number)| *number > 0)
        .map(|(severity, number)| format!("{} {}", grouped(number), severity.as_str()))
        .collect();
    if !each.is_empty() {
        found = format!("{found} ({})", each.join(", "));
    }
    let (hidden, problems, unreadable) =
        (summary.hidden.total(), summary.problems, summary.unreadable);
    let further = [
        (hidden, format!("{} milder not shown", grouped(hidden))),
        (problems, format!("{} with the input", count(problems, "problem"))),
        (unreadable, format!("{} not readable", count(unreadable, "file"))),
    ];
    let further = further.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words);
    let found: Vec<_> = std::iter::once(found)
        .chain(further)
        .chain(summary.unasked())
        .chain(summary.foreign())
        .collect();
    format!(
        "{}, {}, {}: {}",
        count(summary.files_read(), "file"),
        count(summary.transcripts, "transcript"),
        count(summary.turns, "turn"),
        found.join(", "),
    )
}
