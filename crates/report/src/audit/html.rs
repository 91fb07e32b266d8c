//! One page to read and to hand on: self-contained, no scripts, no requests.
//!
//! The conversations stand in full with the findings marked in place, within limits: a page is for
//! a person, and a browser gives up long before a log file does.

mod agents;
mod conversation;
mod overview;

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};
use rebuttal_model::{Method, Problem};

use super::Report;
use crate::audit::{Audited, Counts, Keep, Summary};
use crate::problems::Gravity;
use crate::{Page, Place, count, grouped};
use agents::Agents;

pub(crate) use overview::problems as problem_list;

/// Most transcripts shown in full whether or not anything was found in them.
const CLEAN_TRANSCRIPTS: usize = 25;

/// Most bytes of page for conversations. Browsers stay quick up to here.
const PAGE_BYTES: usize = 16 << 20;

/// Most problems listed.
const PROBLEMS: usize = 200;

/// Most transcripts in the table of contents.
const CONTENTS: usize = 100;

/// A transcript with findings, for the table of contents.
#[derive(Clone, Debug)]
struct Entry {
    section: usize,
    label: String,
    findings: Counts,
}

impl Entry {
    /// `2 high, 1 info`.
    fn counts(&self) -> String {
        let each = self.findings.gravest_first().filter(|(_, number)| *number > 0);
        let each =
            each.map(|(severity, number)| format!("{} {}", grouped(number), severity.as_str()));
        each.collect::<Vec<_>>().join(", ")
    }
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
#[derive(Debug)]
pub struct Html {
    method: Method,
    place: Place,
    /// Sections with findings, and those without, which come later.
    found: String,
    clean: String,
    shown: usize,
    shown_clean: usize,
    findings: usize,
    contents: Vec<Entry>,
    further_contents: usize,
    agents: Agents,
    problems: Vec<Problem>,
    left_out: LeftOut,
}

impl Html {
    /// A page that says by which method it was decided; on a site, a person can say whether that is right.
    pub fn new(method: Method, place: Place) -> Self {
        Self {
            method,
            place,
            found: String::new(),
            clean: String::new(),
            shown: 0,
            shown_clean: 0,
            findings: 0,
            contents: Vec::new(),
            further_contents: 0,
            agents: Agents::default(),
            problems: Vec::new(),
            left_out: LeftOut::default(),
        }
    }

    /// Puts a transcript on the page; `None` when there is no room for it, else its number there.
    fn show(&mut self, audited: &Audited) -> Option<usize> {
        let section = self.shown;
        let PreEscaped(text) = conversation::section(audited, section, self.findings, self.place);
        if self.found.len() + self.clean.len() + text.len() > PAGE_BYTES {
            return None;
        }
        self.shown += 1;
        self.findings += audited.findings.len();
        if audited.findings.is_empty() {
            self.shown_clean += 1;
            self.clean.push_str(&text);
        } else {
            self.found.push_str(&text);
            self.list(audited, section);
        }
        Some(section)
    }

    fn list(&mut self, audited: &Audited, section: usize) {
        if self.contents.len() >= CONTENTS {
            self.further_contents += 1;
            return;
        }
        let mut findings = Counts::default();
        audited.findings.iter().for_each(|finding| findings.add(finding.severity));
        self.contents.push(Entry { section, label: audited.label(), findings });
    }

    /// What the transcripts without findings say, out of the way where there is more to look at.
    fn clean(&self) -> Markup {
        let sections = PreEscaped(&self.clean);
        html! {
            @if self.shown_clean > 1 || !self.found.is_empty() {
                @if self.shown_clean > 0 {
                    details.clean {
                        summary { (count(self.shown_clean, "transcript")) " without findings" }
                        (sections)
                    }
                }
            } @else { (sections) }
        }
    }
}

impl Report for Html {
    fn keeps(&self) -> Keep {
        Keep::Conversation
    }

    fn transcript(&mut self, _out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        if audited.findings.is_empty() && self.shown >= CLEAN_TRANSCRIPTS {
            self.left_out.clean += 1;
            self.agents.add(audited, None);
            return Ok(());
        }
        let section = match self.show(audited) {
            Some(section) => Some(section),
            None => self.show(&audited.without_conversation()),
        };
        self.agents.add(audited, section);
        if section.is_none() {
            self.left_out.transcripts += 1;
            self.left_out.findings += audited.findings.len();
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
        if self.problems.len() < PROBLEMS {
            self.problems.push(problem.clone());
        } else {
            self.left_out.problems += 1;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        writeln!(out, "{}", self.page(summary).stand_alone().into_string())
    }
}

impl Html {
    /// What was put on the page, with the totals before it.
    pub fn page(&mut self, summary: &Summary) -> Page {
        let is_many = summary.transcripts > 1;
        let body = html! {
            (overview::header(summary))
            @if is_many { (overview::contents(&self.contents, self.further_contents)) }
            main {
                div id="findings" { (PreEscaped(&self.found)) }
                (self.clean())
                (self.agents.markup(summary.transcripts))
                (overview::problems(&self.problems))
                (overview::left_out(self.left_out))
            }
        };
        let footer = overview::footer(summary, self.method);
        Page { title: "Rebuttal audit".to_owned(), skip_to: "findings", body, footer }
    }
}

#[cfg(test)]
mod tests {
    use rebuttal_model::{
        AgentId, Confidence, DebateId, Finding, FindingId, Quote, Quotes, Role, RuleId, Severity,
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
            not_english: 0,
            hidden: Vec::new(),
            questions: rebuttal_detect::Questions::default(),
            transcript: Some(transcript),
        }
    }

    #[test]
    fn everything_from_input_is_escaped_and_visible() {
        let PreEscaped(section) = conversation::section(&audited(), 0, 0, Place::File);
        assert!(!section.contains("<img") && !section.contains('\u{200b}'), "{section}");
        assert!(section.contains("&lt;img") && section.contains("\\u{200b}"));
    }

    #[test]
    fn turns_without_findings_fold_and_the_mark_stands_in_place() {
        let PreEscaped(section) = conversation::section(&audited(), 0, 0, Place::File);
        assert!(section.contains("<summary>11 turns without findings</summary>"), "{section}");
        let mark = r#"<mark class="high"><a class="anchor" id="f1q0"></a>&lt;img</mark>"#;
        assert!(section.contains(mark), "{section}");
    }

    #[test]
    fn cards_stand_without_their_conversation() {
        let PreEscaped(section) =
            conversation::section(&audited().without_conversation(), 0, 0, Place::File);
        assert!(section.contains("too long for this page") && !section.contains("href"));
    }

    #[test]
    fn clean_transcripts_beyond_the_limit_are_counted_not_shown() {
        let clean = Audited { findings: Vec::new(), ..audited() };
        let mut page = Html::new(Method::Rules, Place::File);
        let mut out = Vec::new();
        for _ in 0..CLEAN_TRANSCRIPTS + 3 {
            page.transcript(&mut out, &clean).unwrap();
        }
        page.transcript(&mut out, &audited()).unwrap();
        assert_eq!((page.left_out.clean, page.shown), (3, CLEAN_TRANSCRIPTS + 1));
        assert!(
            overview::left_out(page.left_out)
                .into_string()
                .contains("3 further transcripts without")
        );
    }
}
