//! What was said, round by round: the camps side by side, rebuttals under the item they answer,
//! findings marked in the words, and what was done between the rounds in its place.

use maud::{Markup, html};
use rebuttal_engine::debate::Round;
use rebuttal_model::{AgentId, Intervention, PositionChange, Turn};
use rebuttal_text::one_line;

use super::super::between::{Said, Tone};
use super::super::words::rebuttal;
use super::view::View;
use crate::marks::{Mark, marked};
use crate::{count, excerpt, line, shown};

/// Debates with more turns than this are folded, but for their last rounds.
const LONG_TURNS: usize = 120;
/// How many rounds of a long debate stand open.
const OPEN_ROUNDS: usize = 3;
/// Characters of an answer above a camp.
const CAMP_CHARS: usize = 60;
/// Characters of an item before what answers it.
const ITEM_CHARS: usize = 160;

pub(super) fn section(view: &View<'_>, between: &[(u32, Said)]) -> Markup {
    let rounds = &view.state.rounds;
    let open_from = match view.state.turns.len() {
        0..=LONG_TURNS => 0,
        _ => rounds.len().saturating_sub(OPEN_ROUNDS),
    };
    html! {
        @if rounds.len() > 2 {
            nav.rounds aria-label="Rounds" {
                @for round in rounds {
                    a href=(format!("#round-{}", round.number)) { (round.number) span.unseen { " round" } }
                    " "
                }
            }
        }
        @for (at, round) in rounds.iter().enumerate() {
            (one(view, round, between, at >= open_from))
        }
    }
}

fn one(view: &View<'_>, round: &Round, between: &[(u32, Said)], open: bool) -> Markup {
    let name = match round.number {
        0 => "Round 0, blind".to_owned(),
        number => format!("Round {number}"),
    };
    let id = format!("round-{}", round.number);
    let turns: Vec<&Turn> =
        view.state.turns.iter().filter(|turn| turn.round == Some(round.number)).collect();
    let changes: &[PositionChange] = round.record.as_ref().map_or(&[], |record| &record.changes);
    let inside = html! {
        (moved(changes))
        (camps(view, &turns))
        (silent(view, round))
        @for (_, said) in between.iter().filter(|(own, _)| *own == round.number) {
            @match said.tone {
                Tone::Note => { p.aside { (coded(&said.text)) } }
                Tone::Warning => { div.card.medium { p { (coded(&said.text)) } } }
            }
        }
        (told(view.state.steering.interventions.iter().filter(|done| done.round == round.number)))
    };
    html! {
        section.round id=(id) data-part="" {
            @if open { h2 { (name) } (inside) }
            @else {
                details {
                    summary { h2 { (name) } " " (count(turns.len(), "answer")) ", " (changes.len()) " moved" }
                    (inside)
                }
            }
        }
    }
}

fn moved(changes: &[PositionChange]) -> Markup {
    html! {
        @for change in changes {
            p.change {
                b { (line(change.agent.as_str())) } ": " (line(&change.from.action)) " "
                (format!("{:.2}", change.from.conviction)) span.arrow { " → " } b { (line(&change.to.action)) } " "
                (format!("{:.2}", change.to.conviction))
            }
        }
    }
}

/// The turns by the option they are for, in the order of the options.
fn camps(view: &View<'_>, turns: &[&Turn]) -> Markup {
    let mut camps: Vec<(Option<usize>, Vec<&Turn>)> = Vec::new();
    for turn in turns {
        let option = turn.structured.answer.as_deref().and_then(|answer| view.option(answer));
        match camps.iter_mut().find(|(known, _)| *known == option) {
            Some((_, members)) => members.push(turn),
            None => camps.push((option, vec![turn])),
        }
    }
    camps.sort_by_key(|(option, _)| (option.is_none(), *option));
    html! {
        div.camps.(if camps.len() > 1 { "several" } else { "one" }) {
            @for (option, members) in &camps {
                div.camp {
                    @if camps.len() > 1 {
                        @let name = option.and_then(|at| view.options.get(at)).map_or("no answer", String::as_str);
                        p.camp-name.(format!("o{}", view.colour(Some(name)))) { (line(&excerpt(name, CAMP_CHARS))) " · " (members.len()) }
                    }
                    @for turn in members { (said(view, turn)) }
                }
            }
        }
    }
}

