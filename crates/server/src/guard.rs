//! What every request passes before it reaches a handler: which host it is meant for, which page sent it, how
//! large it is, who asks; and what every answer says to a browser.
//!
//! A page of another site in a browser can send requests here. By its `Host` one that was led here by a forged
//! name is known, by `Sec-Fetch-Site` or `Origin` one that says where it comes from; neither is answered. A
//! request that names its host twice, or in its first line as well, is refused: a proxy and this server could
//! read it differently.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Redirect, Response};
use tokio::time::{Instant, timeout};

use crate::app::App;
use crate::auth::{self, Auth, Caller};
use crate::connections::Activity;
use crate::problem::{
    BUSY, FORBIDDEN, MALFORMED, Problem, TIMEOUT, TOO_LARGE, UNAUTHENTICATED, WRONG_HOST,
};

/// What every answer says to a browser unless a page says otherwise: take it as what it is called, keep it
/// nowhere, show it in no frame, load nothing for it.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
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
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// The paths that everybody may see: nothing in them is anybody's.
const PUBLIC: [&str; 4] = ["/health", "/ready", "/openapi.json", "/login"];

/// What paths begin with that everybody may see.
const PUBLIC_UNDER: [&str; 2] = ["/docs/", "/assets/"];

/// Paths that take whole files.
const UPLOADS: [&str; 3] = ["/api/audit", "/api/reconcile", "/api/rubric"];

/// Paths whose answer takes as long as a debate.
const LONG: [&str; 1] = ["/v1/chat/completions"];

/// Longest that such an answer may take.
const LONGEST: Duration = Duration::from_secs(605);

/// Under which names the server is reached.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    own: Vec<String>,
    /// Whether other names are refused: not where a network, a proxy or a container gives them.
    others: Others,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    Refused,
    Allowed,
}

