//! One debate round by round: evidence quality, agreement, and what was done about them.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use rebuttal_engine::debate::State;

use super::kind_words;
use crate::chart::{self, Frame, number};

const PLOT: Frame =
    Frame { width: 720.0, height: 300.0, left: 46.0, right: 165.0, top: 34.0, bottom: 40.0 };
/// Colours of its own: a picture stands in pages that have none for it.
const STYLE: &str = ".grid{stroke:#8888;stroke-width:.6}.tick{fill:#777c84}\
     .q{fill:#1f7a4d}polyline.q{stroke:#1f7a4d}.a{fill:#8a5a00}polyline.a{stroke:#8a5a00}\
     polyline.q,polyline.a{fill:none;stroke-width:2.5}.n{fill:#b3261e}\
     .d{stroke:#b3261e;stroke-dasharray:3 4}\
     @media (prefers-color-scheme:dark){.q{fill:#63c295}polyline.q{stroke:#63c295}.a{fill:#ffc061}\
     polyline.a{stroke:#ffc061}.n{fill:#ff8a80}.d{stroke:#ff8a80}}";

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
    let x = |at: usize| PLOT.x(at, rounds.len());
    let line = |value: fn(&Seen) -> Option<f64>| -> Vec<(f64, f64)> {
        let rounds = rounds.iter().enumerate();
        rounds.filter_map(|(at, seen)| Some((x(at), PLOT.y(value(seen)?)))).collect()
    };
    let series = [
        (
            "q",
            "evidence quality",
            line(|seen| seen.quality),
            rounds.last().and_then(|seen| seen.quality),
        ),
        (
            "a",
            "agreement",
            line(|seen| seen.agreement),
            rounds.last().and_then(|seen| seen.agreement),
        ),
    ];
    let ends = series.iter().map(|(class, name, points, value)| {
        let height = points.last().map_or(0.0, |(_, y)| *y);
        (height, (*class, *name, *value))
    });
    let mut names: Vec<_> = ends.collect();
    chart::apart(&mut names);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(PLOT.view_box()) width=(PLOT.width) height=(PLOT.height)
            font-family="system-ui, sans-serif" font-size="13" role="img"
            aria-label=(format!("Evidence quality and agreement by round: {}", state.spec().question)) {
            style { (PreEscaped(STYLE)) }
            (PLOT.grid(&[0.0, 0.25, 0.5, 0.75, 1.0]))
            @for (class, _, points, _) in &series { (chart::line(class, points)) }
            @for (height, (class, name, value)) in &names {
                text.(class) x=(PLOT.end() + 10.0) y=(number(height + 4.0)) {
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
    let height = PLOT.height;
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
                text.tick x=(number(x(at))) y=(height - 14.0) text-anchor=(anchor(at, rounds.len())) { (words) }
            }
        };
    }
    // Twenty numbers have room beside each other.
    let every = rounds.len().div_ceil(20);
    let ends = [words.first(), words.last()].into_iter().flatten();
    html! {
        @for (at, seen) in rounds.iter().enumerate().step_by(every) {
            text.tick x=(number(x(at))) y=(height - 24.0) text-anchor="middle" { (seen.round) }
        }
        @for (at, words) in [0, rounds.len().saturating_sub(1)].into_iter().zip(ends) {
            text.tick x=(number(x(at))) y=(height - 6.0) text-anchor=(anchor(at, rounds.len())) { (words) }
        }
    }
}

/// What was done after each round, above it; along its line where the words would cover each other.
fn words_above(rounds: &[Seen], x: &dyn Fn(usize) -> f64) -> Markup {
    let height = PLOT.height;
    let words: Vec<String> = rounds.iter().map(|seen| seen.done.clone()).collect();
    let fits = fit(&words, x);
    html! {
        @for (at, words) in words.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
            line.d x1=(number(x(at))) x2=(number(x(at))) y1="24" y2=(height - PLOT.bottom) {}
            @if fits {
                text.n x=(number(x(at))) y="20" text-anchor=(anchor(at, rounds.len())) { (words) }
            } @else {
                @let middle = f64::midpoint(PLOT.top, height - PLOT.bottom);
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
