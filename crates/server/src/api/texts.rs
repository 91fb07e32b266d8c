//! Texts that a client sends: audited, reconciled, put to the rubric, compared.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Uri};
use axum::response::IntoResponse as _;
use rebuttal::model::{Method, Severity};
use rebuttal::texts::{
    AuditAs, Sent, Told, audit_as, check_rubric, compare_pair, find_contradictions, format_named,
};
use serde::Deserialize;

use super::query::{Query, body};
use super::{Answered, value};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{INVALID, Problem};

/// Longest name of a file, in characters.
const NAME_CHARS: usize = 200;

/// What an upload is called, and what it is.
fn sent(query: &Query, bytes: &Bytes) -> Result<Sent, Problem> {
    let name = query.text("name").unwrap_or("text");
    if name.is_empty() || name.chars().count() > NAME_CHARS {
        let message = format!("`name` is empty, or longer than {NAME_CHARS} characters");
        return Err(Problem::new(INVALID, message));
    }
    let from = query.text("from").map(format_named).transpose()?;
    Ok(Sent { name: name.to_owned(), bytes: bytes.to_vec(), from })
}

fn method(query: &Query) -> Result<Method, Problem> {
    Ok(query.word("method")?.unwrap_or(Method::Model))
}

pub(super) async fn audit(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    bytes: Bytes,
) -> Answered {
    let known = ["name", "from", "method", "min_severity", "limit", "format"];
    let query = Query::of(&uri, &known)?;
    let told = Told {
        min_severity: query.word("min_severity")?.unwrap_or(Severity::Info),
        limit: query.limit(50, 500)? as usize,
    };
    let form = query.text("format").unwrap_or("json");
    let form = AuditAs::named(form).ok_or_else(|| {
        Problem::new(INVALID, "`format` is none of json, html, md, sarif and junit")
    })?;
    let sent = sent(&query, &bytes)?;
    let written = app.judge(&caller, method(&query)?, move |analyzer, config| {
        audit_as(&sent, told, form, analyzer, config)
    });
    Ok(([(CONTENT_TYPE, form.media_type())], written.await?).into_response())
}

pub(super) async fn reconcile(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    bytes: Bytes,
) -> Answered {
    let query = Query::of(&uri, &["name", "from", "method", "tolerance"])?;
    let tolerance = query.parsed::<f64>("tolerance")?;
    let sent = sent(&query, &bytes)?;
    let found = app.judge(&caller, method(&query)?, move |analyzer, config| {
        find_contradictions(&sent, tolerance, &analyzer, config)
    });
    value(&found.await?)
}

pub(super) async fn rubric(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    bytes: Bytes,
) -> Answered {
    let query = Query::of(&uri, &["name", "from", "method"])?;
    let sent = sent(&query, &bytes)?;
    let answers =
        app.judge(&caller, method(&query)?, move |analyzer, _| check_rubric(&sent, &analyzer));
    value(&answers.await?)
}

/// Two statements.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    a: String,
    b: String,
    #[serde(default)]
    method: Option<Method>,
}

pub(super) async fn compare(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answered {
    let pair: Pair = body(&headers, &bytes)?;
    let method = pair.method.unwrap_or(Method::Model);
    let compared =
        app.judge(&caller, method, move |analyzer, _| compare_pair(&pair.a, &pair.b, &analyzer));
    value(&compared.await?)
}
