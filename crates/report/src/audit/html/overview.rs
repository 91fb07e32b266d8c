//! The top and the end of the page: what was found, where, what could not be read, and how to take
//! it.

use maud::{Markup, html};
use rebuttal_model::{Method, Problem, Severity};

use super::{Entry, LeftOut};
use crate::audit::Summary;
use crate::page::line;
use crate::{count, grouped};

/// Title, verdict and counts.
pub(super) fn header(summary: &Summary) -> Markup {
    html! {
        header {
            h1 { "Rebuttal audit" }
            p.verdict { (verdict(summary)) }
            ul.tiles {
                @for (severity, number) in summary.findings.gravest_first() {
                    li.tile.(if number > 0 { severity.as_str() } else { "zero" }) {
                        b { (grouped(number)) } " " (severity.as_str())
                    }
                }
            }
            p.sub {
                (count(summary.files_read(), "file")) ", "
                (count(summary.transcripts, "transcript")) ", "
                (count(summary.turns, "turn")) "; a position could be read in "
                (grouped(summary.positions)) " of " (count(summary.agent_turns, "agent turn")) "."
                @if summary.hidden.total() > 0 {
                    " " (count(summary.hidden.total(), "milder finding")) " not shown."
                }
                @if summary.problems > 0 {
                    " " a href="#problems" { (count(summary.problems, "problem")) " with the input" } "."
                }
                @if summary.skipped > 0 {
                    " " (count(summary.skipped, "file")) " in no known format skipped."
                }
                @if let Some(unasked) = summary.unasked() {
                    " Note: " (unasked) "; rules decided the rest."
                }
                @if let Some(foreign) = summary.foreign() { " " (foreign) "." }
                @if summary.unreadable > 0 {
                    " " strong { (count(summary.unreadable, "file")) " could not be read." }
                }
            }
        }
    }
}

/// One sentence for somebody who reads nothing else. Its number is that of the cards.
fn verdict(summary: &Summary) -> String {
    if let Some(clean) = summary.clean() {
        return clean.sentence().to_owned();
    }
    let grave = summary.findings.of(Severity::High) + summary.findings.of(Severity::Medium);
    let all = summary.findings.total();
    let findings = count(all, "finding");
    match (grave, all) {
        (0, _) => format!("{findings}, none of them grave."),
        (1, 1) => "1 finding. It would change how far to trust the outcome.".to_owned(),
        (grave, all) if grave == all => {
            format!("{findings}. They would change how far to trust the outcome.")
        }
        (grave, _) => format!(
            "{findings}, {} of which would change how far to trust the outcome.",
            grouped(grave)
        ),
    }
}

/// The transcripts with findings, where there is more than one transcript to look through.
pub(super) fn contents(entries: &[Entry], further: usize) -> Markup {
    html! {
        @if !entries.is_empty() {
            nav.contents aria-label="Transcripts with findings" {
                ol {
                    @for entry in entries {
                        li {
                            a href=(format!("#t{}", entry.section)) { (line(&entry.label)) }
                            " " span.place { (entry.counts()) }
                        }
                    }
                }
                @if further > 0 { p.note { (count(further, "further transcript")) " with findings below." } }
            }
        }
    }
}

/// What was wrong with the input.
pub(crate) fn problems(problems: &[Problem]) -> Markup {
    html! {
        @if !problems.is_empty() {
            section.problems aria-labelledby="problems" {
                h2 id="problems" { "Problems with the input" }
                ul { @for problem in problems { li { (line(&problem.to_string())) } } }
            }
        }
    }
}

/// What had to be left out.
pub(super) fn left_out(left_out: LeftOut) -> Markup {
    let LeftOut { clean, transcripts, findings, problems } = left_out;
    html! {
        @if clean > 0 {
            p.note {
                (count(clean, "further transcript")) " without findings counted but not shown."
            }
        }
        @if transcripts > 0 {
            p.note {
                (count(findings, "finding")) " in " (count(transcripts, "further transcript"))
                " counted but not shown: the page would be too large to read. "
                code { "--format json" } " has them all."
            }
        }
        @if problems > 0 { p.note { (count(problems, "further problem")) " not listed." } }
    }
}

/// How the page came about and how to take it.
pub(super) fn footer(summary: &Summary, method: Method) -> Markup {
    html! {
        footer {
            p {
                "High would change whether to believe the outcome, medium how far to trust the "
                "agent; low is a blemish or open to another reading, info is worth knowing. "
                "Confidence runs from 0 to 1 on the detector’s own scale: it ranks findings of one "
                "kind and is not the chance of being right."
            }
            p {
                "Made by rebuttal " (env!("CARGO_PKG_VERSION")) ", method " (method.as_str()) ", "
                @match summary.problems {
                    0 => "no problems with the input.",
                    number => (format!("{} with the input.", count(number, "problem"))),
                }
            }
        }
    }
}
