//! Debates: asked for, listed, looked at, stopped, branched, counted again.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use rebuttal::debates::{DebateEntry, redecide as count_again};
use rebuttal::engine::debate::Waiting;
use rebuttal::jobs::{DebateRequest, SoFar, StandingWord};
use rebuttal::model::DebateId;
use rebuttal::receipt::Receipt;
use rebuttal::report::debate::{markdown, page};
use rebuttal::store::{Cursor, DebateFilter, DebateStatus, Wanted};
use rebuttal::texts::document;
use serde::Serialize;
use serde_json::{Value, json};

use super::query::{Query, body, body_or_default};
use super::{Answered, json as answer, value};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{CONFLICT, INVALID, Problem};

/// Most debates in one answer.
const LISTED: u32 = 1_000;

/// Where to go on from a debate.
fn links(id: &DebateId) -> Value {
    let at = format!("/api/debates/{id}");
    json!({
        "self": at, "events": format!("{at}/events"), "state": format!("{at}/state"),
        "report": format!("{at}/report"), "receipt": format!("{at}/receipt"),
    })
}

fn accepted(id: &DebateId, status: StatusCode, repeated: bool) -> Response {
    let document = json!({ "id": id, "repeated": repeated, "links": links(id) });
    let headers =
        [(CONTENT_TYPE, "application/json".to_owned()), (LOCATION, format!("/api/debates/{id}"))];
    (status, headers, document.to_string()).into_response()
}

pub(super) async fn start(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answered {
    let request: DebateRequest = body(&headers, &bytes)?;
    let key = match headers.get("idempotency-key") {
        None => None,
        Some(key) => Some(key.to_str().map_err(|_| {
            Problem::new(INVALID, "`Idempotency-Key` holds characters outside ASCII")
        })?),
    };
    let started = app.start(&caller, &request, key).await?;
    Ok(accepted(&started.id, StatusCode::ACCEPTED, started.repeated))
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let query = Query::of(&uri, &["status", "question", "after", "limit"])?;
    let filter = DebateFilter {
        status: query.parsed::<DebateStatus>("status")?,
        question: query.text("question").map(str::to_owned),
        after: query.parsed::<Cursor>("after")?,
        limit: query.limit(100, LISTED)? as usize,
        ..DebateFilter::default()
    };
    let is_first = filter.after.is_none() && filter.status.is_none() && filter.question.is_none();
    let page = app.list(&caller, filter).await?;
    let debates: Vec<DebateEntry<'_>> = page.debates.iter().map(DebateEntry::from).collect();
    let queued = if is_first { app.queued(&caller).await? } else { Vec::new() };
    let queued: Vec<Value> =
        queued.iter().map(|order| json!({ "id": order.debate, "at": order.at })).collect();
    answer(&json!({ "debates": debates, "next": page.next, "queued": queued }))
}

/// Where a debate stands.
#[derive(Debug, Serialize)]
struct Stands {
    id: DebateId,
    status: StandingWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    so_far: Option<SoFar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakpoint: Option<Waiting>,
    /// When it was asked for, if a server was.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<Timestamp>,
    /// What is wanted of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<Wanted>,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    links: Value,
}

pub(super) async fn one(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Answered {
    Query::of(&uri, &[])?;
    let (standing, order) = app.standing(&caller, &id).await?;
    let failed = order.as_ref().and_then(|order| order.failed.clone());
    let status = match (standing.word, &order, &failed) {
        (StandingWord::Unfinished, _, Some(_)) => StandingWord::Failed,
        (StandingWord::Unfinished, Some(order), None) if order.wanted == Wanted::Run => {
            StandingWord::Starting
        }
        (word, ..) => word,
    };
    answer(&Stands {
        id: standing.debate.clone(),
        status,
        so_far: standing.so_far,
        breakpoint: standing.breakpoint,
        asked: order.as_ref().map(|order| order.at),
        wanted: order.as_ref().map(|order| order.wanted),
        error: failed,
        links: links(&standing.debate),
    })
}

pub(super) async fn state(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Answered {
    let at = Query::of(&uri, &["at"])?.parsed("at")?;
    let (state, at) = app.state_at(&caller, &id, at).await?;
    let spec = state.spec();
    let standing = state.standing();
    value(&json!({
        "id": spec.id, "at": at, "spec": spec, "rounds": state.rounds.len(),
        "standing": standing, "breakpoints": state.steering.breakpoints,
        "interventions": state.steering.interventions, "analyses": state.steering.analyses,
        "spent": state.spent, "waits": state.paused.is_some(), "decision": state.decision,
    }))
}

pub(super) async fn report(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Answered {
    let query = Query::of(&uri, &["format"])?;
    let debate = app.debate(&caller, &id).await?;
    let (kind, extension, text) = match query.text("format").unwrap_or("html") {
        "html" => (
            "text/html; charset=utf-8",
            "html",
            page(&debate.state, &debate.records).stand_alone().into_string(),
        ),
        "md" => ("text/markdown; charset=utf-8", "md", markdown(&debate.state, &debate.records)),
        "json" => {
            let whole = debate.document().ok_or_else(|| {
                Problem::new(CONFLICT, format!("{id} has not ended"))
                    .hint(format!("GET /api/debates/{id}/state has it so far"))
            })?;
            ("application/json", "json", document(&whole)?.to_string())
        }
        _ => return Err(Problem::new(INVALID, "`format` is none of html, md and json")),
    };
    let name = format!("inline; filename=\"{}.{extension}\"", debate.id());
    Ok(([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)], text).into_response())
}

pub(super) async fn receipt(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Answered {
    Query::of(&uri, &[])?;
    let debate = app.debate(&caller, &id).await?;
    let receipt = debate.records.last().and_then(|last| Receipt::new(&debate.state, last));
    let receipt = receipt.ok_or_else(|| Problem::new(CONFLICT, format!("{id} has not ended")))?;
    answer(&receipt)
}

pub(super) async fn pause(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Answered {
    let debate = app.want(&caller, &id, Wanted::Pause).await?;
    Ok(accepted(&debate, StatusCode::ACCEPTED, false))
}

pub(super) async fn resume(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Answered {
    let debate = app.want(&caller, &id, Wanted::Run).await?;
    Ok(accepted(&debate, StatusCode::ACCEPTED, false))
}

pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Answered {
    let debate = app.want(&caller, &id, Wanted::Stop).await?;
    Ok(accepted(&debate, StatusCode::ACCEPTED, false))
}

pub(super) async fn fork(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answered {
    let asked = body_or_default(&headers, &bytes)?;
    let branch = app.fork(&caller, &id, asked).await?;
    Ok(accepted(&branch, StatusCode::ACCEPTED, false))
}

pub(super) async fn redecide(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Answered {
    let debate = app.debate(&caller, &id).await?;
    value(&document(&count_again(&debate.state))?)
}
