//! OpenTelemetry's conventions for generative AI: spans with messages as attributes, and the older
//! form with one event for each message.
//!
//! Every call repeats the conversation so far as its input, so an input is only taken when its
//! text was not heard before; and a span that wraps others does not repeat what they said.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rebuttal_model::{Role, Span, Usage};

use super::otel_value::{attribute, first, json, text};
use crate::Format;
use crate::chat::{self, Setting, World};
use crate::json::Json;
use crate::session::Cx;
use crate::talk::Said;
use crate::time;
use crate::value::Value;

const OUTPUT: [&str; 3] = ["gen_ai.output.messages", "gen_ai.completion", "output.value"];
const INPUT: [&str; 4] =
    ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.prompt", "input.value"];

/// A span, an event or a log record that may hold messages.
#[derive(Clone)]
struct Call<'a> {
    value: Value<'a>,
    start: Option<Timestamp>,
    span: Option<String>,
    parent: Option<String>,
    /// The conversation and the agent it names itself, looked up once: a span may have a great many
    /// attributes and a great many children.
    conversation: Option<String>,
    agent: Option<String>,
}

/// A document of spans or logs, a list of spans, or one span.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut calls = Vec::new();
    gather(value, 0, &mut calls);
    // A stable sort: without times the order of the file stands.
    calls.sort_by_key(|call| call.start);
    let by_span: BTreeMap<&str, usize> = calls
        .iter()
        .enumerate()
        .filter_map(|(index, call)| Some((call.span.as_deref()?, index)))
        .collect();
    let wrappers: BTreeSet<&str> = calls
        .iter()
        .filter(|call| speaks(call.value))
        .filter_map(|call| call.parent.as_deref())
        .collect();
    for call in &calls {
        let scene = Scene {
            key: inherited(call, &calls, &by_span, |call| call.conversation.as_ref())
                .or_else(|| trace(call.value)),
            agent: inherited(call, &calls, &by_span, |call| call.agent.as_ref()),
            start: call.start,
        };
        let wraps = call.span.as_deref().is_some_and(|span| wrappers.contains(span));
        scene.play(call.value, wraps, cx);
    }
    // Most spans of a real trace are about something else: that is only worth a word when nothing
    // at all was said.
    cx.session.if_silent(
        "no span holds messages (gen_ai.input.messages, gen_ai.output.messages or gen_ai events); \
         was the recording of content switched on?",
    );
}

/// Deep enough for resource, scope and span.
const NESTING: usize = 8;

fn gather<'a>(value: Value<'a>, depth: usize, calls: &mut Vec<Call<'a>>) {
    const LISTS: [&str; 8] = [
        "resourceSpans",
        "resourceLogs",
        "scopeSpans",
        "scopeLogs",
        "instrumentationLibrarySpans",
        "spans",
        "logRecords",
        "data",
    ];
    if depth > NESTING {
        return;
    }
    value.items().for_each(|item| gather(item, depth + 1, calls));
    for list in LISTS.iter().filter_map(|key| value.get(key)) {
        gather(list, depth + 1, calls);
    }
    if value.has("attributes") || value.has("body") {
        let label = |keys: &[&str]| value.first(keys).and_then(Value::label);
        calls.push(Call {
            value,
            start: value
                .first(&["startTimeUnixNano", "start_time", "timeUnixNano", "observedTimeUnixNano"])
                .and_then(time::of),
            span: label(&["spanId", "span_id"])
                .or_else(|| value.path(&["context", "span_id"])?.label()),
            parent: label(&["parentSpanId", "parent_span_id", "parent_id"]),
            conversation: named(value, &["gen_ai.conversation.id", "session.id"]),
            agent: named(value, &["gen_ai.agent.name", "agent.name"]),
        });
    }
}

fn trace(value: Value<'_>) -> Option<String> {
    value
        .first(&["traceId", "trace_id"])
        .or_else(|| value.path(&["context", "trace_id"]))
        .and_then(Value::label)
}

fn named(value: Value<'_>, names: &[&str]) -> Option<String> {
    let found = first(value, names).and_then(text)?;
    Some(found.into_owned()).filter(|found| !found.trim().is_empty())
}

