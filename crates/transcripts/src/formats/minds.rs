//! Society of minds: for each question, what every agent was sent and what it answered.
//!
//! An object whose names are the questions; each holds the agents' lists of messages, alone or
//! beside the answer that is right. What an agent is sent repeats the others' answers, so only the
//! answers are turns.

use rebuttal_model::Role;

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// True for an object whose first member is a list of lists of messages.
pub(crate) fn is_log(value: Value<'_>) -> bool {
    value.pairs().take(1).any(|(_, first)| panel(first).is_some())
}

/// The list of the agents' conversations in what a question holds.
fn panel(held: Value<'_>) -> Option<Value<'_>> {
    let is_panel = |list: Value<'_>| {
        list.items()
            .next()
            .and_then(|agent| agent.items().next())
            .is_some_and(|message| message.get("role").is_some() && message.has("content"))
    };
    [Some(held), held.items().next()].into_iter().flatten().find(|list| is_panel(*list))
}

/// One transcript for each question.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut any = false;
    for (question, held) in value.pairs() {
        let Some(list) = panel(held) else { continue };
        any = true;
        let mut talk = Talk::new(None, question.str().map(Into::into));
        for said in in_turn(list) {
            cx.push(&mut talk, said);
        }
        cx.finish(talk, Format::Minds, list.span());
    }
    if !any {
        cx.finish(Talk::new(None, None), Format::Minds, value.span());
    }
}

/// What the agents answered, round by round.
fn in_turn(list: Value<'_>) -> Vec<Said> {
    let setting = Setting::new(World::Chat);
    let answers = |agent: Value<'_>| -> Vec<Said> {
        let messages = agent.items().flat_map(|message| chat::message(message, &setting));
        messages.filter(|said| said.role == Role::Agent).collect()
    };
    let mut agents: Vec<_> = list.items().map(|agent| answers(agent).into_iter()).collect();
    let mut turns = Vec::new();
    for round in 0.. {
        let before = turns.len();
        for (number, agent) in agents.iter_mut().enumerate() {
            let Some(said) = agent.next() else { continue };
            turns.push(Said { agent: format!("agent {}", number + 1), round: Some(round), ..said });
        }
        if turns.len() == before {
            break;
        }
    }
    turns
}