impl Hosts {
    /// The names of a server on this address, with those an operator gives.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Self {
        let port = address.port();
        let mut own: Vec<String> = names.to_vec();
        if address.ip().is_loopback() {
            own.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")));
        } else {
            own.push(address.to_string());
        }
        let open = !address.ip().is_loopback() && names.is_empty();
        Self { own, others: if open { Others::Allowed } else { Others::Refused } }
    }

    fn is_own(&self, host: &str) -> bool {
        self.others == Others::Allowed || self.own.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// The routes, behind what every request has to pass.
pub(crate) fn guarded(routes: Router, app: Arc<App>, hosts: Hosts) -> Router {
    let check = move |request: Request, next: Next| {
        let (app, hosts) = (Arc::clone(&app), hosts.clone());
        async move {
            let began = Instant::now();
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            let answered = match refused(&request, &hosts) {
                Some(refusal) => Err(refusal),
                None => answered(request, next, &app).await,
            };
            let mut response = answered.unwrap_or_else(IntoResponse::into_response);
            for (name, value) in HEADERS {
                response.headers_mut().entry(name).or_insert(value);
            }
            let (status, took) = (response.status(), began.elapsed());
            app.metrics.answered(status, took);
            let (status, micros) = (status.as_u16(), took.as_micros());
            tracing::info!(%method, path, status, micros, "answered");
            response
        }
    };
    routes.layer(from_fn(check))
}

/// Finds out who asks, reads the whole body, and has the answer made. While the body is on its way the
/// connection counts as waiting for its client, and may be closed in favour of another.
async fn answered(request: Request, next: Next, app: &Arc<App>) -> Result<Response, Problem> {
    let limits = app.options.limits;
    let (mut head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let caller = match caller(app, &head.headers, &path).await {
        Ok(caller) => caller,
        Err(problem)
            if problem.code == UNAUTHENTICATED && wants_page(&head.method, &head.headers) =>
        {
            return Ok(Redirect::to("/login").into_response());
        }
        Err(problem) => return Err(problem),
    };
    let (most, time) = if UPLOADS.contains(&path.as_str()) || path.starts_with("/upload") {
        (limits.upload_bytes, limits.upload)
    } else {
        (limits.body_bytes, limits.body)
    };
    let read = timeout(time, to_bytes(body, most)).await.map_err(|_| {
        let message = format!("the body did not arrive within {} s", time.as_secs());
        Problem::new(TIMEOUT, message)
    })?;
    let bytes = read.map_err(|_| {
        let message = format!("the body is longer than {most} bytes, or was broken off");
        Problem::new(TOO_LARGE, message)
    })?;
    if let Some(caller) = caller {
        let sent = head.headers.get("x-csrf-token").and_then(|sent| sent.to_str().ok());
        let of_form = csrf_field(&head.headers, &bytes);
        // A browser says where a form comes from; from elsewhere, it was refused above.
        let from_own_page = head.headers.contains_key(ORIGIN);
        if !from_own_page {
            auth::check_csrf(&caller, &head.method, sent.or(of_form.as_deref()))?;
        }
        head.extensions.insert(caller);
    }
    let _busy = head.extensions.get::<Activity>().map(Activity::busy);
    let answer = if LONG.contains(&path.as_str()) { LONGEST } else { limits.answer };
    let request = Request::from_parts(head, Body::from(bytes));
    timeout(answer, next.run(request)).await.map_err(|_| {
        let message = format!("no answer within {} s; try again", answer.as_secs());
        Problem::new(BUSY, message)
    })
}

/// Who asks; nobody where everybody may look.
async fn caller(
    app: &Arc<App>,
    headers: &HeaderMap,
    path: &str,
) -> Result<Option<Caller>, Problem> {
    let public = PUBLIC.contains(&path) || PUBLIC_UNDER.iter().any(|under| path.starts_with(under));
    match auth::caller(app.options.auth, &app.store, headers, app.now()).await {
        Ok(caller) => {
            if !public && app.options.auth == Auth::Required {
                app.rates.count(&caller.name, app.now(), app.options.limits.requests_a_minute)?;
            }
            Ok(Some(caller))
        }
        Err(_) if public => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Whether a browser asks for a page.
fn wants_page(method: &Method, headers: &HeaderMap) -> bool {
    let accepts = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    *method == Method::GET && accepts.is_some_and(|accept| accept.contains("text/html"))
}

/// The page's token in a form that was sent without a script.
fn csrf_field(headers: &HeaderMap, body: &Bytes) -> Option<String> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return None;
    }
    form_urlencoded::parse(body)
        .find_map(|(name, value)| (name == "csrf").then(|| value.into_owned()))
}

/// Why a request is not answered, if it is not.
fn refused(request: &Request, hosts: &Hosts) -> Option<Problem> {
    let headers = request.headers();
    if request.uri().authority().is_some() {
        let message = "this server is no proxy: send the path alone, and the host in `Host`";
        return Some(Problem::new(MALFORMED, message));
    }
    let host = match values(headers, HOST).as_slice() {
        [host] if hosts.is_own(host) => (*host).to_owned(),
        [_, _, ..] => {
            return Some(Problem::new(MALFORMED, "the request has more than one `Host`"));
        }
        _ => {
            let message = format!("this server is called {}", hosts.own.join(" or "));
            return Some(Problem::new(WRONG_HOST, message));
        }
    };
    let from_here = |origin: &str| {
        let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        named.is_some_and(|named| {
            named.eq_ignore_ascii_case(&host)
                || (hosts.others == Others::Refused && hosts.is_own(named))
        })
    };
    let sites = values(headers, HeaderName::from_static("sec-fetch-site"));
    let origins = values(headers, ORIGIN);
    // Without a referrer a browser hides the origin of a page's own forms, and says beside it that they
    // are from here; no script can set that header.
    let own_form = |origin: &str| origin == "null" && sites.contains(&"same-origin");
    let foreign = sites.iter().any(|site| !matches!(*site, "same-origin" | "none"))
        || origins.iter().any(|origin| !from_here(origin) && !own_form(origin));
    foreign.then(|| Problem::new(FORBIDDEN, "pages of other sites get no answer here"))
}

/// Every value of a header; one that is no text is `?`.
fn values(headers: &HeaderMap, name: HeaderName) -> Vec<&str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?")).collect()
}
