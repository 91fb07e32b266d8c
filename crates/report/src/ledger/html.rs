//! Pages to read and to hand on: the ledger at a glance, flips, agents, one agent. Self-contained, no
//! scripts, no requests; the same sheet as the audit's.

mod agents;
mod cards;

use maud::{Markup, html};
use rebuttal_model::{Cause, Flip, FlipKind};
use rebuttal_store::Contested;
use rebuttal_text::one_line;

use super::plots;
use super::portrait::{Overview, Portrait};
use super::words::{became, cause_words, percent};
use crate::chart::bar;
use crate::{
    Page, Place, VERSION, day, excerpt, flips as number_of_flips, grouped, line, positions, shown,
};
use agents::class;

pub use agents::{page as agents, with_heat};

/// Characters of a claim in a history.
const CLAIM_CHARS: usize = 400;

/// The ledger at a glance.
pub fn summary(overview: &Overview, place: Place) -> Page {
    let summary = &overview.summary;
    let body = html! {
        header {
            h1 { "Position ledger" }
            p.verdict {
                (positions(summary.positions)) ", " (number_of_flips(summary.total_flips)) ": "
                (many(summary.silent)) " silent, " (many(summary.recent_24h)) " in the last 24 hours."
            }
            ul.tiles {
                @for kind in FlipKind::ALL.into_iter().rev() {
                    @let flips = summary.by_type.get(&kind).copied().unwrap_or(0);
                    li.tile.(if flips > 0 { plots::colour(kind) } else { "zero" }) {
                        b { (many(flips)) } " " (kind.as_str()) @if flips != 1 { "s" }
                    }
                }
            }
            @if summary.unseen > 0 {
                p.note { (positions(summary.unseen)) " were not looked at yet." }
            }
        }
        main {
            section aria-labelledby="flips" {
                h2 id="flips" { "Flips over time" }
                @if summary.total_flips == 0 { p.none { "Nobody gave a position up." } }
                @else { (plots::legend()) (plots::over_time(&overview.days)) }
            }
            @if summary.total_flips > 0 {
                section { h2 { "By kind" } (plots::types(&summary.by_type)) }
            }
            @if !overview.agents.is_empty() {
                section { h2 { "Agents, the least consistent first" } (agents::table(&overview.agents, place)) }
                section { h2 { "Flips of positions, by agent and field" } (plots::heat(&overview.heat)) }
            }
            (contested(&overview.contested))
        }
    };
    let title = "Rebuttal position ledger".to_owned();
    Page { title, skip_to: "flips", body, footer: footer(Some(&overview.database)) }
}

