//! MALLM: a discussion by agents with personas, and the solution each stands for.

use std::collections::BTreeMap;

use rebuttal_model::Role;

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// Reads one discussion.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    conversation(value, value.get("globalMemory").unwrap_or(value), cx);
}

/// The memory of a discussion, message by message.
pub(crate) fn conversation(head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let id = head.first(&["exampleId", "example_id", "dataset_id"]).and_then(Value::label);
    let question = chat::question_of(head).or_else(|| {
        let input = head.first(&["input", "inputs", "instruction", "task_instruction"])?;
        Some(chat::text(input)).filter(|text| !text.trim().is_empty())
    });
    let mut talk = Talk::new(id, question);
    let personas = personas(list);
    for message in list.items() {
        if let Some(said) = message_of(message, &personas) {
            cx.push(&mut talk, said);
        }
    }
    cx.finish(talk, Format::Mallm, list.span());
}

/// One message on a line of its own.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    if let Some(said) = message_of(value, &BTreeMap::new()) {
        cx.loose(Format::Mallm, None, said);
    }
}

/// For each persona, the first agent that has it: two agents may be given the same.
fn personas(list: Value<'_>) -> BTreeMap<String, String> {
    let mut first = BTreeMap::new();
    for message in list.items() {
        let persona = message.get("persona").and_then(Value::label);
        let agent = message.get("agent_id").and_then(Value::label);
        if let (Some(persona), Some(agent)) = (persona, agent) {
            first.entry(persona).or_insert(agent);
        }
    }
    first
}

fn message_of(message: Value<'_>, personas: &BTreeMap<String, String>) -> Option<Said> {
    let text = message.get("message")?;
    let text = text.filled().map_or_else(|| chat::text(text), Into::into);
    let solution = message.get("solution").and_then(Value::label);
    if text.trim().is_empty() && solution.is_none() {
        return None;
    }
    let id = message.get("agent_id").and_then(Value::label);
    let agent = match (message.get("persona").and_then(Value::label), id) {
        (Some(persona), Some(id)) if personas.get(&persona).is_some_and(|first| *first != id) => {
            let short: String = id.chars().take(8).collect();
            format!("{persona} ({short})")
        }
        (Some(persona), _) => persona,
        (None, id) => id.unwrap_or_default(),
    };
    let mut said = Said::new(agent, Role::Agent, text, message.span());
    said.round = message.get("turn").and_then(Value::whole).and_then(|turn| turn.try_into().ok());
    said.structured.answer = solution;
    said.model = chat::model_of(message);
    Some(said)
}
