//! Which format a JSON value is in, by the fields it has.

use crate::Format;
use crate::chat;
use crate::formats::{is_trading_log, langchain_kind, langchain_list};
use crate::value::Value;

/// What a value is, and so who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A list of records, each with a shape of its own.
    Records,
    /// A list of spans, which belong together.
    Spans,
    /// A list of messages: one conversation.
    Messages(Format),
    /// One message, alone.
    Message(Format),
    /// A record that holds a conversation.
    Record(Format),
}

/// How far into a list to look before its shape is decided.
const LOOK: usize = 8;

/// How far into a conversation to look before it is decided whose dialect it is.
const LOOK_MESSAGES: usize = 50;

/// The shape of a value; `None` when nothing is recognised.
pub(crate) fn shape(value: Value<'_>) -> Option<Shape> {
    if !value.is_array() {
        return object(value);
    }
    let mut nested = false;
    for item in value.items().take(LOOK) {
        nested |= item.is_array();
        match object(item) {
            Some(Shape::Record(Format::Otel)) => return Some(Shape::Spans),
            Some(Shape::Record(_)) => return Some(Shape::Records),
            Some(Shape::Message(format)) => {
                return Some(Shape::Messages(dialect(value, format)));
            }
            _ => {}
        }
    }
    nested.then_some(Shape::Records)
}

/// The shape of a value whose format the user named.
pub(crate) fn shape_as(value: Value<'_>, format: Format) -> Shape {
    if !value.is_array() {
        return if is_message(value, format) {
            Shape::Message(format)
        } else {
            Shape::Record(format)
        };
    }
    if format == Format::Otel {
        return Shape::Spans;
    }
    match value.items().take(LOOK).find(|item| item.is_object()) {
        Some(item) if is_message(item, format) => Shape::Messages(format),
        _ => Shape::Records,
    }
}

fn is_message(value: Value<'_>, format: Format) -> bool {
    let any = |keys: &[&str]| value.first(keys).is_some();
    match format {
        Format::Rebuttal => !any(&["turns", "messages", "transcript"]),
        Format::OpenAi | Format::Anthropic => {
            let whole = any(&["messages", "conversation", "choices", "stop_reason"]);
            !whole
                && (any(&["role"]) && any(&["content", "parts", "tool_calls"]) || is_session(value))
        }
        Format::AutoGen | Format::Ag2 => {
            any(&["source", "role", "name"]) && any(&["content"]) && !any(&["messages"])
        }
        Format::LangChain => langchain_list(value).is_none() && langchain_kind(value).is_some(),
        Format::Mallm => any(&["message"]) && !any(&["globalMemory"]),
        Format::CrewAi => any(&["agent"]) && !any(&["tasks_output"]),
        Format::ShareGpt => any(&["from"]) && any(&["value"]),
        _ => false,
    }
}

