//! The chat interface of OpenAI: any chat client asks a panel instead of a model.
//!
//! The last message of the user is the question, what came before is the context, and `model` names the
//! preset: `rebuttal/hybrid`. Streamed, the turns come as they are taken, and the decision at the end.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use rebuttal::jobs::DebateRequest;
use rebuttal::model::{DebateId, Decision};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::query::body;
use super::{Answered, value};
use crate::app::{App, Seen, Subscription, Watched};
use crate::auth::Caller;
use crate::problem::{BUSY, INVALID, NOT_FOUND, Problem};

/// What the names of models begin with.
const PREFIX: &str = "rebuttal/";

/// Longest that a client that does not stream is kept waiting.
const LONGEST: Duration = Duration::from_mins(10);

/// The part of a chat request that matters here; clients send much more.
#[derive(Debug, Deserialize)]
struct ChatRequest {
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    stream: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    content: Value,
}

impl Message {
    /// Its words: a text, or the text parts of a list.
    fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }
}

pub(super) async fn models(State(app): State<Arc<App>>) -> Answered {
    let presets = app.config.presets.names();
    let models: Vec<Value> = presets
        .iter()
        .map(|name| json!({ "id": format!("{PREFIX}{name}"), "object": "model", "created": 0, "owned_by": "rebuttal" }))
        .collect();
    value(&json!({ "object": "list", "data": models }))
}

