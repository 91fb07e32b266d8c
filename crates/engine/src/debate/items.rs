//! The numbered items of the other side that an agent answers, and the answers to its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rebuttal_model::{AgentId, Call, Purpose, Rebuttal, RebuttedItem, Turn, TurnId, limits};
use rebuttal_policy::debate::Answered;

use super::fragment::{Fragment, Fragments};
use super::prompt;
use super::state::State;

/// Longest item of evidence shown to another agent, in characters, where its author wrote so much that
/// not all would fit: every item that has a number is seen.
const ITEM_CHARS: usize = 300;
/// Longest quotation of an item before a rebuttal of it, in characters.
const QUOTED_CHARS: usize = 160;

/// The items that an agent is shown in a round and asked to answer, numbered from 1: the evidence of
/// every agent it sees that stands for something else, or the thesis where there is none.
pub(super) fn items(state: &State, call: &Call) -> Vec<RebuttedItem> {
    let mut items: Vec<RebuttedItem> = Vec::new();
    let exchanges = state.spec().protocol.evidence_exchange && !state.is_first_policy();
    if !exchanges || call.round == 0 || call.purpose != Purpose::Answer {
        return items;
    }
    let (own, options) = (state.held(&call.agent, call.round), state.options());
    for peer in prompt::seen(state, call) {
        let Some(turn) = turn_shown(state, &peer, call) else { continue };
        let Some(answer) = turn.structured.answer.as_deref() else { continue };
        if own.is_some_and(|own| options.same(own, answer)) {
            continue;
        }
        for text in offered(turn) {
            let number = u32::try_from(items.len() + 1).unwrap_or(u32::MAX);
            let (agent, text) = (peer.clone(), text.to_owned());
            items.push(RebuttedItem { number, agent, turn: turn.id, text });
        }
    }
    items
}

/// What a turn offers to be answered.
fn offered(turn: &Turn) -> Vec<&str> {
    let said = &turn.structured;
    let evidence: Vec<&str> =
        said.evidence.iter().map(String::as_str).filter(|item| !item.trim().is_empty()).collect();
    if !evidence.is_empty() {
        return evidence;
    }
    said.thesis.as_deref().into_iter().collect()
}

/// The turn of another agent that an agent is shown in a round: its last before the round or, where
/// agents answer one after the other, before the agent's own.
pub(super) fn turn_shown<'s>(state: &'s State, peer: &AgentId, call: &Call) -> Option<&'s Turn> {
    let own = |turn: &&Turn| turn.agent == call.agent && turn.round == Some(call.round);
    let own: Option<TurnId> = state.turns.iter().find(own).map(|turn| turn.id);
    let in_turn = state.spec().protocol.in_turn;
    let is_before = |turn: &Turn| match turn.round {
        Some(round) if round == call.round => in_turn && own.is_none_or(|own| turn.id < own),
        round => round.is_none_or(|round| round < call.round),
    };
    state.turns.iter().rev().find(|turn| turn.agent == *peer && is_before(turn))
}

/// How many items an agent was shown in a round, and how many of them it answered.
pub(super) fn answered(state: &State, agent: &AgentId, round: u32) -> Answered {
    let call = state.call_for(round, agent, Purpose::Answer);
    let owed = items(state, &call).len();
    let own = |turn: &&Turn| turn.agent == *agent && turn.round == Some(round);
    let said = state.turns.iter().find(own).map(|turn| turn.structured.rebuttals.as_slice());
    let tied = said.unwrap_or_default().iter().filter(|rebuttal| rebuttal.item.is_some());
    Answered { owed, answered: tied.count() }
}

/// The items of a turn as lines for another agent's eyes: with the numbers they are to be answered
/// under, or bare.
pub(super) fn evidence_lines(turn: &Turn, items: &[RebuttedItem]) -> String {
    let mut numbers = items.iter().filter(|item| item.turn == turn.id).map(|item| item.number);
    let said = &turn.structured;
    let long = said.evidence.iter().map(|item| item.chars().count()).sum::<usize>()
        > limits::FRAGMENT_CHARS / 2;
    let most = if long { ITEM_CHARS } else { usize::MAX };
    let mut text = String::new();
    for (at, item) in said.evidence.iter().filter(|item| !item.trim().is_empty()).enumerate() {
        let item = one_line(item, most);
        match numbers.next() {
            Some(number) => write!(text, "\n[{number}] {item}").ok(),
            None => write!(text, "\n{}. {item}", at + 1).ok(),
        };
    }
    text
}

/// The number under which the thesis of a turn is to be answered: where it offers no evidence.
pub(super) fn thesis_number(turn: &Turn, items: &[RebuttedItem]) -> Option<u32> {
    let bare = turn.structured.evidence.iter().all(|item| item.trim().is_empty());
    items.iter().find(|item| bare && item.turn == turn.id).map(|item| item.number)
}

/// A text on one line, cut at a number of characters.
fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{} […]", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// What others answered in the round before to what an agent had offered, item by item.
pub(super) fn rebuttals_of(state: &State, call: &Call) -> String {
    let Some(before) = call.round.checked_sub(1) else { return String::new() };
    let mut by_item: BTreeMap<(TurnId, &str), Vec<Fragment>> = BTreeMap::new();
    for turn in state.panel_order(state.turns.iter().filter(|turn| turn.round == Some(before))) {
        for rebuttal in &turn.structured.rebuttals {
            let Some(item) = rebuttal.item.as_ref().filter(|item| item.agent == call.agent) else {
                continue;
            };
            let (from, text) = (state.name_of(&turn.agent), rebuttal.text.clone());
            by_item.entry((item.turn, &item.text)).or_default().push(Fragment { from, text });
        }
    }
    if by_item.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nWhat others answered to what you offered:\n");
    for ((_, item), answers) in by_item {
        text += "To this:\n";
        text += &Fragments.render(&Fragment { from: "you".into(), text: item.into() });
        text += "they answered:\n";
        text += &answers.iter().map(|one| Fragments.render(one)).collect::<String>();
    }
    text
}

/// The rebuttals of a turn for somebody who reads the whole debate, in pieces that are not cut.
pub(super) fn rebuttals_in(state: &State, turn: &Turn) -> Vec<Fragment> {
    let mut pieces: Vec<Fragment> = Vec::new();
    for rebuttal in &turn.structured.rebuttals {
        let line = rebuttal_line(rebuttal, |agent| state.name_of(agent));
        let fits = |piece: &&mut Fragment| {
            piece.text.chars().count() + line.chars().count() < limits::FRAGMENT_CHARS
        };
        if let Some(piece) = pieces.last_mut().filter(fits) {
            piece.text.push('\n');
            piece.text.push_str(&line);
        } else {
            let (from, text) = (state.name_of(&turn.agent), format!("Rebuttals:\n{line}"));
            pieces.push(Fragment { from, text });
        }
    }
    pieces
}

/// `To bob's “It was tested.”: By its vendor.`
fn rebuttal_line(rebuttal: &Rebuttal, name: impl Fn(&AgentId) -> String) -> String {
    let said = one_line(&rebuttal.text, usize::MAX);
    match &rebuttal.item {
        Some(item) => {
            let quoted = one_line(&item.text, QUOTED_CHARS);
            format!("To {}'s “{quoted}”: {said}", name(&item.agent))
        }
        None => format!("- {said}"),
    }
}
