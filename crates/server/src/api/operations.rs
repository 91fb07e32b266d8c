//! What operators and their tools ask: does it live, is it ready, what did it count, what does an error mean.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse as _;
use rebuttal::store::{DebateFilter, Scope};
use serde_json::json;

use super::{Answered, value};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{BUSY, CODES, NOT_FOUND, Problem};

/// It answers, so it lives.
pub(super) async fn health() -> Answered {
    value(&json!({ "ok": true }))
}

/// Whether it can do its work: the database answers, and it is not about to stop.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Answered {
    if *app.stopping.borrow() {
        return Err(Problem::new(BUSY, "the server is about to stop"));
    }
    app.store.debates(&DebateFilter { limit: 1, ..DebateFilter::default() }).await?;
    value(&json!({ "ready": true, "running": app.jobs.running().len(), "free": app.jobs.free() }))
}

/// What it counted, for Prometheus.
pub(super) async fn metrics(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    caller.needs(Scope::Admin)?;
    let text = app.metrics.text(app.jobs.running().len(), app.jobs.free());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// The page about an error code, in Markdown.
pub(super) async fn error_page(Path(name): Path<String>) -> Answered {
    let found = CODES.iter().find(|code| code.name == name);
    let code = found.ok_or_else(|| {
        let names: Vec<&str> = CODES.iter().map(|code| code.name).collect();
        Problem::new(NOT_FOUND, "there is no such code")
            .hint(format!("there are {}", names.join(", ")))
    })?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], code.page).into_response())
}
