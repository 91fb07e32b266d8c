//! `rebuttal rubric test`: the rubric against labelled examples.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use rebuttal::detect::Reader;
use rebuttal::detect::rubric::{Explanation, RubricAnswer, explain};
use serde::Serialize;

use super::example::{self, Example};
use super::show::{self, Answer};
use crate::args::{TestArgs, TestFormat};
use crate::output::{Output, Status};
use crate::report::{JsonText, SCHEMA, VERSION, Xml};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;
use rebuttal::config::Config;
use rebuttal::models::Chosen;

/// What became of one example.
#[derive(Debug)]
enum Verdict {
    Pass(Example, Explanation),
    Fail(Example, Explanation),
    Unreadable(String),
}

/// One file and what became of it.
#[derive(Debug)]
struct Case {
    file: String,
    verdict: Verdict,
}

/// Runs the rubric on every example and reports pass or fail for each.
pub(super) fn run(args: &TestArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let chosen = Chosen::new(args.method.into(), &config.semantics);
    for note in &chosen.notes {
        out.note(one_line(note))?;
    }
    let cases: Vec<_> = (example::find(&args.folder)?.into_iter())
        .map(|(kind, path)| Case {
            verdict: match example::load(kind, &path) {
                Ok(example) => judge(example, chosen.reader()),
                Err(error) => Verdict::Unreadable(format!("{error:#}")),
            },
            file: name(&path),
        })
        .collect();
    if let Some(failure) = chosen.failure() {
        out.note(one_line(&failure))?;
    }
    let written = match args.format {
        TestFormat::Text => text(out, &cases),
        TestFormat::Json => json(out, &cases),
        TestFormat::Junit => junit(out, &cases),
    };
    let status = cases.iter().map(Case::status).fold(Status::Clean, Status::and);
    status.after(written.map_err(Into::into))
}

fn judge(example: Example, reader: Reader<'_>) -> Verdict {
    let explanation = explain(&example.transcript, reader);
    let is_contradiction = explanation.outcome == RubricAnswer::Contradiction;
    if is_contradiction == example.expected {
        Verdict::Pass(example, explanation)
    } else {
        Verdict::Fail(example, explanation)
    }
}

fn name(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

impl Case {
    fn status(&self) -> Status {
        match self.verdict {
            Verdict::Pass(..) => Status::Clean,
            Verdict::Fail(..) => Status::Findings,
            Verdict::Unreadable(_) => Status::CouldNotRun,
        }
    }
}

/// Passed, failed, unreadable.
fn tally(cases: &[Case]) -> [usize; 3] {
    [Status::Clean, Status::Findings, Status::CouldNotRun]
        .map(|status| cases.iter().filter(|case| case.status() == status).count())
}

fn text(out: &mut Output, cases: &[Case]) -> io::Result<()> {
    let paint = out.paint();
    for case in cases {
        match &case.verdict {
            Verdict::Pass(example, _) => {
                writeln!(out, "{}  {}", paint.green("pass"), one_line(&example.id))?;
                writeln!(out, "{}", wrap(&visible(&example.rationale), 6))?;
            }
            Verdict::Fail(example, explanation) => {
                writeln!(out, "{}  {}  {}", paint.red("FAIL"), one_line(&example.id), case.file)?;
                writeln!(out, "{}", wrap(&visible(&example.rationale), 6))?;
                let expected = if example.expected { "yes" } else { "no" };
                let answer = show::answer(explanation.outcome);
                writeln!(out, "  expected {expected}, the rubric answers {answer}:")?;
                show::reasons(out, explanation, &example.transcript)?;
            }
            Verdict::Unreadable(reason) => {
                out.error(format_args!("{}: {}", case.file, one_line(reason)))?;
            }
        }
    }
    let [passed, failed, unreadable] = tally(cases);
    if unreadable > 0 {
        writeln!(out, "{unreadable} could not be read")?;
    }
    writeln!(out, "{passed} passed, {failed} failed")
}

/// One example in JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: &'a str,
    result: &'static str,
    id: Option<&'a str>,
    expected: Option<bool>,
    rationale: Option<&'a str>,
    answer: Option<Answer<'a>>,
    problem: Option<&'a str>,
}

impl<'a> From<&'a Case> for Line<'a> {
    fn from(case: &'a Case) -> Self {
        let result = match case.status() {
            Status::Clean => "pass",
            Status::Findings => "fail",
            Status::CouldNotRun => "unreadable",
        };
        let line = Self {
            file: &case.file,
            result,
            id: None,
            expected: None,
            rationale: None,
            answer: None,
            problem: None,
        };
        match &case.verdict {
            Verdict::Pass(example, explanation) | Verdict::Fail(example, explanation) => Self {
                id: Some(&example.id),
                expected: Some(example.expected),
                rationale: Some(&example.rationale),
                answer: Some(explanation.into()),
                ..line
            },
            Verdict::Unreadable(problem) => Self { problem: Some(problem), ..line },
        }
    }
}

fn json(out: &mut Output, cases: &[Case]) -> io::Result<()> {
    write!(out, "{{\"rebuttal\":\"{VERSION}\",\"schema\":{SCHEMA},\n\"examples\":[")?;
    for (index, case) in cases.iter().enumerate() {
        writeln!(out, "{}", if index == 0 { "" } else { "," })?;
        JsonText::write(out, &Line::from(case))?;
    }
    let [passed, failed, unreadable] = tally(cases);
    let numbers = format!(r#""passed":{passed},"failed":{failed},"unreadable":{unreadable}"#);
    writeln!(out, "],\n\"summary\":{{{numbers}}}}}")
}

fn junit(out: &mut Output, cases: &[Case]) -> io::Result<()> {
    let [_, failed, unreadable] = tally(cases);
    let tests = cases.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="rebuttal rubric test">"#)?;
    let counts = format!(r#"tests="{tests}" failures="{failed}" errors="{unreadable}""#);
    writeln!(out, r#"<testsuite name="rubric" {counts}>"#)?;
    for case in cases {
        let class = Xml(&case.file);
        match &case.verdict {
            Verdict::Pass(example, _) => {
                writeln!(out, r#"<testcase classname="{class}" name="{}"/>"#, Xml(&example.id))?;
            }
            Verdict::Fail(example, explanation) => {
                writeln!(out, r#"<testcase classname="{class}" name="{}">"#, Xml(&example.id))?;
                let (message, why) = (Xml(&explanation.reason), Xml(&example.rationale));
                writeln!(
                    out,
                    r#"<failure message="{message}" type="misclassified">{why}</failure>"#
                )?;
                writeln!(out, "</testcase>")?;
            }
            Verdict::Unreadable(reason) => {
                writeln!(out, r#"<testcase classname="{class}" name="can be read">"#)?;
                writeln!(
                    out,
                    r#"<error message="{}" type="unreadable"/></testcase>"#,
                    Xml(reason)
                )?;
            }
        }
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}
