//! For people, on a terminal: what was found, transcript by transcript, then one line that sums up.

use std::io::{self, Write};

use rebuttal::model::{AgentId, Finding, Problem, ProblemKind, Severity};

use super::evidence::{Evidence, evidence};
use super::{Report, count, excerpt, rules};
use crate::audit::{Audited, Sentences, Summary};
use crate::output::Output;
use crate::terminal::{Paint, visible};
use crate::wrap::wrap;

/// Longest quote shown, in characters: about four lines. The file and line lead to the rest.
const QUOTE_CHARS: usize = 280;

/// For people, on a terminal.
#[derive(Debug, Default)]
pub(super) struct Text {
    any: bool,
}

impl Report for Text {
    fn transcript(&mut self, out: &mut Output, audited: &Audited) -> io::Result<()> {
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

    fn problem(&mut self, out: &mut Output, problem: &Problem) -> io::Result<()> {
        let text = problem.to_string();
        match problem.kind {
            ProblemKind::Unreadable | ProblemKind::UnknownFormat | ProblemKind::Empty => {
                out.error(visible(&text))
            }
            _ => out.warn(visible(&text)),
        }
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary) -> io::Result<()> {
        let paint = out.paint();
        if self.any {
            writeln!(out)?;
        }
        if summary.findings.total() == 0 && summary.transcripts > 0 {
            let clean =
                if summary.hidden.total() == 0 { "Nothing found." } else { "Nothing to show." };
            writeln!(out, "{} {}", paint.green(clean), reach(summary))?;
        }
        writeln!(out, "{}", wrap(&totals(summary), 0))
    }
}

fn heading(out: &mut Output, paint: Paint, audited: &Audited) -> io::Result<()> {
    write!(out, "{}", paint.bold(visible(&audited.label())))?;
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
            writeln!(out, "\n  {}", paint.bold(visible(agent.as_str())))?;
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
    let rule = paint.dim(format!("[{}]", visible(finding.rule.as_str())));
    let title = rules::title(&finding.rule);
    writeln!(out, "    {}  {} {rule}", severity(paint, finding.severity), visible(title))?;
    writeln!(out, "{}", wrap(&visible(&finding.explanation), 12))?;
    evidence(finding, sentences).iter().try_for_each(|it| show_evidence(out, paint, it))
}

/// `file:line` first and whole, so that a terminal can open it.
fn show_evidence(out: &mut Output, paint: Paint, evidence: &Evidence<'_>) -> io::Result<()> {
    let (place, shows) = (visible(&evidence.place), visible(&evidence.shows));
    writeln!(out, "      {place}  {}", paint.dim(shows))?;
    let words = format!("\"{}\"", excerpt(&visible(evidence.words), QUOTE_CHARS));
    writeln!(out, "{}", wrap(&words, 8))
}

/// The word itself says how severe it is; colour only helps to find it.
fn severity(paint: Paint, severity: Severity) -> String {
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
        summary.positions,
        count(summary.agent_turns, "agent turn")
    )
}

fn totals(summary: &Summary) -> String {
    let mut found = count(summary.findings.total(), "finding");
    let each: Vec<_> = (summary.findings.gravest_first())
        .filter(|(_, number)| *number > 0)
        .map(|(severity, number)| format!("{number} {}", severity.as_str()))
        .collect();
    if !each.is_empty() {
        found = format!("{found} ({})", each.join(", "));
    }
    let (hidden, problems, unreadable) =
        (summary.hidden.total(), summary.problems, summary.unreadable());
    let further = [
        (hidden, format!("{hidden} milder not shown")),
        (problems, format!("{} with the input", count(problems, "problem"))),
        (unreadable, format!("{} not readable", count(unreadable, "file"))),
    ];
    let further = further.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words);
    let found: Vec<_> = std::iter::once(found).chain(further).collect();
    format!(
        "{}, {}, {}: {}",
        count(summary.files.len(), "file"),
        count(summary.transcripts, "transcript"),
        count(summary.turns, "turn"),
        found.join(", "),
    )
}
