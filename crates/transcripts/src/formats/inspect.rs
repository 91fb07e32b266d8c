//! Inspect logs: samples of an evaluation, each a conversation.

use rebuttal_model::{ProblemKind, Role};

use crate::Format;
use crate::chat::{self, Setting, World};
use crate::session::Cx;
use crate::talk::Talk;
use crate::value::Value;

/// What the head of a log says about its samples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    task: Option<String>,
    model: Option<String>,
}

impl Header {
    /// From a log, or from the `header.json` of one.
    pub(crate) fn of(log: Value<'_>) -> Self {
        let field = |name| log.path(&["eval", name]).and_then(Value::label);
        Self { task: field("task"), model: field("model") }
    }
}

/// A log with its samples, or one sample.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    match value.get("samples").filter(|samples| samples.is_array()) {
        Some(samples) => {
            let header = Header::of(value);
            let mut any = false;
            for item in samples.items() {
                any = true;
                sample(item, &header, cx);
            }
            if !any {
                without_samples(value, cx);
            }
        }
        None if value.has("eval") => without_samples(value, cx),
        None => sample(value, &Header::default(), cx),
    }
}

/// Says that there is nothing to read, which is nobody's fault: a run may end before its first sample.
fn without_samples(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let message = "is an Inspect log without samples: there is nothing to read";
    cx.problem(ProblemKind::Empty, value.span(), message);
}

/// Reads one sample.
pub(crate) fn sample(value: Value<'_>, header: &Header, cx: &mut Cx<'_, '_>) {
    let epoch = value.get("epoch").and_then(Value::label);
    let id = value.get("id").and_then(Value::label).map(|id| {
        let parts: Vec<String> =
            [header.task.clone(), Some(id), epoch].into_iter().flatten().collect();
        parts.join("/")
    });
    let question = value.get("input").and_then(Value::filled).map(Into::into);
    let mut setting = Setting::new(World::Chat);
    setting.model = value
        .get("output")
        .and_then(chat::model_of)
        .or_else(|| chat::model_of(value))
        .or_else(|| header.model.clone());
    let mut turns: Vec<_> = value
        .get("messages")
        .into_iter()
        .flat_map(Value::items)
        .flat_map(|message| chat::message(message, &setting))
        .collect();
    if let Some(last) = turns.iter_mut().rev().find(|said| said.role == Role::Agent) {
        last.usage = last.usage.or_else(|| chat::usage_of(value.get("output")?));
    }
    let mut talk = Talk::new(id, question);
    for said in turns {
        cx.push(&mut talk, said);
    }
    cx.finish(talk, Format::Inspect, value.span());
}
