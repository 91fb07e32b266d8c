//! Quality over many debates as a page with plots.

use maud::{Markup, PreEscaped, html};

use super::{Quality, kind_words, to_paste};
use crate::{Page, VERSION, count, line};

const STYLE: &str = include_str!("../style.css");
/// Size of the plot, and its margins, in its own units.
const PLOT: (f64, f64) = (640.0, 220.0);
const LEFT: f64 = 36.0;
const RIGHT: f64 = 96.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 26.0;

/// The whole page.
pub fn page(quality: &Quality) -> Markup {
    let alerts: usize =
        quality.debates.iter().map(|debate| debate.stats.hollow_alerts_detected).sum();
    let acted: usize = quality.debates.iter().map(|debate| debate.stats.total_interventions).sum();
    let body = html! {
        header {
            h1 { "Evidence quality" }
            p.verdict {
                (count(quality.debates.len(), "debate")) ": " (count(alerts, "hollow agreement")) ", "
                (count(acted, "intervention")) "."
            }
            @if let Some(gain) = quality.trend.gain {
                p.sub { "From the first to the last round quality moves by " (format!("{gain:+.2}")) " on average." }
            }
            @if let Some(slope) = quality.trend.slope {
                p.sub { "From one debate to the next it moves by " (format!("{slope:+.3}")) "." }
            }
        }
        main {
            section #trend {
                h2 { "From debate to debate" }
                @if quality.trend.points.is_empty() { p.none { "No debate was looked at yet." } }
                @else { div.wide { (plot(quality)) } }
            }
            @if !quality.interventions.is_empty() {
                section {
                    h2 { "What was done" }
                    ul.tiles {
                        @for (kind, times) in &quality.interventions {
                            li.tile.low { b { (times) } " " (plural(kind, *times)) }
                        }
                    }
                }
            }
            @if !quality.agents.is_empty() {
                section { h2 { "Agents, the least supported first" } (agents(quality)) }
            }
            @if !quality.calibration.is_empty() {
                section {
                    h2 { "Learned from debates whose answer is known" }
                    @for learned in &quality.calibration {
                        p { b { (line(&learned.domain)) } ": " (line(&learned.reason)) }
                        @if let Some(lines) = to_paste(learned) { pre { (lines) } }
                    }
                }
            }
            @if !quality.debates.is_empty() {
                section { h2 { "Debates, the latest first" } (debates(quality)) }
            }
        }
    };
    let footer = html! { p { "rebuttal " (VERSION) } };
    Page { title: "Rebuttal: evidence quality", style: STYLE, skip_to: "trend" }
        .document(&body, &footer)
}

/// Quality in the first and in the last round of each debate.
fn plot(quality: &Quality) -> Markup {
    let points = &quality.trend.points;
    let (width, height) = PLOT;
    #[expect(clippy::cast_precision_loss, reason = "a handful of debates")]
    let last = points.len().saturating_sub(1).max(1) as f64;
    #[expect(clippy::cast_precision_loss, reason = "a handful of debates")]
    let x = |at: usize| LEFT + (width - LEFT - RIGHT) * at as f64 / last;
    let y = |value: f64| TOP + (height - TOP - BOTTOM) * (1.0 - value.clamp(0.0, 1.0));
    let first = |at: usize| points.get(at).map_or(0.0, |point| point.first);
    let end = |at: usize| points.get(at).map_or(0.0, |point| point.last);
    let value = |ends: bool, at: usize| if ends { end(at) } else { first(at) };
    let line_of = |ends: bool| {
        let places = (0..points.len()).map(|at| format!("{:.1},{:.1}", x(at), y(value(ends, at))));
        places.collect::<Vec<_>>().join(" ")
    };
    let series = [("0", "first round", false), ("4", "last round", true)];
    let names =
        names_at(y(first(points.len().saturating_sub(1))), y(end(points.len().saturating_sub(1))));
    html! {
        svg.plot viewBox=(format!("0 0 {width} {height}")) role="img"
            aria-label="evidence quality in the first and the last round of each debate; a ring marks a debate that was stepped into" {
            @for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line.grid x1=(LEFT) x2=(width - RIGHT) y1=(y(tick)) y2=(y(tick)) {}
                text.tick x="4" y=(y(tick) + 4.0) { (format!("{tick:.2}")) }
            }
            text.tick x=(LEFT) y=(height - 6.0) { "oldest debate" }
            text.tick x=(width - RIGHT) y=(height - 6.0) text-anchor="end" { "latest" }
            text.tick x=((LEFT + width - RIGHT) / 2.0) y=(height - 6.0) text-anchor="middle" { "○ stepped in" }
            @for ((class, name, ends), name_at) in series.into_iter().zip(names) {
                polyline class=(format!("l{class}")) points=(PreEscaped(line_of(ends))) {}
                @for at in 0..points.len() {
                    circle class=(format!("l{class}")) cx=(x(at)) cy=(y(value(ends, at))) r="3" {}
                }
                @let at = points.len().saturating_sub(1);
                @if ends { (acted_on(quality, &x, &|at| y(end(at)))) }
                text class=(format!("n{class}")) x=(x(at) + 8.0) y=(name_at) { (name) }
            }
        }
    }
}

