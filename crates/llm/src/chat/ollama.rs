//! Ollama's own chat.

use serde_json::{Value, json};

use super::Wanted;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::provider::{Call, put};

pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut options = json!({"num_predict": call.max_tokens});
    put(&mut options, "temperature", call.temperature.map(Value::from));
    let mut body = json!({
        "model": call.model, "messages": call.messages_with_system(), "stream": false,
        "options": options,
        // Else the beginning of a long request is dropped in silence.
        "truncate": false, "shift": false,
    });
    let format = match &call.request.wanted {
        Wanted::Text => None,
        Wanted::Json => Some(json!("json")),
        Wanted::Schema { schema, .. } => Some(schema.clone()),
    };
    put(&mut body, "format", format);
    body
}

pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let message = answer.get("message").ok_or("it has no message")?;
    let text = message.get("content").map(text_of).unwrap_or_default();
    let done = answer.get("done").and_then(Value::as_bool);
    let end = match (done, string_at(answer, "/done_reason")) {
        (_, Some("length")) => End::Length,
        (Some(false), _) => End::Failed("it is not done".to_owned()),
        (_, Some("stop")) => End::Stop,
        (_, None) => End::Unsaid,
        (_, Some(other)) => End::Other(other.to_owned()),
    };
    let usage = usage(answer, "/prompt_eval_count", &["/eval_count"]);
    Ok(Draft { text, usage, end })
}
