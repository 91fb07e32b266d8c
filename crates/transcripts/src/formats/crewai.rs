//! CrewAI: the output of a crew, or the log file it writes.

use rebuttal_model::Role;

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// A crew's output: one turn for each task.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    if let Some(tasks) = value.get("tasks_output").filter(|tasks| tasks.is_array()) {
        return conversation(value, tasks, cx);
    }
    let mut talk = Talk::new(None, description(value));
    if let Some(said) = task(value) {
        cx.push(&mut talk, said);
    }
    cx.finish(talk, Format::CrewAi, value.span());
}

/// A log file: entries without output (`started`) say nothing.
pub(crate) fn log(list: Value<'_>, cx: &mut Cx<'_, '_>) {
    conversation(list, list, cx);
}

/// One entry of a log on a line of its own.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    if let Some(said) = task(value) {
        if let Some(asked) = description(value).filter(|asked| is_question(asked)) {
            cx.ask(Format::CrewAi, None, said.span, asked);
        }
        cx.loose(Format::CrewAi, None, said);
    }
}

fn conversation(head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut talk = Talk::new(chat::id_of(head), chat::question_of(head).or_else(|| asked(list)));
    let usage = chat::usage_of(head);
    let mut turns: Vec<Said> = list.items().filter_map(task).collect();
    if let [only] = turns.as_mut_slice() {
        // The count is the crew's; with one task it is also the turn's.
        only.usage = only.usage.or(usage);
    }
    for said in turns {
        cx.push(&mut talk, said);
    }
    cx.finish(talk, Format::CrewAi, list.span());
}

/// What all tasks were about: the first that asks something, or what every one of them says.
fn asked(tasks: Value<'_>) -> Option<String> {
    let mut common: Option<String> = None;
    let mut differs = false;
    for task in tasks.items() {
        let given = description(task);
        if given.as_deref().is_some_and(is_question) {
            return given;
        }
        differs |= common.as_ref().is_some_and(|common| Some(common) != given.as_ref());
        common = common.or(given);
    }
    common.filter(|_| !differs)
}

fn description(task: Value<'_>) -> Option<String> {
    let given = task.first(&["description", "task_description", "task"])?.filled()?;
    Some(given.trim().to_owned())
}

fn is_question(description: &str) -> bool {
    description.ends_with('?')
}

fn task(task: Value<'_>) -> Option<Said> {
    let text = task.first(&["raw", "output", "result", "raw_output"])?;
    let text = if text.is_object() { text.get("raw")?.filled()? } else { text.filled()? };
    let agent = task.get("agent").map_or(Some(String::new()), |agent| {
        agent.label().or_else(|| agent.first(&["role", "name"])?.label())
    });
    let mut said = Said::new(agent.unwrap_or_default(), Role::Agent, text, task.span());
    said.at = chat::time_of(task);
    said.model = chat::model_of(task);
    said.usage = chat::usage_of(task);
    Some(said)
}
