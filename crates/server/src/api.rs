//! The HTTP API: each handler reads what was sent, calls a function, and writes what it gave.

mod breakpoints;
mod chat;
mod debates;
mod events;
mod ledger;
pub(crate) mod openapi;
mod operations;
mod query;
mod session;
mod texts;

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::problem::{METHOD, NOT_FOUND, Problem};

/// What a handler answers.
type Answered<T = Response> = Result<T, Problem>;

/// Where things are.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/debates", get(debates::list).post(debates::start))
        .route("/api/debates/{id}", get(debates::one))
        .route("/api/debates/{id}/events", get(events::events))
        .route("/api/debates/{id}/state", get(debates::state))
        .route("/api/debates/{id}/report", get(debates::report))
        .route("/api/debates/{id}/receipt", get(debates::receipt))
        .route("/api/debates/{id}/pause", post(debates::pause))
        .route("/api/debates/{id}/resume", post(debates::resume))
        .route("/api/debates/{id}/cancel", post(debates::cancel))
        .route("/api/debates/{id}/fork", post(debates::fork))
        .route("/api/debates/{id}/redecide", post(debates::redecide))
        .route("/api/breakpoints", get(breakpoints::list))
        .route("/api/breakpoints/{id}", get(breakpoints::one).post(breakpoints::answer))
        .route("/api/agents", get(ledger::agents))
        .route("/api/agents/{name}", get(ledger::agent))
        .route("/api/flips", get(ledger::flips))
        .route("/api/flips/summary", get(ledger::summary))
        .route("/api/positions", get(ledger::positions))
        .route("/api/claims/contested", get(ledger::contested))
        .route("/api/quality", get(ledger::quality))
        .route("/api/reconcile", post(texts::reconcile))
        .route("/api/audit", post(texts::audit))
        .route("/api/rubric", post(texts::rubric))
        .route("/api/compare", post(texts::compare))
        .route("/v1/models", get(chat::models))
        .route("/v1/chat/completions", post(chat::completions))
        .route("/login", get(session::page).post(session::sign_in))
        .route("/logout", post(session::sign_out))
        .route("/health", get(operations::health))
        .route("/ready", get(operations::ready))
        .route("/metrics", get(operations::metrics))
        .route("/openapi.json", get(openapi::document))
        .route("/docs/api", get(openapi::page))
        .route("/docs/errors/{code}", get(operations::error_page))
}

/// What is not there, and what is not there by this method.
pub(crate) async fn not_found() -> Problem {
    Problem::new(NOT_FOUND, "nothing is here").hint("/openapi.json lists what there is")
}

pub(crate) async fn method_not_allowed() -> Problem {
    Problem::new(METHOD, "not by this method").hint("/openapi.json lists what there is")
}

/// An answer of the library as JSON.
fn json<T: Serialize>(answer: &T) -> Answered {
    let document = serde_json::to_vec(answer).map_err(rebuttal::Error::from)?;
    let kind = [(axum::http::header::CONTENT_TYPE, "application/json")];
    Ok((kind, document).into_response())
}

/// A value as JSON.
fn value(value: &Value) -> Answered {
    json(value)
}
