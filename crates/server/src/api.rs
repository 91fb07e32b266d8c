//! What can be asked: the debates that are stored, those that wait, and the answer to one.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use rebuttal_engine::debate::{self, Engine, Waiting};
use rebuttal_model::{BreakpointAnswer, DebateId, StreamId};
use rebuttal_store::{Cursor, DebateFilter, DebateRow, DebateStatus, Store};
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
    #[serde(flatten)]
    row: DebateRow,
    at: Timestamp,
    ended: bool,
    waits: bool,
    /// Where a list goes on after this one.
    cursor: Cursor,
}

impl From<DebateRow> for Listed {
    fn from(row: DebateRow) -> Self {
        let ended = matches!(row.status, DebateStatus::Decided | DebateStatus::Undecided);
        let waits = row.status == DebateStatus::Waiting;
        Self { at: row.started, ended, waits, cursor: row.cursor(), row }
    }
}

/// How many debates are listed unless a client says.
const LISTED: usize = 100;

async fn debates(State(app): State<App>, RawQuery(query): RawQuery) -> Answered<Vec<Listed>> {
    let filter = filter(query.as_deref().unwrap_or_default())
        .map_err(|wrong| ApiError::new(StatusCode::BAD_REQUEST, wrong))?;
    let page = app.store.debates(&filter).await?;
    Ok(Json(page.debates.into_iter().map(Listed::from).collect()))
}

/// Which debates are asked for: `?status=…&question=…&after=…&limit=…`.
fn filter(query: &str) -> Result<DebateFilter, String> {
    let mut filter = DebateFilter { limit: LISTED, ..DebateFilter::default() };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "status" => filter.status = Some(value.parse()?),
            "question" => filter.question = Some(value.into_owned()),
            "after" => filter.after = Some(value.parse()?),
            "limit" => {
                let wrong = |_| format!("limit is {value:?}, not a number");
                filter.limit = value.parse().map_err(wrong)?;
            }
            _ => {
                return Err(format!(
                    "{name:?} is nothing to ask for; there are status, question, after and limit"
                ));
            }
        }
    }
    Ok(filter)
}

async fn breakpoints(State(app): State<App>) -> Answered<Vec<Waiting>> {
    let now = (app.clock)();
    let waiting = app.waiting().await?;
    Ok(Json(Waiting::list(waiting.iter(), now)))
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
    let id = DebateId::new(debate.as_str());
    if app.store.read(&StreamId::debate(&id), 0).await?.is_empty() {
        let message = format!("no debate is called {debate:?}; GET /api/debates lists them");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    }
    let engine = Engine::new(Arc::clone(&app.store)).clock(app.clock);
    engine.answer(&id, word.number, word.answer, word.note.as_deref()).await?;
    let next = format!("rebuttal resume {debate}");
    Ok(Json(json!({ "debate": debate, "answer": word.answer, "next": next })))
}

impl App {
    /// The debates that wait and can be read; the list has those that cannot.
    async fn waiting(&self) -> Result<Vec<debate::State>, ApiError> {
        let waiting = Some(DebateStatus::Waiting);
        let mut filter = DebateFilter { status: waiting, limit: LISTED, ..DebateFilter::default() };
        let mut found = Vec::new();
        loop {
            let page = self.store.debates(&filter).await?;
            for row in page.debates.iter().filter(|row| row.damage.is_none()) {
                let records = self.store.records(&StreamId::debate(&row.id)).await?;
                found.extend(debate::State::fold(&records));
            }
            match page.next {
                Some(next) => filter.after = Some(next),
                None => return Ok(found),
            }
        }
    }
}
