//! Debates that wait for a person, and the answer.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use serde_json::json;

use super::query::{Query, body};
use super::{Answered, json as answered, value};
use crate::app::{Answering, App};
use crate::auth::Caller;

pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    Query::of(&uri, &[])?;
    answered(&app.waiting(&caller).await?)
}

pub(super) async fn one(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Answered {
    Query::of(&uri, &[])?;
    answered(&app.waits_at(&caller, &id).await?)
}

pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answered {
    let answering: Answering = body(&headers, &bytes)?;
    let debate = app.answer(&caller, &id, &answering).await?;
    value(
        &json!({ "debate": debate, "answer": answering.answer, "next": format!("/api/debates/{debate}") }),
    )
}
