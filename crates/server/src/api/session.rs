//! Signing in with a browser: a token opens a session, whose cookie no script can read.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};

use super::Answered;
use crate::app::App;
use crate::auth::{self, Caller};

/// The form, which works without a script.
const FORM: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
    content=\"width=device-width\"><title>Rebuttal: sign in</title><style>body{font:16px/1.5 \
    system-ui,sans-serif;max-width:24rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}input,\
    button{font:inherit;width:100%;padding:.5rem;margin:.5rem 0;box-sizing:border-box}</style><h1>Sign \
    in</h1><form method=\"post\" action=\"/login\"><label for=\"token\">Token</label><input id=\"token\" \
    name=\"token\" type=\"password\" autocomplete=\"current-password\" required><button>Sign \
    in</button></form>NOTE<p>Whoever runs this server makes tokens with <code>rebuttal users \
    token</code>.</p>";

/// The form may be sent to this server alone.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

fn form(status: StatusCode, note: &str) -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)];
    (status, headers, FORM.replace("NOTE", note)).into_response()
}

pub(super) async fn page() -> Response {
    form(StatusCode::OK, "")
}

pub(super) async fn sign_in(State(app): State<Arc<App>>, body: Bytes) -> Answered {
    let token = form_urlencoded::parse(&body)
        .find_map(|(name, value)| (name == "token").then(|| value.into_owned()))
        .unwrap_or_default();
    let Some((secret, _)) = auth::sign_in(&app.store, &token, app.now()).await? else {
        app.rates.failed(app.now())?;
        return Ok(form(
            StatusCode::UNAUTHORIZED,
            "<p role=\"alert\">This token is not known, or has expired.</p>",
        ));
    };
    let cookie = auth::set_cookie(Some(&secret), app.options.transport);
    Ok(([(SET_COOKIE, cookie)], Redirect::to("/")).into_response())
}

pub(super) async fn sign_out(
    State(app): State<Arc<App>>,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
) -> Answered {
    if caller.is_some() {
        auth::sign_out(&app.store, &headers).await?;
    }
    let cookie = auth::set_cookie(None, app.options.transport);
    Ok(([(SET_COOKIE, cookie)], Redirect::to("/login")).into_response())
}
