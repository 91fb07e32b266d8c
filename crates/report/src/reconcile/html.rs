//! One page to read and to hand on: the conflicts, their rulings, and each report beside its
//! adjusted text. Self-contained, no scripts, no requests; the same sheet as the audit's.

mod conflict;
mod reports;

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};
use rebuttal_model::Problem;

use super::{Reconciled, words};
use crate::audit::Counts;
use crate::audit::problem_list;
use crate::problems::Gravity;
use crate::{Page, Place, VERSION, count, grouped, line};

/// Most bytes of page for conflicts, and for reports. Browsers stay quick up to here.
const PART_BYTES: usize = 8 << 20;
/// Most problems listed.
const PROBLEMS: usize = 200;

/// Writes one page to hand on.
pub fn write(reconciled: &Reconciled<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", page(reconciled, Place::File).stand_alone().into_string())
}

/// The page.
pub fn page(reconciled: &Reconciled<'_>, place: Place) -> Page {
    let body = html! {
        (header(reconciled))
        main {
            @if !reconciled.outcome.contradictions.is_empty() {
                (consensus(reconciled))
                (conflicts(reconciled, place))
                (reports::section(reconciled))
            }
            (problems(reconciled))
        }
    };
    Page {
        title: "Rebuttal reconciliation".to_owned(),
        skip_to: "conflicts",
        body,
        footer: footer(reconciled),
    }
}

fn header(reconciled: &Reconciled<'_>) -> Markup {
    let mut counts = Counts::default();
    reconciled.outcome.contradictions.iter().for_each(|it| counts.add(it.severity));
    let is_any = counts.total() > 0;
    let consensus = &reconciled.outcome.consensus;
    let open = consensus.flagged_for_review;
    html! {
        header {
            h1 { "Rebuttal reconciliation" }
            p.verdict { (words::headline(reconciled)) "." }
            @if is_any {
                ul.tiles {
                    @for (severity, number) in counts.gravest_first().take(3) {
                        li.tile.(if number > 0 { severity.as_str() } else { "zero" }) {
                            b { (grouped(number)) } " " (severity.as_str())
                        }
                    }
                    li.tile.(if consensus.resolved_contradictions > 0 { "won" } else { "zero" }) {
                        b { (grouped(consensus.resolved_contradictions)) } " resolved"
                    }
                    li.tile.(if open > 0 { "open" } else { "zero" }) {
                        b { (grouped(open)) } " to look at"
                    }
                }
            }
            p.sub { (how(reconciled)) }
        }
    }
}

/// By whom and by what.
fn how(reconciled: &Reconciled<'_>) -> Markup {
    html! {
        @match &reconciled.arbiter {
            Some(agent) => { "Ruled on by " (line(agent)) ", asked in both orders; by rules where it failed. " }
            None => "Ruled on by written rules. ",
        }
        @match &reconciled.authority_file {
            Some(path) => { "Sources are ranked by " (line(&path.display().to_string())) "." }
            None => "No policy ranks the sources.",
        }
        @for note in &reconciled.notes { " " (line(note)) "." }
    }
}

fn consensus(reconciled: &Reconciled<'_>) -> Markup {
    let narrative = &reconciled.outcome.consensus.consensus_narrative;
    html! {
        section.consensus aria-labelledby="consensus" {
            h2 id="consensus" { "Consensus" }
            ul { @for said in narrative.lines() { li { (line(said)) } } }
        }
    }
}

fn conflicts(reconciled: &Reconciled<'_>, place: Place) -> Markup {
    let (mut body, mut left_out) = (String::new(), 0);
    for (number, (contradiction, resolution)) in reconciled.rulings().enumerate() {
        let PreEscaped(card) = conflict::card(number + 1, contradiction, resolution, place);
        if body.len() + card.len() > PART_BYTES {
            left_out += 1;
        } else {
            body.push_str(&card);
        }
    }
    html! {
        section aria-labelledby="conflicts" {
            h2 id="conflicts" { "Conflicts" }
            (PreEscaped(body))
            @if left_out > 0 {
                p.note {
                    (count(left_out, "further conflict")) " counted but not shown: the page would be "
                    "too large to read. " code { "--format json" } " has them all."
                }
            }
        }
    }
}

fn problems(reconciled: &Reconciled<'_>) -> Markup {
    let all = reconciled.problems;
    let told = all.iter().filter(|it| it.1 != Gravity::Skipped).map(|it| it.0.clone());
    let mut told: Vec<Problem> = told.collect();
    let further = told.len().saturating_sub(PROBLEMS);
    told.truncate(PROBLEMS);
    html! {
        (problem_list(&told))
        @if further > 0 { p.note { (count(further, "further problem")) " not listed." } }
    }
}

fn footer(reconciled: &Reconciled<'_>) -> Markup {
    html! {
        footer {
            p {
                "High are opposite signs or directions, or values more than half apart; medium are "
                "values more than a tenth apart, and at most what another period or definition may "
                "explain. The confidence of a ruling orders rulings by how much stands behind them; "
                "it is not the chance of being right. Notes stand beside the texts; the texts are "
                "as they were handed in."
            }
            p {
                "Made by rebuttal " (VERSION) ", method " (reconciled.method.as_str()) ", in "
                (words::latency(reconciled.outcome.latency_ms)) "."
            }
        }
    }
}
