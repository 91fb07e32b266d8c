//! What a client is told when it cannot have what it asked for.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rebuttal_engine::debate::{AnswerError, RunError};
use serde_json::json;

/// A status and a sentence.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Trouble {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

impl From<rebuttal_store::Error> for Trouble {
    fn from(error: rebuttal_store::Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        let status = match &error {
            RunError::Answer(AnswerError::NoWords(_) | AnswerError::TooLong(_)) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            RunError::Answer(_) => StatusCode::CONFLICT,
            RunError::Fold(_) => StatusCode::NOT_FOUND,
            RunError::Journal(_) | RunError::Empty(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}
