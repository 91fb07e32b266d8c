//! What chat formats have in common: roles, content in parts, tool calls, token counts.

use std::borrow::Cow;

use jiff::Timestamp;
use rebuttal_model::{Role, Span, Usage};

use crate::talk::Said;
use crate::time;
use crate::value::Value;

/// Whether a format is about one assistant and its user, or about many agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// A name says which user or assistant; the role decides what the speaker is.
    Chat,
    /// `role: user` only means "not the agent that kept this log": whoever has a name of its own
    /// is an agent.
    Agents,
}

/// What the surroundings of a message say about it.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) world: World,
    pub(crate) model: Option<String>,
}

impl Setting {
    pub(crate) fn new(world: World) -> Self {
        Self { world, model: None }
    }
}

/// What a role word means; `None` for a word that is nobody's role, and so probably a name.
pub(crate) fn role(word: &str) -> Option<Role> {
    let word = word.trim().to_ascii_lowercase();
    let role = match word.as_str() {
        "assistant" | "ai" | "model" | "agent" | "gpt" | "chatgpt" | "bot" | "aimessage"
        | "aimessagechunk" | "claude" => Role::Agent,
        "user" | "human" | "humanmessage" | "humanmessagechunk" | "user_proxy" | "userproxy"
        | "user_proxy_agent" | "userproxyagent" => Role::User,
        "system" | "developer" | "systemmessage" => Role::System,
        "tool" | "function" | "toolmessage" | "functionmessage" | "observation" | "ipython"
        | "function_call" | "function_response" | "tool_call" | "tool_response" => Role::Tool,
        _ => return None,
    };
    Some(role)
}

/// Who speaks, given the role word and the name in a message.
pub(crate) fn cast(as_role: &str, name: Option<&str>, world: World) -> (Role, String) {
    let given = role(as_role);
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return (given.unwrap_or(Role::Agent), as_role.trim().to_owned());
    };
    let role = match (world, given) {
        (_, Some(Role::System)) => Role::System,
        (_, Some(Role::Tool)) => Role::Tool,
        (World::Chat, given) => given.unwrap_or(Role::Agent),
        (World::Agents, _) => role(name).unwrap_or(Role::Agent),
    };
    (role, name.to_owned())
}

/// A call of a tool, or what it gave back: data that stands beside what was said.
#[derive(Debug)]
struct Aside {
    name: String,
    text: String,
    span: Span,
}

/// The content of a message, sorted.
#[derive(Debug, Default)]
struct Content {
    text: String,
    results: Vec<Aside>,
    calls: Vec<Aside>,
}

/// Deep enough for content inside the content of a tool result; deeper there is nothing to read.
const NESTING: usize = 4;

impl Content {
    fn add_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    fn add(&mut self, value: Value<'_>, depth: usize) {
        if let Some(text) = value.str() {
            self.add_text(&text);
        } else if value.is_array() && depth < NESTING {
            value.items().for_each(|item| self.add(item, depth + 1));
        } else if value.is_object() && depth < NESTING {
            self.add_part(value, depth + 1);
        }
    }

    fn add_part(&mut self, part: Value<'_>, depth: usize) {
        let kind = part.get("type").and_then(Value::str).unwrap_or_default();
        match &*kind {
            // Thoughts are not said to anybody: they are no turn, and no position.
            "thinking" | "redacted_thinking" | "reasoning" | "image" | "image_url"
            | "input_image" | "input_audio" | "document" | "file" => {}
            "tool_use" | "server_tool_use" | "tool_call" => self.calls.push(call(part)),
            "tool_result" | "tool_call_response" | "web_search_tool_result" => {
                let mut inner = Self::default();
                for key in ["content", "result", "response"] {
                    if let Some(value) = part.get(key) {
                        inner.add(value, depth);
                    }
                }
                let name = part.get("name").and_then(Value::label);
                let name = name.unwrap_or_else(|| "tool".to_owned());
                self.results.push(Aside { name, text: inner.text, span: part.span() });
            }
            "refusal" => {
                if let Some(value) = part.get("refusal") {
                    self.add(value, depth);
                }
            }
            _ => {
                if let Some(value) = part.first(&["text", "content", "value", "parts"]) {
                    self.add(value, depth);
                }
            }
        }
    }
}

/// A tool call in any of its spellings.
fn call(value: Value<'_>) -> Aside {
    let function = value.get("function").filter(|function| function.is_object());
    let inner = function.unwrap_or(value);
    let name = inner
        .first(&["name", "function"])
        .and_then(Value::label)
        .unwrap_or_else(|| "tool".to_owned());
    let text = inner
        .first(&["arguments", "input", "args"])
        .map(|arguments| arguments.str().unwrap_or_else(|| arguments.raw()))
        .unwrap_or_default();
    Aside { name, text: text.into_owned(), span: value.span() }
}

/// The text of a message's content, without tools and thoughts.
pub(crate) fn text(value: Value<'_>) -> String {
    let mut content = Content::default();
    content.add(value, 0);
    content.text
}

