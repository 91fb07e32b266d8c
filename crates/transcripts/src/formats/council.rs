//! Results of a council's evaluation: the members' answers beside the one they came to.

use rebuttal_model::Role;

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// True for the result of one case.
pub(crate) fn is_record(value: Value<'_>) -> bool {
    value.get("componentAnswers").is_some_and(Value::is_array) && value.has("answer")
}

/// Reads the result of one case.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let id = value.first(&["unitId", "caseId"]).and_then(Value::label);
    let mut talk = Talk::new(id, chat::question_of(value));
    let members = value.get("componentAnswers").into_iter().flat_map(Value::items);
    let mut alone = true;
    for (number, member) in members.enumerate() {
        let text = member.first(&["answer", "text", "content"]).unwrap_or(member);
        let Some(text) = text.filled() else { continue };
        alone = false;
        let named = member.first(&["model", "modelId", "agent", "name"]).and_then(Value::label);
        let name = named.unwrap_or_else(|| format!("member {}", number + 1));
        let mut said = Said::new(name, Role::Agent, text, member.span());
        said.round = Some(0);
        cx.push(&mut talk, said);
    }
    if let Some(answer) = value.get("answer")
        && let Some(text) = answer.filled()
    {
        // What the council came to is a summary of its members; without members it is one's own.
        let variant = value.get("variantId").and_then(Value::label);
        let (name, role) = if alone {
            (variant.unwrap_or_else(|| "council".to_owned()), Role::Agent)
        } else {
            ("council".to_owned(), Role::Moderator)
        };
        cx.push(&mut talk, Said::new(name, role, text, answer.span()));
    }
    cx.finish(talk, Format::Council, value.span());
}