/// What a span says of itself, or else the spans around it.
fn inherited(
    call: &Call<'_>,
    calls: &[Call<'_>],
    by_span: &BTreeMap<&str, usize>,
    own: impl for<'c> Fn(&'c Call<'_>) -> Option<&'c String>,
) -> Option<String> {
    const LEVELS: usize = 16;
    let mut current = Some(call);
    for _ in 0..LEVELS {
        let here = current?;
        if let Some(found) = own(here) {
            return Some(found.clone());
        }
        let parent = here.parent.as_deref()?;
        current = by_span.get(parent).and_then(|index| calls.get(*index));
    }
    None
}

/// True when a span holds an answer.
fn speaks(value: Value<'_>) -> bool {
    first(value, &OUTPUT).is_some()
        || value
            .get("events")
            .into_iter()
            .flat_map(Value::items)
            .any(|event| event_name(event).is_some_and(|name| name == "gen_ai.choice"))
}

fn event_name(event: Value<'_>) -> Option<String> {
    event
        .first(&["name", "eventName"])
        .and_then(Value::label)
        .or_else(|| attribute(event, "event.name").and_then(text).map(Into::into))
}

/// What surrounds the messages of one span.
struct Scene {
    key: Option<String>,
    agent: Option<String>,
    start: Option<Timestamp>,
}

/// Whether words were put to a model or came from it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

impl Scene {
    fn play(&self, span: Value<'_>, wraps: bool, cx: &mut Cx<'_, '_>) {
        let end = span.first(&["endTimeUnixNano", "end_time"]).and_then(time::of);
        for name in INPUT {
            if let Some(value) = attribute(span, name) {
                let word = if name == "gen_ai.system_instructions" { "system" } else { "user" };
                self.messages(value, word, Direction::In, cx, |said| said.at = self.start);
            }
        }
        if let Some(value) = first(span, &OUTPUT).filter(|_| !wraps) {
            let (model, usage) = (model(span), usage(span));
            self.messages(value, "assistant", Direction::Out, cx, |said| {
                said.at = end.or(self.start);
                said.model.clone_from(&model);
                said.usage = usage;
            });
        }
        for event in span.get("events").into_iter().flat_map(Value::items) {
            self.event(event, span, wraps, cx);
        }
        if span.has("body") || event_name(span).is_some_and(|name| name.starts_with("gen_ai.")) {
            self.event(span, span, false, cx);
        }
    }

    /// The older form: one event for each message.
    fn event(&self, event: Value<'_>, span: Value<'_>, wraps: bool, cx: &mut Cx<'_, '_>) {
        let Some(name) = event_name(event) else { return };
        let (word, direction) = match name.as_str() {
            "gen_ai.system.message" => ("system", Direction::In),
            "gen_ai.user.message" | "gen_ai.content.prompt" => ("user", Direction::In),
            "gen_ai.assistant.message" => ("assistant", Direction::In),
            "gen_ai.tool.message" => ("tool", Direction::In),
            "gen_ai.choice" | "gen_ai.content.completion" => ("assistant", Direction::Out),
            _ => return,
        };
        if wraps && direction == Direction::Out {
            return;
        }
        let content = event.get("body").or_else(|| {
            first(
                event,
                &[
                    "content",
                    "message",
                    "gen_ai.event.content",
                    "gen_ai.prompt",
                    "gen_ai.completion",
                ],
            )
        });
        let Some(content) = content else { return };
        let at = event.first(&["timeUnixNano", "timestamp"]).and_then(time::of).or(self.start);
        let (model, usage) = (model(span), usage(span));
        self.messages(content, word, direction, cx, |said| {
            said.at = at;
            if direction == Direction::Out {
                said.model.clone_from(&model);
                said.usage = usage;
            }
        });
    }

    /// Messages as JSON, as a structured value, or as plain text by whoever `word` means.
    fn messages(
        &self,
        value: Value<'_>,
        word: &str,
        direction: Direction,
        cx: &mut Cx<'_, '_>,
        complete: impl Fn(&mut Said),
    ) {
        let source = json(value);
        let document = Json::parse(source.as_bytes(), 0);
        let structured = document
            .root()
            .filter(|root| document.is_whole() && (root.is_array() || root.is_object()));
        let turns = match structured {
            Some(root) if root.is_array() => {
                root.items().flat_map(|item| self.turns(item, word)).collect()
            }
            Some(root) => self.turns(root, word),
            None => vec![self.said(word, source, value.span())],
        };
        for mut said in turns {
            said.span = value.span();
            if said.text.trim().is_empty() {
                continue;
            }
            complete(&mut said);
            let key = self.key.as_deref();
            match direction {
                Direction::In => cx.loose_once(Format::Otel, key, said),
                Direction::Out => cx.loose_heard(Format::Otel, key, said),
            }
        }
    }

    fn turns(&self, item: Value<'_>, word: &str) -> Vec<Said> {
        // A choice wraps its message; an instruction is a bare part.
        let message = item.get("message").filter(|message| message.is_object()).unwrap_or(item);
        if !message.is_object() || !message.has("role") {
            let text = chat::text(message);
            return vec![self.said(word, text, item.span())];
        }
        let mut turns = chat::message(message, &Setting::new(World::Chat));
        for said in &mut turns {
            if said.role == Role::Agent && !message.has("name") {
                said.agent = self.agent.clone().unwrap_or_else(|| "assistant".to_owned());
            }
        }
        turns
    }

    fn said(&self, word: &str, text: String, span: Span) -> Said {
        let (role, mut agent) = chat::cast(word, None, World::Chat);
        if role == Role::Agent {
            agent = self.agent.clone().unwrap_or(agent);
        }
        Said::new(agent, role, text, span)
    }
}

fn model(span: Value<'_>) -> Option<String> {
    first(span, &["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"])
        .and_then(text)
        .map(Into::into)
}

fn usage(span: Value<'_>) -> Option<Usage> {
    let count = |names: &[&str]| first(span, names).and_then(text)?.trim().parse().ok();
    let input = count(&["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"]);
    let output = count(&["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"]);
    (input.is_some() || output.is_some())
        .then(|| Usage { input_tokens: input.unwrap_or(0), output_tokens: output.unwrap_or(0) })
}
