//! Which format a JSON value is in, by the fields it has.

use crate::Format;
use crate::chat;
use crate::fields::{Field, Fields};
use crate::formats::{
    codex, council, hyperagent, is_trading_log, judged, langchain_kind, langchain_list, minds,
    solvers,
};
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

const SAYING: [Field; 5] =
    [Field::Text, Field::Content, Field::Message, Field::Statement, Field::Utterance];

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
    use Field as F;
    let fields = Fields::of(value);
    let any = |wanted: &[F]| fields.any(wanted);
    match format {
        Format::Rebuttal => !any(&[F::Turns, F::Messages, F::Transcript]),
        Format::OpenAi | Format::Anthropic => {
            let whole = any(&[F::Messages, F::Conversation, F::Choices, F::StopReason]);
            let speaks = any(&[F::Role]) && any(&[F::Content, F::Parts, F::ToolCalls]);
            !whole && (speaks || is_session(fields))
        }
        Format::AutoGen | Format::Ag2 => {
            any(&[F::Source, F::Role, F::Name]) && any(&[F::Content]) && !any(&[F::Messages])
        }
        Format::LangChain => langchain_list(value).is_none() && langchain_kind(value).is_some(),
        Format::Mallm => any(&[F::Message]) && !any(&[F::GlobalMemory]),
        Format::CrewAi => any(&[F::Agent]) && !any(&[F::TasksOutput]),
        Format::ShareGpt => any(&[F::From]) && any(&[F::Value]),
        Format::Codex => true,
        _ => false,
    }
}

fn object(value: Value<'_>) -> Option<Shape> {
    if !value.is_object() {
        return None;
    }
    let fields = Fields::of(value);
    if fields.any(&[Field::Payload]) && codex::is_line(value) {
        return Some(Shape::Message(Format::Codex));
    }
    whole(value, fields)
        .map(Shape::Record)
        .or_else(|| own(value, fields))
        .or_else(|| {
            fields.nested.then(|| listed(value, fields).or_else(|| wrapped(value, fields)))?
        })
        .or_else(|| alone(value, fields).map(Shape::Message))
}

/// Formats that one field gives away.
fn whole(value: Value<'_>, fields: Fields) -> Option<Format> {
    use Field as F;
    let any = |wanted: &[F]| fields.any(wanted);
    if !fields.nested {
        return None;
    }
    let span = any(&[F::TraceId, F::TraceIdSnake, F::SpanId, F::SpanIdSnake, F::Context]);
    let log = value.get("eval").is_some_and(Value::is_object)
        && any(&[F::Samples, F::Status, F::Version, F::Plan]);
    let sample = any(&[F::Epoch])
        && any(&[F::Messages])
        && any(&[F::Target, F::Scores, F::Input, F::Output]);
    if any(&[F::ResourceSpans, F::ResourceLogs, F::ScopeSpans, F::ScopeLogs])
        || (any(&[F::Attributes]) && span)
    {
        Some(Format::Otel)
    } else if any(&[F::GlobalMemory]) && value.get("globalMemory").is_some_and(Value::is_array) {
        Some(Format::Mallm)
    } else if any(&[F::TasksOutput]) {
        Some(Format::CrewAi)
    } else if log || sample {
        Some(Format::Inspect)
    } else if is_trading_log(value) {
        Some(Format::TradingAgents)
    } else if any(&[F::InitialPositions]) && judged::is_record(value) {
        Some(Format::Judged)
    } else if any(&[F::InitialSolutions]) && solvers::is_record(value) {
        Some(Format::Solvers)
    } else if any(&[F::Trajectory]) && hyperagent::is_record(value) {
        Some(Format::HyperAgent)
    } else if any(&[F::ComponentAnswers]) && council::is_record(value) {
        Some(Format::Council)
    } else if minds::is_log(value) {
        Some(Format::Minds)
    } else {
        None
    }
}

/// A line of a Claude Code session.
fn is_session(fields: Fields) -> bool {
    fields.has(Field::SessionId) && fields.any(&[Field::Uuid, Field::Type, Field::LeafUuid])
}

/// Rebuttal's own records.
fn own(value: Value<'_>, fields: Fields) -> Option<Shape> {
    use Field as F;
    let any = |wanted: &[F]| fields.any(wanted);
    if any(&[F::Turns]) {
        let first = value.get("turns").and_then(|turns| turns.items().next()).map(Fields::of);
        let spoken = first
            .is_some_and(|first| first.any(&[F::Agent, F::Speaker, F::Name]) && first.any(&SAYING));
        if spoken {
            return Some(Shape::Record(Format::Rebuttal));
        }
    }
    let marked = any(&[F::Format])
        && value.get("format").and_then(Value::str).is_some_and(|f| f.starts_with("rebuttal"));
    let turn = any(&[F::Agent, F::Speaker])
        && any(&[F::Text, F::Statement, F::Utterance])
        && value.first(&["agent", "speaker"]).is_some_and(Value::is_string);
    let header =
        any(&[F::Debate]) && any(&[F::Question, F::Text, F::Agent]) && !any(&[F::Messages]);
    (marked || turn || header).then_some(Shape::Message(Format::Rebuttal))
}

