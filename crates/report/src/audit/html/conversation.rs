//! One transcript: its findings as cards, then the conversation with the quotes marked in place.

use std::collections::BTreeMap;

use maud::{Markup, html};
use rebuttal_model::{Finding, Role, Transcript, Turn, TurnId};

use super::super::evidence::evidence;
use super::super::rules;
use crate::audit::Audited;
use crate::marks::{Mark, marked};
use crate::page::{line, shown};
use crate::site::Judge;
use crate::{Place, count, grouped};

/// A run of at least this many turns without findings is folded away…
const FOLD_TURNS: usize = 3;

/// …in conversations longer than this; shorter ones are read in one go.
const SHORT_TURNS: usize = 8;

/// Most findings of one transcript shown as cards.
const CARDS: usize = 500;

/// One transcript. `index` is its number on the page and `before` the number of findings above it:
/// both keep anchors apart.
pub(super) fn section(audited: &Audited, index: usize, before: usize, place: Place) -> Markup {
    let mut gravest_first: Vec<_> = audited.findings.iter().collect();
    gravest_first.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let numbered: Vec<_> = (gravest_first.into_iter().take(CARDS).enumerate())
        .map(|(number, finding)| (before + number + 1, finding))
        .collect();
    let heading = format!("t{index}");
    html! {
        section.transcript aria-labelledby=(heading) {
            h2 id=(heading) { (line(&audited.label())) }
            p.sub {
                (count(audited.agents.len(), "agent")) ", " (count(audited.turns, "turn")) ", "
                (count(audited.findings.len(), "finding"))
            }
            @if let Some(question) = audited.transcript.as_ref().and_then(|it| it.question.as_deref()) {
                p.question { (shown(question)) }
            }
            @for (number, finding) in &numbered { (card(*number, finding, audited, place)) }
            @if audited.findings.len() > CARDS {
                p.note { (grouped(audited.findings.len() - CARDS)) " further findings are not shown." }
            }
            @match &audited.transcript {
                Some(transcript) => (conversation(transcript, &numbered)),
                None => p.note { "The conversation is too long for this page." },
            }
        }
    }
}

/// One finding, with links to the places it quotes.
fn card(number: usize, finding: &Finding, audited: &Audited, place: Place) -> Markup {
    let severity = finding.severity.as_str();
    html! {
        article.card.(severity) id=(format!("f{number}")) {
            h3 {
                span.place { (number) "." } " " span.severity { (severity) } " "
                (rules::title(&finding.rule)) span.who {
                    " · " (line(finding.agent.as_str()))
                    span.place { " · confidence " (format!("{:.2}", finding.confidence.value())) }
                }
            }
            p { (line(&finding.explanation)) }
            dl {
                @for it in evidence(finding, &audited.sentences) {
                    @let (index, quote) = it.quote;
                    dt {
                        (line(&it.shows)) " "
                        a href=[audited.transcript.as_ref().map(|_| format!("#f{number}q{index}"))] {
                            (quote.turn)
                            @if let Some(source) = &quote.source { ", line " (source.line) }
                        }
                    }
                    dd { q { (shown(it.words)) } }
                }
            }
            @if let (Place::Site, Some(judge)) = (place, Judge::finding(finding)) { (judge.form()) }
        }
    }
}

fn conversation(transcript: &Transcript, numbered: &[(usize, &Finding)]) -> Markup {
    let mut marks: BTreeMap<TurnId, Vec<Mark>> = BTreeMap::new();
    for (number, finding) in numbered {
        for (index, quote) in finding.quotes.iter().enumerate() {
            let text = transcript.turn(quote.turn).map_or("", |turn| turn.text.as_str());
            let Some(mark) = Mark::of(*number, finding, index, text) else { continue };
            marks.entry(mark.turn).or_default().push(mark);
        }
    }
    html! {
        div.conversation {
            @for group in fold(transcript, &marks) {
                @match group {
                    Group::Open(turns) => {
                        @for turn in turns { (turn_markup(turn, marks.get(&turn.id))) }
                    }
                    Group::Folded(turns) => {
                        details {
                            summary { (count(turns.len(), "turn")) " without findings" }
                            @for turn in turns { (turn_markup(turn, None)) }
                        }
                    }
                }
            }
        }
    }
}

/// Consecutive turns that are shown or folded away together.
#[derive(Debug)]
enum Group<'t> {
    Open(&'t [Turn]),
    Folded(&'t [Turn]),
}

fn fold<'t>(transcript: &'t Transcript, marks: &BTreeMap<TurnId, Vec<Mark>>) -> Vec<Group<'t>> {
    let turns = transcript.turns.as_slice();
    if turns.len() <= SHORT_TURNS {
        return vec![Group::Open(turns)];
    }
    turns
        .chunk_by(|one, next| marks.contains_key(&one.id) == marks.contains_key(&next.id))
        .map(|run| {
            let has_findings = run.first().is_some_and(|turn| marks.contains_key(&turn.id));
            if has_findings || run.len() < FOLD_TURNS {
                Group::Open(run)
            } else {
                Group::Folded(run)
            }
        })
        .collect()
}

fn turn_markup(turn: &Turn, marks: Option<&Vec<Mark>>) -> Markup {
    let role = turn.role.as_str();
    html! {
        div.turn.(role) {
            p.speaker {
                b { (line(turn.agent.as_str())) }
                @if turn.role != Role::Agent { " " span.role { (role) } }
                " " span.place {
                    (turn.id)
                    @if let Some(round) = turn.round { ", round " (round) }
                    @if let Some(source) = &turn.source { ", line " (source.line) }
                }
            }
            div.text { (marked(turn.text.trim_end(), marks.map_or(&[], Vec::as_slice))) }
        }
    }
}
