//! Anthropic's messages.

use serde_json::{Value, json};

use super::draft::{Draft, End, string_at, text_of, usage};
use super::provider::{Call, put};
use super::telling::{Close, Event};
use super::{Usage, Wanted};

pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut body = json!({
        "model": call.model, "messages": call.messages(), "max_tokens": call.max_tokens,
    });
    let system = &call.request.system;
    put(&mut body, "system", (!system.is_empty()).then(|| json!(system)));
    put(&mut body, "temperature", call.temperature.map(Value::from));
    let format = match &call.request.wanted {
        // There is no JSON without a schema: the request asks for it in words.
        Wanted::Text | Wanted::Json => None,
        Wanted::Schema { schema, .. } => {
            Some(json!({"format": {"type": "json_schema", "schema": schema}}))
        }
    };
    put(&mut body, "output_config", format);
    put(&mut body, "stream", call.streamed.then_some(Value::Bool(true)));
    body
}

pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let content = answer.get("content").filter(|content| content.is_array());
    let text = text_of(content.ok_or("it has no content")?);
    let end = end(string_at(answer, "/stop_reason"), &text);
    Ok(Draft { text, usage: counted(answer.get("usage")), end })
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

/// The words of a block, or of a piece of one; thoughts, tools and signatures are none.
fn words(block: Option<&Value>) -> Event {
    let is_text = |block: &&Value| matches!(string_at(block, "/type"), Some("text" | "text_delta"));
    let text = block.filter(is_text).and_then(|block| string_at(block, "/text"));
    Event { words: text.unwrap_or_default().to_owned(), ..Event::default() }
}

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

pub(crate) fn counted(counts: Option<&Value>) -> Usage {
    // What was read from or written to a cache is counted apart.
    let read = ["/input_tokens", "/cache_creation_input_tokens", "/cache_read_input_tokens"];
    counts.map(|counts| usage(counts, &read, &["/output_tokens"])).unwrap_or_default()
}
