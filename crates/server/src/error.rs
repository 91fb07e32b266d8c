//! What a client is told when it cannot have what it asked for.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rebuttal_engine::debate::{AnswerError, RunError};
use serde_json::json;

/// A status and a sentence.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

impl From<rebuttal_store::Error> for ApiError {
    /// A client learns whether to try again, not where the database is or what its engine said.
    fn from(error: rebuttal_store::Error) -> Self {
        if error.is_leased() {
            let message =
                "somebody else runs this debate or answers for it now; ask again how it stands";
            return Self::new(StatusCode::CONFLICT, message);
        }
        if error.is_conflict() {
            let message = "somebody else wrote to this debate first; ask again how it stands";
            return Self::new(StatusCode::CONFLICT, message);
        }
        if error.is_retryable() {
            let message = "the database is busy or cannot be reached; try again";
            return Self::new(StatusCode::SERVICE_UNAVAILABLE, message);
        }
        let message =
            "the database cannot be read or written; `rebuttal db verify` says what is wrong";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<RunError> for ApiError {
    fn from(error: RunError) -> Self {
        let status = match error {
            RunError::Journal(error) => return error.into(),
            RunError::Answer(AnswerError::NoWords(_) | AnswerError::TooLong(_)) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            RunError::Answer(_) => StatusCode::CONFLICT,
            RunError::Fold(_) => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}
