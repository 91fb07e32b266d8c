//! One page to read and to hand on: self-contained, no scripts, no requests.
//!
//! The conversations stand in full with the findings marked in place, within limits: a page is for
//! a person, and a browser gives up long before a log file does.

mod conversation;
mod marks;
mod overview;
mod page;

use std::collections::BTreeMap;
use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};
use rebuttal::model::{AgentId, Problem};

use super::Report;
use crate::audit::{Audited, Counts, Keep, Summary};
use crate::output::Output;

/// Most transcripts shown in full whether or not anything was found in them.
const CLEAN_TRANSCRIPTS: usize = 25;

/// Most bytes of page for conversations. Browsers stay quick up to here.
const PAGE_BYTES: usize = 16 << 20;

/// Most problems listed.
const PROBLEMS: usize = 200;

/// What the page says about one agent over all transcripts.
#[derive(Clone, Debug, Default)]
struct AgentRow {
    turns: usize,
    positions: usize,
    findings: Counts,
}

/// What had to be left out.
#[derive(Clone, Copy, Debug, Default)]
struct LeftOut {
    clean: usize,
    transcripts: usize,
    findings: usize,
    problems: usize,
}

/// One page. Held until the end: the totals come first.
#[derive(Debug, Default)]
pub(super) struct Html {
    conversations: String,
    shown: usize,
    findings: usize,
    agents: BTreeMap<AgentId, AgentRow>,
    problems: Vec<Problem>,
    left_out: LeftOut,
}

impl Html {
    fn tally(&mut self, audited: &Audited) {
        for count in &audited.agents {
            let row = self.agents.entry(count.agent.clone()).or_default();
            row.turns += count.turns;
            row.positions += count.positions;
        }
        for finding in &audited.findings {
            let row = self.agents.entry(finding.agent.clone()).or_default();
            row.findings.add(finding.severity);
        }
    }

    /// Puts a transcript on the page; false when there is no room for it.
    fn show(&mut self, audited: &Audited) -> bool {
        let PreEscaped(section) = conversation::section(audited, self.shown, self.findings);
        let has_room = self.conversations.len() + section.len() <= PAGE_BYTES;
        if has_room {
            self.shown += 1;
            self.findings += audited.findings.len();
            self.conversations.push_str(&section);
        }
        has_room
    }

    fn notes(&self) -> Markup {
        let LeftOut { clean, transcripts, findings, problems } = self.left_out;
        html! {
            @if clean > 0 {
                p.note { (clean) " further transcripts without findings are counted but not shown." }
            }
            @if transcripts > 0 {
                p.note {
                    (findings) " findings in " (transcripts) " further transcripts are counted but "
                    "not shown: the page would be too large to read. " code { "--format json" }
                    " has them all."
                }
            }
            @if problems > 0 { p.note { (problems) " further problems are not listed." } }
        }
    }
}

impl Report for Html {
    fn keeps(&self) -> Keep {
        Keep::Conversation
    }

    fn transcript(&mut self, _out: &mut Output, audited: &Audited) -> io::Result<()> {
        self.tally(audited);
        if audited.findings.is_empty() && self.shown >= CLEAN_TRANSCRIPTS {
            self.left_out.clean += 1;
            return Ok(());
        }
        if !self.show(audited) && !self.show(&audited.without_conversation()) {
            self.left_out.transcripts += 1;
            self.left_out.findings += audited.findings.len();
        }
        Ok(())
    }

    fn problem(&mut self, _out: &mut Output, problem: &Problem) -> io::Result<()> {
        if self.problems.len() < PROBLEMS {
            self.problems.push(problem.clone());
        } else {
            self.left_out.problems += 1;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary) -> io::Result<()> {
        let body = html! {
            (overview::header(summary))
            main {
                (overview::agents(&self.agents))
                (overview::problems(&self.problems))
                (self.notes())
                div id="findings" { (PreEscaped(&self.conversations)) }
            }
        };
        writeln!(out, "{}", page::document("Rebuttal audit", &body).into_string())
    }
}

#[cfg(test)]
mod tests {
    use rebuttal::model::{
        Confidence, DebateId, Finding, FindingId, Method, Quote, Quotes, Role, RuleId, Severity,
        Span, Transcript, Turn, TurnId,
    };

    use super::*;
    use crate::audit::Sentences;

    const NASTY: &str = "<img src=x onerror=alert(1)>\u{200b}";

    /// A long debate with one finding at its last turn, in which everything is hostile.
    fn audited() -> Audited {
        let agent = AgentId::new(NASTY);
        let turns = (0..12).map(|_| Turn::new(agent.clone(), Role::Agent, NASTY)).collect();
        let transcript = Transcript::new(DebateId::new(NASTY), Some(NASTY.to_owned()), turns);
        let quote = Quote {
            turn: TurnId::new(11),
            span: Span::new(0, 4),
            text: "<img".to_owned(),
            shows: "instruction".into(),
            source: None,
        };
        let finding = Finding {
            id: FindingId::new("f-1"),
            rule: RuleId::new("injection/test"),
            agent,
            severity: Severity::High,
            confidence: Confidence::detector(1.0),
            method: Method::Rules,
            explanation: NASTY.to_owned(),
            quotes: Quotes::new(quote, Vec::new()),
        };
        Audited {
            file: NASTY.into(),
            id: transcript.id.clone(),
            turns: 12,
            agents: Vec::new(),
            findings: vec![finding],
            sentences: Sentences::default(),
            hidden: Vec::new(),
            transcript: Some(transcript),
        }
    }

    #[test]
    fn everything_from_input_is_escaped_and_visible() {
        let PreEscaped(section) = conversation::section(&audited(), 0, 0);
        assert!(!section.contains("<img") && !section.contains('\u{200b}'), "{section}");
        assert!(section.contains("&lt;img") && section.contains("\\u{200b}"));
    }

    #[test]
    fn turns_without_findings_fold_and_the_mark_stands_in_place() {
        let PreEscaped(section) = conversation::section(&audited(), 0, 0);
        assert!(section.contains("<summary>11 turns without findings</summary>"), "{section}");
        let mark = r#"<mark class="high"><a class="anchor" id="f1q0"></a>&lt;img</mark>"#;
        assert!(section.contains(mark), "{section}");
    }

    #[test]
    fn cards_stand_without_their_conversation() {
        let PreEscaped(section) = conversation::section(&audited().without_conversation(), 0, 0);
        assert!(section.contains("too long for this page") && !section.contains("href"));
    }

    #[test]
    fn clean_transcripts_beyond_the_limit_are_counted_not_shown() {
        let clean = Audited { findings: Vec::new(), ..audited() };
        let mut page = Html::default();
        let mut out =
            Output::standard(crate::terminal::ColorChoice::Never, crate::output::Verbosity::Quiet);
        for _ in 0..CLEAN_TRANSCRIPTS + 3 {
            page.transcript(&mut out, &clean).unwrap();
        }
        page.transcript(&mut out, &audited()).unwrap();
        assert_eq!((page.left_out.clean, page.shown), (3, CLEAN_TRANSCRIPTS + 1));
        assert!(page.notes().into_string().contains("3 further transcripts without findings"));
    }
}