/// Where the names of two lines that end at these heights stand: beside their ends, or apart where
/// they would cover each other.
fn names_at(first: f64, last: f64) -> [f64; 2] {
    const APART: f64 = 14.0;
    const BASE: f64 = 4.0;
    let middle = f64::midpoint(first, last) + BASE;
    if (first - last).abs() >= APART {
        [first + BASE, last + BASE]
    } else if first < last {
        [middle - APART / 2.0, middle + APART / 2.0]
    } else {
        [middle + APART / 2.0, middle - APART / 2.0]
    }
}

/// What was done so often.
fn plural(kind: &str, times: usize) -> String {
    let kind = if kind == "novelty" { "novelty challenge" } else { kind };
    let ending = if times == 1 { "" } else { "s" };
    format!("{kind}{ending}")
}

/// A ring around the end of each debate in which something was done, with what it was.
fn acted_on(quality: &Quality, x: &dyn Fn(usize) -> f64, y: &dyn Fn(usize) -> f64) -> Markup {
    let judged =
        quality.debates.iter().filter(|debate| !debate.stats.avg_quality_per_round.is_empty());
    html! {
        @for (at, debate) in judged.enumerate() {
            @let done: Vec<&str> =
                debate.stats.interventions.iter().map(|done| kind_words(done.kind)).collect();
            @if !done.is_empty() {
                circle.acted cx=(x(at)) cy=(y(at)) r="7" fill="none" stroke="currentColor" {
                    title { (done.join(", ")) }
                }
            }
        }
    }
}

fn agents(quality: &Quality) -> Markup {
    let mut agents: Vec<_> = quality.agents.iter().collect();
    agents.sort_by(|one, two| one.1.total_cmp(two.1));
    html! {
        div.wide { table {
            thead { tr { th { "agent" } th.number { "quality" } th.number { "challenged" } th.number { "in debates" } } }
            tbody {
                @for (agent, mean) in agents {
                    @let flagged = quality.flagged.iter().find(|flagged| flagged.agent == *agent);
                    tr {
                        td { (line(agent.as_str())) }
                        td.number { (format!("{mean:.2}")) }
                        td.number { (flagged.map_or(0, |flagged| flagged.interventions)) }
                        td.number { (flagged.map_or(0, |flagged| flagged.debates)) }
                    }
                }
            }
        } }
    }
}

fn debates(quality: &Quality) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th { "question" } th.number { "first" } th.number { "last" } th.number { "hollow" } th.number { "acted" } th { "id" } } }
            tbody {
                @for debate in quality.debates.iter().rev() {
                    @let rounds = &debate.stats.avg_quality_per_round;
                    tr {
                        td { (line(&debate.question)) }
                        td.number { @if let Some(first) = rounds.values().next() { (format!("{first:.2}")) } }
                        td.number { @if let Some(last) = rounds.values().next_back() { (format!("{last:.2}")) } }
                        td.number { (debate.stats.hollow_alerts_detected) }
                        td.number { (debate.stats.total_interventions) }
                        td { code { (debate.id) } }
                    }
                }
            }
        } }
    }
}
