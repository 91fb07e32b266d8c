//! LangChain messages and LangGraph state, plain or serialised with their constructor.

use std::borrow::Cow;

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// Where the messages of a state, a snapshot, a checkpoint or a run stand.
const PATHS: [&[&str]; 9] = [
    &["messages"],
    &["values", "messages"],
    &["channel_values", "messages"],
    &["checkpoint", "channel_values", "messages"],
    &["state", "messages"],
    &["state", "values", "messages"],
    &["outputs", "messages"],
    &["output", "messages"],
    &["kwargs", "messages"],
];

/// The list of messages in a state.
pub(crate) fn list(value: Value<'_>) -> Option<Value<'_>> {
    PATHS.iter().find_map(|path| value.path(path).filter(|list| list.is_array()))
}

/// A state.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    conversation(value, list(value).unwrap_or(value), cx);
}

/// A list of messages; `head` is the state around it.
pub(crate) fn conversation(head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let id = head
        .path(&["config", "configurable", "thread_id"])
        .and_then(Value::label)
        .or_else(|| chat::id_of(head));
    let question = chat::question_of(head).or_else(|| chat::question_of(head.get("values")?));
    let mut talk = Talk::new(id, question);
    // LangSmith and tracers nest the list once more: one inner list for each call.
    for item in list.items() {
        if item.is_array() {
            for message in item.items() {
                push_all(&mut talk, message, cx);
            }
        } else {
            push_all(&mut talk, item, cx);
        }
    }
    cx.finish(talk, Format::LangChain, list.span());
}

fn push_all(talk: &mut Talk, message: Value<'_>, cx: &mut Cx<'_, '_>) {
    for said in message_of(message) {
        cx.push(talk, said);
    }
}

/// One message on a line of its own.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    for said in message_of(value) {
        cx.loose(Format::LangChain, None, said);
    }
}

/// The word for a message's type: `ai`, `human`, …
pub(crate) fn kind(message: Value<'_>) -> Option<Cow<'_, str>> {
    if message.has("lc") {
        return message.get("id")?.items().last()?.str();
    }
    message.get("type").and_then(Value::str)
}

fn message_of(message: Value<'_>) -> Vec<Said> {
    let kind = kind(message).unwrap_or_default();
    let fields = message.first(&["kwargs", "data"]).filter(|inner| inner.is_object());
    let fields = fields.unwrap_or(message);
    let own = fields.get("role").and_then(Value::str);
    let word = match (&*kind, own) {
        ("chat" | "ChatMessage" | "constructor" | "", Some(own)) => own,
        _ => kind,
    };
    let name = fields.get("name").and_then(Value::label);
    let (role, mut agent) = chat::cast(&word, name.as_deref(), World::Agents);
    if name.is_none() {
        agent = match &*word {
            "ai" | "AIMessage" | "AIMessageChunk" => "assistant".to_owned(),
            "human" | "HumanMessage" => "user".to_owned(),
            "SystemMessage" => "system".to_owned(),
            "ToolMessage" => "tool".to_owned(),
            _ => agent,
        };
    }
    let mut turns = chat::said(fields, role, &agent, &Setting::new(World::Agents));
    for said in &mut turns {
        if said.span == fields.span() {
            said.span = message.span();
        }
    }
    turns
}
