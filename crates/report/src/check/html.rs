//! A checked text as one page: each statement with the passage that decided beside it.

use maud::{Markup, html};
use rebuttal_evidence::Verdict;
use rebuttal_model::Span;

use super::{CheckedStatement, CheckedText, Shown};
use crate::{Page, VERSION, count, line, shown};

/// The whole page.
pub fn page(checked: &CheckedText) -> Page {
    let body = html! {
        header {
            h1 { (line(&checked.file)) }
            p.sub {
                (count(checked.statements.len(), "statement")) ", checked against "
                (count(checked.passages, "passage")) " of " (count(checked.documents, "document")) " by " (checked.method)
            }
            ul.tiles {
                @for verdict in Verdict::ALL {
                    @let number = checked.count(verdict);
                    @if number > 0 { li.tile.(class(verdict)) { b { (number) } " " (verdict.as_str()) } }
                }
            }
        }
        main #statements {
            @for statement in &checked.statements { (row(statement)) }
            @if checked.statements.is_empty() { p { "The text states nothing that could be checked." } }
            @if !checked.problems.is_empty() {
                section {
                    h2 { "What was not read" }
                    ul { @for problem in &checked.problems { li { (line(&problem.to_string())) } } }
                }
            }
            @for note in &checked.notes { p.note { (line(note)) } }
        }
    };
    let footer = html! { footer { p { "rebuttal " (VERSION) } } };
    Page { title: "Rebuttal: checked text".to_owned(), skip_to: "statements", body, footer }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "won",
        Verdict::Unchecked | Verdict::NotFound => "low",
        Verdict::Unsupported | Verdict::WrongDocument => "medium",
        _ => "high",
    }
}

fn row(statement: &CheckedStatement) -> Markup {
    html! {
        div.card.checked.(class(statement.verdict)) {
            div {
                p { (marked(&statement.text, statement.in_claim)) }
                p.note {
                    "line " (statement.line)
                    @if let Some(agent) = &statement.agent { " · " (line(agent)) }
                    " · " b { (statement.verdict.as_str()) } ": " (line(&statement.why))
                }
            }
            div {
                @match &statement.evidence {
                    Some(evidence) => (passage(evidence)),
                    None => p.note { "no passage" }
                }
            }
        }
    }
}

fn passage(evidence: &Shown) -> Markup {
    let passage = &evidence.passage;
    html! {
        blockquote { (marked(&passage.text, evidence.at)) }
        p.note {
            (line(&passage.locator()))
            @if !passage.heading.is_empty() { " · " (line(&passage.heading)) }
            @if let Some(date) = passage.date { " · " (date) }
            @if let Some(source) = &passage.source { " · " (line(source)) }
            " · " code { (passage.id) }
        }
    }
}

/// A text with the part that decided marked.
fn marked(text: &str, part: Option<Span>) -> Markup {
    let cut = part.and_then(|span| {
        Some((text.get(..span.start())?, span.of(text)?, text.get(span.end()..)?))
    });
    html! {
        @match cut {
            Some((before, inside, after)) => { (shown(before)) mark { (shown(inside)) } (shown(after)) }
            None => (shown(text))
        }
    }
}
