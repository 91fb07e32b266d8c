//! A debate as one page to hand on: the decision, who stood where in each round, how sure they were,
//! what was said, and what it cost. No scripts, no requests.

use maud::{Markup, html};
use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, Ballot, Decision, Event, Record, Spent, Turn, Verdict};
use rebuttal_text::one_line;

use super::between::{self, Said, Tone};
use super::words::{cost, group, rebuttal};
use crate::chart::{self, Frame};
use crate::{Page, VERSION, count, line, shown};

const STYLE: &str = include_str!("style.css");
/// How many options have a colour of their own; the rest share the last.
const COLOURS: usize = 6;
/// The plot of convictions; names stand at its right.
const PLOT: Frame =
    Frame { width: 640.0, height: 220.0, left: 36.0, right: 120.0, top: 10.0, bottom: 26.0 };

/// The whole page.
pub fn page(state: &State, records: &[Record]) -> Markup {
    let body = html! {
        (header(state))
        main {
            @if let Some(decision) = &state.decision {
                (ending(decision))
            }
            section #stances {
                h2 { "Who stood where" }
                (stances(state))
                (legend(state))
            }
            @if state.rounds.len() > 1 {
                section {
                    h2 { "How sure they were" }
                    (convictions(state))
                }
            }
            @if !state.findings.is_empty() {
                section {
                    h2 { "What detectors saw" }
                    @for finding in &state.findings {
                        div.card.(finding.severity.as_str()) {
                            p { b { (finding.rule) } " · " (line(&finding.explanation)) }
                        }
                    }
                }
            }
            (rounds(state, &between::by_round(records)))
            (passages(state))
            (costs(state, records))
        }
    };
    let footer = html! { p { "rebuttal " (VERSION) " · " (state.spec().id) } };
    let page = Page { title: "Rebuttal debate", style: STYLE, skip_to: "stances" };
    page.document(&body, &footer)
}

/// What agents were given of the documents, each passage once.
fn passages(state: &State) -> Markup {
    let given = state.grounding.passages();
    html! {
        @if !given.is_empty() {
            section {
                h2 { "Passages the agents were given" }
                @for passage in given {
                    div.card {
                        p.note { (line(&passage.locator())) " · " code { (passage.id) } }
                        blockquote { (shown(&passage.text)) }
                    }
                }
            }
        }
    }
}

fn header(state: &State) -> Markup {
    let spec = state.spec();
    html! {
        header {
            h1 { (line(&spec.question)) }
            @match state.decision.as_ref() {
                Some(decision) => { (verdict(decision)) }
                None => { p.verdict { "The debate has not ended." } }
            }
            p.sub {
                (count(spec.panel.len(), "agent")) " · " (count(state.rounds.len(), "round")) ", the blind one included · rule "
                code { (spec.protocol.rule) }
                @if let Some(moderator) = state.decision.as_ref().and_then(Decision::overrider) {
                    b { ", overridden by the moderator " (line(moderator.as_str())) }
                }
            }
        }
    }
}

fn verdict(decision: &Decision) -> Markup {
    let words = super::words::verdict(decision.verdict);
    let class = match decision.verdict {
        Verdict::Approved => "won",
        Verdict::ApprovedWithConditions => "medium",
        Verdict::NeedsReview => "high",
    };
    html! {
        p.verdict {
            "Decision: " b { (line(decision.answer.as_deref().unwrap_or("none"))) }
            @if let Some(sure) = decision.confidence { ", " (format!("{:.0} %", sure.value() * 100.0)) }
        }
        ul.tiles { li.tile.(class) { (words) } }
    }
}

