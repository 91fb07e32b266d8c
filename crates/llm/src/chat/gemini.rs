//! Gemini's `generateContent`.

use serde_json::{Value, json};

use super::draft::{Draft, End, string_at, text_of, usage};
use super::form::Asked;
use super::provider::{Call, TOOL, put};
use super::telling::{Close, Event};
use super::{Role, Usage};

/// The model is part of the address here; `models/` is how Gemini lists its names.
pub(crate) fn path(model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    format!("/v1beta/models/{model}:generateContent")
}

/// Where a stream is asked for; without `alt` it would be one long list.
pub(crate) fn stream_path(model: &str) -> (String, &'static str) {
    (path(model).replace(":generateContent", ":streamGenerateContent"), "alt=sse")
}

/// The request in Gemini's form.
pub(crate) fn body(call: &Call<'_>) -> Value {
    let parts = |text: &str| json!([{"text": text}]);
    let role = |role| match role {
        Role::User => "user",
        Role::Model => "model",
    };
    let messages = call.request.messages.iter();
    let contents: Vec<Value> = messages
        .map(|message| json!({"role": role(message.role), "parts": parts(&message.text)}))
        .collect();
    let mut config = json!({"maxOutputTokens": call.max_tokens});
    put(&mut config, "temperature", call.temperature.map(Value::from));
    if matches!(call.asked, Asked::Json | Asked::Schema { .. }) {
        put(&mut config, "responseMimeType", Some(json!("application/json")));
    }
    if let Asked::Schema { schema, .. } = call.asked {
        put(&mut config, "responseJsonSchema", Some(schema.clone()));
    }
    let mut body = json!({"contents": contents, "generationConfig": config});
    if let Asked::Tool { name, schema } = call.asked {
        let function = json!({"name": name, "description": TOOL, "parameters": schema});
        put(&mut body, "tools", Some(json!([{"functionDeclarations": [function]}])));
        let must = json!({"mode": "ANY", "allowedFunctionNames": [name]});
        put(&mut body, "toolConfig", Some(json!({"functionCallingConfig": must})));
    }
    let system = &call.request.system;
    let system = (!system.is_empty()).then(|| json!({"parts": parts(system)}));
    put(&mut body, "systemInstruction", system);
    body
}

/// Reads a whole answer.
pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let usage = counted(answer);
    if let Some(reason) = string_at(answer, "/promptFeedback/blockReason") {
        let end = End::Filtered(format!("the request: {reason}"));
        return Ok(Draft { usage, end, ..Draft::default() });
    }
    let candidate = answer.pointer("/candidates/0").ok_or("it has no candidate")?;
    let parts = candidate.pointer("/content/parts");
    let text = parts.map(text_of).unwrap_or_default();
    let mut parts = parts.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default().iter();
    let arguments = parts.find_map(|part| part.pointer("/functionCall/args")).map(Value::to_string);
    Ok(Draft { text, arguments: arguments.unwrap_or_default(), usage, end: end(candidate) })
}

/// A chunk of a stream: a small answer. The last one has the reason why it ended.
pub(crate) fn event(chunk: &Value) -> Event {
    // Counts alone are no fault here.
    let Ok(Draft { text, arguments, usage, end }) = read(chunk) else {
        return Event { usage: counted(chunk), ..Event::default() };
    };
    let end = Some(end).filter(|end| *end != End::Unsaid);
    let close = if end.is_some() { Close::Ended } else { Close::Open };
    Event { words: text, arguments, usage, end, close, ..Event::default() }
}

/// The tokens that the server counted, thinking included.
pub(crate) fn counted(answer: &Value) -> Usage {
    let written = ["/usageMetadata/candidatesTokenCount", "/usageMetadata/thoughtsTokenCount"];
    usage(answer, &["/usageMetadata/promptTokenCount"], &written)
}

/// Why the reply ended.
fn end(candidate: &Value) -> End {
    match string_at(candidate, "/finishReason") {
        None | Some("FINISH_REASON_UNSPECIFIED") => End::Unsaid,
        Some("STOP") => End::Stop,
        Some("MAX_TOKENS") => End::Length,
        Some(
            filter @ ("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
            | "LANGUAGE"),
        ) => End::Filtered(filter.to_owned()),
        Some(
            failure @ ("OTHER"
            | "MALFORMED_FUNCTION_CALL"
            | "MALFORMED_RESPONSE"
            | "UNEXPECTED_TOOL_CALL"),
        ) => End::Failed(failure.to_owned()),
        Some(other) => End::Other(other.to_owned()),
    }
}
