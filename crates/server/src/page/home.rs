//! The first page, and what its forms do.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use rebuttal::agents::has_key;
use rebuttal::config::AgentConfig;
use rebuttal::jobs::DebateRequest;
use rebuttal::report::debate::encoded;
use rebuttal::report::site::{Home, home};
use rebuttal::store::{DebateFilter, Scope};
use serde_json::json;

use super::form::Form;
use super::{Answered, see_other, shown};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::Problem;

/// How many debates the first page lists.
const LISTED: usize = 30;

/// A debate that was recorded: what an empty machine can show. Written by `cargo xtask gen`.
const EXAMPLE: &[u8] = include_bytes!("../../assets/example.jsonl");

pub(super) async fn page(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    RawQuery(query): RawQuery,
) -> Answered {
    let form = Form::of_query(query.as_deref())?;
    let found = values(&app, &caller, &form).await?;
    shown(&app, &caller, "/", &home(&found)).await
}

async fn values(app: &App, caller: &Caller, form: &Form) -> Result<Home, Problem> {
    let invalid = |wrong: String| Problem::new(crate::problem::INVALID, wrong);
    let filter = DebateFilter {
        question: form.filled("question"),
        after: form.filled("after").map(|after| after.parse()).transpose().map_err(invalid)?,
        limit: LISTED,
        ..DebateFilter::default()
    };
    let search = filter.question.clone().unwrap_or_default();
    let found = app.list(caller, filter).await?;
    let config = &app.config;
    // A server of one's own may need no key.
    let can_be_asked = |(name, agent): &(&str, &AgentConfig)| {
        has_key(config, name) || (agent.url.value.is_some() && agent.refused.is_none())
    };
    let agents = config.agents.iter().filter(can_be_asked).map(|(name, _)| name);
    Ok(Home {
        agents: agents.map(str::to_owned).collect(),
        panel: config.debate.agents.value.clone(),
        presets: config.presets.names(),
        debates: found.debates,
        next: found.next.map(|next| next.to_string()),
        search,
        wrong: None,
    })
}

/// Starts a debate and goes to its page. What is wrong with it is said beside the question.
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    body: Bytes,
) -> Answered {
    caller.needs(Scope::Run)?;
    let form = Form::of_body(&body)?;
    match start(&app, &caller, &form).await {
        Ok(address) => Ok(see_other(&address)),
        Err(problem) => {
            let mut again = values(&app, &caller, &Form::default()).await?;
            again.wrong = Some((problem.words(), form.text("question")));
            let mut response: Response = shown(&app, &caller, "/", &home(&again)).await?;
            *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(response)
        }
    }
}

async fn start(app: &App, caller: &Caller, form: &Form) -> Result<String, Problem> {
    let mut request = DebateRequest::new(form.text("question"));
    request.context = form.text("context");
    request.options = form
        .text("options")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    request.agents = form.all("agents");
    request.preset = form.filled("preset");
    if let Some(rounds) = form.number::<u32>("rounds")? {
        request.protocol.insert("rounds".to_owned(), json!(rounds));
    }
    let started = app.start(caller, &request, None).await?;
    Ok(format!("/debates/{}", encoded(started.id.as_str())))
}

/// Stores the recorded debate, and goes to its page.
pub(super) async fn example(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    caller.needs(Scope::Run)?;
    let id = app.take_recorded(&caller, EXAMPLE).await?;
    Ok(see_other(&format!("/debates/{}", encoded(id.as_str()))))
}
