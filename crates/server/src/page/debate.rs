//! The page of one debate, what its buttons do, and the debates that wait for a person.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rebuttal::debates::{self, StoredDebate};
use rebuttal::engine::debate::{State as Debate, Waiting};
use rebuttal::jobs::StandingWord;
use rebuttal::model::{BreakpointAnswer, Record};
use rebuttal::receipt::Receipt;
use rebuttal::report::debate::{Controls, Stands, encoded, markdown, page as to_hand_on, served};
use rebuttal::report::site::{breakpoints as inbox, starting};
use rebuttal::store::{DebateOrder, Scope, Wanted};
use rebuttal::texts::document;
use serde_json::json;

use super::form::Form;
use super::{Answered, see_other, shown};
use crate::app::{Answering, App, ForkRequest};
use crate::auth::Caller;
use crate::problem::{INVALID, NOT_FOUND, Problem};

type Asked = (State<Arc<App>>, Extension<Caller>, Path<String>);

pub(super) async fn page(asked: Asked, RawQuery(query): RawQuery) -> Answered {
    let form = Form::of_query(query.as_deref())?;
    view(asked, form.number("at")?, Votes::AsCounted).await
}

/// The page with the votes counted again under every rule.
pub(super) async fn redecide(asked: Asked) -> Answered {
    view(asked, None, Votes::UnderEveryRule).await
}

/// Whether the votes are counted again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Votes {
    AsCounted,
    UnderEveryRule,
}

async fn view(
    (State(app), Extension(caller), Path(id)): Asked,
    at: Option<u64>,
    votes: Votes,
) -> Answered {
    let (standing, order) = app.standing(&caller, &id).await?;
    if standing.so_far.is_none() {
        let failed = order.and_then(|order| order.failed);
        return shown(&app, &caller, "/", &starting(&id, failed.as_deref())).await;
    }
    let debate = app.debate(&caller, &id).await?;
    let stands = stands(&debate.state, standing.word, order.as_ref());
    // Drawing a long debate takes a while: not on the executor.
    let page = rebuttal::jobs::beside(move || draw(&debate, at, votes, stands)).await??;
    shown(&app, &caller, "/", &page).await
}

/// A debate that is to run and does not yet, or runs on another server, counts as running.
fn stands(state: &Debate, word: StandingWord, order: Option<&DebateOrder>) -> Stands {
    match word {
        _ if state.decision.is_some() => Stands::Ended,
        _ if state.paused.is_some() => Stands::Waiting,
        StandingWord::Running | StandingWord::Starting => Stands::Running,
        _ if order.is_some_and(|order| order.wanted == Wanted::Run && order.failed.is_none()) => {
            Stands::Running
        }
        _ => Stands::Stopped,
    }
}

fn draw(
    debate: &StoredDebate,
    at: Option<u64>,
    votes: Votes,
    stands: Stands,
) -> Result<rebuttal::report::Page, Problem> {
    let last = debate.records.len();
    let at = at.and_then(|at| usize::try_from(at).ok()).unwrap_or(last).clamp(1, last);
    let records: &[Record] = debate.records.get(..at).unwrap_or_default();
    let earlier = at < last;
    let past =
        if earlier { Some(Debate::fold(records).map_err(rebuttal::Error::from)?) } else { None };
    let state = past.as_ref().unwrap_or(&debate.state);
    let redecided = (votes == Votes::UnderEveryRule).then(|| debates::redecide(state));
    let controls = Controls { last: last as u64, earlier, stands, redecided };
    Ok(served(state, records, &controls))
}

/// The debate as a file: HTML, Markdown, JSON, its receipt.
pub(super) async fn download(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, file)): Path<(String, String)>,
) -> Answered {
    let debate = app.debate(&caller, &id).await?;
    let (state, records) = (&debate.state, &debate.records);
    let (kind, body) = match file.as_str() {
        "report.html" => {
            ("text/html; charset=utf-8", to_hand_on(state, records).stand_alone().into_string())
        }
        "report.md" => ("text/markdown; charset=utf-8", markdown(state, records)),
        "report.json" => ("application/json", json_of(&debate)?),
        "receipt.json" => ("application/json", receipt(&debate)?),
        _ => {
            let known = "report.html, report.md, report.json and receipt.json";
            return Err(Problem::new(NOT_FOUND, format!("there are {known}")).into());
        }
    };
    let named = format!("attachment; filename=\"{}-{file}\"", encoded(debate.id().as_str()));
    Ok(([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, named)], body).into_response())
}

