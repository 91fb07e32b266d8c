//! Plots of the ledger, in the colours of the page's sheet in light and dark.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use rebuttal_model::FlipKind;
use rebuttal_store::{AgentTotals, DayFlips, HeatCell};

use super::portrait::Ranked;
use crate::chart::{ceiling, number};
use crate::{day, excerpt, grouped, share};
use rebuttal_text::one_line;

/// Width of a plot in its own units; the page scales it.
const WIDTH: u32 = 640;
/// Room for the numbers at the left of a plot over time.
const LEFT: u32 = 34;
/// Height of the bars of a plot over time.
const HEIGHT: u32 = 150;
/// Most bars over time. With more days, a bar stands for several.
const BARS: i64 = 45;
/// Height of a row.
const ROW: u32 = 30;
/// Room for names at the left of rows, and the longest one shown.
const NAMES: u32 = 150;
const NAME_CHARS: usize = 19;
/// Width of the rows of kinds, which are few and short.
const KINDS: u32 = 440;
/// Room for the names of kinds.
const KIND_NAMES: u32 = 110;
/// Most columns of a heat map.
const COLUMNS: usize = 10;
/// The darkest cell: its number can still be read.
const DARKEST: f64 = 0.55;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The class of a kind's colour.
pub(super) fn colour(kind: FlipKind) -> &'static str {
    match kind {
        FlipKind::Contradiction => "high",
        FlipKind::Retraction => "medium",
        FlipKind::Qualification => "low",
        FlipKind::Refinement => "info",
    }
}

/// Whose colour is whose.
pub(super) fn legend() -> Markup {
    html! {
        ul.legend {
            @for kind in FlipKind::ALL.into_iter().rev() {
                li {
                    svg width="12" height="12" aria-hidden="true" {
                        rect.(colour(kind)) width="12" height="12" rx="2" {}
                    }
                    " " (kind.as_str())
                }
            }
        }
    }
}

/// Flips of some days in a row.
struct Bucket {
    from: Timestamp,
    to: Timestamp,
    by_type: BTreeMap<FlipKind, u64>,
}

impl Bucket {
    fn total(&self) -> u64 {
        self.by_type.values().sum()
    }

    fn title(&self) -> String {
        let (from, to) = (day(self.from), day(self.to));
        let days = if from == to { from } else { format!("{from} to {to}") };
        let kinds =
            self.by_type.iter().rev().map(|(kind, flips)| format!("{flips} {}", kind.as_str()));
        format!("{days}: {}", kinds.collect::<Vec<_>>().join(", "))
    }
}

/// Days without flips are days too: the buckets are as wide as one another and leave no gap.
fn buckets(days: &[DayFlips]) -> Vec<Bucket> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Vec::new() };
    let count = last.day.duration_since(first.day).as_hours() / 24 + 1;
    let each = (count + BARS - 1) / BARS;
    let number = (count + each - 1) / each;
    let start = |at: i64| {
        let hours = at.saturating_mul(each).saturating_mul(24);
        first.day.saturating_add(SignedDuration::from_hours(hours)).unwrap_or(first.day)
    };
    let end = |at: i64| start(at + 1).saturating_sub(DAY).unwrap_or(first.day);
    let mut buckets: Vec<Bucket> = (0..number)
        .map(|at| Bucket { from: start(at), to: end(at), by_type: BTreeMap::new() })
        .collect();
    for day in days {
        let at = day.day.duration_since(first.day).as_hours() / 24 / each;
        let Some(bucket) = usize::try_from(at).ok().and_then(|at| buckets.get_mut(at)) else {
            continue;
        };
        for (kind, flips) in &day.by_type {
            *bucket.by_type.entry(*kind).or_default() += flips;
        }
    }
    buckets
}

