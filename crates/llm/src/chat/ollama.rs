//! Ollama's own chat.

use serde_json::{Value, json};

use super::Usage;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::form::Asked;
use super::provider::{Call, put};
use super::telling::{Close, Event};

/// The request in Ollama's form.
pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut options = json!({"num_predict": call.max_tokens});
    put(&mut options, "temperature", call.temperature.map(Value::from));
    let mut body = json!({
        "model": call.model, "messages": call.messages_with_system(), "stream": call.streamed,
        "options": options,
        // Else the beginning of a long request is dropped in silence.
        "truncate": false, "shift": false,
    });
    let format = match call.asked {
        // A tool cannot be demanded here.
        Asked::Text | Asked::Tool { .. } => None,
        Asked::Json => Some(json!("json")),
        Asked::Schema { schema, .. } => Some(schema.clone()),
    };
    put(&mut body, "format", format);
    body
}

/// Reads a whole answer.
pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    answer.get("message").ok_or("it has no message")?;
    let (text, usage, end) = (words(answer), counted(answer), end(answer));
    Ok(Draft { text, usage, end, ..Draft::default() })
}

/// A line of a stream; the last one is done, and counts.
pub(crate) fn event(line: &Value) -> Event {
    let done = line.get("done").and_then(Value::as_bool).unwrap_or_default();
    let (end, close) = if done { (Some(end(line)), Close::Over) } else { (None, Close::Open) };
    Event { words: words(line), usage: counted(line), end, close, ..Event::default() }
}

/// The words of an answer, or of a piece of one.
fn words(answer: &Value) -> String {
    answer.pointer("/message/content").map(text_of).unwrap_or_default()
}

/// The tokens that the server counted.
pub(crate) fn counted(answer: &Value) -> Usage {
    usage(answer, &["/prompt_eval_count"], &["/eval_count"])
}

/// Why the reply ended.
fn end(answer: &Value) -> End {
    let done = answer.get("done").and_then(Value::as_bool);
    match (done, string_at(answer, "/done_reason")) {
        (_, Some("length")) => End::Length,
        (Some(false), _) => End::Failed("it is not done".to_owned()),
        (_, Some("stop")) => End::Stop,
        (_, None) => End::Unsaid,
        (_, Some(other)) => End::Other(other.to_owned()),
    }
}