/// Who has not answered in this round, and why.
fn silent(view: &View<'_>, round: &Round) -> Markup {
    let own = view.state.ballots.iter().filter(|ballot| ballot.round == round.number);
    let quiet: Vec<&str> =
        own.filter(|ballot| ballot.silence.is_some()).map(|ballot| ballot.agent.as_str()).collect();
    html! {
        @if !quiet.is_empty() { p.aside { "No answer from " (line(&quiet.join(", "))) "." } }
    }
}

/// The words that agents were given because of what was seen.
fn told<'i>(done: impl Iterator<Item = &'i Intervention>) -> Markup {
    let done: Vec<&Intervention> = done.filter(|done| !done.text.trim().is_empty()).collect();
    html! {
        @for done in done {
            @let whom: Vec<&str> = done.targets.iter().map(AgentId::as_str).collect();
            details.told {
                summary { "What " (line(&whom.join(", "))) " " (if whom.len() == 1 { "was" } else { "were" }) " told" }
                div.text { (shown(&done.text)) }
            }
        }
    }
}

fn said(view: &View<'_>, turn: &Turn) -> Markup {
    let said = &turn.structured;
    let answer = said.answer.as_deref();
    let mut place = Places { text: &turn.text, from: 0, marks: view.marks(turn.id) };
    html! {
        article.turn.(format!("o{}", view.colour(answer))) id=(format!("turn-{}", turn.id.index())) {
            h3 {
                (line(turn.agent.as_str())) " · " (line(answer.unwrap_or("–")))
                @if let Some(sure) = said.conviction { span.sure { " " (format!("{:.2}", sure.value())) } }
                @if let Some(model) = &turn.model { span.model { " " (line(model)) } }
            }
            @if said.thesis.is_none() && said.evidence.is_empty() { p.text { (place.rest()) } }
            @if let Some(thesis) = &said.thesis {
                p { (place.part(thesis)) }
                (replies(view, turn, thesis))
            }
            @if !said.evidence.is_empty() {
                ul { @for item in &said.evidence { li { (place.part(item)) (replies(view, turn, item)) } } }
            }
            @if !said.rebuttals.is_empty() {
                p.note { "Rebuttals" }
                ul { @for said in &said.rebuttals {
                    li {
                        @match &said.item {
                            Some(item) => {
                                "to " (line(item.agent.as_str())) " on “" (shown(&excerpt(&one_line(&item.text), ITEM_CHARS))) "”: "
                                (place.part(&said.text)) " "
                                a.against href=(format!("#turn-{}", item.turn.index())) aria-label=(format!("to what {} said", one_line(item.agent.as_str()))) {}
                            }
                            None => (place.part(&rebuttal(said))),
                        }
                    }
                } }
            }
        }
    }
}

/// What others said against an item, under it.
fn replies(view: &View<'_>, turn: &Turn, item: &str) -> Markup {
    let replies = view.replies(turn.id, item);
    html! {
        @if !replies.is_empty() {
            ul.replies aria-label="Rebuttals of this" {
                @for (by, said) in &replies {
                    li {
                        a href=(format!("#turn-{}", by.id.index())) { (line(by.agent.as_str())) }
                        @if let Some(round) = by.round { " in round " (round) }
                        ": " (shown(&said.text))
                    }
                }
            }
        }
    }
}

/// The parts of a turn's text, one after the other, each with the marks that are in it.
struct Places<'t> {
    text: &'t str,
    /// Where the next part is looked for.
    from: usize,
    marks: &'t [Mark],
}

impl Places<'_> {
    fn part(&mut self, part: &str) -> Markup {
        let rest = self.text.get(self.from..).unwrap_or_default();
        let Some(found) = rest.find(part).filter(|_| !part.is_empty()) else { return shown(part) };
        let start = self.from + found;
        self.from = start + part.len();
        self.marked(start, part)
    }

    fn rest(&self) -> Markup {
        self.marked(0, self.text)
    }

    fn marked(&self, start: usize, part: &str) -> Markup {
        let within: Vec<Mark> =
            self.marks.iter().filter_map(|mark| mark.within(start, part.len())).collect();
        marked(part, &within)
    }
}

/// A sentence, with what stands between backticks as something to type.
pub(super) fn coded(text: &str) -> Markup {
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