fn object(value: Value<'_>) -> Option<Shape> {
    if !value.is_object() {
        return None;
    }
    let record = [
        (is_otel as fn(Value<'_>) -> bool, Format::Otel),
        (is_mallm, Format::Mallm),
        (is_trading_log, Format::TradingAgents),
        (is_crew, Format::CrewAi),
        (is_inspect, Format::Inspect),
    ];
    if let Some((_, format)) = record.iter().find(|(is, _)| is(value)) {
        return Some(Shape::Record(*format));
    }
    own(value)
        .or_else(|| listed(value))
        .or_else(|| wrapped(value))
        .or_else(|| alone(value).map(Shape::Message))
}

fn is_otel(value: Value<'_>) -> bool {
    ["resourceSpans", "resourceLogs", "scopeSpans", "scopeLogs"].iter().any(|key| value.has(key))
        || (value.has("attributes")
            && value.first(&["traceId", "trace_id", "spanId", "span_id", "context"]).is_some())
}

fn is_mallm(value: Value<'_>) -> bool {
    value.has("globalMemory")
}

fn is_crew(value: Value<'_>) -> bool {
    value.has("tasks_output")
}

fn is_inspect(value: Value<'_>) -> bool {
    let log = value.get("eval").is_some_and(Value::is_object)
        && value.first(&["samples", "status", "version", "plan"]).is_some();
    let sample = value.has("epoch")
        && value.has("messages")
        && value.first(&["target", "scores", "input", "output"]).is_some();
    log || sample
}

/// A line of a Claude Code session.
fn is_session(value: Value<'_>) -> bool {
    value.has("sessionId") && value.first(&["uuid", "type", "leafUuid"]).is_some()
}

/// Rebuttal's own records.
fn own(value: Value<'_>) -> Option<Shape> {
    let marked =
        value.get("format").and_then(Value::str).is_some_and(|f| f.starts_with("rebuttal"));
    let turn = value.first(&["agent", "speaker"]).is_some_and(Value::is_string)
        && value.first(&["text", "statement", "utterance"]).is_some();
    let header = value.has("debate") && value.first(&["question", "text", "agent"]).is_some();
    let whole = value.get("turns").and_then(|turns| turns.items().next()).is_some_and(|first| {
        first.first(&["agent", "speaker", "name"]).is_some()
            && first.first(&["text", "content", "message"]).is_some()
    });
    if whole {
        Some(Shape::Record(Format::Rebuttal))
    } else if marked || turn || (header && !value.has("messages")) {
        Some(Shape::Message(Format::Rebuttal))
    } else {
        None
    }
}

/// Records that hold a list of messages under a telling name.
fn listed(value: Value<'_>) -> Option<Shape> {
    let list = |key| value.get(key).filter(|list: &Value<'_>| list.is_array());
    if list("conversations").is_some() {
        return Some(Shape::Record(Format::ShareGpt));
    }
    if value.has("agent_states") || value.path(&["task_result", "messages"]).is_some() {
        return Some(Shape::Record(Format::AutoGen));
    }
    for key in ["messages", "conversation", "dialogue", "dialog", "chat", "items"] {
        if let Some(list) = list(key) {
            let Some(format) = list.items().take(LOOK).find_map(alone) else { continue };
            let format = dialect(list, format);
            let blocks = format == Format::OpenAi && value.has("system") && key == "messages";
            return Some(Shape::Record(if blocks { Format::Anthropic } else { format }));
        }
    }
    let own_lists = ["chat_history", "trajectory", "history", "message_thread"];
    if own_lists.iter().any(|key| list(key).is_some()) {
        return Some(Shape::Record(Format::Ag2));
    }
    let state = langchain_list(value).filter(|_| !value.has("messages"));
    if state.is_some() {
        return Some(Shape::Record(Format::LangChain));
    }
    list("messages").or_else(|| list("conversation")).map(|_| Shape::Record(Format::OpenAi))
}

/// Requests and responses, bare or on the lines of a batch file.
fn wrapped(value: Value<'_>) -> Option<Shape> {
    let at = |path: &[&str]| value.path(path).is_some();
    let openai = at(&["choices"])
        || at(&["body", "messages"])
        || at(&["body", "input"])
        || at(&["response", "body"])
        || at(&["response", "choices"])
        || at(&["request", "messages"])
        || (value.has("custom_id") && value.has("response"))
        || (value.has("output")
            && value.get("object").is_some_and(|o| o.str().is_some_and(|o| o == "response")));
    let message = value.get("type").and_then(Value::str).is_some_and(|kind| kind == "message");
    let anthropic = at(&["params", "messages"])
        || at(&["result", "message"])
        || (message && value.has("role") && value.first(&["stop_reason", "usage"]).is_some());
    match (anthropic, openai) {
        (true, _) => Some(Shape::Record(Format::Anthropic)),
        (_, true) => Some(Shape::Record(Format::OpenAi)),
        _ => None,
    }
}

/// The format of a single message.
fn alone(value: Value<'_>) -> Option<Format> {
    if !value.is_object() {
        return None;
    }
    let any = |keys: &[&str]| value.first(keys).is_some();
    let content = any(&["content", "parts", "tool_calls", "function_call"]);
    if value.has("from") && value.has("value") {
        Some(Format::ShareGpt)
    } else if any(&["persona", "agent_id"]) && any(&["message"]) {
        Some(Format::Mallm)
    } else if any(&["agent"])
        && any(&["output", "raw", "status"])
        && any(&["task", "description", "task_name"])
    {
        Some(Format::CrewAi)
    } else if value.has("lc") && langchain_kind(value).is_some() {
        Some(Format::LangChain)
    } else if value.has("source") && content && !value.has("role") {
        Some(Format::AutoGen)
    } else if is_session(value) {
        Some(Format::Anthropic)
    } else if value.has("role") && (content || any(&["text"])) {
        Some(Format::OpenAi)
    } else if any(&["content", "data"])
        && langchain_kind(value).is_some_and(|kind| chat::role(&kind).is_some() || kind == "chat")
    {
        Some(Format::LangChain)
    } else if any(&["agent", "speaker"])
        && any(&["text", "content", "message", "statement", "utterance"])
    {
        Some(Format::Rebuttal)
    } else if value.has("name") && any(&["content", "text"]) {
        Some(Format::Ag2)
    } else {
        None
    }
}

/// Chat messages are written alike by three families; a look at several tells them apart.
fn dialect(list: Value<'_>, format: Format) -> Format {
    if format != Format::OpenAi {
        return format;
    }
    let messages = || list.items().take(LOOK_MESSAGES).filter(|message| message.is_object());
    let is_langchain = |message: Value<'_>| {
        message.first(&["response_metadata", "usage_metadata", "additional_kwargs"]).is_some()
            && message.has("type")
    };
    if messages().any(is_langchain) {
        return Format::LangChain;
    }
    if messages().any(has_blocks) {
        return Format::Anthropic;
    }
    let is_named = |message: Value<'_>| message.get("name").and_then(Value::filled).is_some();
    let is_agent_as_user = |message: Value<'_>| {
        let is_user = message.get("role").and_then(Value::str).is_some_and(|role| role == "user");
        let name = message.get("name").and_then(Value::str);
        is_user && name.is_some_and(|name| chat::role(&name).is_none())
    };
    if messages().all(is_named) && messages().any(is_agent_as_user) {
        return Format::Ag2;
    }
    Format::OpenAi
}

fn has_blocks(message: Value<'_>) -> bool {
    message.get("content").into_iter().flat_map(Value::items).take(LOOK).any(|part| {
        part.get("type").and_then(Value::str).is_some_and(|kind| {
            matches!(&*kind, "tool_use" | "tool_result" | "thinking" | "redacted_thinking")
        })
    })
}