fn ending(decision: &Decision) -> Markup {
    html! {
        section {
            h2 { "How it came to this" }
            @for one in &decision.groups { p.note { (line(&group(one))) } }
            @for part in decision.narrative.lines().filter(|part| !part.is_empty()) { p { (line(part)) } }
            @if let Some(moderation) = &decision.moderation {
                div.card.(if moderation.overrode.is_some() { "medium" } else { "info" }) {
                    p { b { "Moderator " } (line(&moderation.words)) }
                    p { (line(&moderation.evaluation.rationale)) }
                }
            }
            @for dissent in &decision.dissent {
                div.card.low {
                    h3 { "Dissent: " (line(dissent.ballot.agent.as_str())) " is for " (line(dissent.ballot.first().unwrap_or("nothing"))) }
                    blockquote { (shown(&dissent.quote)) }
                }
            }
            @if let Some(stop) = &decision.stop { p.note { "It stopped: " (line(&stop.words)) } }
            @if let Some(lift) = &decision.lift {
                h3 { "Did debating help?" }
                p { (line(&lift.words)) }
                @if let Some(independent) = &lift.independent {
                    p.note { (independent.assumption) }
                }
            }
        }
    }
}

/// The number of an option's colour.
fn colour(state: &State, answer: Option<&str>) -> usize {
    let known = options(state);
    let counted = answer.and_then(|answer| counted_as(state, answer));
    let at = counted.and_then(|answer| known.iter().position(|option| *option == answer));
    at.map_or(COLOURS, |at| at.min(COLOURS - 1))
}

/// The name under which an answer is counted: that of its group, where it is in one.
fn counted_as(state: &State, answer: &str) -> Option<String> {
    state.options().read(answer).name()
}

/// The options that anybody voted for or could have, in order.
fn options(state: &State) -> Vec<String> {
    let mut names = state.options().names();
    for vote in state.ballots.iter().filter_map(Ballot::first) {
        if let Some(name) = counted_as(state, vote).filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    names
}

/// An agent's last vote up to a round that says something.
fn vote<'s>(state: &'s State, agent: &AgentId, round: u32) -> Option<&'s Ballot> {
    let own = |ballot: &&Ballot| ballot.agent == *agent && ballot.round <= round;
    state.ballots.iter().rev().filter(own).find(|ballot| ballot.silence.is_none())
}

/// One row for each agent, one cell for each round, in the colour of what it stood for.
fn stances(state: &State) -> Markup {
    html! {
        div.wide { table.stances {
            thead { tr {
                th { "agent" }
                @for round in &state.rounds { th { (if round.number == 0 { "blind".to_owned() } else { format!("round {}", round.number) }) } }
            } }
            tbody {
                @for agent in state.panel() {
                    tr {
                        th { (line(agent.as_str())) }
                        @for round in &state.rounds {
                            @let held = vote(state, &agent, round.number);
                            @let answer = held.and_then(Ballot::first);
                            @let asked = round.debating.contains(&agent);
                            td.(format!("o{}", colour(state, answer))).(if asked { "asked" } else { "kept" }) {
                                (line(answer.unwrap_or("–")))
                                @if let Some(sure) = held.and_then(|held| held.conviction) {
                                    span.sure { " " (format!("{:.2}", sure.value())) }
                                }
                            }
                        }
                    }
                }
                tr.camps {
                    th { "camps" }
                    @for round in &state.rounds { td { (camps(state, round.number)) } }
                }
            }
        } }
    }
}

/// `2 yes, 1 no`.
fn camps(state: &State, round: u32) -> String {
    let count = |option: &str| {
        let panel = state.panel();
        let votes = panel.iter().filter_map(|agent| vote(state, agent, round)?.first());
        votes.filter(|vote| counted_as(state, vote).as_deref() == Some(option)).count()
    };
    let options = options(state);
    let counted = options.iter().map(|option| (count(option), option));
    let shown = counted.filter(|(number, _)| *number > 0);
    shown.map(|(number, option)| format!("{number} {option}")).collect::<Vec<_>>().join(", ")
}

fn legend(state: &State) -> Markup {
    html! {
        p.note.legend {
            @for option in options(state) {
                span.swatch.(format!("o{}", colour(state, Some(&option)))) {} " " (line(&option)) "  "
            }
            "· pale: was not asked and kept its position"
        }
    }
}

