//! Quality over many debates as a page with plots.

use maud::{Markup, html};
use rebuttal_policy::trickster::TrendPoint;

use super::{Quality, kind_words, to_paste};
use crate::chart::{self, Frame};
use crate::debate::encoded;
use crate::{Page, Place, VERSION, count, line};

/// The plot over debates; the names of its two lines stand at its right.
const PLOT: Frame =
    Frame { width: 640.0, height: 220.0, left: 36.0, right: 96.0, top: 10.0, bottom: 26.0 };

/// The whole page.
pub fn page(quality: &Quality, place: Place) -> Page {
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
                section { h2 { "Debates, the latest first" } (debates(quality, place)) }
            }
        }
    };
    let footer = html! { footer { p { "rebuttal " (VERSION) } } };
    Page { title: "Rebuttal: evidence quality".to_owned(), skip_to: "trend", body, footer }
}

/// Quality in the first and in the last round of each debate.
fn plot(quality: &Quality) -> Markup {
    let trend = &quality.trend.points;
    let line = |value: fn(&TrendPoint) -> f64| -> Vec<(f64, f64)> {
        let points = trend.iter().enumerate();
        points.map(|(at, point)| (PLOT.x(at, trend.len()), PLOT.y(value(point)))).collect()
    };
    let series = [
        ("0", "first round", line(|point| point.first)),
        ("4", "last round", line(|point| point.last)),
    ];
    let ends = series.iter().map(|(class, name, points)| {
        let (x, y) = points.last().copied().unwrap_or_default();
        (y, (x, *class, *name))
    });
    let mut names: Vec<_> = ends.collect();
    chart::apart(&mut names);
    let [_, (_, _, last)] = &series;
    html! {
        svg.chart viewBox=(PLOT.view_box()) role="img"
            aria-label="evidence quality in the first and the last round of each debate; a ring marks a debate that was stepped into" {
            (PLOT.grid(&[0.0, 0.25, 0.5, 0.75, 1.0]))
            text.tick x=(PLOT.left) y=(PLOT.height - 6.0) { "oldest debate" }
            text.tick x=(PLOT.end()) y=(PLOT.height - 6.0) text-anchor="end" { "latest" }
            text.tick x=(f64::midpoint(PLOT.left, PLOT.end())) y=(PLOT.height - 6.0) text-anchor="middle" { "○ stepped in" }
            @for (class, _, points) in &series { (chart::line(&format!("l{class}"), points)) }
            (acted_on(quality, last))
            @for (y, (x, class, name)) in &names {
                text.(format!("n{class}")) x=(chart::number(x + 8.0)) y=(chart::number(y + 4.0)) { (name) }
            }
        }
    }
}

/// What was done so often.
fn plural(kind: &str, times: usize) -> String {
    let kind = if kind == "novelty" { "novelty challenge" } else { kind };
    let ending = if times == 1 { "" } else { "s" };
    format!("{kind}{ending}")
}

/// A ring around the end of each debate in which something was done, with what it was.
fn acted_on(quality: &Quality, ends: &[(f64, f64)]) -> Markup {
    let judged =
        quality.debates.iter().filter(|debate| !debate.stats.avg_quality_per_round.is_empty());
    html! {
        @for (debate, (x, y)) in judged.zip(ends) {
            @let done: Vec<&str> =
                debate.stats.interventions.iter().map(|done| kind_words(done.kind)).collect();
            @if !done.is_empty() {
                circle.acted cx=(chart::number(*x)) cy=(chart::number(*y)) r="7" fill="none" stroke="currentColor" {
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

fn debates(quality: &Quality, place: Place) -> Markup {
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
                        td { @match place { Place::Site => a href=(format!("/debates/{}", encoded(&debate.id))) { (line(&debate.id)) }, Place::File => code { (line(&debate.id)) } } }
                    }
                }
            }
        } }
    }
}
