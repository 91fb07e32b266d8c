//! `OpenAI`'s responses.

use serde_json::{Value, json};

use super::Usage;
use super::draft::{Draft, End, string_at, text_of, usage};
use super::form::Asked;
use super::provider::{Call, TOOL, put};
use super::telling::{Close, Event};

/// The request in the form of `OpenAI`'s responses.
pub(crate) fn body(call: &Call<'_>) -> Value {
    let mut body = json!({
        "model": call.model, "input": call.messages(), "max_output_tokens": call.max_tokens,
        // Nothing is fetched again, so nothing need stay there.
        "store": false,
    });
    let system = &call.request.system;
    put(&mut body, "instructions", (!system.is_empty()).then(|| json!(system)));
    put(&mut body, "temperature", call.temperature.map(Value::from));
    let format = match call.asked {
        Asked::Text | Asked::Tool { .. } => None,
        Asked::Json => Some(json!({"type": "json_object"})),
        Asked::Schema { name, schema } => {
            Some(json!({"type": "json_schema", "name": name, "schema": schema, "strict": true}))
        }
    };
    put(&mut body, "text", format.map(|format| json!({"format": format})));
    if let Asked::Tool { name, schema } = call.asked {
        // Left out, `strict` would be on here.
        let tool = json!({"type": "function", "name": name, "description": TOOL,
            "parameters": schema, "strict": false});
        put(&mut body, "tools", Some(json!([tool])));
        put(&mut body, "tool_choice", Some(json!({"type": "function", "name": name})));
    }
    put(&mut body, "stream", call.streamed.then_some(Value::Bool(true)));
    body
}

/// Reads a whole answer.
pub(crate) fn read(answer: &Value) -> Result<Draft, String> {
    let output = answer.get("output").and_then(Value::as_array).ok_or("it has no output")?;
    let messages = output.iter().filter(|item| string_at(item, "/type") == Some("message"));
    let contents: Vec<&Value> = messages.filter_map(|message| message.get("content")).collect();
    let parts = contents.iter().filter_map(|content| content.as_array()).flatten();
    let refusal = parts.into_iter().find_map(|part| string_at(part, "/refusal"));
    let end = match refusal {
        Some(words) => End::Declined(words.to_owned()),
        None => end(answer),
    };
    let text = contents.into_iter().map(text_of).collect();
    let mut calls = output.iter().filter(|item| string_at(item, "/type") == Some("function_call"));
    let arguments = calls.next().and_then(|call| string_at(call, "/arguments"));
    let arguments = arguments.unwrap_or_default().to_owned();
    Ok(Draft { text, arguments, usage: counted(answer), end })
}

/// An event of a stream. The last one repeats the whole answer.
pub(crate) fn event(event: &Value) -> Event {
    let delta = || string_at(event, "/delta").unwrap_or_default().to_owned();
    match string_at(event, "/type") {
        Some("response.output_text.delta") => Event { words: delta(), ..Event::default() },
        Some("response.function_call_arguments.delta") => {
            Event { arguments: delta(), ..Event::default() }
        }
        Some("response.refusal.delta") => Event { refusal: delta(), ..Event::default() },
        Some("response.completed" | "response.incomplete" | "response.failed") => {
            let answer = event.get("response").unwrap_or(event);
            let (end, usage) = (Some(end(answer)), counted(answer));
            Event { end, usage, whole: read(answer).ok(), close: Close::Over, ..Event::default() }
        }
        _ => Event::default(),
    }
}

/// The tokens that the server counted.
pub(crate) fn counted(answer: &Value) -> Usage {
    usage(answer, &["/usage/input_tokens"], &["/usage/output_tokens"])
}

/// Why the reply ended.
fn end(answer: &Value) -> End {
    match string_at(answer, "/status") {
        None => End::Unsaid,
        Some("completed") => End::Stop,
        Some("incomplete") => match string_at(answer, "/incomplete_details/reason") {
            Some("content_filter") => End::Filtered(String::new()),
            _ => End::Length,
        },
        Some(other) => End::Failed(string_at(answer, "/error/message").unwrap_or(other).to_owned()),
    }
}
