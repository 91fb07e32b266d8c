//! The page for people: every view is made by `rebuttal-report`, here requests are read and values
//! fetched. Forms work without a script; scripts come from this server alone.

mod assets;
mod debate;
mod form;
mod home;
mod labels;
mod ledger;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use rebuttal::report::{Page, Site, site};
use rebuttal::store::{DebateFilter, DebateStatus};

use crate::app::App;
use crate::auth::Caller;
use crate::problem::Problem;

/// What a browser may do on these pages: load from this server, send forms to it, and nothing else.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// All pages.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home::page))
        .route("/debates", post(home::ask))
        .route("/example", post(home::example))
        .route("/debates/{id}", get(debate::page))
        .route("/debates/{id}/redecide", get(debate::redecide))
        .route("/debates/{id}/fork", post(debate::fork))
        .route("/debates/{id}/pause", post(debate::pause))
        .route("/debates/{id}/cancel", post(debate::cancel))
        .route("/debates/{id}/resume", post(debate::resume))
        .route("/debates/{id}/{file}", get(debate::download))
        .route("/breakpoints", get(debate::breakpoints))
        .route("/breakpoints/{id}", post(debate::answer))
        .route("/agents", get(ledger::agents))
        .route("/agents/{name}", get(ledger::agent))
        .route("/flips", get(ledger::flips))
        .route("/claims", get(ledger::claims))
        .route("/quality", get(ledger::quality))
        .route("/audit", get(upload::audit_form))
        .route("/reconcile", get(upload::reconcile_form))
        .route("/labels", post(labels::add))
        .route("/labels/{file}", get(labels::rows))
        .route("/assets/{file}", get(assets::file))
        .merge(uploads())
}

/// Where files go. How large they may be is checked before a handler is reached.
fn uploads() -> Router<Arc<App>> {
    Router::new()
        .route("/upload/audit", post(upload::audit))
        .route("/upload/reconcile", post(upload::reconcile))
        .layer(DefaultBodyLimit::disable())
}

/// Most waiting debates that are counted beside the link to them.
const COUNTED: usize = 100;

/// What a handler of a page answers: a page, or a page that says why not.
type Answered = Result<Response, Refusal>;

/// Why there is no such page.
#[derive(Debug)]
struct Refusal(Problem);

impl<E: Into<Problem>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let page = site::message(problem.code.title, &problem.words());
        let mut response = served(&page, &plain_site());
        *response.status_mut() = problem.code.status;
        response
    }
}

/// A page with nothing around it that would have to be asked for.
fn plain_site() -> Site {
    Site { style: assets::STYLE.address(), ..Site::default() }
}

/// A page of one part of the site.
async fn shown(app: &App, caller: &Caller, here: &'static str, page: &Page) -> Answered {
    let scripts = match here {
        "/" => vec![assets::LIVE.address()],
        "/audit" | "/reconcile" | "/flips" | "/agents" => vec![assets::FORMS.address()],
        _ => Vec::new(),
    };
    let user = caller.csrf.is_some().then(|| caller.name.to_string());
    let filter = DebateFilter {
        status: Some(DebateStatus::Waiting),
        limit: COUNTED,
        ..DebateFilter::default()
    };
    let waiting = app.list(caller, filter).await?.debates.len();
    Ok(served(page, &Site { here, scripts, waiting, user, ..plain_site() }))
}

fn served(page: &Page, site: &Site) -> Response {
    let html = Html(page.served(site).into_string());
    ([(CONTENT_SECURITY_POLICY, POLICY)], html).into_response()
}

/// After a form: on to a page, with a request of its own.
fn see_other(address: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, address.to_owned())]).into_response()
}
