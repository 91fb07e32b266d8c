//! How `rebuttal audit` writes for people on a terminal, and every other way through the library.

mod text;

use std::io;

use rebuttal::model::Problem;
use rebuttal_report::audit::{
    Audited, Html, Json, Jsonl, Junit, Keep, Markdown, Report as FormatReport, Sarif, Summary,
};
use rebuttal_report::problems::Gravity;

pub(crate) use rebuttal_report::audit::place;
pub(crate) use rebuttal_report::{JsonText, SCHEMA, VERSION, count, excerpt, grouped};
pub(crate) use text::severity;

use crate::args::ReportFormat;
use crate::output::Output;
use crate::plan::AuditPlan;

/// One way of writing an audit.
pub(crate) enum Report {
    /// For people, in colour, with problems on stderr.
    Text(text::Text),
    /// One of the library's formats.
    Format(Box<dyn FormatReport>),
}

impl Report {
    /// The report the plan asks for.
    pub(crate) fn new(plan: &AuditPlan) -> Self {
        let method = plan.reading.analyzer.reader().method();
        Self::Format(match plan.format {
            ReportFormat::Text => return Self::Text(text::Text::default()),
            ReportFormat::Json => Box::new(Json::new(method)),
            ReportFormat::Jsonl => Box::new(Jsonl),
            ReportFormat::Html => Box::new(Html::new(method, rebuttal_report::Place::File)),
            ReportFormat::Sarif => Box::new(Sarif::default()),
            ReportFormat::Junit => Box::new(Junit::new(plan.fail_on)),
            ReportFormat::Markdown => Box::new(Markdown::default()),
        })
    }

    /// Whether the conversations themselves are needed.
    pub(crate) fn keeps(&self) -> Keep {
        match self {
            Self::Text(_) => Keep::FindingsOnly,
            Self::Format(report) => report.keeps(),
        }
    }

    /// Writes the next transcript.
    pub(crate) fn transcript(&mut self, out: &mut Output, audited: &Audited) -> io::Result<()> {
        match self {
            Self::Text(text) => text.transcript(out, audited),
            Self::Format(report) => report.transcript(out, audited),
        }
    }

    /// Writes what is wrong with the input.
    pub(crate) fn problem(
        &mut self,
        out: &mut Output,
        problem: &Problem,
        gravity: Gravity,
    ) -> io::Result<()> {
        match self {
            Self::Text(_) => crate::warnings::say(out, problem, gravity),
            Self::Format(report) => report.problem(out, problem, gravity),
        }
    }

    /// Ends the report.
    pub(crate) fn finish(&mut self, out: &mut Output, summary: &Summary) -> io::Result<()> {
        match self {
            Self::Text(text) => text.finish(out, summary),
            Self::Format(report) => report.finish(out, summary),
        }
    }
}
