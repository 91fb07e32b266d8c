//! `rebuttal rubric test`: the rubric against labelled examples.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::config::Config;
use rebuttal::rubric::{CaseResult, Tested, answer_word, test};

use super::show;
use crate::args::{TestArgs, TestFormat};
use crate::judge;
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;

/// Runs the rubric on every example and reports pass or fail for each.
pub(super) fn run(args: &TestArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let analyzer = judge::analyzer(args.method.into(), &args.judge, config)?;
    for note in &analyzer.notes {
        out.note(one_line(note))?;
    }
    let tested = test(&args.folder, &analyzer)?;
    for remark in analyzer.remarks() {
        out.note(one_line(&remark))?;
    }
    let written = match args.format {
        TestFormat::Text => text(out, &tested),
        TestFormat::Json => JsonText::line(out, &Versioned::new(&tested)),
        TestFormat::Junit => tested.junit(out),
    };
    let status = match (tested.unreadable(), tested.failed()) {
        (0, 0) => Status::Clean,
        (0, _) => Status::Findings,
        (_, _) => Status::CouldNotRun,
    };
    status.after(written.map_err(Into::into))
}

fn text(out: &mut Output, tested: &Tested) -> io::Result<()> {
    let paint = out.paint();
    for case in &tested.cases {
        match &case.result {
            CaseResult::Pass(example, _) => {
                writeln!(out, "{}  {}", paint.green("pass"), one_line(&example.id))?;
                writeln!(out, "{}", wrap(&visible(&example.rationale), 6))?;
            }
            CaseResult::Fail(example, explanation) => {
                writeln!(out, "{}  {}  {}", paint.red("FAIL"), one_line(&example.id), case.file)?;
                writeln!(out, "{}", wrap(&visible(&example.rationale), 6))?;
                let expected = if example.expected { "yes" } else { "no" };
                let answer = answer_word(explanation.outcome);
                writeln!(out, "  expected {expected}, the rubric answers {answer}:")?;
                show::reasons(out, explanation, &example.transcript)?;
            }
            CaseResult::Unreadable(reason) => {
                out.error(format_args!("{}: {}", case.file, one_line(reason)))?;
            }
        }
    }
    let (passed, failed, unreadable) = (tested.passed(), tested.failed(), tested.unreadable());
    if unreadable > 0 {
        writeln!(out, "{unreadable} could not be read")?;
    }
    writeln!(out, "{passed} passed, {failed} failed")
}
