//! The ways an audit can be written, over one stream of transcripts and problems; and the pieces of
//! them that other commands write with.

mod escape;
mod evidence;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod rules;
mod sarif;
mod text;

use std::io;

use rebuttal::model::Problem;

pub(crate) use escape::{JsonText, Xml};
pub(crate) use evidence::place;
pub(crate) use html::{Page, line, problem_list, shown};
pub(crate) use json::{List, SCHEMA, VERSION};
pub(crate) use markdown::{escape, fenced, span};
pub(crate) use text::severity;

use crate::args::ReportFormat;
use crate::audit::{Audited, Keep, Summary};
use crate::output::Output;
use crate::plan::AuditPlan;
use crate::problems::Gravity;

/// One way of writing an audit. Implementations write as they go where their format allows it, so
/// that a run over many files needs no more memory than a run over one.
pub(crate) trait Report {
    /// Whether the conversations themselves are needed.
    fn keeps(&self) -> Keep {
        Keep::FindingsOnly
    }

    /// The next transcript, in the order the files were named.
    fn transcript(&mut self, out: &mut Output, audited: &Audited) -> io::Result<()>;

    /// Something wrong with the input. Comes when its file has been read to the end.
    fn problem(&mut self, out: &mut Output, problem: &Problem, gravity: Gravity) -> io::Result<()>;

    /// Nothing follows.
    fn finish(&mut self, out: &mut Output, summary: &Summary) -> io::Result<()>;
}

/// The report the plan asks for.
pub(crate) fn new(plan: &AuditPlan) -> Box<dyn Report> {
    match plan.format {
        ReportFormat::Text => Box::new(text::Text::default()),
        ReportFormat::Json => Box::new(json::Json::new(plan)),
        ReportFormat::Jsonl => Box::new(jsonl::Jsonl),
        ReportFormat::Html => Box::new(html::Html::new(plan)),
        ReportFormat::Sarif => Box::new(sarif::Sarif::default()),
        ReportFormat::Junit => Box::new(junit::Junit::new(plan.fail_on)),
        ReportFormat::Markdown => Box::new(markdown::Markdown::default()),
    }
}

/// "1 file", "2 files", "12,345 files".
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number for people: 1,234,567.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// At most `limit` characters of a quote, for places where a person skims.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(limit).collect();
    if characters.next().is_some() {
        short.truncate(short.trim_end().len());
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let wanted = ["0", "999", "1,000", "123,456", "1,234,567"];
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(grouped), wanted);
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(1200, "file"), "1,200 files");
    }

    #[test]
    fn excerpts_never_split_a_character() {
        assert_eq!(excerpt("äöü", 3), "äöü");
        assert_eq!(excerpt("äöü", 2), "äö…");
        assert_eq!(excerpt("one two", 4), "one…");
    }
}
