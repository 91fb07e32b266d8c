//! AutoGen 0.4 (`source`) and AutoGen 0.2 / AG2 (`name` and `role`), with the data sets Who&When
//! and MAST that are written in the latter's way.

use rebuttal_model::Role;

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// What lists of messages are called.
const LISTS: [&str; 7] = [
    "messages",
    "chat_history",
    "history",
    "trajectory",
    "message_thread",
    "inner_messages",
    "chat",
];

/// A task result, a chat result, a team's state, a row of a data set.
pub(crate) fn record(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let inner =
        value.first(&["task_result", "chat_result", "trace"]).filter(|inner| inner.is_object());
    let holder = inner.unwrap_or(value);
    if let Some(list) = holder.first(&LISTS).filter(|list| list.is_array()) {
        conversation(format, value, list, cx);
        return;
    }
    let states = value.get("agent_states").into_iter().flat_map(Value::pairs);
    let thread = states
        .map(|(_, state)| state.get("agent_state").unwrap_or(state))
        .find_map(|state| state.get("message_thread").filter(|list| list.is_array()));
    conversation(format, value, thread.unwrap_or(value), cx);
}

/// A list of messages.
pub(crate) fn conversation(format: Format, head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut talk = Talk::new(chat::id_of(head), chat::question_of(head));
    for message in list.items() {
        for said in message_of(message) {
            cx.push(&mut talk, said);
        }
    }
    cx.finish(talk, format, list.span());
}

/// One message on a line of its own.
pub(crate) fn line(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    for said in message_of(value) {
        cx.loose(format, None, said);
    }
}

fn message_of(message: Value<'_>) -> Vec<Said> {
    let mut setting = Setting::new(World::Agents);
    setting.model = chat::model_of(message);
    match message.get("source").and_then(Value::label) {
        Some(source) => sourced(message, &source, &setting),
        None => named(message, &setting),
    }
}

/// AutoGen 0.4.
fn sourced(message: Value<'_>, source: &str, setting: &Setting) -> Vec<Said> {
    let kind = message.get("type").and_then(Value::str).unwrap_or_default();
    match &*kind {
        // Pieces of a message that comes whole later, thoughts, and what only steers the run.
        "ModelClientStreamingChunkEvent"
        | "ThoughtEvent"
        | "UserInputRequestedEvent"
        | "SelectSpeakerEvent"
        | "CodeGenerationEvent" => Vec::new(),
        "ToolCallRequestEvent"
        | "ToolCallExecutionEvent"
        | "MemoryQueryEvent"
        | "CodeExecutionEvent" => tool_event(message, source),
        _ => {
            let (role, agent) = chat::cast("assistant", Some(source), World::Agents);
            let mut turns = chat::said(message, role, &agent, setting);
            if turns.is_empty()
                && let Some(content) = message.get("content").filter(|content| content.is_object())
            {
                // A structured message: what was said is the object itself.
                turns.push(Said::new(agent, role, content.raw(), message.span()));
            }
            turns
        }
    }
}

fn tool_event(message: Value<'_>, source: &str) -> Vec<Said> {
    let Some(content) = message.first(&["content", "result"]) else { return Vec::new() };
    let aside = |item: Value<'_>| {
        let name = item.get("name").and_then(Value::label).unwrap_or_else(|| source.to_owned());
        let text = item.first(&["arguments", "content", "output"]).unwrap_or(item);
        let text = text.str().unwrap_or_else(|| text.raw());
        let mut said = Said::new(name, Role::Tool, text, item.span());
        said.at = chat::time_of(message);
        said
    };
    let turns: Vec<Said> = if content.is_array() {
        content.items().map(aside).collect()
    } else {
        vec![aside(content)]
    };
    turns.into_iter().filter(|said| !said.text.trim().is_empty()).collect()
}

/// AutoGen 0.2, AG2, Who&When, MAST.
fn named(message: Value<'_>, setting: &Setting) -> Vec<Said> {
    let name =
        message.first(&["name", "agent", "speaker", "agent_name", "sender"]).and_then(Value::label);
    let word = message.get("role").and_then(Value::label).unwrap_or_else(|| "assistant".to_owned());
    // Who&When writes `Orchestrator (thought)` and `Orchestrator (-> WebSurfer)` as roles.
    let word = word.split_once(" (").map_or(word.as_str(), |(agent, _)| agent);
    let (role, agent) = chat::cast(word, name.as_deref(), World::Agents);
    chat::said(message, role, &agent, setting)
}
