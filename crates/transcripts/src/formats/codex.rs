//! Codex session logs: lines of `{"timestamp", "type", "payload"}`.
//!
//! What was said stands in `response_item`s; everything else on the lines steers the session, or says
//! the same again.

use rebuttal_model::{Role, Span};

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::Said;
use crate::value::Value;

/// True for a line of a session.
pub(crate) fn is_line(value: Value<'_>) -> bool {
    const KINDS: [&str; 6] = [
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "compacted",
        "ghost_snapshot",
    ];
    let kind = value.get("type").and_then(Value::str).unwrap_or_default();
    KINDS.contains(&&*kind) && value.has("payload")
}

/// Reads a line.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let is_item =
        value.get("type").and_then(Value::str).is_some_and(|kind| kind == "response_item");
    let Some(payload) = value.get("payload").filter(|_| is_item) else { return };
    let at = chat::time_of(value);
    for said in spoken(payload) {
        cx.loose(Format::Codex, None, Said { at: said.at.or(at), ..said });
    }
}

fn spoken(payload: Value<'_>) -> Vec<Said> {
    let kind = payload.get("type").and_then(Value::str).unwrap_or_default();
    match &*kind {
        "message" => chat::message(payload, &Setting::new(World::Chat)),
        "function_call" | "custom_tool_call" | "local_shell_call" => {
            let name = payload.get("name").and_then(Value::label);
            aside(name, payload.first(&["arguments", "input", "action"]))
        }
        "function_call_output" | "custom_tool_call_output" => aside(None, payload.get("output")),
        _ => Vec::new(),
    }
}

/// A call of a tool, or what it gave back.
fn aside(name: Option<String>, value: Option<Value<'_>>) -> Vec<Said> {
    let Some(value) = value else { return Vec::new() };
    let text = value.str().unwrap_or_else(|| value.raw());
    let span: Span = value.span();
    if text.trim().is_empty() {
        return Vec::new();
    }
    vec![Said::new(name.unwrap_or_else(|| "tool".to_owned()), Role::Tool, text, span)]
}