/// What several agents flip on.
pub(crate) fn contested(claims: &[Contested]) -> Markup {
    // Positions without a stance end on no side: two columns of dashes would say nothing.
    let sided = claims.iter().any(|claim| claim.toward_yes + claim.toward_no > 0);
    html! {
        @if !claims.is_empty() {
            section {
                h2 { "Contested" }
                p.sub {
                    "Several agents flip on these; those on which they go both ways stand first."
                    @if sided {
                        " There the matter itself may be open; where all go one way, something convinced them."
                    }
                }
                table {
                    thead {
                        tr {
                            th { "question or claim" } th.number { "agents" } th.number { "flips" }
                            @if sided { th.number { "for it" } th.number { "against" } }
                        }
                    }
                    tbody {
                        @for claim in claims {
                            tr {
                                th scope="row" { (line(&claim.words)) }
                                td.number data-label="agents" { (many(claim.agents)) }
                                td.number data-label="flips" { (many(claim.flips)) }
                                @if sided {
                                    td.number data-label="ended for it" { (side(claim, claim.toward_yes)) }
                                    td.number data-label="against" { (side(claim, claim.toward_no)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How many ended on a side; a dash where no side is known.
fn side(claim: &Contested, ended: u64) -> String {
    if claim.toward_yes + claim.toward_no == 0 { "–".to_owned() } else { many(ended) }
}

/// A list of flips.
pub fn flips(flips: &[&Flip], more: bool, place: Place) -> Page {
    let body = html! {
        header {
            h1 { "Flips" }
            p.verdict { (number_of_flips(flips.len() as u64)) ", the latest found first." }
        }
        main id="flips" {
            @if flips.is_empty() { p.none { "There are none like that." } }
            @for flip in flips { (cards::card(flip, place)) }
            @if more { p.note { "There are more; " code { (match place { Place::File => "--limit", Place::Site => "?limit=" }) } " shows them." } }
        }
    };
    Page { title: "Rebuttal flips".to_owned(), skip_to: "flips", body, footer: footer(None) }
}

/// The ledger at a glance and the latest flips, as a server shows them.
pub fn dashboard(overview: &Overview, latest: &[&Flip], more: bool) -> Page {
    let mut page = summary(overview, Place::Site);
    let flips = html! {
        section #latest {
            h2 { "The latest flips" }
            @if latest.is_empty() {
                p.none { "None yet. Positions come from debates, from " code { "rebuttal audit --save" } " and from " code { "rebuttal ledger import" } "." }
            }
            @for flip in latest { (cards::card(flip, Place::Site)) }
            @if more { p { a href="/flips?limit=500" { "More of them" } } }
            p.note {
                "What was said of flips, as rows for " code { "rebuttal score" } ": "
                a href="/labels/flip.jsonl" { "flip.jsonl" } ", " a href="/labels/self-contradiction.jsonl" { "self-contradiction.jsonl" } ", "
                a href="/labels/contradiction.jsonl" { "contradiction.jsonl" }
            }
        }
    };
    page.body = html! { (page.body) (flips) };
    page
}

/// The page of one agent.
pub fn agent(portrait: &Portrait, place: Place) -> Page {
    let (totals, score) = (&portrait.totals, &portrait.score);
    let body = html! {
        header {
            h1 { (line(&totals.agent)) }
            p.verdict {
                (positions(totals.positions)) ", " (number_of_flips(totals.flips)) ", " (many(totals.silent)) " silent."
            }
            p { (bar(score.consistency_score(), class(score.class()))) " consistency "
                b { (format!("{:.2}", score.consistency_score())) } ", " (score.class().as_str())
                "; vote weight " (format!("{:.2}", portrait.weight.weight())) }
        }
        main {
            @if portrait.confidences().iter().flatten().count() > 1 {
                section { h2 { "Stated confidence" } (plots::line_of(&portrait.confidences())) }
            }
            section aria-labelledby="flips" {
                h2 id="flips" { "Flips" }
                @if portrait.flips.is_empty() { p.none { "It gave no position up." } }
                @for flip in &portrait.flips { (cards::card(flip, place)) }
            }
            (moved(portrait))
            (right(portrait))
            (history(portrait))
        }
    };
    let title = format!("{}: Rebuttal agent", one_line(&totals.agent));
    Page { title, skip_to: "flips", body, footer: footer(None) }
}

fn moved(portrait: &Portrait) -> Markup {
    let shown: Vec<_> =
        portrait.moved_by.iter().filter(|(cause, _)| **cause != Cause::NoneVisible).collect();
    html! {
        @if !shown.is_empty() {
            section {
                h2 { "Gave way, of the times it was shown" }
                table {
                    tbody {
                        @for (cause, rate) in shown {
                            tr {
                                th scope="row" { (cause_words(*cause)) }
                                td.bar { (bar(rate.value.unwrap_or(0.0), "medium")) }
                                td.wide { (percent(*rate)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn right(portrait: &Portrait) -> Markup {
    html! {
        @if let Some(judged) = &portrait.judged {
            section {
                h2 { "As sure as right?" }
                p.sub {
                    (positions(judged.calibration.predictions)) " with an outcome; Brier "
                    (score(judged.calibration.brier)) ", calibration error " (score(judged.calibration.ece)) "; " (judged.temperature_words()) "."
                }
                table {
                    thead { tr { th { "said" } th.bar { "right" } th.number { "of" } } }
                    tbody {
                        @for (key, bucket) in &judged.calibration.buckets {
                            @let right = bucket.accuracy().unwrap_or(0.0);
                            tr {
                                th scope="row" { (key) }
                                td.bar { (bar(right, "low")) " " (format!("{:.0} %", right * 100.0)) }
                                td.number data-label="of" { (many(bucket.predictions)) }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(rating) = &portrait.rating {
            @let (low, high) = rating.glicko.interval();
            section {
                h2 { "Rating" }
                p { "Elo " (format!("{:.0}", rating.elo)) ", Glicko-2 " (format!("{:.0}", rating.glicko.rating))
                    " (95 %: " (format!("{low:.0}")) " to " (format!("{high:.0}")) "), of " (many(rating.debates)) " debates." }
            }
        }
    }
}

fn history(portrait: &Portrait) -> Markup {
    html! {
        section {
            h2 { "History, the latest first" }
            ul.history {
                @for held in portrait.listed() {
                    @let position = &held.position;
                    li.(if held.reversed { "left" } else { "kept" }) {
                        span.place {
                            (day(position.at))
                            @if let Some(sure) = position.confidence { ", " (format!("{:.2}", sure.value())) " sure" }
                            @if let Some(domain) = &position.domain { ", " (line(domain)) }
                            @if let Some(became) = became(held) { span.tag { (became) } }
                        }
                        (shown(&excerpt(&position.claim, CLAIM_CHARS)))
                    }
                }
            }
        }
    }
}

fn score(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.3}"))
}

fn many(count: u64) -> String {
    grouped(usize::try_from(count).unwrap_or(usize::MAX))
}

fn footer(database: Option<&str>) -> Markup {
    html! {
        footer {
            p {
                "A contradiction is the direct opposite, a retraction takes a position back, a qualification "
                "narrows it, a refinement adjusts it a little. Consistency is 1 less the weighted flips "
                "(1, 0.7, 0.3, 0.1) for each position. Silent: the agent did not say that it changed its mind."
            }
            p {
                "Made by rebuttal " (VERSION)
                @if let Some(database) = database { " from " (line(database)) }
                "."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_ledger_has_a_page() {
        let overview = Overview {
            database: "<x>".to_owned(),
            summary: rebuttal_store::Summary::default(),
            days: Vec::new(),
            domains: Vec::new(),
            heat: Vec::new(),
            contested: Vec::new(),
            agents: Vec::new(),
        };
        let page = summary(&overview, Place::File).stand_alone().into_string();
        assert!(page.contains("0 positions, 0 flips") && page.contains("&lt;x&gt;"), "{page}");
    }
}
