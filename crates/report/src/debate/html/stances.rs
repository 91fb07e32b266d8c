//! Who stood where after each round: as a drawing with an arrow for everyone who moved, and as a table.

use maud::{Markup, html};
use rebuttal_model::{Ballot, StopReason};
use rebuttal_text::one_line;

use super::view::{View, agent_colour, round_name};
use crate::chart::{self, Frame};
use crate::{excerpt, line};

/// Height of an option's lane and of one agent within it.
const LANE: f64 = 26.0;
const AGENT: f64 = 9.0;
/// Room for the names of options, and their longest.
const LEFT: f64 = 120.0;
const NAME_CHARS: usize = 17;
/// With more agents the lines cannot be told apart, and the table alone is shown.
const AGENTS: usize = 12;
/// With more options the lanes do not fit.
const LANES: usize = 8;

pub(super) fn section(view: &View<'_>) -> Markup {
    let drawn = view.state.rounds.len() > 1
        && view.panel.len() <= AGENTS
        && (1..=LANES).contains(&view.options.len());
    html! {
        section #stances data-part="" {
            h2 { "Who stood where" }
            @if drawn { (flow(view)) }
            (table(view))
            (legend(view))
        }
    }
}

/// One lane for each option, one line for each agent; an arrow where it changed lanes.
fn flow(view: &View<'_>) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "a panel is small")]
    let lane = LANE + AGENT * view.panel.len() as f64;
    #[expect(clippy::cast_precision_loss, reason = "so are its options")]
    let lanes = view.options.len() as f64;
    let frame = Frame {
        width: 640.0,
        height: lane * lanes + 34.0,
        left: LEFT,
        right: 96.0,
        top: 4.0,
        bottom: 30.0,
    };
    let rounds = view.state.rounds.len();
    let spot = |round: usize, agent: usize| {
        let option = view.stood(round, agent)?;
        #[expect(clippy::cast_precision_loss, reason = "so are their places")]
        let y = frame.top + lane * option as f64 + LANE / 2.0 + AGENT * (agent as f64 + 0.5);
        Some((frame.x(round, rounds), y))
    };
    html! {
        div.wide { svg.chart viewBox=(frame.view_box()) role="img"
            aria-label="Which option each agent stood for after each round; the table below says the same" {
            @for (at, option) in view.options.iter().enumerate() {
                (lane_of(frame, lane, at, option))
            }
            (frame.ticks(&view.state.rounds.iter().map(|round| round_name(round.number)).collect::<Vec<_>>()))
            @for (agent, name) in view.panel.iter().enumerate() {
                @let points: Vec<Option<(f64, f64)>> = (0..rounds).map(|round| spot(round, agent)).collect();
                g.(format!("a{}", agent_colour(agent))) {
                    title { (one_line(name.as_str())) }
                    (moves(&points))
                    @if let Some((x, y)) = points.iter().flatten().last() {
                        text.(format!("n{}", agent_colour(agent))) x=(chart::number(x + 9.0)) y=(chart::number(y + 4.0)) { (excerpt(&one_line(name.as_str()), 12)) }
                    }
                }
            }
        } }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a question has few options")]
fn lane_of(frame: Frame, lane: f64, at: usize, option: &str) -> Markup {
    let y = frame.top + lane * at as f64;
    html! {
        rect.lane.(format!("o{}", at.min(5))) x="0" y=(chart::number(y + 2.0)) width=(frame.width) height=(chart::number(lane - 4.0)) rx="4" {}
        text.lane x="10" y=(chart::number(y + lane / 2.0 + 4.0)) { (excerpt(&one_line(option), NAME_CHARS)) title { (one_line(option)) } }
    }
}

/// The line of one agent: a step that changes the lane has an arrow in its middle.
fn moves(points: &[Option<(f64, f64)>]) -> Markup {
    let known: Vec<(f64, f64)> = points.iter().copied().flatten().collect();
    html! {
        (chart::line("", &known))
        @for pair in known.windows(2) {
            @if let [from, to] = pair {
                @if (from.1 - to.1).abs() > f64::EPSILON { (chart::arrow(*from, *to)) }
            }
        }
    }
}

/// One row for each agent, one cell for each round, in the colour of what it stood for.
fn table(view: &View<'_>) -> Markup {
    let rounds = &view.state.rounds;
    html! {
        div.wide tabindex="0" role="region" aria-label="Stances by agent and round" { table.stances {
            thead { tr {
                th scope="col" { "agent" }
                @for round in rounds { th scope="col" { (round_name(round.number)) } }
            } }
            tbody {
                @for (at, agent) in view.panel.iter().enumerate() {
                    tr {
                        th scope="row" { (line(agent.as_str())) }
                        @for (index, round) in rounds.iter().enumerate() {
                            @let held = view.held(index, at);
                            @let answer = held.and_then(Ballot::first);
                            @let asked = round.debating.contains(agent);
                            @let moved = index > 0 && view.stood(index - 1, at).is_some_and(|before| Some(before) != view.stood(index, at));
                            td.(format!("o{}", view.colour(answer))).(if asked { "asked" } else { "kept" }) {
                                @if moved { span.moved title="moved" { "→ " } }
                                (line(answer.unwrap_or("–")))
                                @if let Some(sure) = held.and_then(|held| held.conviction) {
                                    span.sure { " " (format!("{:.2}", sure.value())) }
                                }
                            }
                        }
                    }
                }
                tr.camps {
                    th scope="row" { "camps" }
                    @for index in 0..rounds.len() { td { (line(&camps(view, index))) } }
                }
            }
        } }
    }
}

/// `2 yes, 1 no`.
fn camps(view: &View<'_>, round: usize) -> String {
    let mut counts = vec![0_usize; view.options.len()];
    for agent in 0..view.panel.len() {
        if let Some(count) = view.stood(round, agent).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    let counted = counts.iter().zip(&view.options).filter(|(number, _)| **number > 0);
    counted.map(|(number, option)| format!("{number} {option}")).collect::<Vec<_>>().join(", ")
}

fn legend(view: &View<'_>) -> Markup {
    html! {
        p.note.legend {
            @for option in &view.options {
                span.swatch.(format!("o{}", view.colour(Some(option)))) {} " " (line(option)) "  "
            }
            "· pale: was not asked and kept its position · →: moved"
        }
    }
}

/// Why the rounds ended.
pub(super) fn stopped(stop: Option<&StopReason>) -> Markup {
    html! { @if let Some(stop) = stop { p.note { "It stopped: " (line(&stop.words)) } } }
}
