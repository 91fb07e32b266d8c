//! Anthropic's messages.

use serde_json::{Value, json};

use super::Usage;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::form::Asked;
use super::provider::{Call, TOOL, put};
use super::telling::{Close, Event};

/// The request in Anthropic's form.
pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut body = json!({
        "model": call.model, "messages": call.messages(), "max_tokens": call.max_tokens,
    });
    let system = &call.request.system;
    put(&mut body, "system", (!system.is_empty()).then(|| json!(system)));
    put(&mut body, "temperature", call.temperature.map(Value::from));
    match call.asked {
        // There is no JSON without a schema: the request asks for it in words.
        Asked::Text | Asked::Json => {}
        Asked::Schema { schema, .. } => {
            let format = json!({"format": {"type": "json_schema", "schema": schema}});
            put(&mut body, "output_config", Some(format));
        }
        Asked::Tool { name, schema } => {
            let tool = json!({"name": name, "description": TOOL, "input_schema": schema});
            put(&mut body, "tools", Some(json!([tool])));
            put(&mut body, "tool_choice", Some(json!({"type": "tool", "name": name})));
        }
    }
    put(&mut body, "stream", call.streamed.then_some(Value::Bool(true)));
    body
}

/// Reads a whole answer.
pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let content = answer.get("content").filter(|content| content.is_array());
    let content = content.ok_or("it has no content")?;
    let text = text_of(content);
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let tool = blocks.iter().find(|block| string_at(block, "/type") == Some("tool_use"));
    let arguments = tool.and_then(|tool| tool.get("input")).map(Value::to_string);
    let arguments = arguments.unwrap_or_default();
    let end = end(string_at(answer, "/stop_reason"), &text);
    Ok(Draft { text, arguments, usage: counted(answer.get("usage")), end })
}

/// An event of a stream.
pub(crate) fn event(event: &Value) -> Event {
    match string_at(event, "/type") {
        Some("message_start") => {
            Event { usage: counted(event.pointer("/message/usage")), ..Event::default() }
        }
        Some("content_block_start") => words(event.get("content_block")),
        Some("content_block_delta") => words(event.get("delta")),
        Some("message_delta") => Event {
            usage: counted(event.get("usage")),
            end: string_at(event, "/delta/stop_reason").map(|reason| end(Some(reason), "")),
            ..Event::default()
        },
        Some("message_stop") => Event { close: Close::Over, ..Event::default() },
        _ => Event::default(),
    }
}

/// The words of a block, or of a piece of one, and the arguments of a tool; thoughts and signatures
/// are neither.
fn words(block: Option<&Value>) -> Event {
    let arguments = block.and_then(|block| string_at(block, "/partial_json"));
    let arguments = arguments.unwrap_or_default().to_owned();
    let is_text = |block: &&Value| matches!(string_at(block, "/type"), Some("text" | "text_delta"));
    let text = block.filter(is_text).and_then(|block| string_at(block, "/text"));
    Event { words: text.unwrap_or_default().to_owned(), arguments, ..Event::default() }
}

/// Why the reply ended.
fn end(reason: Option<&str>, text: &str) -> End {
    match reason {
        None => End::Unsaid,
        Some("end_turn" | "stop_sequence") => End::Stop,
        Some("max_tokens" | "model_context_window_exceeded") => End::Length,
        Some("refusal") => End::Declined(text.to_owned()),
        Some("tool_use") => End::Tools,
        // It would go on if it were asked to.
        Some("pause_turn") => End::Failed("it paused".to_owned()),
        Some(other) => End::Other(other.to_owned()),
    }
}

/// The tokens that the server counted. What came from its cache was read as well.
pub(crate) fn counted(counts: Option<&Value>) -> Usage {
    // What was read from or written to a cache is counted apart.
    let read = ["/input_tokens", "/cache_creation_input_tokens", "/cache_read_input_tokens"];
    counts.map(|counts| usage(counts, &read, &["/output_tokens"])).unwrap_or_default()
}