/// Records that hold a list of messages under a telling name.
fn listed(value: Value<'_>, fields: Fields) -> Option<Shape> {
    let list = |key| value.get(key).filter(|list: &Value<'_>| list.is_array());
    if list("conversations").is_some() {
        return Some(Shape::Record(Format::ShareGpt));
    }
    if fields.any(&[Field::AgentStates]) || value.path(&["task_result", "messages"]).is_some() {
        return Some(Shape::Record(Format::AutoGen));
    }
    for key in ["messages", "conversation", "dialogue", "dialog", "chat", "items"] {
        let Some(list) = list(key) else { continue };
        let first = list.items().take(LOOK).find_map(|item| alone(item, Fields::of(item)));
        let Some(format) = first else { continue };
        let format = dialect(list, format);
        let blocks = format == Format::OpenAi && value.has("system") && key == "messages";
        return Some(Shape::Record(if blocks { Format::Anthropic } else { format }));
    }
    let own_lists = ["chat_history", "trajectory", "history", "message_thread"];
    if own_lists.iter().any(|key| list(key).is_some()) {
        return Some(Shape::Record(Format::Ag2));
    }
    if !fields.has(Field::Messages) && langchain_list(value).is_some() {
        return Some(Shape::Record(Format::LangChain));
    }
    list("messages").or_else(|| list("conversation")).map(|_| Shape::Record(Format::OpenAi))
}

/// Requests and responses, bare or on the lines of a batch file.
fn wrapped(value: Value<'_>, fields: Fields) -> Option<Shape> {
    use Field as F;
    let any = |wanted: &[F]| fields.any(wanted);
    let at = |path: &[&str]| value.path(path).is_some();
    let is = |key: &str, word: &str| value.get(key).and_then(Value::str).is_some_and(|s| s == word);
    let anthropic = (any(&[F::Params]) && at(&["params", "messages"]))
        || (any(&[F::Result]) && at(&["result", "message"]))
        || (any(&[F::Role]) && any(&[F::StopReason, F::Usage]) && is("type", "message"));
    let openai = any(&[F::Choices])
        || (any(&[F::Body]) && (at(&["body", "messages"]) || at(&["body", "input"])))
        || (any(&[F::Response]) && (at(&["response", "body"]) || at(&["response", "choices"])))
        || (any(&[F::Request]) && at(&["request", "messages"]))
        || (any(&[F::CustomId]) && fields.has(F::Response))
        || (any(&[F::Output]) && is("object", "response"));
    match (anthropic, openai) {
        (true, _) => Some(Shape::Record(Format::Anthropic)),
        (_, true) => Some(Shape::Record(Format::OpenAi)),
        _ => None,
    }
}

/// The format of a single message.
fn alone(value: Value<'_>, fields: Fields) -> Option<Format> {
    use Field as F;
    let any = |wanted: &[F]| fields.any(wanted);
    let content = any(&[F::Content, F::Parts, F::ToolCalls, F::FunctionCall]);
    let crew = any(&[F::Agent])
        && any(&[F::Output, F::Raw, F::Status])
        && any(&[F::Task, F::Description, F::TaskName]);
    if fields.has(F::From) && fields.has(F::Value) {
        Some(Format::ShareGpt)
    } else if any(&[F::Persona, F::AgentId]) && any(&[F::Message]) {
        Some(Format::Mallm)
    } else if crew {
        Some(Format::CrewAi)
    } else if fields.has(F::Lc) && langchain_kind(value).is_some() {
        Some(Format::LangChain)
    } else if fields.has(F::Source) && content && !fields.has(F::Role) {
        Some(Format::AutoGen)
    } else if is_session(fields) {
        Some(Format::Anthropic)
    } else if fields.has(F::Role) && (content || fields.has(F::Content) || any(&[F::Text])) {
        Some(Format::OpenAi)
    } else if any(&[F::Content, F::Data]) && is_langchain_kind(value) {
        Some(Format::LangChain)
    } else if any(&[F::Agent, F::Speaker]) && any(&SAYING) {
        Some(Format::Rebuttal)
    } else if fields.has(F::Name) && any(&[F::Content, F::Text]) {
        Some(Format::Ag2)
    } else {
        None
    }
}

fn is_langchain_kind(value: Value<'_>) -> bool {
    langchain_kind(value).is_some_and(|kind| chat::role(&kind).is_some() || kind == "chat")
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