/// The debate as its document; while it goes on, its turns and votes so far.
fn json_of(debate: &StoredDebate) -> Result<String, Problem> {
    let value = match debate.document() {
        Some(whole) => document(&whole)?,
        None => {
            json!({ "id": debate.id(), "ended": false, "turns": debate.state.turns, "ballots": debate.state.ballots })
        }
    };
    Ok(value.to_string())
}

fn receipt(debate: &StoredDebate) -> Result<String, Problem> {
    let made = debate.records.last().and_then(|last| Receipt::new(&debate.state, last));
    let none = || Problem::new(NOT_FOUND, "there is a receipt once the debate has ended");
    Ok(document(&made.ok_or_else(none)?)?.to_string())
}

async fn want((State(app), Extension(caller), Path(id)): Asked, wanted: Wanted) -> Answered {
    caller.needs(Scope::Run)?;
    let debate = app.want(&caller, &id, wanted).await?;
    Ok(to_debate(debate.as_str()))
}

pub(super) async fn pause(asked: Asked) -> Answered {
    want(asked, Wanted::Pause).await
}

pub(super) async fn cancel(asked: Asked) -> Answered {
    want(asked, Wanted::Stop).await
}

pub(super) async fn resume(asked: Asked) -> Answered {
    want(asked, Wanted::Run).await
}

/// Branches the debate and goes to the branch.
pub(super) async fn fork(
    (State(app), Extension(caller), Path(id)): Asked,
    body: Bytes,
) -> Answered {
    caller.needs(Scope::Run)?;
    let form = Form::of_body(&body)?;
    let mut asked = ForkRequest { round: form.number("round")?, ..ForkRequest::default() };
    if let Some(rule) = form.filled("rule") {
        asked.protocol.insert("rule".to_owned(), json!(rule));
    }
    if let Some(rounds) = form.number::<u32>("rounds")? {
        asked.protocol.insert("rounds".to_owned(), json!(rounds));
    }
    let branch = app.fork(&caller, &id, asked).await?;
    Ok(to_debate(branch.as_str()))
}

fn to_debate(id: &str) -> Response {
    see_other(&format!("/debates/{}", encoded(id)))
}

/// The debates that wait for a person.
pub(super) async fn breakpoints(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    waiting(&app, &caller, None).await
}

async fn waiting(app: &App, caller: &Caller, wrong: Option<&str>) -> Answered {
    let mut all: Vec<(Waiting, Debate)> = Vec::new();
    for one in app.waiting(caller).await? {
        let state = app.debate(caller, one.debate.as_str()).await?.state;
        all.push((one, state));
    }
    let mut response = shown(app, caller, "/breakpoints", &inbox(&all, wrong)).await?;
    if wrong.is_some() {
        *response.status_mut() = StatusCode::CONFLICT;
    }
    Ok(response)
}

/// Answers one, and goes to the debate, which goes on. What is wrong is said above the others.
pub(super) async fn answer(
    (State(app), Extension(caller), Path(id)): Asked,
    body: Bytes,
) -> Answered {
    caller.needs(Scope::Run)?;
    let form = Form::of_body(&body)?;
    let wrong = |error: rebuttal::model::UnknownAnswer| Problem::new(INVALID, error.to_string());
    let said: BreakpointAnswer = form.text("answer").parse().map_err(wrong)?;
    let answering =
        Answering { answer: said, note: form.filled("note"), number: form.number("number")? };
    match app.answer(&caller, &id, &answering).await {
        Ok(debate) => Ok(to_debate(debate.as_str())),
        Err(problem) => waiting(&app, &caller, Some(&problem.words())).await,
    }
}