/// Conviction against round, one line for each agent.
fn convictions(state: &State) -> Markup {
    let rounds = state.rounds.len();
    let panel = state.panel();
    let lines: Vec<Vec<(f64, f64)>> = panel
        .iter()
        .map(|agent| {
            let held = state.rounds.iter().enumerate().filter_map(|(index, round)| {
                let sure = vote(state, agent, round.number)?.conviction?;
                Some((PLOT.x(index, rounds), PLOT.y(sure.value())))
            });
            held.collect()
        })
        .collect();
    let ends = lines.iter().zip(&panel).enumerate().filter_map(|(at, (line, agent))| {
        let (_, end) = line.last()?;
        Some((*end, (agent, at % COLOURS)))
    });
    let mut names: Vec<(f64, (&AgentId, usize))> = ends.collect();
    chart::apart(&mut names);
    html! {
        div.wide { svg.plot viewBox=(PLOT.view_box()) role="img" aria-label="Conviction of each agent in each round" {
            (PLOT.grid(&[0.0, 0.5, 1.0]))
            @for (index, round) in state.rounds.iter().enumerate() {
                text.tick x=(chart::number(PLOT.x(index, rounds))) y=(PLOT.height - 6.0) text-anchor="middle" { (if round.number == 0 { "blind".to_owned() } else { round.number.to_string() }) }
            }
            @for (at, points) in lines.iter().enumerate() {
                (chart::line(&format!("l{}", at % COLOURS), points))
            }
            @for (height, (agent, colour)) in &names {
                text.(format!("n{colour}")) x=(PLOT.end() + 8.0) y=(chart::number(height + 4.0)) { (short(agent.as_str())) }
            }
        } }
    }
}

/// A name that fits beside the plot.
fn short(name: &str) -> String {
    let name: String = name.chars().take(16).collect();
    one_line(&name).into_owned()
}

/// A sentence, with what stands between backticks as something to type.
fn coded(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return line(text);
    }
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at % 2 == 1 { code { (line(part)) } } @else { (line(part)) }
        }
    }
}

fn rounds(state: &State, between: &[(u32, Said)]) -> Markup {
    html! {
        @for round in &state.rounds {
            section {
                h2 { (if round.number == 0 { "Round 0, blind".to_owned() } else { format!("Round {}", round.number) }) }
                @if let Some(record) = &round.record {
                    @for change in &record.changes {
                        p.change {
                            b { (line(change.agent.as_str())) } ": " (line(&change.from.action)) " "
                            (format!("{:.2}", change.from.conviction)) " → " b { (line(&change.to.action)) } " "
                            (format!("{:.2}", change.to.conviction))
                        }
                    }
                }
                @for turn in state.turns.iter().filter(|turn| turn.round == Some(round.number)) {
                    (said(state, turn))
                }
                @for (_, said) in between.iter().filter(|(own, _)| *own == round.number) {
                    @match said.tone {
                        Tone::Note => { p.aside { (coded(&said.text)) } }
                        Tone::Warning => { div.card.medium { p { (coded(&said.text)) } } }
                    }
                }
            }
        }
    }
}

fn said(state: &State, turn: &Turn) -> Markup {
    let answer = turn.structured.answer.as_deref();
    html! {
        article.turn.(format!("o{}", colour(state, answer))) {
            h3 { (line(turn.agent.as_str())) " · " (line(answer.unwrap_or("–"))) }
            @if let Some(thesis) = &turn.structured.thesis { p { (shown(thesis)) } }
            @if !turn.structured.evidence.is_empty() {
                ul { @for item in &turn.structured.evidence { li { (shown(item)) } } }
            }
            @if !turn.structured.rebuttals.is_empty() {
                p.note { "Rebuttals" }
                ul { @for said in &turn.structured.rebuttals { li { (shown(&rebuttal(said))) } } }
            }
        }
    }
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

fn costs(state: &State, records: &[Record]) -> Markup {
    html! {
        section {
            h2 { "Cost and receipt" }
            p { (cost(state.cost())) }
            p.note { "of which blind: " (cost(state.blind)) }
            ul { @for agent in state.panel() { li { (line(agent.as_str())) ": " (cost(spent(records, &agent))) } } }
            @if let Some(last) = records.last() {
                p.sub { (last.seq) " records, head " code { (last.seq) ":" (last.hash) } }
            }
        }
    }
}
