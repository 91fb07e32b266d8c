//! JUnit XML: one suite per transcript, one test case per agent in it.
//!
//! A suite per transcript, not per file, because a suite states its counts before its cases and a
//! file may hold millions of transcripts.

use std::fmt::Write as _;
use std::io::{self, Write};

use rebuttal_model::{Finding, Problem, Severity};

use super::evidence::{Evidence, evidence};
use super::{Report, rules};
use crate::Xml;
use crate::audit::{Audited, Sentences, Summary};
use crate::problems::Gravity;
use rebuttal_text::{one_line, visible};

/// JUnit XML.
#[derive(Debug)]
pub struct Junit {
    fail_on: Option<Severity>,
    begun: bool,
}

impl Junit {
    /// A report in which findings from `fail_on` on are failures; `None`: none is.
    pub fn new(fail_on: Option<Severity>) -> Self {
        Self { fail_on, begun: false }
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
            writeln!(out, r#"<testsuites name="rebuttal audit">"#)?;
        }
        Ok(())
    }

    fn fails(&self, finding: &Finding) -> bool {
        self.fail_on.is_some_and(|limit| finding.severity >= limit)
    }
}

impl Report for Junit {
    fn transcript(&mut self, out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        self.begin(out)?;
        let mut cases = String::new();
        let mut failures = 0;
        for agent in audited.names() {
            let (failing, passing): (Vec<_>, Vec<_>) =
                audited.about(agent).partition(|finding| self.fails(finding));
            failures += usize::from(!failing.is_empty());
            cases.push_str(&case(audited, agent.as_str(), &failing, &passing));
        }
        let label = audited.label();
        let name = one_line(&label);
        let (name, tests) = (Xml(&name), audited.agents.len());
        writeln!(
            out,
            r#"<testsuite name="{name}" tests="{tests}" failures="{failures}" errors="0">"#
        )?;
        writeln!(out, "{cases}</testsuite>")
    }

    fn problem(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        gravity: Gravity,
    ) -> io::Result<()> {
        self.begin(out)?;
        let (file, text) = (one_line(&problem.file), problem.to_string());
        let (file, text) = (Xml(&file), one_line(&text));
        let (message, skipped) = (Xml(&text), usize::from(gravity == Gravity::Skipped));
        let counts = format!(r#"failures="0" errors="{}" skipped="{skipped}""#, 1 - skipped);
        writeln!(out, r#"<testsuite name="{file}" tests="1" {counts}>"#)?;
        writeln!(out, r#"<testcase classname="{file}" name="can be read">"#)?;
        match gravity {
            Gravity::Skipped => writeln!(out, r#"<skipped message="{message}"/>"#)?,
            Gravity::Warning | Gravity::Error => {
                writeln!(out, r#"<error message="{message}" type="problem"/>"#)?;
            }
        }
        writeln!(out, "</testcase>\n</testsuite>")
    }

    fn finish(&mut self, out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        self.begin(out)?;
        writeln!(out, "</testsuites>")
    }
}

fn case(audited: &Audited, agent: &str, failing: &[&Finding], passing: &[&Finding]) -> String {
    let class = audited.label();
    let (class, agent) = (one_line(&class), one_line(agent));
    let mut xml = format!(r#"<testcase classname="{}" name="{}""#, Xml(&class), Xml(&agent));
    if failing.is_empty() && passing.is_empty() {
        xml.push_str("/>\n");
        return xml;
    }
    xml.push_str(">\n");
    if let Some(gravest) = failing.iter().max_by_key(|finding| finding.severity) {
        let message = one_line(&gravest.explanation);
        let (message, kind) = (Xml(&message), Xml(gravest.rule.as_str()));
        let _ = writeln!(
            xml,
            r#"<failure message="{message}" type="{kind}">{}</failure>"#,
            body(failing, &audited.sentences)
        );
    }
    if !passing.is_empty() {
        let _ = writeln!(xml, "<system-out>{}</system-out>", body(passing, &audited.sentences));
    }
    xml.push_str("</testcase>\n");
    xml
}

/// Findings as lines of text, quotes included.
fn body(findings: &[&Finding], sentences: &Sentences) -> String {
    let mut text = String::new();
    for finding in findings {
        let (severity, title) = (finding.severity.as_str(), rules::title(&finding.rule));
        let _ = writeln!(text, "{severity}: {title}: {}", one_line(&finding.explanation));
        for Evidence { place, shows, words, .. } in evidence(finding, sentences) {
            let (place, shows, words) = (one_line(&place), one_line(&shows), visible(words));
            let _ = writeln!(text, "  {place} {shows}: \"{words}\"");
        }
    }
    // A literal line break is kinder to read than a reference, and content keeps it.
    Xml(&text).to_string().replace("&#10;", "\n")
}
