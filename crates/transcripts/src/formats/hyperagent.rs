//! `HyperAgent` trajectories: a log as a list of lines, with `NAME's Response:` where an agent speaks.

use rebuttal_model::{Role, Span};

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// Longest name of an agent, in bytes.
const NAME: usize = 60;

/// True for a record whose trajectory is a list of lines.
pub(crate) fn is_record(value: Value<'_>) -> bool {
    let trajectory = value.get("trajectory").into_iter();
    trajectory.flat_map(Value::items).next().is_some_and(Value::is_string)
}

/// Reads one trajectory.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let question = value.get("problem_statement").map(|asked| {
        let lines: Vec<String> = asked.items().filter_map(Value::str).map(Into::into).collect();
        if lines.is_empty() { chat::text(asked) } else { lines.join("\n") }
    });
    let id = value.get("instance_id").and_then(Value::label);
    let mut talk = Talk::new(id, question.filter(|text| !text.trim().is_empty()));
    let mut open: Option<Said> = None;
    for item in value.get("trajectory").into_iter().flat_map(Value::items) {
        let Some(line) = item.str() else { continue };
        if let Some(message) = logged(&line) {
            if let Some(said) = open.take() {
                close(said, &mut talk, cx);
            }
            open = response(message)
                .map(|(name, text)| Said::new(name, Role::Agent, text, item.span()));
        } else if let Some(said) = &mut open {
            said.text.push('\n');
            said.text.push_str(&line);
            said.span = Span::new(said.span.start(), item.span().end());
        }
    }
    if let Some(said) = open {
        close(said, &mut talk, cx);
    }
    cx.finish(talk, Format::HyperAgent, value.span());
}

fn close(mut said: Said, talk: &mut Talk, cx: &mut Cx<'_, '_>) {
    said.text.truncate(said.text.trim_end().len());
    if !said.text.is_empty() {
        cx.push(talk, said);
    }
}

/// What a line of the log says behind its head: `name - INFO - …`.
fn logged(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(" - ")?;
    let (level, message) = rest.split_once(" - ")?;
    let is_level = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"].contains(&level);
    (is_level && !name.contains(' ')).then_some(message)
}

/// Who answers what: `Planner's Response: …`.
fn response(message: &str) -> Option<(&str, &str)> {
    let (name, text) = message.split_once("'s Response:")?;
    (name.len() <= NAME && !name.is_empty()).then(|| (name, text.trim_start()))
}