pub(super) async fn completions(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answered {
    let asked: ChatRequest = body(&headers, &bytes)?;
    let request = debate(&app, &asked)?;
    let started = app.start(&caller, &request, None).await?;
    let watching = app.subscribe(&caller, started.id.as_str(), Watched::default()).await?;
    let chat = Chat { app, caller, id: started.id, model: asked.model };
    if asked.stream == Some(true) {
        return Ok(chat.streamed(watching));
    }
    chat.whole(watching).await
}

/// The debate that a chat asks for.
fn debate(app: &App, asked: &ChatRequest) -> Result<DebateRequest, Problem> {
    let preset = asked.model.strip_prefix(PREFIX);
    let known =
        preset.filter(|preset| app.config.presets.names().iter().any(|name| name == preset));
    let Some(preset) = known else {
        let model: String = asked.model.chars().take(80).collect();
        return Err(Problem::new(NOT_FOUND, format!("no model is called {model:?}"))
            .hint("GET /v1/models lists them"));
    };
    let last = asked.messages.iter().rposition(|message| message.role == "user");
    let question = last.and_then(|last| asked.messages.get(last)).map(Message::text);
    let question = question.filter(|question| !question.trim().is_empty());
    let Some(question) = question else {
        return Err(Problem::new(INVALID, "`messages` has no message of the user with a text"));
    };
    let mut context = String::new();
    for message in asked.messages.iter().take(last.unwrap_or(0)) {
        writeln!(context, "{}: {}", message.role, message.text()).ok();
    }
    let mut request = DebateRequest::new(question);
    request.context = context;
    request.preset = Some(preset.to_owned());
    Ok(request)
}

/// One chat that is being answered by a debate.
struct Chat {
    app: Arc<App>,
    caller: Caller,
    id: DebateId,
    model: String,
}

impl Chat {
    /// Waits for the end, and answers with the decision.
    async fn whole(self, mut watching: Subscription) -> Answered {
        let ended = async {
            while let Some(seen) = watching.next().await {
                if matches!(seen, Seen::Ended | Seen::Stopping) || self.rests().await.is_some() {
                    break;
                }
            }
        };
        let in_time = timeout(LONGEST, ended).await.is_ok();
        let why = if in_time { "has no answer yet" } else { "takes longer" };
        let text = self
            .outcome()
            .await
            .ok_or_else(|| Problem::new(BUSY, format!("the debate {} {why}", self.id)));
        let text = text.map_err(|problem| {
            problem.hint(format!("GET /api/debates/{} says how it stands", self.id))
        })?;
        let choice = json!({ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" });
        let (input, output) = self.tokens().await;
        value(&json!({
            "id": format!("chatcmpl-{}", self.id), "object": "chat.completion",
            "created": self.app.now().as_second(), "model": self.model, "choices": [choice],
            "usage": { "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output },
        }))
    }

    /// Why the debate does not go on, if it does not: it could not be run, or waits for a person.
    async fn rests(&self) -> Option<String> {
        let (standing, order) = self.app.standing(&self.caller, self.id.as_str()).await.ok()?;
        if let Some(failed) = order.and_then(|order| order.failed) {
            return Some(format!("The debate could not be run: {failed}"));
        }
        let waits = standing.breakpoint?;
        Some(format!(
            "The debate waits for a person: POST /api/breakpoints/{} answers.\n\n{}",
            self.id,
            waits.text.unwrap_or_default()
        ))
    }

    /// What the debate came to, in words.
    async fn outcome(&self) -> Option<String> {
        let debate = self.app.debate(&self.caller, self.id.as_str()).await.ok();
        match debate.as_ref().and_then(|debate| debate.state.decision.as_ref()) {
            Some(decision) => Some(decided(decision)),
            None => self.rests().await,
        }
    }

    async fn tokens(&self) -> (u64, u64) {
        let debate = self.app.debate(&self.caller, self.id.as_str()).await;
        debate.map_or((0, 0), |debate| {
            let spent = debate.state.spent;
            (spent.input_tokens, spent.output_tokens)
        })
    }

    /// Sends what agents say as they say it, then the decision.
    fn streamed(self, watching: Subscription) -> Response {
        let begin = Streamed { chat: self, watching, step: Step::Role };
        let chunks = stream::unfold(begin, |mut state| async move {
            let bytes = state.next().await?;
            Some((Ok::<_, Infallible>(bytes), state))
        });
        ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(chunks)).into_response()
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Bytes {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let chunk = json!({
            "id": format!("chatcmpl-{}", self.id), "object": "chat.completion.chunk",
            "created": self.app.now().as_second(), "model": self.model, "choices": [choice],
        });
        format!("data: {chunk}\n\n").into()
    }
}

/// What comes next in a streamed answer.
enum Step {
    Role,
    Turns,
    Finish,
    Done,
    Over,
}

struct Streamed {
    chat: Chat,
    watching: Subscription,
    step: Step,
}

impl Streamed {
    async fn next(&mut self) -> Option<Bytes> {
        match self.step {
            Step::Role => {
                self.step = Step::Turns;
                Some(self.chat.chunk(&json!({ "role": "assistant", "content": "" }), None))
            }
            Step::Turns => Some(self.turn().await),
            Step::Finish => {
                self.step = Step::Done;
                Some(self.chat.chunk(&json!({}), Some("stop")))
            }
            Step::Done => {
                self.step = Step::Over;
                Some(Bytes::from_static(b"data: [DONE]\n\n"))
            }
            Step::Over => None,
        }
    }

    /// The next turn, a sign of life, or, at the end, what the debate came to.
    async fn turn(&mut self) -> Bytes {
        match self.watching.next().await {
            Some(Seen::Record(shown)) => {
                if let Some(said) = shown.said() {
                    return self.chat.chunk(&json!({ "content": said }), None);
                }
                if shown.kind != "paused" {
                    return Bytes::from_static(b": \n\n");
                }
            }
            Some(Seen::Heartbeat) if self.chat.rests().await.is_none() => {
                return Bytes::from_static(b": \n\n");
            }
            Some(Seen::Words(_)) => return Bytes::from_static(b": \n\n"),
            _ => {}
        }
        self.step = Step::Finish;
        let outcome = self.chat.outcome().await;
        let text = outcome.unwrap_or_else(|| format!("The debate {} has not ended.", self.chat.id));
        self.chat.chunk(&json!({ "content": text }), None)
    }
}

/// A decision in words.
fn decided(decision: &Decision) -> String {
    let answer = decision.answer.as_deref().unwrap_or("no answer");
    format!("**{answer}**\n\n{}", decision.narrative)
}
