//! One debate round by round: evidence quality, agreement, and what was done about them.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use rebuttal_engine::debate::State;

use super::kind_words;

const SIZE: (f64, f64) = (720.0, 300.0);
const LEFT: f64 = 46.0;
const RIGHT: f64 = 165.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;
/// Names at the right end must stand so far apart to be read.
const APART: f64 = 16.0;
/// Colours of its own: a picture stands in pages that have none for it.
const STYLE: &str = ".g{stroke:#8888;stroke-width:.6}.t{fill:#777c84}.q{stroke:#1f7a4d;fill:none;stroke-width:2.5}\
     .qf{fill:#1f7a4d}.a{stroke:#8a5a00;fill:none;stroke-width:2.5}.af{fill:#8a5a00}.n{fill:#b3261e}\
     .d{stroke:#b3261e;stroke-dasharray:3 4}\
     @media (prefers-color-scheme:dark){.q{stroke:#63c295}.qf{fill:#63c295}.a{stroke:#ffc061}\
     .af{fill:#ffc061}.n{fill:#ff8a80}.d{stroke:#ff8a80}}";

/// A round as it is drawn.
struct Seen {
    round: u32,
    /// `None` where nobody could be judged.
    quality: Option<f64>,
    agreement: Option<f64>,
    votes: String,
    done: String,
}

/// The picture of a debate, in SVG.
pub fn picture(state: &State) -> Markup {
    let rounds: Vec<Seen> =
        state.steering.analyses.iter().map(|seen| of(state, seen.round)).collect();
    let (width, height) = SIZE;
    #[expect(clippy::cast_precision_loss, reason = "a handful of rounds")]
    let step = (width - LEFT - RIGHT) / rounds.len().saturating_sub(1).max(1) as f64;
    #[expect(clippy::cast_precision_loss, reason = "a handful of rounds")]
    let x = |at: usize| LEFT + step * at as f64;
    let y = |value: f64| TOP + (height - TOP - BOTTOM) * (1.0 - value.clamp(0.0, 1.0));
    let places = |value: fn(&Seen) -> Option<f64>| -> Vec<(f64, f64)> {
        let rounds = rounds.iter().enumerate();
        rounds.filter_map(|(at, seen)| Some((x(at), y(value(seen)?)))).collect()
    };
    let (quality, agreement) = (places(|seen| seen.quality), places(|seen| seen.agreement));
    let (own, other) = (last(&quality), last(&agreement));
    let shift = if (own - other).abs() < APART { APART.copysign(own - other) } else { 0.0 };
    let named = [
        ("q", "evidence quality", &quality, rounds.last().and_then(|seen| seen.quality), shift),
        ("a", "agreement", &agreement, rounds.last().and_then(|seen| seen.agreement), 0.0),
    ];
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            font-family="system-ui, sans-serif" font-size="13" role="img"
            aria-label=(format!("Evidence quality and agreement by round: {}", state.spec().question)) {
            style { (PreEscaped(STYLE)) }
            @for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line.g x1=(LEFT) x2=(width - RIGHT) y1=(y(tick)) y2=(y(tick)) {}
                text.t x=(LEFT - 8.0) y=(y(tick) + 4.0) text-anchor="end" { (tick) }
            }
            @for (class, name, places, value, shift) in named {
                (line(class, places))
                text class=(format!("{class}f")) x=(width - RIGHT + 10.0) y=(last(places) + 4.0 + shift) {
                    (name) " " (value.map_or_else(String::new, |value| format!("{value:.2}")))
                }
            }
            (words_below(&rounds, &x))
            (words_above(&rounds, &x))
        }
    }
}

/// Under each round its number and how all voted; of many rounds the numbers, and the votes of the
/// first and the last.
fn words_below(rounds: &[Seen], x: &dyn Fn(usize) -> f64) -> Markup {
    let (_, height) = SIZE;
    let words: Vec<String> = rounds
        .iter()
        .map(|seen| {
            let blind = if seen.round == 0 { ", blind" } else { "" };
            format!("round {}{blind}: {}", seen.round, seen.votes)
        })
        .collect();
    if fit(&words, x) {
        return html! {
            @for (at, words) in words.iter().enumerate() {
                text.t x=(x(at)) y=(height - 14.0) text-anchor=(anchor(at, rounds.len())) { (words) }
            }
        };
    }
    // Twenty numbers have room beside each other.
    let every = rounds.len().div_ceil(20);
    let ends = [words.first(), words.last()].into_iter().flatten();
    html! {
        @for (at, seen) in rounds.iter().enumerate().step_by(every) {
            text.t x=(x(at)) y=(height - 24.0) text-anchor="middle" { (seen.round) }
        }
        @for (at, words) in [0, rounds.len().saturating_sub(1)].into_iter().zip(ends) {
            text.t x=(x(at)) y=(height - 6.0) text-anchor=(anchor(at, rounds.len())) { (words) }
        }
    }
}

