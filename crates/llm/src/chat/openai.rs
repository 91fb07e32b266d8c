//! `OpenAI`'s chat completions, which vLLM, llama.cpp, LM Studio, `OpenRouter` and others copy.

use serde_json::{Value, json};

use super::Usage;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::form::Asked;
use super::provider::{Call, TOOL, put};
use super::telling::{Close, Event};

/// `OpenAI` itself, whose newer models know the limit of tokens by a newer name only; the copies
/// know the older.
const ITSELF: &str = "api.openai.com";

/// The request in the form of `OpenAI`'s chat completions.
pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut body = json!({"model": call.model, "messages": call.messages_with_system()});
    let limit = if call.host == ITSELF { "max_completion_tokens" } else { "max_tokens" };
    put(&mut body, limit, Some(json!(call.max_tokens)));
    put(&mut body, "temperature", call.temperature.map(Value::from));
    match call.asked {
        Asked::Text => {}
        Asked::Json => put(&mut body, "response_format", Some(json!({"type": "json_object"}))),
        Asked::Schema { name, schema } => {
            let schema = json!({"name": name, "schema": schema, "strict": true});
            let format = json!({"type": "json_schema", "json_schema": schema});
            put(&mut body, "response_format", Some(format));
        }
        Asked::Tool { name, schema } => {
            let function = json!({"name": name, "description": TOOL, "parameters": schema});
            put(&mut body, "tools", Some(json!([{"type": "function", "function": function}])));
            let choice = json!({"type": "function", "function": {"name": name}});
            put(&mut body, "tool_choice", Some(choice));
        }
    }
    if call.streamed {
        put(&mut body, "stream", Some(json!(true)));
        // Else nobody counts the tokens.
        put(&mut body, "stream_options", Some(json!({"include_usage": true})));
    }
    body
}

/// Reads a whole answer.
pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let choice = answer.pointer("/choices/0").ok_or("it has no choice")?;
    let message = choice.get("message").ok_or("its choice has no message")?;
    let end = match string_at(message, "/refusal") {
        Some(words) => End::Declined(words.to_owned()),
        None => end(choice),
    };
    let text = message.get("content").map(text_of).unwrap_or_default();
    let called = message.pointer("/tool_calls/0/function/arguments").map(arguments);
    let arguments = called.unwrap_or_default();
    Ok(Draft { text, arguments, usage: counted(answer), end })
}

/// The arguments of a call: a text that holds JSON, or, from some servers, the JSON itself.
fn arguments(called: &Value) -> String {
    called.as_str().map_or_else(|| called.to_string(), str::to_owned)
}

/// A chunk of a stream. The last ones have no choice: one counts, one is `[DONE]`.
pub(crate) fn event(chunk: &Value) -> Event {
    let usage = counted(chunk);
    let Some(choice) = chunk.pointer("/choices/0") else {
        return Event { usage, ..Event::default() };
    };
    let words = choice.pointer("/delta/content").map(text_of).unwrap_or_default();
    let refusal = string_at(choice, "/delta/refusal").unwrap_or_default().to_owned();
    let end = string_at(choice, "/finish_reason").map(|_| end(choice));
    let close = if end.is_some() { Close::Ended } else { Close::Open };
    let called = choice.pointer("/delta/tool_calls/0/function/arguments").map(arguments);
    let arguments = called.unwrap_or_default();
    Event { words, arguments, refusal, usage, end, close, ..Event::default() }
}

/// The tokens that the server counted.
pub(crate) fn counted(answer: &Value) -> Usage {
    usage(answer, &["/usage/prompt_tokens"], &["/usage/completion_tokens"])
}

/// Why the reply ended.
fn end(choice: &Value) -> End {
    match string_at(choice, "/finish_reason") {
        None => End::Unsaid,
        Some("stop") => End::Stop,
        Some("length") => End::Length,
        Some("content_filter") => End::Filtered(String::new()),
        Some("tool_calls" | "function_call") => End::Tools,
        // OpenRouter's word for a model that failed on the way.
        Some("error") => {
            End::Failed(string_at(choice, "/error/message").unwrap_or_default().to_owned())
        }
        Some(other) => End::Other(other.to_owned()),
    }
}
