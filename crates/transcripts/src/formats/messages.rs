//! OpenAI and Anthropic: the same conversation in two spellings.
//!
//! Read as records: requests, responses, both of them logged together, lines of batch files, rows
//! of labelled data (`{id, messages, …}`, `{id, type, conversation, …}`), Claude Code sessions.

use rebuttal_model::{ProblemKind, Role, limits};

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// What lists of messages are called.
pub(crate) const LISTS: [&str; 6] =
    ["messages", "conversation", "chat", "dialogue", "dialog", "history"];

/// A request, a response, or both.
pub(crate) fn record(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let request = value.first(&["body", "request", "params"]).unwrap_or(value);
    let response = response_of(value);
    let mut setting = Setting::new(World::Chat);
    setting.model = chat::model_of(response)
        .or_else(|| chat::model_of(request))
        .or_else(|| chat::model_of(value));
    let mut before: Vec<Said> = Vec::new();
    for key in ["system", "instructions"] {
        if let Some(system) = request.get(key) {
            before.extend(framing(system));
        }
    }
    let list = request.first(&LISTS).or_else(|| request.get("input"));
    before.extend(list.into_iter().flat_map(|list| spoken(list, &setting)));
    if let Some(last) = before.last_mut().filter(|last| last.role == Role::Agent) {
        // A log that keeps question, answer and count together.
        last.usage = last.usage.or_else(|| chat::usage_of(value));
    }
    let answers = answers(response, &setting);
    if answers.len() > limits::CHOICES {
        let message = format!(
            "a response with {} choices; only the first {} are read, the limit",
            answers.len(),
            limits::CHOICES
        );
        cx.problem(ProblemKind::Limit, value.span(), &message);
    }
    let alternatives = answers.len().clamp(1, limits::CHOICES);
    let mut answers = answers.into_iter();
    for _ in 0..alternatives {
        let mut talk = Talk::new(chat::id_of(value), chat::question_of(value));
        // Only several answers to one request need the request more than once.
        let request = if answers.len() > 1 { before.clone() } else { std::mem::take(&mut before) };
        for said in request.into_iter().chain(answers.next().unwrap_or_default()) {
            cx.push(&mut talk, said);
        }
        cx.finish(talk, format, value.span());
    }
}

/// Where the response of a log record or of a batch line stands.
fn response_of(value: Value<'_>) -> Value<'_> {
    [&["response", "body"][..], &["result", "message"], &["response"]]
        .iter()
        .find_map(|path| value.path(path).filter(|response| response.is_object()))
        .unwrap_or(value)
}

/// A string or a list of messages. In a Responses request a plain string is what the user says.
fn spoken(list: Value<'_>, setting: &Setting) -> Vec<Said> {
    match list.filled() {
        Some(text) => vec![Said::new("user", Role::User, text, list.span())],
        None => list.items().flat_map(|message| chat::message(message, setting)).collect(),
    }
}

fn framing(system: Value<'_>) -> Option<Said> {
    let text = chat::text(system);
    (!text.trim().is_empty()).then(|| Said::new("system", Role::System, text, system.span()))
}

/// The answers of a response. Several choices are alternatives, each with a conversation of its
/// own: nobody contradicts himself by being asked twice.
fn answers(response: Value<'_>, setting: &Setting) -> Vec<Vec<Said>> {
    let mut answers: Vec<Vec<Said>> = match response.get("choices") {
        Some(choices) => choices
            .items()
            .filter_map(|choice| choice.get("message"))
            .map(|message| chat::message(message, setting))
            .collect(),
        None => Vec::new(),
    };
    if let Some(output) = response.get("output").filter(|output| output.is_array()) {
        answers.push(output.items().flat_map(|item| chat::message(item, setting)).collect());
    }
    if response.has("content") && response.has("role") {
        answers.push(chat::message(response, setting));
    }
    let (usage, at) = (chat::usage_of(response), chat::time_of(response));
    for answer in &mut answers {
        if let Some(said) = answer.iter_mut().rev().find(|said| said.role == Role::Agent) {
            said.usage = said.usage.or(usage);
            said.at = said.at.or(at);
        }
    }
    answers
}

/// A bare list of messages.
pub(crate) fn conversation(format: Format, head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let setting = Setting::new(World::Chat);
    let mut talk = Talk::new(chat::id_of(head), chat::question_of(head));
    for message in list.items() {
        for said in chat::message(message, &setting) {
            cx.push(&mut talk, said);
        }
    }
    cx.finish(talk, format, list.span());
}

/// True for what a session is called, which nobody said: a line of a Claude Code log.
pub(crate) fn is_heading(value: Value<'_>) -> bool {
    let is_summary = |kind: Value<'_>| kind.str().is_some_and(|kind| kind == "summary");
    value.get("type").is_some_and(is_summary) && value.has("leafUuid") && !value.has("message")
}

/// One message on a line of its own; also a line of a Claude Code session.
pub(crate) fn line(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let key = value
        .first(&[
            "sessionId",
            "session_id",
            "conversation_id",
            "conversationId",
            "thread_id",
            "debate",
            "debate_id",
        ])
        .and_then(Value::label);
    let message = value.get("message").filter(|message| message.is_object()).unwrap_or(value);
    let at = chat::time_of(value);
    for mut said in chat::message(message, &Setting::new(World::Chat)) {
        said.at = said.at.or(at);
        // A sub-agent of a session speaks for itself.
        if said.role == Role::Agent
            && let Some(agent) = value.get("agentId").and_then(Value::label)
        {
            said.agent = agent;
        }
        cx.loose(format, key.as_deref(), said);
    }
}
