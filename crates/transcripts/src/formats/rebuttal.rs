//! Rebuttal's own JSONL: one turn per line, and the same turns inside a document.
//!
//! A line with a debate but nobody speaking is a header: it starts a transcript and may carry its
//! question. Lines with the same debate are one transcript, until a header starts it anew.

use rebuttal_model::{
    AgentId, Confidence, ProblemKind, Rebuttal, RebuttedItem, Role, Structured, TurnId, Whose,
};

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

const SPEAKER: [&str; 5] = ["agent", "speaker", "name", "author", "agent_id"];
const TEXT: [&str; 5] = ["text", "content", "message", "statement", "utterance"];
const ANSWER: [&str; 4] = ["answer", "action", "position", "vote"];

/// True for a line that somebody speaks on.
fn speaks(value: Value<'_>) -> bool {
    value.first(&TEXT).is_some() || value.first(&ANSWER).is_some()
}

/// One line: a turn or a header.
pub(crate) fn line(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let key = value.first(&["debate", "debate_id"]).and_then(Value::label);
    let question = chat::question_of(value);
    let is_header = value.has("format") || !(speaks(value) || value.first(&SPEAKER).is_some());
    if is_header && key.is_some() {
        cx.session.begin(Format::Rebuttal, key.as_deref(), question);
        return;
    }
    let Some(said) = turn(value, cx) else { return };
    if let Some(question) = question {
        cx.ask(Format::Rebuttal, key.as_deref(), said.span, question);
    }
    cx.loose(Format::Rebuttal, key.as_deref(), said);
}

/// A debate as one document.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let list = value.first(&["turns", "messages", "transcript", "rounds"]).unwrap_or(value);
    let mut talk = Talk::new(chat::id_of(value), chat::question_of(value));
    for item in list.items() {
        if let Some(said) = turn(item, cx) {
            cx.push(&mut talk, said);
        }
    }
    cx.finish(talk, Format::Rebuttal, value.span());
}

/// A list of turns, which may belong to several debates.
pub(crate) fn conversation(_head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    for item in list.items() {
        line(item, cx);
    }
    cx.session.flush();
}

fn turn(value: Value<'_>, cx: &mut Cx<'_, '_>) -> Option<Said> {
    if !speaks(value) {
        if !value.is_cut() {
            let message = "a turn needs a `text`; this record has none and was left out";
            cx.problem(ProblemKind::MissingField, value.span(), message);
        }
        return None;
    }
    let word = value.get("role").and_then(Value::label);
    let role = word.as_deref().map_or(Role::Agent, |word| {
        let own = Role::ALL.into_iter().find(|role| role.as_str() == word);
        own.or_else(|| chat::role(word)).unwrap_or_default()
    });
    let agent = value.first(&SPEAKER).and_then(Value::label).or(word);
    let text =
        value.first(&TEXT).map(|text| text.str().map_or_else(|| chat::text(text), Into::into));
    let mut said =
        Said::new(agent.unwrap_or_default(), role, text.unwrap_or_default(), value.span());
    said.round = value.get("round").and_then(Value::whole).and_then(|round| round.try_into().ok());
    said.model = chat::model_of(value);
    said.side = value.get("side").and_then(Value::label);
    said.at = chat::time_of(value);
    said.usage = chat::usage_of(value);
    said.structured = structured(value.get("structured").unwrap_or(value), cx);
    Some(said)
}

fn structured(value: Value<'_>, cx: &mut Cx<'_, '_>) -> Structured {
    let text = |key| value.get(key).and_then(Value::filled).map(Into::into);
    Structured {
        answer: value.first(&ANSWER).and_then(Value::label),
        conviction: value
            .first(&["confidence", "conviction"])
            .and_then(|confidence| conviction(confidence, cx)),
        thesis: text("thesis"),
        evidence: texts(value.get("evidence")),
        rebuttals: rebuttals(value.get("rebuttals")),
    }
}

/// A list of texts, or of objects that hold one.
fn texts(list: Option<Value<'_>>) -> Vec<String> {
    let Some(list) = list else { return Vec::new() };
    let one = list.filled().map(Into::into);
    one.into_iter().chain(list.items().map(text_of)).collect()
}

/// A text, or the text that an object holds.
fn text_of(value: Value<'_>) -> String {
    let held = || value.first(&["text", "claim", "content", "rebuttal"]).and_then(Value::str);
    value.str().or_else(held).map_or_else(|| value.raw().into_owned(), Into::into)
}

/// [`texts`], each with the item it answers, where it says so.
fn rebuttals(list: Option<Value<'_>>) -> Vec<Rebuttal> {
    let texts = texts(list).into_iter();
    let Some(list) = list.filter(|list| list.filled().is_none()) else {
        return texts.map(Rebuttal::from).collect();
    };
    let items = list.items().map(|value| item(value.get("item")?));
    texts.zip(items).map(|(text, item)| Rebuttal { item, text }).collect()
}

fn item(value: Value<'_>) -> Option<RebuttedItem> {
    let whole = |key| value.get(key).and_then(Value::whole);
    Some(RebuttedItem {
        number: u32::try_from(whole("number")?).ok()?,
        agent: AgentId::new(value.get("agent").and_then(Value::str)?),
        turn: TurnId::new(usize::try_from(whole("turn")?).ok()?),
        text: value.get("text").and_then(Value::str)?.into_owned(),
    })
}

/// How sure the agent says it is: `0.8`, `"80%"` or `{"value":0.8,"whose":"stated"}`.
fn conviction(value: Value<'_>, cx: &mut Cx<'_, '_>) -> Option<Confidence> {
    let whose = match value.get("whose").and_then(Value::str).as_deref() {
        Some("detector") => Whose::Detector,
        Some("calibrated") => Whose::Calibrated,
        _ => Whose::Stated,
    };
    let number = value.get("value").unwrap_or(value);
    let percent = number.str().and_then(|text| text.trim().strip_suffix('%')?.trim().parse().ok());
    let number = percent.map(|percent: f64| percent / 100.0).or_else(|| number.number())?;
    let confidence = Confidence::new(number, whose);
    if confidence.is_none() {
        let message = format!(
            "a confidence of {number} is not between 0 and 1 and was left out; write 85 % as 0.85 \
             or \"85%\""
        );
        cx.problem(ProblemKind::Malformed, value.span(), &message);
    }
    confidence
}
