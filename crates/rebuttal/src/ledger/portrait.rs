//! Everything that is known of one agent, and of the whole ledger.

use jiff::Timestamp;
use rebuttal_detect::scores::{Rate, elo_with_consistency};
use rebuttal_report::ledger::{LINE, Overview, Portrait, Ranked, consistency};
use rebuttal_store::{FlipFilter, HistoryPage, RankPage, Store};

use super::scores::{judged, rating, weight};
use crate::error::Result;

/// Most agents that are shown.
const AGENTS: u32 = 20;
/// Most domains that are shown.
const DOMAINS: u32 = 12;
/// Most contested claims that are shown.
const CONTESTED: u32 = 10;
/// On a claim that one agent flips on, that agent is the matter.
const CONTESTED_AGENTS: u64 = 2;

/// One agent, with at most `limit` of its positions and of its flips.
pub async fn portrait(store: &Store, name: &str, limit: u32) -> Result<Portrait> {
    let totals = store.agents(&[name]).await?.into_iter().next().unwrap_or_default();
    let page = HistoryPage { before: None, limit: limit.max(LINE) };
    let history = store.history(name, &page).await?;
    let agent = Some(name.to_owned());
    let rows = store.flips(&FlipFilter { agent, limit, ..FlipFilter::default() }).await?;
    let exposures = store.exposures(Some(name)).await?;
    let moved_by = exposures
        .into_iter()
        .map(|row| (row.cause, Rate::new(row.flipped, row.exposed.max(row.flipped))))
        .collect();
    let consistent = consistency(&totals);
    let right = judged(store, name).await?;
    let mut rated = rating(store, name).await?;
    if let Some(rated) = &mut rated {
        rated.elo_with_consistency = elo_with_consistency(rated.elo, &consistent);
    }
    let weight = weight(&consistent, right.as_ref(), rated.as_ref());
    let flips = rows.into_iter().map(|row| row.flip).collect();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Portrait {
        totals,
        score: consistent,
        history,
        flips,
        moved_by,
        judged: right,
        rating: rated,
        weight,
        limit,
    })
}

/// The whole ledger at a glance.
pub async fn overview(store: &Store, now: Timestamp) -> Result<Overview> {
    let page = RankPage { after: None, limit: AGENTS };
    Ok(Overview {
        database: store.location().to_string(),
        summary: store.summary(now, AGENTS).await?,
        days: store.flips_per_day(Timestamp::MIN).await?,
        domains: store.domains(DOMAINS).await?,
        heat: store.heat_map(AGENTS).await?,
        contested: store.contested(CONTESTED_AGENTS, CONTESTED).await?,
        agents: store.agents_ranked(&page).await?.into_iter().map(Ranked::from).collect(),
    })
}
