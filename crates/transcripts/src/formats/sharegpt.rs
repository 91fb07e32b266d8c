//! ShareGPT: `conversations` of `from` and `value`.

use rebuttal_model::Role;

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// A record with its conversation.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let list = value.first(&["conversations", "conversation", "items", "messages"]);
    conversation(value, list.unwrap_or(value), cx);
}

/// A list of messages.
pub(crate) fn conversation(head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut talk = Talk::new(chat::id_of(head), chat::question_of(head));
    let mut before: Vec<Said> = Vec::new();
    if let Some(system) = head.get("system").and_then(Value::filled) {
        let span = head.get("system").map(Value::span).unwrap_or_default();
        before.push(Said::new("system", Role::System, system, span));
    }
    let model = chat::model_of(head);
    let spoken = list.items().flat_map(|message| message_of(message, model.clone()));
    for said in before.into_iter().chain(spoken) {
        cx.push(&mut talk, said);
    }
    cx.finish(talk, Format::ShareGpt, list.span());
}

/// One message on a line of its own.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    for said in message_of(value, None) {
        cx.loose(Format::ShareGpt, None, said);
    }
}

fn message_of(message: Value<'_>, model: Option<String>) -> Vec<Said> {
    let word = message.first(&["from", "role"]).and_then(Value::label).unwrap_or_default();
    let name = message.get("name").and_then(Value::label);
    let (role, mut agent) = chat::cast(&word, name.as_deref(), World::Chat);
    if role == Role::Agent && name.is_none() && word == "gpt" {
        "assistant".clone_into(&mut agent);
    } else if role == Role::User && name.is_none() {
        "user".clone_into(&mut agent);
    }
    chat::said(message, role, &agent, &Setting { world: World::Chat, model })
}
