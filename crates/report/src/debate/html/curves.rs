//! How sure the agents were, how well they supported what they said, and what was spent, round by round.

use maud::{Markup, html};
use rebuttal_model::{AgentId, Event, Record, Spent};
use rebuttal_text::one_line;

use super::super::words::cost;
use super::view::{View, agent_colour, round_name};
use crate::chart::{self, Curve};
use crate::{excerpt, grouped, line};

/// Characters of a name beside its curve.
const NAME_CHARS: usize = 14;

pub(super) fn convictions(view: &View<'_>) -> Markup {
    let curves = view.panel.iter().enumerate().map(|(at, agent)| {
        let sure = |round| Some((round, view.held(round, at)?.conviction?.value()));
        curve(at, agent, (0..view.state.rounds.len()).filter_map(sure).collect())
    });
    let ticks: Vec<String> =
        view.state.rounds.iter().map(|round| round_name(round.number)).collect();
    html! {
        @if ticks.len() > 1 {
            section data-part="" #conviction {
                h2 { "How sure they were" }
                (chart::curves(&curves.collect::<Vec<_>>(), &ticks, "Conviction of each agent in each round"))
            }
        }
    }
}

pub(super) fn evidence(view: &View<'_>) -> Markup {
    let analyses = &view.state.steering.analyses;
    let ticks: Vec<String> = analyses.iter().map(|seen| round_name(seen.round)).collect();
    let curves = view.panel.iter().enumerate().map(|(at, agent)| {
        let rounds = analyses.iter().enumerate();
        let points =
            rounds.filter_map(|(round, seen)| Some((round, seen.quality.get(agent)?.overall)));
        curve(at, agent, points.collect())
    });
    let curves: Vec<Curve> = curves.collect();
    html! {
        @if curves.iter().any(|curve| !curve.points.is_empty()) {
            section data-part="" #evidence {
                h2 { "How well it was supported" }
                (chart::curves(&curves, &ticks, "Evidence quality of each agent in each round, 0 to 1"))
            }
        }
    }
}

fn curve(at: usize, agent: &AgentId, points: Vec<(usize, f64)>) -> Curve {
    let name = excerpt(&one_line(agent.as_str()), NAME_CHARS);
    Curve { name, colour: agent_colour(at), points }
}

/// What the agent's calls cost.
fn spent(records: &[Record], agent: &AgentId) -> Spent {
    let own = records.iter().filter_map(|record| match &record.event {
        Event::CallAnswered { call, spent, .. } | Event::CallFailed { call, spent, .. } => {
            (call.agent == *agent).then_some(*spent)
        }
        _ => None,
    });
    own.fold(Spent::default(), |sum, spent| sum + spent)
}

pub(super) fn costs(view: &View<'_>) -> Markup {
    html! {
        section data-part="" #cost {
            h2 { "Cost and receipt" }
            p { (cost(view.state.cost())) }
            (budget(view))
            p.note { "of which blind: " (cost(view.state.blind)) }
            ul { @for agent in &view.panel { li { (line(agent.as_str())) ": " (cost(spent(view.records, agent))) } } }
            @if let Some(last) = view.records.last() {
                p.sub { (last.seq) " records, head " code { (last.seq) ":" (last.hash) } }
            }
        }
    }
}

/// What was spent of what may be spent.
#[expect(clippy::cast_precision_loss, reason = "what a debate spends is far below 2^53")]
fn budget(view: &View<'_>) -> Markup {
    let (limits, now) = (view.state.spec().protocol.budget, view.state.cost());
    let whole = |most: u64| grouped(usize::try_from(most).unwrap_or(usize::MAX));
    let rows = [
        limits.calls.map(|most| ("calls", now.calls as f64, most as f64, whole(most))),
        limits.tokens.map(|most| ("tokens", now.tokens() as f64, most as f64, whole(most))),
        limits.usd.map(|most| ("money", now.micro_usd as f64 / 1e6, most, format!("${most:.2}"))),
        limits.seconds.map(|most| ("seconds", now.millis as f64 / 1e3, most, format!("{most:.0}"))),
    ];
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    html! {
        @if !rows.is_empty() {
            table.budget {
                thead { tr { th { "budget" } th.bar { "used" } th.number { "of" } } }
                tbody {
                    @for (name, used, most, words) in rows {
                        @let share = if most > 0.0 { used / most } else { 1.0 };
                        tr {
                            th scope="row" { (name) }
                            td.bar { (chart::bar(share, if share > 0.9 { "high" } else { "low" })) " " (format!("{:.0} %", share * 100.0)) }
                            td.number data-label="of" { (words) }
                        }
                    }
                }
            }
        }
    }
}
