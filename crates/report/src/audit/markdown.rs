//! Markdown for a comment on a pull request.
//!
//! What agents wrote stands in fenced blocks and code spans only, where it can neither become
//! markup nor mention anybody. Comments have a size limit, so this report has one too.

use std::fmt::Write as _;
use std::io::{self, Write};

use rebuttal_model::{Finding, Problem};

use super::evidence::{Evidence, evidence};
use super::{Report, rules};
use crate::audit::{Audited, Clean, Sentences, Summary};
use crate::problems::Gravity;
use crate::{count, excerpt, grouped};
use rebuttal_text::{one_line, visible};

/// Most bytes of findings and problems. GitHub takes 65 536 characters in one comment.
const BODY_BYTES: usize = 50_000;

/// Longest quote shown, in characters.
const QUOTE_CHARS: usize = 600;

/// Markdown for a comment on a pull request. Held until the end: the totals come first.
#[derive(Debug, Default)]
pub struct Markdown {
    body: String,
    problems: String,
    left_out: usize,
}

impl Markdown {
    fn has_room(&self, more: usize) -> bool {
        self.body.len() + self.problems.len() + more <= BODY_BYTES
    }
}

impl Report for Markdown {
    fn transcript(&mut self, _out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        let mut heading = format!("\n### {}\n", span(&audited.label()));
        for agent in audited.names() {
            for finding in audited.about(agent) {
                let text = block(finding, &audited.sentences);
                if self.has_room(heading.len() + text.len()) {
                    self.body.push_str(&std::mem::take(&mut heading));
                    self.body.push_str(&text);
                } else {
                    self.left_out += 1;
                }
            }
        }
        Ok(())
    }

    fn problem(
        &mut self,
        _out: &mut dyn Write,
        problem: &Problem,
        gravity: Gravity,
    ) -> io::Result<()> {
        if gravity == Gravity::Skipped {
            return Ok(());
        }
        let line = format!("- {}\n", span(&problem.to_string()));
        if self.has_room(line.len()) {
            self.problems.push_str(&line);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        writeln!(out, "## Rebuttal: {}\n", count(summary.findings.total(), "finding"))?;
        writeln!(out, "| high | medium | low | info | files | transcripts | turns |")?;
        writeln!(out, "|-----:|-------:|----:|-----:|------:|------------:|------:|")?;
        for (_, number) in summary.findings.gravest_first() {
            write!(out, "| {} ", grouped(number))?;
        }
        let [files, transcripts, turns] =
            [summary.files_read(), summary.transcripts, summary.turns].map(grouped);
        writeln!(out, "| {files} | {transcripts} | {turns} |")?;
        if let Some(clean) = summary.clean() {
            write!(out, "\n{}", clean.sentence())?;
            if let Clean::Sure(_) = clean {
                let positions = grouped(summary.positions);
                let turns = count(summary.agent_turns, "agent turn");
                write!(out, " {positions} of {turns} take a position.")?;
            }
            writeln!(out)?;
        }
        if summary.skipped > 0 {
            writeln!(out, "\n{} in no known format skipped.", count(summary.skipped, "file"))?;
        }
        if let Some(unasked) = summary.unasked() {
            writeln!(out, "\nNote: {unasked}; rules decided the rest.")?;
        }
        if let Some(foreign) = summary.foreign() {
            writeln!(out, "\n{foreign}.")?;
        }
        write!(out, "{}", self.body)?;
        if self.left_out > 0 {
            let more = count(self.left_out, "more finding");
            writeln!(out, "\n{more} not shown here; `--format html` or `json` shows all.")?;
        }
        if !self.problems.is_empty() {
            writeln!(out, "\n### Problems with the input\n\n{}", self.problems.trim_end())?;
        }
        Ok(())
    }
}

fn block(finding: &Finding, sentences: &Sentences) -> String {
    let mut text = format!(
        "\n**{}** · {} · {}\n\n{}\n",
        finding.severity.as_str(),
        span(finding.agent.as_str()),
        escape(rules::title(&finding.rule)),
        escape(&one_line(&finding.explanation)),
    );
    for Evidence { place, shows, words, .. } in evidence(finding, sentences) {
        let (place, shows) = (span(&place), escape(&one_line(&shows)));
        let words = excerpt(&visible(words), QUOTE_CHARS);
        let _ = write!(text, "\n{shows} ({place}):\n{}", fenced(&words));
    }
    text
}

/// A block that its content cannot end, with the line break after it.
pub fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// A code span that its content cannot end.
pub fn span(text: &str) -> String {
    let text = one_line(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Prose that names agents: every ASCII character that means something to Markdown, escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match character {
            // An entity, because `\@` would still mention and `\#` would still link.
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Bare addresses become links; an entity for the colon keeps them text.
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '|' | '!' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_cannot_leave_its_span() {
        assert_eq!(span("a`b"), "``a`b``");
        assert_eq!(span("``` x"), "```` ``` x ````");
        assert_eq!(escape("@team [x](y) <img>"), "&#64;team \\[x\\](y) &lt;img&gt;");
    }
}
