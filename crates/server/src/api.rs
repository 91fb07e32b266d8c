//! What can be asked: the debates that are stored, those that wait, and the answer to one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use rebuttal_engine::debate::{self, Runner, Waiting};
use rebuttal_model::{BreakpointAnswer, DebateId, StreamId};
use rebuttal_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Clock;
use crate::error::ApiError;

type Answered<T> = Result<Json<T>, ApiError>;

#[derive(Clone, Debug)]
struct App {
    store: Arc<Store>,
    clock: Clock,
}

pub(crate) fn routes(store: Arc<Store>, clock: Clock) -> Router {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/debates", get(debates))
        .route("/api/breakpoints", get(breakpoints))
        .route("/api/breakpoints/{debate}", post(answer))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(App { store, clock })
}

async fn health() -> Json<Value> {
    Json(json!({ "ok": true }))
}

async fn not_found() -> ApiError {
    let known = "/api/health, /api/debates, /api/breakpoints and /api/breakpoints/ID";
    ApiError::new(StatusCode::NOT_FOUND, format!("nothing is here; there are {known}"))
}

async fn method_not_allowed() -> ApiError {
    let message = "not by this method: POST answers a breakpoint, GET asks for everything else";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// A stored debate, in short.
#[derive(Debug, Serialize)]
struct Listed {
    id: DebateId,
    question: String,
    at: Option<Timestamp>,
    agents: usize,
    answer: Option<String>,
    ended: bool,
    waits: bool,
}

async fn debates(State(app): State<App>) -> Answered<Vec<Listed>> {
    let mut listed: Vec<Listed> = Vec::new();
    for (state, at) in app.stored().await? {
        listed.push(Listed {
            id: state.spec().id.clone(),
            question: state.spec().question.clone(),
            at,
            agents: state.spec().panel.len(),
            answer: state.decision.as_ref().and_then(|decision| decision.answer.clone()),
            ended: state.decision.is_some(),
            waits: state.paused.is_some(),
        });
    }
    listed.sort_by_key(|one| std::cmp::Reverse(one.at));
    Ok(Json(listed))
}

async fn breakpoints(State(app): State<App>) -> Answered<Vec<Waiting>> {
    let now = (app.clock)();
    let stored = app.stored().await?;
    Ok(Json(Waiting::list(stored.iter().map(|(state, _)| state), now)))
}

/// How a person answers a breakpoint.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerRequest {
    answer: BreakpointAnswer,
    /// The words for the agents: needed to redirect and to add evidence.
    note: Option<String>,
    /// Which breakpoint is meant, so that an answer to an earlier one is refused.
    number: Option<u32>,
}

async fn answer(
    State(app): State<App>,
    Path(debate): Path<String>,
    word: Result<Json<AnswerRequest>, JsonRejection>,
) -> Answered<Value> {
    let Json(word) = word.map_err(|wrong| ApiError::new(wrong.status(), wrong.body_text()))?;
    let stream = StreamId::debate(&DebateId::new(debate.as_str()));
    if app.store.read(&stream, 0).await?.is_empty() {
        let message = format!("no debate is called {debate:?}; GET /api/debates lists them");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    }
    let (seats, clock, watch) = (BTreeMap::new(), app.clock, |_: debate::Seen<'_>| ());
    let runner = Runner::new(&*app.store, &seats, &clock, &watch);
    runner.answer(&stream, word.number, word.answer, word.note.as_deref()).await?;
    let next = format!("rebuttal resume {debate}");
    Ok(Json(json!({ "debate": debate, "answer": word.answer, "next": next })))
}

impl App {
    /// All debates that can be read, with when they began.
    async fn stored(&self) -> Result<Vec<(debate::State, Option<Timestamp>)>, ApiError> {
        let mut found = Vec::new();
        for (stream, _) in self.store.streams().await? {
            if !stream.as_str().starts_with("debate/") {
                continue;
            }
            let records = debate::Journal::records(&*self.store, &stream).await?;
            if let Ok(state) = debate::State::fold(&records) {
                found.push((state, records.first().map(|record| record.at)));
            }
        }
        Ok(found)
    }
}
