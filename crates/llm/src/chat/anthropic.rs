//! Anthropic's messages.

use serde_json::{Value, json};

use super::Wanted;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::provider::{Call, put};

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
    body
}

pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let content = answer.get("content").filter(|content| content.is_array());
    let text = text_of(content.ok_or("it has no content")?);
    let end = match string_at(answer, "/stop_reason") {
        None => End::Unsaid,
        Some("end_turn" | "stop_sequence") => End::Stop,
        Some("max_tokens" | "model_context_window_exceeded") => End::Length,
        Some("refusal") => End::Declined(text.clone()),
        Some("tool_use") => End::Tools,
        // It would go on if it were asked to.
        Some("pause_turn") => End::Failed("it paused".to_owned()),
        Some(other) => End::Other(other.to_owned()),
    };
    let usage = usage(answer, "/usage/input_tokens", &["/usage/output_tokens"]);
    Ok(Draft { text, usage, end })
}
