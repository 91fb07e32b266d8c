//! The top of the page: what was found, by whom, and what could not be read.

use std::collections::BTreeMap;

use maud::{Markup, html};
use rebuttal::model::{AgentId, Problem, Severity};

use super::super::count;
use super::AgentRow;
use super::page::shown;
use crate::audit::{Counts, Summary};

/// Most agents in the table.
const AGENTS: usize = 100;

/// Width of the bar in the table, in units of its own.
const BAR_WIDTH: usize = 120;

/// Title, verdict and counts.
pub(super) fn header(summary: &Summary) -> Markup {
    html! {
        header {
            h1 { "Rebuttal audit" }
            p.verdict { (verdict(summary)) }
            ul.tiles {
                @for (severity, number) in summary.findings.gravest_first() {
                    li.tile.(if number > 0 { severity.as_str() } else { "zero" }) {
                        b { (number) } " " (severity.as_str())
                    }
                }
            }
            p.sub {
                (count(summary.files.len(), "file")) ", "
                (count(summary.transcripts, "transcript")) ", "
                (count(summary.turns, "turn")) "; a position could be read in "
                (summary.positions) " of " (count(summary.agent_turns, "agent turn")) "."
                @if summary.hidden.total() > 0 {
                    " " (count(summary.hidden.total(), "milder finding")) " not shown."
                }
                @if summary.unreadable() > 0 {
                    " " strong { (count(summary.unreadable(), "file")) " could not be read." }
                }
            }
        }
    }
}

/// One sentence for somebody who reads nothing else.
fn verdict(summary: &Summary) -> String {
    let grave = summary.findings.of(Severity::High) + summary.findings.of(Severity::Medium);
    match (grave, summary.findings.total()) {
        (0, 0) if summary.transcripts == 0 => "No transcript could be read.".to_owned(),
        (0, 0) => "Nothing found.".to_owned(),
        (0, all) => format!("{}, none of them grave.", count(all, "finding")),
        (grave, _) => {
            format!("{} that would change how far to trust the outcome.", count(grave, "finding"))
        }
    }
}

/// The agents, those with the gravest findings first.
pub(super) fn agents(agents: &BTreeMap<AgentId, AgentRow>) -> Markup {
    let mut rows: Vec<_> = agents.iter().collect();
    rows.sort_by_key(|(_, row)| {
        let counts = Severity::ALL.map(|severity| row.findings.of(severity));
        let [info, low, medium, high] = counts;
        std::cmp::Reverse((high, medium, low, info))
    });
    let most = rows.iter().map(|(_, row)| row.findings.total()).max().unwrap_or(0);
    let further = rows.len().saturating_sub(AGENTS);
    html! {
        @if !rows.is_empty() {
            section aria-labelledby="agents" {
                h2 id="agents" { "Agents" }
                div.scroll role="region" aria-labelledby="agents" tabindex="0" {
                    table {
                        thead {
                            tr {
                                th scope="col" { "agent" }
                                th.number scope="col" { "turns" }
                                th.number scope="col" { "positions" }
                                th.number scope="col" { "findings" }
                                th scope="col" { "by severity" }
                            }
                        }
                        tbody { @for (agent, row) in rows.into_iter().take(AGENTS) { (agent_row(agent, row, most)) } }
                    }
                }
                @if further > 0 { p.note { (further) " further agents are not listed." } }
            }
        }
    }
}

fn agent_row(agent: &AgentId, row: &AgentRow, most: usize) -> Markup {
    html! {
        tr {
            th scope="row" { (shown(agent.as_str())) }
            td.number { (row.turns) }
            td.number { (row.positions) }
            td.number { (row.findings.total()) }
            td { (bar(row.findings, most)) }
        }
    }
}

/// The findings as a bar, gravest first, drawn to the scale of the agent with most of them.
fn bar(counts: Counts, most: usize) -> Markup {
    let each: Vec<_> = counts.gravest_first().filter(|(_, number)| *number > 0).collect();
    let words: Vec<_> =
        each.iter().map(|(severity, number)| format!("{number} {}", severity.as_str())).collect();
    let width = |number: usize| number * BAR_WIDTH / most.max(1);
    let mut from = 0;
    let pieces: Vec<_> = (each.iter())
        .map(|(severity, number)| {
            let piece = (severity.as_str(), width(from), width(*number).max(2));
            from += number;
            piece
        })
        .collect();
    html! {
        @if each.is_empty() {
            span.none { "none" }
        } @else {
            svg.bar width=(BAR_WIDTH) height="10" viewBox=(format!("0 0 {BAR_WIDTH} 10")) aria-hidden="true" {
                @for (severity, x, width) in pieces {
                    rect class=(severity) x=(x) y="0" width=(width) height="10" {}
                }
            }
            " " (words.join(", "))
        }
    }
}

/// What was wrong with the input.
pub(super) fn problems(problems: &[Problem]) -> Markup {
    html! {
        @if !problems.is_empty() {
            section.problems aria-labelledby="problems" {
                h2 id="problems" { "Problems with the input" }
                ul { @for problem in problems { li { (shown(&problem.to_string())) } } }
            }
        }
    }
}