/// What was done after each round, above it; along its line where the words would cover each other.
fn words_above(rounds: &[Seen], x: &dyn Fn(usize) -> f64) -> Markup {
    let (_, height) = SIZE;
    let words: Vec<String> = rounds.iter().map(|seen| seen.done.clone()).collect();
    let fits = fit(&words, x);
    html! {
        @for (at, words) in words.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
            line.d x1=(x(at)) x2=(x(at)) y1="24" y2=(height - BOTTOM) {}
            @if fits {
                text.n x=(x(at)) y="20" text-anchor=(anchor(at, rounds.len())) { (words) }
            } @else {
                @let middle = f64::midpoint(TOP, height - BOTTOM);
                @let turned = format!("rotate(-90 {0:.1} {middle:.1})", x(at) + 13.0);
                text.n x=(format!("{:.1}", x(at) + 13.0)) y=(middle) text-anchor="middle" transform=(turned) {
                    (words)
                }
            }
        }
    }
}

/// True when none of these words covers the next, each at its round.
fn fit(all: &[String], x: &dyn Fn(usize) -> f64) -> bool {
    /// About the width of a letter.
    const LETTER: f64 = 6.6;
    let mut free = 0.0;
    for (at, words) in all.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let wide = words.chars().count() as f64 * LETTER;
        let start = match anchor(at, all.len()) {
            "start" => x(at),
            "end" => x(at) - wide,
            _ => x(at) - wide / 2.0,
        };
        if start < free {
            return false;
        }
        free = start + wide;
    }
    true
}

/// What is drawn of a round.
fn of(state: &State, round: u32) -> Seen {
    let analysis = state.steering.analyses.iter().find(|seen| seen.round == round);
    let judged =
        analysis.map(|seen| seen.quality.values().map(|own| own.overall).collect::<Vec<_>>());
    let judged = judged.unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a handful of agents")]
    let quality = (!judged.is_empty()).then(|| judged.iter().sum::<f64>() / judged.len() as f64);
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for turn in state.panel().iter().filter_map(|agent| state.latest_through(agent, round)) {
        if let Some(answer) = turn.structured.answer.as_deref() {
            *votes.entry(answer).or_default() += 1;
        }
    }
    let mut counted: Vec<(&str, usize)> = votes.into_iter().collect();
    counted.sort_by_key(|(_, votes)| std::cmp::Reverse(*votes));
    let votes = match counted.as_slice() {
        [(answer, _)] => format!("all say {answer}"),
        several => {
            let each = several.iter().map(|(answer, votes)| format!("{votes} {answer}"));
            each.collect::<Vec<_>>().join(", ")
        }
    };
    let done = state.steering.interventions.iter().filter(|done| done.round == round);
    let done: Vec<&str> = done.map(|done| kind_words(done.kind)).collect();
    let agreement = analysis.and_then(|seen| seen.convergence);
    Seen { round, quality, agreement, votes, done: done.join(", ") }
}

fn line(class: &str, places: &[(f64, f64)]) -> Markup {
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    html! {
        polyline class=(class) points=(points.join(" ")) {}
        @for (x, y) in places {
            circle class=(format!("{class}f")) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {}
        }
    }
}

/// The height of the last point.
fn last(places: &[(f64, f64)]) -> f64 {
    places.last().map_or(0.0, |(_, y)| *y)
}

/// Words at the ends stay within the picture.
fn anchor(at: usize, rounds: usize) -> &'static str {
    match at {
        0 => "start",
        at if at + 1 == rounds => "end",
        _ => "middle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_until_they_cover_each_other() {
        let over = |count: usize, step: f64| {
            let words = vec!["round 1: all say yes".to_owned(); count];
            let places: Vec<f64> =
                std::iter::successors(Some(46.0), |at| Some(at + step)).take(count).collect();
            fit(&words, &|at| places.get(at).copied().unwrap_or_default())
        };
        assert!(over(2, 509.0) && over(3, 254.5) && !over(5, 127.2) && !over(14, 39.1));
        assert!(fit(&[String::new(), String::new()], &|_| 46.0), "nothing covers nothing");
    }
}
