//! Who may ask: programs on this machine, and pages that this server itself gave out.
//!
//! A page of another site in a browser on this machine can send requests here. By its `Host` one that
//! was led here by a forged name is known, by `Sec-Fetch-Site` or `Origin` one that says where it
//! comes from; neither is answered. A request that names its host twice, or in its first line as well,
//! is refused: a proxy and this server could read it differently.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};

use crate::Limits;
use crate::connections::Activity;
use crate::error::ApiError;

/// What every answer says to a browser: take it as what it is called, keep it nowhere, show it in no
/// frame, load nothing for it.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// The routes, behind what every request has to pass.
pub(crate) fn guarded(routes: Router, port: u16, limits: Limits) -> Router {
    let check = move |request: Request, next: Next| async move {
        let answered = match refused(&request, port) {
            Some(refusal) => Err(refusal),
            None => answered(request, next, limits).await,
        };
        let mut response = answered.unwrap_or_else(IntoResponse::into_response);
        response.headers_mut().extend(HEADERS);
        response
    };
    routes.layer(from_fn(check))
}

/// Reads the whole body, then has the answer made. While the body is on its way the connection counts
/// as waiting for its client, and may be closed in favour of another.
async fn answered(request: Request, next: Next, limits: Limits) -> Result<Response, ApiError> {
    let (head, body) = request.into_parts();
    let read = tokio::time::timeout(limits.body, to_bytes(body, limits.body_bytes)).await;
    let read = read.map_err(|_| {
        let message = format!("the body did not arrive within {} s", limits.body.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
    })?;
    let bytes = read.map_err(|_| {
        let message =
            format!("the body is longer than {} bytes, or was broken off", limits.body_bytes);
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    })?;
    let _busy = head.extensions.get::<Activity>().map(Activity::busy);
    let request = Request::from_parts(head, Body::from(bytes));
    tokio::time::timeout(limits.answer, next.run(request)).await.map_err(|_| {
        let message = format!("no answer within {} s; try again", limits.answer.as_secs());
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })
}

/// Why a request is not answered, if it is not.
fn refused(request: &Request, port: u16) -> Option<ApiError> {
    let headers = request.headers();
    if request.uri().authority().is_some() {
        let message = "this server is no proxy: send the path alone, and the host in `Host`";
        return Some(ApiError::new(StatusCode::BAD_REQUEST, message));
    }
    let own = |host: &str| {
        let (name, at) = host.rsplit_once(':').unwrap_or((host, ""));
        let named = matches!(name, "127.0.0.1" | "localhost" | "[::1]");
        named && at.parse() == Ok(port)
    };
    match values(headers, HOST).as_slice() {
        [host] if own(host) => {}
        [_, _, ..] => {
            let message = "the request has more than one `Host`";
            return Some(ApiError::new(StatusCode::BAD_REQUEST, message));
        }
        _ => {
            let message = format!("this server is called 127.0.0.1:{port} or localhost:{port}");
            return Some(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
    }
    let sites = values(headers, HeaderName::from_static("sec-fetch-site"));
    let origins = values(headers, ORIGIN);
    let foreign = sites.iter().any(|site| !matches!(*site, "same-origin" | "none"))
        || origins.iter().any(|origin| !origin.strip_prefix("http://").is_some_and(own));
    foreign.then(|| ApiError::new(StatusCode::FORBIDDEN, "pages of other sites get no answer here"))
}

/// Every value of a header; one that is no text is `?`.
fn values(headers: &HeaderMap, name: HeaderName) -> Vec<&str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?")).collect()
}