/// Flips over time, by the day the new position was taken.
pub(super) fn over_time(days: &[DayFlips]) -> Markup {
    let buckets = buckets(days);
    let most = buckets.iter().map(Bucket::total).max().unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    let room = f64::from(WIDTH - LEFT);
    let each = room / units(buckets.len() as u64);
    let width = (each * 0.8).min(48.0);
    let top = ceiling(most);
    let high = |flips: u64| share(flips, top) * f64::from(HEIGHT);
    let base = f64::from(HEIGHT) + 12.0;
    let labels = [buckets.first(), buckets.get(buckets.len() / 2), buckets.last()];
    html! {
        div.plot {
            svg viewBox=(format!("0 0 {WIDTH} {}", HEIGHT + 40)) role="img"
                aria-label="Flips over time, by kind" {
                @for flips in [0, top / 2, top] {
                    @let y = base - high(flips);
                    line.grid x1=(LEFT) x2=(WIDTH) y1=(number(y)) y2=(number(y)) {}
                    text.tick x=(LEFT - 6) y=(number(y + 4.0)) text-anchor="end" { (flips) }
                }
                @for (at, bucket) in buckets.iter().enumerate() {
                    @let x = f64::from(LEFT) + each * units(at as u64) + (each - width) / 2.0;
                    g {
                        title { (bucket.title()) }
                        (stack(bucket, x, width, base, &high))
                    }
                }
                @if buckets.len() > 2 {
                    @for (label, (x, anchor)) in labels.iter().zip([(LEFT, "start"), (LEFT + (WIDTH - LEFT) / 2, "middle"), (WIDTH, "end")]) {
                        @if let Some(bucket) = label {
                            text.tick x=(x) y=(HEIGHT + 32) text-anchor=(anchor) { (day(bucket.from)) }
                        }
                    }
                } @else {
                    @for (at, bucket) in buckets.iter().enumerate() {
                        @let x = f64::from(LEFT) + each * (units(at as u64) + 0.5);
                        text.tick x=(number(x)) y=(HEIGHT + 32) text-anchor="middle" { (day(bucket.from)) }
                    }
                }
            }
        }
    }
}

/// The kinds of a bucket on top of each other, the gravest below.
fn stack(bucket: &Bucket, x: f64, width: f64, base: f64, high: &dyn Fn(u64) -> f64) -> Markup {
    let mut bottom = base;
    let mut pieces = Vec::new();
    for (kind, flips) in bucket.by_type.iter().rev() {
        bottom -= high(*flips);
        pieces.push((*kind, bottom, high(*flips)));
    }
    html! {
        @for (kind, y, tall) in pieces {
            rect.(colour(kind)) x=(number(x)) y=(number(y)) width=(number(width))
                height=(number(tall)) {}
        }
    }
}

/// One row for each kind.
pub(super) fn types(by_type: &BTreeMap<FlipKind, u64>) -> Markup {
    let most = by_type.values().copied().max().unwrap_or(0);
    let room = f64::from(KINDS - KIND_NAMES - 50);
    let kinds = FlipKind::ALL.into_iter().rev();
    html! {
        div.plot.fit {
            svg viewBox=(format!("0 0 {KINDS} {}", ROW * 4)) role="img" aria-label="Flips by kind" {
                @for (kind, y) in kinds.zip((0..).step_by(30)) {
                    @let flips = by_type.get(&kind).copied().unwrap_or(0);
                    @let long = share(flips, most) * room;
                    text.name x="0" y=(y + 20) { (kind.as_str()) }
                    rect.(colour(kind)) x=(KIND_NAMES) y=(y + 6) width=(number(long)) height="18" rx="2" {}
                    text.value x=(number(f64::from(KIND_NAMES) + long + 8.0)) y=(y + 20) { (shown(flips)) }
                }
            }
        }
    }
}

