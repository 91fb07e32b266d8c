//! The position ledger: agents, flips, claims, quality.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, RawQuery, State};
use rebuttal::beliefs::infer;
use rebuttal::detect::beliefs::{LinkKind, Network};
use rebuttal::ledger::{self, portrait};
use rebuttal::model::Flip;
use rebuttal::report::Place;
use rebuttal::report::debate::quality::page as quality_page;
use rebuttal::report::ledger::{agent as agent_page, dashboard, flips as flips_page, with_heat};
use rebuttal::report::site::{Argument, Crux, Node, Support, claims as claims_page};
use rebuttal::store::FlipFilter;

use super::form::Form;
use super::{Answered, shown};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{NOT_FOUND, Problem};

/// How many are listed unless the address says, and at most.
const LISTED: u32 = 50;
const MOST: u32 = 500;
/// Contested claims on their page.
const CLAIMS: u32 = 50;
/// Debates on the page of quality.
const DEBATES: usize = 200;
/// On a claim that one agent flips on, that agent is the matter.
const CONTESTED_AGENTS: u64 = 2;

type Asked = (State<Arc<App>>, Extension<Caller>, RawQuery);

fn limit(query: Option<&str>) -> Result<u32, Problem> {
    let form = Form::of_query(query)?;
    Ok(form.number("limit")?.unwrap_or(LISTED).clamp(1, MOST))
}

/// All agents, with the heat map of who flips in which field.
pub(super) async fn agents((State(app), Extension(caller), RawQuery(query)): Asked) -> Answered {
    let limit = limit(query.as_deref())?;
    let page = ledger::agents(app.ledger(&caller)?, limit).await?;
    let heat = app.store.heat_map(limit.min(30)).await?;
    let page = with_heat(&page.agents, page.more, &heat);
    shown(&app, &caller, "/agents", &page).await
}

pub(super) async fn agent(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Answered {
    let portrait = portrait(app.ledger(&caller)?, &name, limit(query.as_deref())?).await?;
    if !portrait.is_known() {
        return Err(
            Problem::new(NOT_FOUND, "the ledger has no position of an agent of this name").into()
        );
    }
    shown(&app, &caller, "/agents", &agent_page(&portrait, Place::Site)).await
}

/// The dashboard; with `?agent=`, `?kind=` or `?limit=`, a list.
pub(super) async fn flips((State(app), Extension(caller), RawQuery(query)): Asked) -> Answered {
    let form = Form::of_query(query.as_deref())?;
    let limit = limit(query.as_deref())?;
    let filter = FlipFilter { agent: form.filled("agent"), limit, ..FlipFilter::default() };
    let alone = filter.agent.is_some() || form.filled("limit").is_some();
    let page = ledger::flips(app.ledger(&caller)?, &filter).await?;
    let flips: Vec<&Flip> = page.flips.iter().collect();
    let page = if alone {
        flips_page(&flips, page.more, Place::Site)
    } else {
        let overview = ledger::overview(&app.store, app.now()).await?;
        dashboard(&overview, &flips, page.more)
    };
    shown(&app, &caller, "/flips", &page).await
}

pub(super) async fn claims(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    let contested = app.ledger(&caller)?.contested(CONTESTED_AGENTS, CLAIMS).await?;
    let stored = ledger::stored_beliefs(&app.store).await?;
    let argument =
        rebuttal::jobs::beside(move || stored.map(|stored| argument(stored.network())).transpose());
    let argument = argument.await??;
    shown(&app, &caller, "/claims", &claims_page(&contested, argument.as_ref())).await
}

/// A network as it is drawn.
fn argument(network: &Network) -> rebuttal::Result<Argument> {
    let answer = infer(network, &[], None)?;
    let place = |id: &str| answer.claims.iter().position(|claim| claim.id == id);
    let links = network.links().iter().filter_map(|link| {
        let support = match link.kind {
            LinkKind::Contradicts => Support::Against,
            _ => Support::For,
        };
        Some((place(&link.from)?, place(&link.to)?, support))
    });
    let cruxes = answer.cruxes.iter().filter_map(|crux| {
        let claim = place(crux.claim)?;
        Some(Crux { claim, if_true: crux.if_true, if_false: crux.if_false })
    });
    let node = |claim: &rebuttal::beliefs::ClaimBelief<'_>| Node {
        words: claim.text.unwrap_or(claim.id).to_owned(),
        likely: claim.posterior,
    };
    Ok(Argument {
        links: links.collect(),
        cruxes: cruxes.collect(),
        conclusion: answer.conclusion.and_then(place),
        claims: answer.claims.iter().map(node).collect(),
    })
}

/// How well debates were supported. Those that cannot be read are passed over.
pub(super) async fn quality(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    let quality = app.quality(&caller, DEBATES).await?;
    shown(&app, &caller, "/quality", &quality_page(&quality, Place::Site)).await
}
