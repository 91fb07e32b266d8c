//! The tools that ask the ledger: how consistent agents are, and who gave up what.

use rebuttal::ledger::{AgentAnswer, agents, flips, must_know, portrait};
use rebuttal::store::{FlipFilter, Store};
use serde_json::Value;

use crate::arguments::{Flips, Who};
use crate::fault::Fault;
use crate::reading::document;

/// Most rows in one answer.
const ROWS: u32 = 500;

/// One agent's portrait, or all agents with the least consistent first.
pub(crate) async fn agent_consistency(asked: &Who, store: &Store) -> Result<Value, Fault> {
    let limit = asked.limit.clamp(1, ROWS);
    let Some(name) = &asked.agent else { return document(&agents(store, limit).await?) };
    must_know(store, name).await?;
    document(&AgentAnswer::from(&portrait(store, name, limit).await?))
}

/// Who gave up which position, how, and what moved them.
pub(crate) async fn flips_of(asked: &Flips, store: &Store) -> Result<Value, Fault> {
    if let Some(name) = &asked.agent {
        must_know(store, name).await?;
    }
    let filter = FlipFilter {
        agent: asked.agent.clone(),
        kind: asked.kind.map(Into::into),
        silent_only: asked.silent_only,
        limit: asked.limit.clamp(1, ROWS),
        ..FlipFilter::default()
    };
    document(&flips(store, &filter).await?)
}
