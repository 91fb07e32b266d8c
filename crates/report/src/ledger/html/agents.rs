//! Agents beside each other: how consistent each is, and what its flips were.

use maud::{Markup, html};
use rebuttal_detect::scores::ConsistencyClass;
use rebuttal_store::{AgentTotals, HeatCell};

use super::super::plots;
use super::super::portrait::Ranked;
use super::{footer, many};
use crate::chart::bar;
use crate::debate::encoded;
use crate::{Page, Place, count, flips as number_of_flips, line, positions};

/// All agents, the least consistent first.
pub fn page(agents: &[Ranked], more: bool, place: Place) -> Page {
    let sum =
        |of: fn(&AgentTotals) -> u64| agents.iter().map(|agent| of(&agent.totals)).sum::<u64>();
    let flips = sum(|totals| totals.flips);
    let body = html! {
        header {
            h1 { "Agents" }
            p.verdict {
                (count(agents.len(), "agent")) ": " (positions(sum(|totals| totals.positions))) ", "
                (number_of_flips(flips)) ", " (many(sum(|totals| totals.silent))) " silent."
            }
        }
        main {
            section aria-labelledby="agents" {
                h2 id="agents" { "The least consistent first" }
                @if agents.is_empty() { p.none { "The ledger is empty." } }
                @else { (table(agents, place)) }
                @if more { p.note { "There are more; " code { "--limit" } " shows them." } }
            }
            @if flips > 0 {
                section { h2 { "Flips by kind" } (plots::legend()) (plots::by_agent(agents)) }
            }
        }
    };
    Page { title: "Rebuttal agents".to_owned(), skip_to: "agents", body, footer: footer(None) }
}

/// All agents, with who flips in which field, as a server shows them.
pub fn with_heat(agents: &[Ranked], more: bool, heat: &[HeatCell]) -> Page {
    let mut page = page(agents, more, Place::Site);
    page.body = html! {
        (page.body)
        @if !heat.is_empty() { section { h2 { "Flips of positions, by agent and field" } (plots::heat(heat)) } }
    };
    page
}

/// One row for each agent.
pub(super) fn table(agents: &[Ranked], place: Place) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th { "agent" } th.bar { "consistency" }
                    th.number { "positions" } th.number { "flips" } th.number { "silent" }
                    th.number.long { "contradictions" }
                }
            }
            tbody {
                @for Ranked { totals, score } in agents {
                    @let share = score.consistency_score();
                    tr {
                        th scope="row" { (named(&totals.agent, place)) }
                        td.bar { (bar(share, class(score.class()))) " " (format!("{share:.2}")) }
                        td.number data-label="positions" { (many(totals.positions)) }
                        td.number data-label="flips" { (many(totals.flips)) }
                        td.number data-label="silent" { (many(totals.silent)) }
                        td.number data-label="contradictions" { (many(totals.contradictions)) }
                    }
                }
            }
        }
    }
}

/// A name; on a site, the way to the agent's page.
fn named(agent: &str, place: Place) -> Markup {
    html! {
        @match place {
            Place::Site => a href=(format!("/agents/{}", encoded(agent))) { (line(agent)) },
            Place::File => (line(agent)),
        }
    }
}

/// The colour of a class.
pub(super) fn class(class: ConsistencyClass) -> &'static str {
    match class {
        ConsistencyClass::High => "good",
        ConsistencyClass::Medium => "medium",
        ConsistencyClass::Low => "high",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_ledger_has_a_page() {
        let page = page(&[], false, Place::File).stand_alone().into_string();
        assert!(page.contains("0 agents: 0 positions, 0 flips"), "{page}");
        assert!(page.contains("The ledger is empty.") && !page.contains("<table"), "{page}");
    }

    #[test]
    fn who_never_flipped_has_no_row_in_the_plot() {
        let kept = AgentTotals { agent: "kept".to_owned(), positions: 9, ..AgentTotals::default() };
        let moved =
            AgentTotals { agent: "moved".to_owned(), flips: 2, retractions: 2, ..kept.clone() };
        let page =
            page(&[moved.into(), kept.into()], true, Place::File).stand_alone().into_string();
        let (_, plot) = page.split_once("Flips by kind").unwrap();
        assert!(plot.contains(">moved</text>") && !plot.contains(">kept</text>"), "{plot}");
        assert!(plot.contains("moved: 2 retraction</title>"), "{plot}");
        assert!(page.contains("There are more"), "{page}");
    }
}
