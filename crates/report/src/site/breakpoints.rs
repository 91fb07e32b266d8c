//! Where debates wait for a person: why, with the evidence, and the form to answer with.

use maud::{Markup, html};
use rebuttal_engine::debate::{State, Waiting};
use rebuttal_model::{BreakpointAnswer, Finding};

use super::footer;
use crate::debate::encoded;
use crate::{Page, count, line, shown};

/// Most findings shown as the evidence of one breakpoint.
const FINDINGS: usize = 8;
/// Most characters of a note to the agents.
const NOTE_CHARS: usize = 4_000;

/// All breakpoints that wait, the most urgent first, each with its debate.
pub fn breakpoints(waiting: &[(Waiting, State)], wrong: Option<&str>) -> Page {
    let body = html! {
        header {
            h1 { "Breakpoints" }
            p.verdict { (count(waiting.len(), "debate")) " " (if waiting.len() == 1 { "waits" } else { "wait" }) " for a person." }
        }
        main #inbox {
            @if let Some(wrong) = wrong { p.card.high role="alert" { (line(wrong)) } }
            @if waiting.is_empty() {
                p.none { "Nothing waits. A debate stops here when its agents agree on nothing that supports it, or when its protocol says so." }
            }
            @for (one, state) in waiting { (card(one, state)) }
        }
    };
    Page { title: "Breakpoints – Rebuttal".to_owned(), skip_to: "inbox", body, footer: footer() }
}

fn card(waiting: &Waiting, state: &State) -> Markup {
    let id = waiting.debate.as_str();
    let stop = &waiting.breakpoint;
    html! {
        article.card.medium.breakpoint id=(id) {
            h2 { a href=(format!("/debates/{}", encoded(id))) { (line(&waiting.question)) } }
            p { span.severity { "severity " (format!("{:.2}", stop.severity)) } " after round " (stop.round) ": " (line(&stop.reason)) }
            @if let Some(until) = stop.until {
                p.note {
                    @if waiting.timed_out { "Nobody answered until " } @else { "Until " }
                    (format!("{until:.0}")) "; then it counts as " code { (waiting.on_timeout) } "."
                }
            }
            @if let Some(text) = &waiting.text { details.told open[true] { summary { "What was seen, what was tried" } div.text { (shown(text)) } } }
            (evidence(state))
            (form(waiting))
        }
    }
}

/// The gravest of what was found, quoted.
fn evidence(state: &State) -> Markup {
    let mut found: Vec<&Finding> = state.findings.iter().collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    found.truncate(FINDINGS);
    html! {
        @if !found.is_empty() {
            details.told {
                summary { "Evidence: " (count(state.findings.len(), "finding")) }
                ul { @for finding in found {
                    li {
                        b { (finding.rule) } " · " (line(finding.agent.as_str())) ": " (line(&finding.explanation))
                        @for quote in finding.quotes.iter() { blockquote { (shown(&quote.text)) } }
                    }
                } }
            }
        }
    }
}

fn form(waiting: &Waiting) -> Markup {
    let id = waiting.debate.as_str();
    let note = format!("note-{id}");
    html! {
        form.answer method="post" action=(format!("/breakpoints/{}", encoded(id))) {
            input type="hidden" name="number" value=(waiting.breakpoint.number);
            label for=(note) { "Words for the agents; needed to redirect and to add evidence" }
            textarea id=(note) name="note" rows="3" maxlength=(NOTE_CHARS) {}
            div.actions {
                @for answer in BreakpointAnswer::ALL {
                    button name="answer" value=(answer) { (words(answer)) }
                }
            }
        }
    }
}

fn words(answer: BreakpointAnswer) -> &'static str {
    match answer {
        BreakpointAnswer::Continue => "Go on",
        BreakpointAnswer::Redirect => "Redirect",
        BreakpointAnswer::AddEvidence => "Add evidence",
        BreakpointAnswer::Abort => "End the rounds",
    }
}
