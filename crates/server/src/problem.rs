//! What a client is told when it cannot have what it asked for: a problem document (RFC 9457) with a code that
//! stays the same, and a page that says more.
//!
//! Nothing internal is told: no SQL, no path of this machine, no answer of a model's server.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rebuttal::engine::debate::{AnswerError, RunError};
use rebuttal::{Error, ErrorKind};
use serde_json::json;

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// Its name, which stays the same.
    pub(crate) name: &'static str,
    /// The status it is told with.
    pub(crate) status: StatusCode,
    /// What it means, in a few words.
    pub(crate) title: &'static str,
    /// The page about it.
    pub(crate) page: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $status:ident, $title:literal;)+) => {
        $($(#[$doc])* pub(crate) const $code: Code = Code {
            name: $name,
            status: StatusCode::$status,
            title: $title,
            page: include_str!(concat!("../../../docs/errors/", $name, ".md")),
        };)+

        /// All codes there are.
        pub(crate) const CODES: &[Code] = &[$($code),+];
    };
}

codes! {
    /// The request is not what HTTP or JSON allows.
    MALFORMED = "malformed", BAD_REQUEST, "The request cannot be read";
    /// A field has a value that it cannot have.
    INVALID = "invalid", UNPROCESSABLE_ENTITY, "A field cannot have this value";
    /// A text holds nothing that can be read.
    UNREADABLE = "unreadable", UNPROCESSABLE_ENTITY, "The text cannot be read";
    /// An idempotency key was used for another request.
    KEY_REUSED = "key-reused", UNPROCESSABLE_ENTITY, "The Idempotency-Key stands for another request";
    /// No token or session came with the request.
    UNAUTHENTICATED = "unauthenticated", UNAUTHORIZED, "Nobody is signed in";
    /// The token does not allow it, or a page of another site asks.
    FORBIDDEN = "forbidden", FORBIDDEN, "This is not allowed";
    /// Nothing is there, or nothing that this user may see.
    NOT_FOUND = "not-found", NOT_FOUND, "Nothing is here";
    /// There is something, but not by this method.
    METHOD = "method", METHOD_NOT_ALLOWED, "Not by this method";
    /// The body did not arrive in time.
    TIMEOUT = "timeout", REQUEST_TIMEOUT, "The request took too long";
    /// Things have moved on.
    CONFLICT = "conflict", CONFLICT, "Things have moved on";
    /// The body is too long.
    TOO_LARGE = "too-large", PAYLOAD_TOO_LARGE, "The request is too large";
    /// The body is no JSON.
    MEDIA_TYPE = "media-type", UNSUPPORTED_MEDIA_TYPE, "The body is of another type";
    /// The request is meant for another server.
    WRONG_HOST = "wrong-host", MISDIRECTED_REQUEST, "This server has another name";
    /// This client asks too often.
    RATE = "rate", TOO_MANY_REQUESTS, "Too many requests";
    /// What may be spent is spent.
    BUDGET = "budget", TOO_MANY_REQUESTS, "The budget is spent";
    /// As much is going on as may go on.
    BUSY = "busy", SERVICE_UNAVAILABLE, "The server is busy";
    /// The database cannot be reached right now.
    DATABASE_AWAY = "database-away", SERVICE_UNAVAILABLE, "The database cannot be reached";
    /// The disk is full.
    STORE_FULL = "store-full", INSUFFICIENT_STORAGE, "There is no space left";
    /// What is stored cannot be read.
    DATABASE = "database", INTERNAL_SERVER_ERROR, "The database cannot be read";
    /// A mistake in this program.
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "The server made a mistake";
}

/// A code and a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) detail: String,
    hint: Option<String>,
    retry: Option<u64>,
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        let retry = (code.status == StatusCode::SERVICE_UNAVAILABLE).then_some(2);
        Self { code, detail: detail.into(), hint: None, retry }
    }

    /// Adds what to try.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says after how many seconds to try again.
    pub(crate) fn retry(mut self, seconds: u64) -> Self {
        self.retry = Some(seconds);
        self
    }

    /// Nothing of this name, or nothing that the caller may see.
    pub(crate) fn no_debate(id: &str) -> Self {
        let id: String = id.chars().take(100).collect();
        Self::new(NOT_FOUND, format!("no debate is called {id:?}"))
            .hint("GET /api/debates lists them")
    }

    /// What is wrong and what to try, for a person.
    pub(crate) fn words(&self) -> String {
        let hint = self.hint.as_deref().map(|hint| format!(" ({hint})"));
        format!("{}{}", self.detail, hint.unwrap_or_default())
    }

    /// The document.
    pub(crate) fn document(&self) -> serde_json::Value {
        let Code { name, status, title, .. } = self.code;
        let mut document = json!({
            "type": format!("/docs/errors/{name}"), "code": name, "title": title,
            "status": status.as_u16(), "detail": self.detail,
        });
        if let (Some(hint), Some(document)) = (&self.hint, document.as_object_mut()) {
            document.insert("hint".to_owned(), json!(hint));
        }
        document
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.document().to_string();
        let json = HeaderValue::from_static("application/problem+json");
        let mut response = (self.code.status, [(CONTENT_TYPE, json)], body).into_response();
        if let Some(seconds) = self.retry {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.code == UNAUTHENTICATED {
            let how = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(axum::http::header::WWW_AUTHENTICATE, how);
        }
        response
    }
}

impl From<rebuttal::store::Error> for Problem {
    /// A client learns whether to try again, not where the database is or what its engine said.
    fn from(error: rebuttal::store::Error) -> Self {
        Self::of_store(&error)
    }
}

impl Problem {
    fn of_store(error: &rebuttal::store::Error) -> Self {
        if error.is_leased() {
            let message =
                "somebody else runs this debate or answers for it now; ask again how it stands";
            return Self::new(CONFLICT, message);
        }
        if error.is_conflict() {
            let message = "somebody else wrote to this debate first; ask again how it stands";
            return Self::new(CONFLICT, message);
        }
        if error.is_retryable() {
            let message = "the database is busy or cannot be reached; try again";
            return Self::new(DATABASE_AWAY, message);
        }
        if error.is_full() {
            let message =
                "nothing can be written until there is space again; what was stored before is safe";
            return Self::new(STORE_FULL, message);
        }
        let message =
            "the database cannot be read or written; `rebuttal db verify` says what is wrong";
        Self::new(DATABASE, message)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        if let Some(store) = error.find() {
            return Self::of_store(store);
        }
        let code = match (error.of_answer(), error.find::<RunError>()) {
            (Some(AnswerError::NoWords(_) | AnswerError::TooLong(_)), _) => INVALID,
            (Some(_), _) => CONFLICT,
            (None, Some(RunError::Fold(_))) => NOT_FOUND,
            _ => match error.kind() {
                ErrorKind::NoEvidence
                | ErrorKind::Argument
                | ErrorKind::Config
                | ErrorKind::Agent
                | ErrorKind::Debate => INVALID,
                ErrorKind::Text => UNREADABLE,
                ErrorKind::Missing => NOT_FOUND,
                ErrorKind::Budget => BUDGET,
                ErrorKind::Busy => BUSY,
                _ => INTERNAL,
            },
        };
        if code == INTERNAL {
            tracing::error!(error = %error.whole(), "a request failed");
            return Self::new(INTERNAL, "the server made a mistake; its log says more");
        }
        let hint = error.what_to_try().map(str::to_owned);
        Self { hint, ..Self::new(code, error.whole()) }
    }
}