/// One row for each agent that flipped: its flips beside each other, the gravest first.
pub(super) fn by_agent(agents: &[Ranked]) -> Markup {
    let totals = agents.iter().map(|agent| &agent.totals);
    let flipped: Vec<&AgentTotals> = totals.filter(|totals| totals.flips > 0).collect();
    let most = flipped.iter().map(|totals| totals.flips).max().unwrap_or(0);
    let room = f64::from(WIDTH - NAMES - 50);
    let rows = u32::try_from(flipped.len()).unwrap_or(0);
    html! {
        div.plot {
            svg viewBox=(format!("0 0 {WIDTH} {}", ROW * rows)) role="img" aria-label="Flips by agent and kind" {
                @for (totals, y) in flipped.into_iter().zip((0..).step_by(ROW as usize)) {
                    text.name x="0" y=(y + 20) {
                        title { (one_line(&totals.agent)) }
                        (one_line(&excerpt(&totals.agent, NAME_CHARS)))
                    }
                    (row(totals, y, |flips| share(flips, most) * room))
                }
            }
        }
    }
}

/// The kinds of an agent beside each other, and how many there are.
fn row(totals: &AgentTotals, y: u32, long: impl Fn(u64) -> f64) -> Markup {
    let kinds = [
        (FlipKind::Contradiction, totals.contradictions),
        (FlipKind::Retraction, totals.retractions),
        (FlipKind::Qualification, totals.qualifications),
        (FlipKind::Refinement, totals.refinements),
    ];
    let mut x = f64::from(NAMES);
    let mut pieces = Vec::new();
    let mut words = Vec::new();
    for (kind, flips) in kinds.into_iter().filter(|(_, flips)| *flips > 0) {
        pieces.push((kind, x, long(flips)));
        words.push(format!("{flips} {}", kind.as_str()));
        x += long(flips);
    }
    html! {
        g {
            title { (one_line(&totals.agent)) ": " (words.join(", ")) }
            @for (kind, x, wide) in pieces {
                rect.(colour(kind)) x=(number(x)) y=(y + 6) width=(number(wide)) height="18" {}
            }
        }
        text.value x=(number(x + 8.0)) y=(y + 20) { (shown(totals.flips)) }
    }
}

/// Agents by fields: the darker, the more of the agent's positions there were flips.
pub(super) fn heat(cells: &[HeatCell]) -> Markup {
    let mut by_domain: BTreeMap<&str, u64> = BTreeMap::new();
    let mut by_agent: BTreeMap<&str, u64> = BTreeMap::new();
    for cell in cells {
        *by_domain.entry(&cell.domain).or_default() += cell.flips;
        *by_agent.entry(&cell.agent).or_default() += cell.flips;
    }
    let (domains, agents) = (most_first(by_domain), most_first(by_agent));
    let more = domains.len().saturating_sub(COLUMNS);
    let domains = domains.get(..COLUMNS.min(domains.len())).unwrap_or_default();
    if domains.iter().all(|domain| domain.is_empty()) {
        return html! { p.none { "No position has a field yet; they are given by " code { "--domain" } " or a column " code { "domain" } "." } };
    }
    let columns = u32::try_from(domains.len()).unwrap_or(1).max(1);
    let wide = ((WIDTH - NAMES) / columns).min(122);
    let rows = u32::try_from(agents.len()).unwrap_or(0);
    html! {
        div.plot {
            svg viewBox=(format!("0 0 {WIDTH} {}", ROW * (rows + 1))) role="img"
                aria-label="Flips of positions, by agent and field" {
                @for (domain, x) in domains.iter().zip((NAMES..).step_by(wide as usize)) {
                    @let letters = (wide as usize / 8).max(4);
                    text.tick x=(x + wide / 2) y="20" text-anchor="middle" {
                        title { (one_line(named(domain))) }
                        (one_line(&excerpt(named(domain), letters)))
                    }
                }
                @for (agent, y) in agents.iter().zip((ROW..).step_by(ROW as usize)) {
                    text.name x="0" y=(y + 20) {
                        title { (one_line(agent)) }
                        (one_line(&excerpt(agent, NAME_CHARS)))
                    }
                    @for (domain, x) in domains.iter().zip((NAMES..).step_by(wide as usize)) {
                        @if let Some(cell) = cells.iter().find(|cell| cell.agent == *agent && cell.domain == *domain) {
                            (square(cell, x, y, wide))
                        }
                    }
                }
            }
        }
        @if more > 0 { p.note { (more) " further fields with fewer flips are not shown." } }
    }
}

