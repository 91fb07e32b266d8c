//! The document as a page, to read.

use std::fmt::Write as _;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse as _;
use serde_json::Value;

use super::super::Answered;
use super::operations::{Body, OPERATIONS, Operation};
use super::parameters::parameter;
use super::schemas::schemas;
use crate::problem::CODES;

/// The document to read, without a script.
pub(crate) async fn page() -> Answered {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Rebuttal: the API</title><style>body{font:16px/1.5 \
         system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
         code{font-size:.95em}section{border-top:1px solid;padding:.5rem 0}</style><h1>Rebuttal: the \
         API</h1><p>For programs: <a href=\"/openapi.json\">/openapi.json</a>. Errors are problem \
         documents with a code:",
    );
    for code in CODES {
        write!(page, " <a href=\"/docs/errors/{0}\">{0}</a>", code.name).ok();
    }
    page.push_str("</p>");
    for operation in OPERATIONS {
        section(&mut page, operation);
    }
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, page).into_response())
}

/// One operation.
fn section(page: &mut String, operation: &Operation) {
    let (status, media, holds) = operation.good;
    write!(
        page,
        "<section><h2><code>{} {}</code></h2><p>{}. Scope: {}.</p><p>{status} <code>{media}</code>: {}</p>",
        operation.method.to_uppercase(), operation.path, operation.summary, operation.scope, marked(holds)
    )
    .ok();
    if !operation.parameters.is_empty() {
        page.push_str("<ul>");
        for parameter in operation.parameters.iter().map(|name| parameter(name)) {
            let text = |name: &str| {
                parameter.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            write!(
                page,
                "<li><code>{}</code> ({}): {}</li>",
                text("name"),
                text("in"),
                marked(&text("description"))
            )
            .ok();
        }
        page.push_str("</ul>");
    }
    if let Body::Json(name) | Body::Optional(name) = operation.body {
        let schemas = schemas();
        let schema = schemas.get(name).map(Value::to_string).unwrap_or_default();
        write!(
            page,
            "<p>Body: <code>{}</code></p>",
            schema.replace('&', "&amp;").replace('<', "&lt;")
        )
        .ok();
    }
    page.push_str("</section>");
}

/// Backticks as code. The texts are this file's own.
fn marked(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces
        .map(
            |(at, piece)| {
                if at % 2 == 1 { format!("<code>{piece}</code>") } else { piece.to_owned() }
            },
        )
        .collect()
}
