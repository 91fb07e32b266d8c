//! What a served page of a debate can do besides being read: go back in time, go on, branch, count
//! again, be taken home.

use std::fmt::Write as _;

use maud::{Markup, html};
use rebuttal_model::Event;
use rebuttal_policy::voting::Redecided;

use super::super::quality::kind_words;
use super::view::View;
use crate::line;

/// What a person may do with a debate on its page.
#[derive(Clone, Debug)]
pub struct Controls {
    /// The number of the last record of its journal.
    pub last: u64,
    /// True where an earlier state is shown.
    pub earlier: bool,
    /// How it stands.
    pub stands: Stands,
    /// Its votes counted under every rule, where that was asked for.
    pub redecided: Option<Redecided>,
}

/// The kinds of events after which the page is not what it was.
const KINDS: &str = "debate_started round_started call_failed answers_grouped round_ended \
    round_analyzed critiqued stopped moderated judged turn_taken finding_raised intervened ballot_cast \
    paused resumed decided";

/// How a stored debate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// It is run now.
    Running,
    /// Nobody runs it, and it has not ended.
    Stopped,
    /// It waits for a person.
    Waiting,
    /// It has ended.
    Ended,
}

impl Stands {
    fn words(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped before its end",
            Self::Waiting => "waits for a person",
            Self::Ended => "ended",
        }
    }
}

pub(super) fn section(view: &View<'_>, controls: &Controls) -> Markup {
    let id = view.state.spec().id.as_str();
    let to = |what: &str| format!("/debates/{}/{what}", encoded(id));
    html! {
        section.controls aria-label="This debate" data-events=(format!("/api/debates/{}/events", encoded(id)))
            data-last=(controls.last) data-live=(controls.stands == Stands::Running && !controls.earlier)
            data-earlier[controls.earlier] data-kinds=(KINDS) {
            p.status data-part="" #status role="status" aria-live="polite" {
                span.state.(match controls.stands { Stands::Running => "running", Stands::Waiting => "waiting", _ => "over" }) { (controls.stands.words()) }
                " " (line(&latest(view)))
            }
            (slider(view, controls))
            div.actions data-part="" #actions {
                @match controls.stands {
                    Stands::Running => {
                        form method="post" action=(to("pause")) { button { "Pause" } }
                        form method="post" action=(to("cancel")) { button { "Stop" } }
                    }
                    Stands::Waiting => a.button href=(format!("/breakpoints#{id}")) { "Answer it" },
                    Stands::Stopped => form method="post" action=(to("resume")) { button { "Go on" } },
                    Stands::Ended => {}
                }
                (fork(view, &to("fork")))
                form method="get" action=(to("redecide")) { button { "Count the votes again" } }
                p.downloads {
                    "Download: "
                    a href=(to("report.html")) download="" { "HTML" } ", "
                    a href=(to("report.md")) download="" { "Markdown" } ", "
                    a href=(to("report.json")) download="" { "JSON" }
                    @if view.state.decision.is_some() { ", " a href=(to("receipt.json")) download="" { "receipt" } }
                }
            }
        }
        @if let Some(redecided) = &controls.redecided { (counted(redecided)) }
    }
}

/// The state after any record. Without scripts the number is chosen and sent; with them, the page follows.
fn slider(view: &View<'_>, controls: &Controls) -> Markup {
    let begins = view.records.iter().filter_map(|record| match record.event {
        Event::RoundStarted { round, .. } => Some((record.seq, round)),
        _ => None,
    });
    html! {
        form.slider method="get" {
            label for="at" { "State after record " output for="at" { (view.state.seq) } " of " span #last { (controls.last) } }
            input #at type="range" name="at" min="1" max=(controls.last) value=(view.state.seq) list="rounds";
            datalist #rounds { @for (seq, round) in begins { option value=(seq) label=(round) {} } }
            button { "Show" }
            @if controls.earlier { " " a href="?" { "now" } }
        }
    }
}

/// What happened last, in a few words.
fn latest(view: &View<'_>) -> String {
    let told = view.records.iter().rev().find_map(|record| event_words(&record.event));
    told.map_or_else(|| "It has begun.".to_owned(), |words| format!("{words}."))
}

/// What an event says to somebody who follows along.
fn event_words(event: &Event) -> Option<String> {
    Some(match event {
        Event::RoundStarted { round: 0, .. } => "the blind round begins".to_owned(),
        Event::RoundStarted { round, .. } => format!("round {round} begins"),
        Event::TurnTaken { turn } => {
            let answer = turn.structured.answer.as_deref().unwrap_or("no answer");
            format!("{} says {answer}", turn.agent)
        }
        Event::CallFailed { call, .. } => format!("a call of {} failed", call.agent),
        Event::FindingRaised { finding } => format!("{}: {}", finding.agent, finding.rule),
        Event::Intervened { intervention } => {
            format!("{} by the trickster", kind_words(intervention.kind))
        }
        Event::Paused { reason, .. } => format!("it waits: {reason}"),
        Event::Resumed { .. } => "it goes on".to_owned(),
        Event::Stopped { .. } => "the rounds are over".to_owned(),
        Event::Decided { decision } => {
            format!("decided: {}", decision.answer.as_deref().unwrap_or("no decision"))
        }
        _ => return None,
    })
}

fn fork(view: &View<'_>, action: &str) -> Markup {
    html! {
        details.fork {
            summary { "Branch it" }
            form method="post" action=(action) {
                label for="round" { "Go another way after round" }
                select #round name="round" {
                    @for round in view.state.rounds.iter().filter(|round| round.record.is_some()) { option value=(round.number) { (round.number) } }
                }
                label for="rule" { "decided by" }
                input #rule name="rule" value=(view.state.spec().protocol.rule) autocomplete="off";
                label for="rounds-more" { "in at most so many rounds" }
                input #rounds-more type="number" name="rounds" min="0" max="20" value=(view.state.spec().protocol.rounds);
                button { "Branch" }
            }
        }
    }
}

/// What each rule makes of the same votes.
fn counted(redecided: &Redecided) -> Markup {
    html! {
        section #redecided {
            h2 { "The same votes under every rule" }
            table {
                thead { tr { th scope="col" { "rule" } th scope="col" { "answer" } th.number scope="col" { "share" } } }
                tbody {
                    @for outcome in &redecided.outcomes {
                        tr {
                            th scope="row" { code { (outcome.rule) } }
                            td { (line(outcome.winner.as_deref().unwrap_or("no decision"))) }
                            td.number data-label="share" {
                                @if let Some(share) = outcome.share { (format!("{:.0} %", share * 100.0)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A part of an address: what could be read as something else is written in percents.
pub fn encoded(part: &str) -> String {
    let mut text = String::with_capacity(part.len());
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            _ => {
                write!(text, "%{byte:02X}").ok();
            }
        }
    }
    text
}
