//! Who may ask: programs on this machine, and pages that this server itself gave out.
//!
//! A page of another site in a browser on this machine can send requests here. By its `Host` one that
//! was led here by a forged name is known, by `Sec-Fetch-Site` or `Origin` one that says where it
//! comes from; neither is answered.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{CACHE_CONTROL, HOST, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};

use crate::trouble::Trouble;

/// Longest body that is read: a note of some pages.
const BODY_BYTES: usize = 64 * 1024;
/// Longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The routes, behind what every request has to pass.
pub(crate) fn guarded(routes: Router, port: u16) -> Router {
    let check = move |request: Request, next: Next| async move {
        match refused(request.headers(), port) {
            Some(trouble) => trouble.into_response(),
            None => timed(request, next).await,
        }
    };
    routes.layer(DefaultBodyLimit::max(BODY_BYTES)).layer(from_fn(check))
}

async fn timed(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(PATIENCE, next.run(request)).await;
    let mut response = answered.unwrap_or_else(|_| {
        let message = format!("no answer within {} s; try again", PATIENCE.as_secs());
        Trouble::new(StatusCode::SERVICE_UNAVAILABLE, message).into_response()
    });
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Why a request is not answered, if it is not.
fn refused(headers: &HeaderMap, port: u16) -> Option<Trouble> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let own = |host: &str| {
        let (name, at) = host.rsplit_once(':').unwrap_or((host, ""));
        let named = matches!(name, "127.0.0.1" | "localhost" | "[::1]");
        named && at.parse() == Ok(port)
    };
    if !text(HOST).is_some_and(own) {
        let message = format!("this server is called 127.0.0.1:{port} or localhost:{port}");
        return Some(Trouble::new(StatusCode::MISDIRECTED_REQUEST, message));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let origin = text(ORIGIN).map(|origin| origin.strip_prefix("http://").is_some_and(own));
    let foreign = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    (foreign || origin == Some(false))
        .then(|| Trouble::new(StatusCode::FORBIDDEN, "pages of other sites get no answer here"))
}
