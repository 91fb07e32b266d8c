//! What agents do not agree on: contested claims, and the network of claims with what its conclusion
//! turns on.

use std::f64::consts::TAU;

use maud::{Markup, html};
use rebuttal_store::Contested;
use rebuttal_text::one_line;

use super::footer;
use crate::chart::{arrow, bar, number};
use crate::ledger::contested;
use crate::{Page, count, excerpt, line};

/// Most claims that are drawn: with more, no name can be read.
const DRAWN: usize = 24;
/// Characters of a claim beside its node.
const NAME_CHARS: usize = 26;
/// Size of the drawing.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 460.0;

/// One claim of the network.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its words, or its id where it has none.
    pub words: String,
    /// How likely it is with everything else.
    pub likely: f64,
}

/// A claim that the conclusion turns on.
#[derive(Clone, Debug)]
pub struct Crux {
    /// Its place among the claims.
    pub claim: usize,
    /// How likely the conclusion is if it is true, and if it is false.
    pub if_true: f64,
    /// How likely the conclusion is if it is false.
    pub if_false: f64,
}

/// A network of claims.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    /// The claims.
    pub claims: Vec<Node>,
    /// From which claim to which, and whether it supports it.
    pub links: Vec<(usize, usize, Support)>,
    /// The claim that all others lead to.
    pub conclusion: Option<usize>,
    /// What it turns on, the most important first.
    pub cruxes: Vec<Crux>,
}

/// What one claim does for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It speaks for it.
    For,
    /// It speaks against it.
    Against,
}

/// Contested claims, and the network where one is stored.
pub fn claims(all: &[Contested], argument: Option<&Argument>) -> Page {
    let body = html! {
        header { h1 { "Claims" } p.verdict { (count(all.len(), "contested claim")) "." } }
        main #claims {
            @if all.is_empty() { p.none { "Nothing is contested: no two agents flipped on the same claim." } }
            (contested(all))
            @match argument {
                Some(argument) => (network(argument)),
                None => p.note { "No network of claims is stored. " code { "rebuttal beliefs NETWORK.json --save" } " stores one, and flips then move its claims." },
            }
        }
    };
    Page { title: "Claims – Rebuttal".to_owned(), skip_to: "claims", body, footer: footer() }
}

fn network(argument: &Argument) -> Markup {
    let words = |at: usize| argument.claims.get(at).map_or("", |claim| claim.words.as_str());
    html! {
        section {
            h2 { "The argument" }
            (drawing(argument))
            @if !argument.cruxes.is_empty() {
                h3 { "What the conclusion turns on" }
                @if let Some(conclusion) = argument.conclusion { p.sub { (line(words(conclusion))) } }
                table {
                    thead { tr { th scope="col" { "crux" } th.bar scope="col" { "if it is true" } th.bar scope="col" { "if it is false" } } }
                    tbody { @for crux in &argument.cruxes {
                        tr {
                            th scope="row" { (line(words(crux.claim))) }
                            td.bar { (bar(crux.if_true, "good")) " " (percent(crux.if_true)) }
                            td.bar { (bar(crux.if_false, "high")) " " (percent(crux.if_false)) }
                        }
                    } }
                }
            }
            h3 { "All claims" }
            table {
                thead { tr { th scope="col" { "claim" } th.bar scope="col" { "likely" } } }
                tbody { @for claim in &argument.claims {
                    tr { th scope="row" { (line(&claim.words)) } td.bar { (bar(claim.likely, "low")) " " (percent(claim.likely)) } }
                } }
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// The claims on a ring around the conclusion, with arrows for what speaks for and against what.
fn drawing(argument: &Argument) -> Markup {
    let spots = spots(argument);
    let spot = |at: usize| spots.get(at).copied();
    let crux = |at: usize| argument.cruxes.iter().take(3).any(|crux| crux.claim == at);
    html! {
        @if argument.claims.len() <= DRAWN {
            div.plot { svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="The network of claims; the tables below say the same" {
                @for (from, to, support) in &argument.links {
                    @if let (Some(from), Some(to)) = (spot(*from), spot(*to)) {
                        g.(match support { Support::For => "for", Support::Against => "against" }) {
                            line.link x1=(number(from.0)) y1=(number(from.1)) x2=(number(to.0)) y2=(number(to.1)) {}
                            (arrow(from, to))
                        }
                    }
                }
                @for (at, claim) in argument.claims.iter().enumerate() {
                    @if let Some((x, y)) = spot(at) {
                        circle.node.(if crux(at) { "crux" } else { "plain" }) cx=(number(x)) cy=(number(y)) r=(number(7.0 + 9.0 * claim.likely)) {
                            title { (one_line(&claim.words)) ": " (percent(claim.likely)) }
                        }
                        text x=(number(x)) y=(number(y + 30.0)) text-anchor="middle" { (excerpt(&one_line(&claim.words), NAME_CHARS)) }
                    }
                }
            } }
        } @else { p.note { (count(argument.claims.len(), "claim")) ": too many to draw." } }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most as many as are drawn")]
fn spots(argument: &Argument) -> Vec<(f64, f64)> {
    let centre = (WIDTH / 2.0, HEIGHT / 2.0);
    let around = argument.claims.len() - usize::from(argument.conclusion.is_some());
    let mut next = 0_u8;
    let spots = (0..argument.claims.len()).map(|at| {
        if argument.conclusion == Some(at) {
            return centre;
        }
        let turn = TAU * f64::from(next) / around.max(1) as f64 - TAU / 4.0;
        next = next.saturating_add(1);
        (
            centre.0 + turn.cos() * (WIDTH / 2.0 - 110.0),
            centre.1 + turn.sin() * (HEIGHT / 2.0 - 45.0),
        )
    });
    spots.collect()
}