fn square(cell: &HeatCell, x: u32, y: u32, wide: u32) -> Markup {
    let HeatCell { agent, domain, positions, flips } = cell;
    let rate = share(*flips, *positions).min(1.0);
    // A little is seen as well: the root spreads the small ones.
    let dark = rate.sqrt() * DARKEST;
    html! {
        g {
            title { (one_line(agent)) ", " (one_line(named(domain))) ": " (flips) " flips of " (positions) " positions" }
            rect.cell x=(x + 1) y=(y + 1) width=(wide - 2) height=(ROW - 2) rx="3" {}
            @if *flips > 0 {
                rect.high x=(x + 1) y=(y + 1) width=(wide - 2) height=(ROW - 2) rx="3"
                    fill-opacity=(number(dark)) {}
            }
            text.value x=(x + wide / 2) y=(y + 20) text-anchor="middle" { (flips) "/" (shown(*positions)) }
        }
    }
}

/// Names by how much is under them, most first.
fn most_first(counts: BTreeMap<&str, u64>) -> Vec<&str> {
    let mut names: Vec<(&str, u64)> = counts.into_iter().collect();
    // Stable: equal ones stay in the order of names.
    names.sort_by_key(|(_, flips)| std::cmp::Reverse(*flips));
    names.into_iter().map(|(name, _)| name).collect()
}

fn named(domain: &str) -> &str {
    if domain.is_empty() { "no field" } else { domain }
}

/// Values from 0 to 1, the earliest first, as a line; what is not known is a gap.
pub(super) fn line_of(values: &[Option<f64>]) -> Markup {
    let step = f64::from(WIDTH - LEFT - 8) / units(values.len().saturating_sub(1).max(1) as u64);
    let place = |at: usize, value: f64| {
        let x = f64::from(LEFT) + 4.0 + step * units(at as u64);
        (number(x), number(100.0 - value * 90.0))
    };
    let known = values.iter().enumerate().filter_map(|(at, value)| Some(place(at, (*value)?)));
    let known: Vec<(String, String)> = known.collect();
    let path = known.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    html! {
        div.plot {
            svg viewBox=(format!("0 0 {WIDTH} 110")) role="img" aria-label="Stated confidence over time" {
                @for (label, y) in [("1", 10), ("½", 55), ("0", 100)] {
                    line.grid x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
                    text.tick x=(LEFT - 6) y=(y + 4) text-anchor="end" { (label) }
                }
                polyline.line points=(path) {}
                @for (x, y) in &known { circle.dot cx=(x) cy=(y) r="3" {} }
            }
        }
    }
}

fn shown(count: u64) -> String {
    grouped(usize::try_from(count).unwrap_or(usize::MAX))
}

/// A small count as a number to compute with.
fn units(count: u64) -> f64 {
    share(count, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str, flips: u64) -> DayFlips {
        let by_type = BTreeMap::from([(FlipKind::Contradiction, flips)]);
        DayFlips { day: format!("{text}T00:00:00Z").parse().unwrap(), by_type }
    }

    #[test]
    fn quiet_days_are_days_too() {
        let found = buckets(&[day("2026-01-01", 2), day("2026-01-04", 1)]);
        assert_eq!(found.iter().map(Bucket::total).collect::<Vec<_>>(), [2, 0, 0, 1]);
        let years = buckets(&[day("2020-01-01", 1), day("2026-01-01", 3)]);
        assert!(years.len() <= 45, "{}", years.len());
        assert_eq!(years.iter().map(Bucket::total).sum::<u64>(), 4);
    }

    #[test]
    fn names_are_escaped_in_plots() {
        let cell = HeatCell {
            agent: "<script>".to_owned(),
            domain: "\u{202e}x".to_owned(),
            positions: 3,
            flips: 1,
        };
        let plot = heat(&[cell]).into_string();
        assert!(!plot.contains("<script>") && !plot.contains('\u{202e}'), "{plot}");
        assert!(!plot.contains("<span"), "ends the drawing: {plot}");
    }
}
