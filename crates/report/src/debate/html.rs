//! A debate as one page: the decision, who stood where in each round, how sure they were and how well
//! it was supported, what was said, and what it cost. Handed on, it needs no script and no request;
//! served, it can be steered as well.

mod controls;
mod curves;
mod rounds;
mod stances;
mod view;

use maud::{Markup, html};
use rebuttal_engine::debate::State;
use rebuttal_model::{Decision, Finding, Quote, Record, Verdict};

use super::between;
use super::words::group;
use crate::audit::rules;
use crate::{Page, VERSION, count, line, shown};
use view::View;

pub use controls::{Controls, Stands, encoded};

/// The page to hand on.
pub fn page(state: &State, records: &[Record]) -> Page {
    document(&View::of(state, records), None)
}

/// The page as it is served.
pub fn served(state: &State, records: &[Record], controls: &Controls) -> Page {
    document(&View::of(state, records), Some(controls))
}

fn document(view: &View<'_>, controls: Option<&Controls>) -> Page {
    let state = view.state;
    let body = html! {
        (header(state))
        main {
            @if let Some(controls) = controls { (controls::section(view, controls)) }
            (super::synthesis::section(state))
            div #ending data-part="" { @if let Some(decision) = &state.decision { (ending(state, decision)) } }
            (stances::section(view))
            (curves::convictions(view))
            (curves::evidence(view))
            (findings(view))
            (rounds::section(view, &between::by_round(view.records)))
            (passages(state))
            (curves::costs(view))
        }
    };
    let spec = state.spec();
    let footer = html! { footer { p { "rebuttal " (VERSION) " · " (line(spec.id.as_str())) } } };
    let title = format!("{} – Rebuttal", rebuttal_text::one_line(&spec.question));
    Page { title, skip_to: "stances", body, footer }
}

/// What agents were given of the documents, each passage once.
fn passages(state: &State) -> Markup {
    let given = state.grounding.passages();
    html! {
        @if !given.is_empty() {
            section #passages data-part="" {
                h2 { "Passages the agents were given" }
                @for passage in given {
                    div.card {
                        p.note { (line(&passage.locator())) " · " code { (passage.id) } }
                        blockquote { (shown(&passage.text)) }
                    }
                }
            }
        }
    }
}

fn header(state: &State) -> Markup {
    let spec = state.spec();
    html! {
        header #head data-part="" {
            h1 { (line(&spec.question)) }
            @match state.decision.as_ref() {
                Some(decision) => { (verdict(decision)) }
                None => { p.verdict { "The debate has not ended." } }
            }
            p.sub {
                (count(spec.panel.len(), "agent")) " · " (count(state.rounds.len(), "round")) ", the blind one included · rule "
                code { (line(&spec.protocol.rule)) }
                @if let Some(moderator) = state.decision.as_ref().and_then(Decision::overrider) {
                    b { ", overridden by the moderator " (line(moderator.as_str())) }
                }
                @if let Some((from, seq)) = &spec.forked_from { " · branched from " (line(from.as_str())) " after record " (seq) }
            }
        }
    }
}

fn verdict(decision: &Decision) -> Markup {
    let words = super::words::verdict(decision.verdict);
    let class = match decision.verdict {
        Verdict::Approved => "won",
        Verdict::ApprovedWithConditions => "medium",
        Verdict::NeedsReview => "high",
    };
    html! {
        p.verdict {
            "Decision: " b { (line(decision.answer.as_deref().unwrap_or("none"))) }
            @if let Some(sure) = decision.confidence { ", " (format!("{:.0} %", sure.value() * 100.0)) }
        }
        ul.tiles { li.tile.(class) { (words) } }
    }
}

fn ending(state: &State, decision: &Decision) -> Markup {
    html! {
        section {
            h2 { "How it came to this" }
            @for one in &decision.groups { p.note { (line(&group(one))) } }
            @for part in decision.narrative.lines().filter(|part| !part.is_empty()) { p { (line(part)) } }
            @if let Some(moderation) = &decision.moderation {
                div.card.(if moderation.overrode.is_some() { "medium" } else { "info" }) {
                    p { b { "Moderator " } (line(&moderation.words)) }
                    p { (line(&moderation.evaluation.rationale)) }
                }
            }
            @for dissent in &decision.dissent {
                div.card.low {
                    h3 { "Dissent: " (line(dissent.ballot.agent.as_str())) " is for " (line(dissent.ballot.first().unwrap_or("nothing"))) }
                    blockquote { (shown(&dissent.quote)) }
                }
            }
            (stances::stopped(decision.stop.as_ref()))
            @if let Some(seen) = state.steering.analyses.last() {
                p.note {
                    (count(seen.quality.len(), "voice")) " worth " (format!("{:.1}", seen.independent_voices)) " independent ones"
                }
            }
            @if let Some(lift) = &decision.lift {
                h3 { "Did debating help?" }
                p { (line(&lift.words)) }
                @if let Some(independent) = &lift.independent {
                    p.note { (line(&independent.assumption)) }
                }
            }
        }
    }
}

fn findings(view: &View<'_>) -> Markup {
    let further = view.state.findings.len() - view.findings.len();
    html! {
        section #findings data-part="" {
            @if !view.findings.is_empty() {
                h2 { "What detectors saw" }
                @for (number, finding) in &view.findings { (card(*number, finding)) }
                @if further > 0 { p.note { (count(further, "further finding")) " not shown." } }
            }
        }
    }
}

fn card(number: usize, finding: &Finding) -> Markup {
    html! {
        article.card.(finding.severity.as_str()) id=(format!("f{number}")) {
            h3 {
                span.place { (number) "." } " " span.severity { (finding.severity.as_str()) } " "
                (rules::title(&finding.rule)) span.who { " · " (line(finding.agent.as_str())) }
            }
            p { (line(&finding.explanation)) }
            dl {
                @for (index, quote) in finding.quotes.iter().enumerate() { (quoted(number, index, quote)) }
            }
        }
    }
}

fn quoted(number: usize, index: usize, quote: &Quote) -> Markup {
    html! {
        dt { (line(&quote.shows)) " " a href=(format!("#f{number}q{index}")) { (quote.turn) } }
        dd { q { (shown(&quote.text)) } }
    }
}

#[cfg(test)]
mod tests;