/// The field of a message that says who spoke.
fn role_word(message: Value<'_>) -> Cow<'_, str> {
    message
        .get("role")
        .or_else(|| message.path(&["author", "role"]))
        .or_else(|| message.first(&["from", "sender", "type"]))
        .and_then(Value::filled)
        .unwrap_or(Cow::Borrowed("assistant"))
}

/// The turns one message holds: what was said, and beside it tool results and calls.
pub(crate) fn message(value: Value<'_>, setting: &Setting) -> Vec<Said> {
    let name = value.first(&["name", "agent", "speaker", "agent_name"]).and_then(Value::label);
    let (role, agent) = cast(&role_word(value), name.as_deref(), setting.world);
    said(value, role, &agent, setting)
}

/// Reads a message when it is known who speaks.
pub(crate) fn said(value: Value<'_>, role: Role, agent: &str, setting: &Setting) -> Vec<Said> {
    let mut content = Content::default();
    if let Some(given) = value.first(&["content", "text", "value", "parts", "message", "refusal"]) {
        content.add(given, 0);
    }
    if let Some(calls) = value.get("tool_calls") {
        content.calls.extend(calls.items().map(call));
    }
    if let Some(function) = value.get("function_call").filter(|function| function.is_object()) {
        content.calls.push(call(function));
    }
    let at = time_of(value);
    let aside = |aside: Aside| {
        let mut said = Said::new(aside.name, Role::Tool, aside.text, aside.span);
        said.at = at;
        said
    };
    let has_text = |aside: &Aside| !aside.text.trim().is_empty();
    let mut turns: Vec<Said> = content.results.into_iter().filter(has_text).map(aside).collect();
    if !content.text.trim().is_empty() {
        let mut said = Said::new(agent, role, content.text, value.span());
        said.at = at;
        said.usage = usage_of(value);
        said.model = model_of(value);
        if role == Role::Agent {
            said.model = said.model.or_else(|| setting.model.clone());
        }
        turns.push(said);
    }
    turns.extend(content.calls.into_iter().filter(has_text).map(aside));
    turns
}

/// The model a record names.
pub(crate) fn model_of(value: Value<'_>) -> Option<String> {
    value
        .first(&["model", "model_name", "model_id"])
        .or_else(|| value.get("response_metadata")?.first(&["model_name", "model", "model_id"]))
        .and_then(Value::filled)
        .map(Cow::into_owned)
}

/// The token counts a record gives.
pub(crate) fn usage_of(value: Value<'_>) -> Option<Usage> {
    let usage = value
        .first(&["usage", "models_usage", "usage_metadata", "token_usage"])
        .or_else(|| value.get("response_metadata")?.first(&["token_usage", "usage"]))?;
    let input = usage.first(&["input_tokens", "prompt_tokens"]).and_then(Value::whole);
    let output = usage.first(&["output_tokens", "completion_tokens"]).and_then(Value::whole);
    (input.is_some() || output.is_some())
        .then(|| Usage { input_tokens: input.unwrap_or(0), output_tokens: output.unwrap_or(0) })
}

/// When a record says it was made.
pub(crate) fn time_of(value: Value<'_>) -> Option<Timestamp> {
    value
        .first(&[
            "at",
            "timestamp",
            "created_at",
            "create_time",
            "createdAt",
            "created",
            "time",
            "ts",
        ])
        .and_then(time::of)
}

/// The id of a conversation.
pub(crate) fn id_of(record: Value<'_>) -> Option<String> {
    record
        .first(&[
            "custom_id",
            "debate",
            "debate_id",
            "conversation_id",
            "conversationId",
            "thread_id",
            "session_id",
            "sessionId",
            "id",
            "chat_id",
            "trace_id",
            "uuid",
            "example_id",
            "question_ID",
            "question_id",
        ])
        .and_then(Value::label)
}

/// The question of a conversation, where it stands apart from the turns.
pub(crate) fn question_of(record: Value<'_>) -> Option<String> {
    record
        .first(&["question", "topic", "motion", "problem", "query", "problem_statement"])
        .map(text)
        .filter(|question| !question.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_speaks_in_a_chat() {
        let chat = |word, name| cast(word, name, World::Chat);
        assert_eq!(chat("assistant", None), (Role::Agent, "assistant".into()));
        assert_eq!(chat("assistant", Some("pro")), (Role::Agent, "pro".into()));
        assert_eq!(chat("user", Some("Ann")), (Role::User, "Ann".into()));
        assert_eq!(chat("developer", None), (Role::System, "developer".into()));
        assert_eq!(chat("Bull", None), (Role::Agent, "Bull".into()));
    }

    #[test]
    fn who_speaks_among_agents() {
        let agents = |word, name| cast(word, name, World::Agents);
        assert_eq!(agents("user", Some("critic")), (Role::Agent, "critic".into()));
        assert_eq!(agents("assistant", Some("user_proxy")), (Role::User, "user_proxy".into()));
        assert_eq!(agents("user", Some("Human")), (Role::User, "Human".into()));
        assert_eq!(agents("tool", Some("search")), (Role::Tool, "search".into()));
        assert_eq!(agents("user", None), (Role::User, "user".into()));
    }
}
