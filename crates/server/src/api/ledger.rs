//! The ledger: who flips, on what, how often; what is contested; how well debates were supported.
//!
//! It holds what all users' debates said, so only an admin sees it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::Uri;
use rebuttal::ledger::{self, AgentAnswer, must_know};
use rebuttal::model::FlipKind;
use rebuttal::store::FlipFilter;
use rebuttal::texts::document;

use super::query::Query;
use super::{Answered, value};
use crate::app::App;
use crate::auth::Caller;

/// Most rows in one answer.
const ROWS: u32 = 500;

pub(super) async fn agents(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let limit = Query::of(&uri, &["limit"])?.limit(100, ROWS)?;
    value(&document(&ledger::agents(app.ledger(&caller)?, limit).await?)?)
}

pub(super) async fn agent(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    uri: Uri,
) -> Answered {
    let limit = Query::of(&uri, &["limit"])?.limit(20, ROWS)?;
    let store = app.ledger(&caller)?;
    must_know(store, &name).await?;
    value(&document(&AgentAnswer::from(&ledger::portrait(store, &name, limit).await?))?)
}

pub(super) async fn flips(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let known = ["agent", "kind", "domain", "silent", "since", "before", "limit"];
    let query = Query::of(&uri, &known)?;
    let store = app.ledger(&caller)?;
    if let Some(name) = query.text("agent") {
        must_know(store, name).await?;
    }
    let filter = FlipFilter {
        agent: query.text("agent").map(str::to_owned),
        kind: query.word::<FlipKind>("kind")?,
        domain: query.text("domain").map(str::to_owned),
        silent_only: query.is_set("silent")?,
        happened_since: query.parsed("since")?,
        before: query.parsed("before")?,
        limit: query.limit(20, ROWS)?,
        ..FlipFilter::default()
    };
    value(&document(&ledger::flips(store, &filter).await?)?)
}

pub(super) async fn summary(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    Query::of(&uri, &[])?;
    value(&document(&ledger::summary(app.ledger(&caller)?, app.now()).await?)?)
}

pub(super) async fn positions(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let query = Query::of(&uri, &["agent", "limit"])?;
    let store = app.ledger(&caller)?;
    if let Some(name) = query.text("agent") {
        must_know(store, name).await?;
    }
    let limit = query.limit(50, ROWS)?;
    value(&document(&ledger::positions(store, query.text("agent"), limit).await?)?)
}

pub(super) async fn contested(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let limit = Query::of(&uri, &["limit"])?.limit(20, ROWS)?;
    value(&document(&ledger::contested(app.ledger(&caller)?, limit).await?)?)
}

pub(super) async fn quality(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
) -> Answered {
    let limit = Query::of(&uri, &["limit"])?.limit(50, ROWS)?;
    value(&document(&app.quality(&caller, limit as usize).await?)?)
}
