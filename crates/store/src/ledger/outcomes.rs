//! What became of positions, and how agents did in debates.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rebuttal_model::{AgentId, DebateId, Ending, Event, Outcome, PositionId};
use serde_json::{Value, json};

use super::{Writer, each};
use crate::sql::{Args, Sql, Tx, clean};
use crate::{Durability, Error, Result, Store};

/// The outcome of a position, if there is one; no row if there is no such position.
const EXISTS: &str = "SELECT outcome FROM positions WHERE id = $1";

/// Writes what became of a position.
const RESOLVE: &str = "UPDATE positions SET outcome = $2, resolved_at = $3 WHERE id = $1";

/// Whether a debate was scored already: ratings must not count it twice.
const SCORED: &str = "SELECT agent_name FROM debate_scores WHERE debate_id = $1 LIMIT 1";

/// Writes how each agent did in a debate.
const SCORE: Sql = each!(
    "INSERT INTO debate_scores (n, agent_name, debate_id, domain, score, at)
    SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1, given.value ->> 2,
        given.value ->> 3, CAST(given.value ->> 4 AS DOUBLE PRECISION),
        CAST(given.value ->> 5 AS BIGINT)",
    ""
);

impl Store {
    /// Says how a position turned out. Saying the same again writes nothing; saying something else
    /// corrects it, and both are in the journal.
    pub async fn resolve(
        &self,
        at: Timestamp,
        position: &PositionId,
        outcome: Outcome,
    ) -> Result<()> {
        let ending = Ending { outcome, resolved_at: None };
        self.resolve_all(at, &[(position.clone(), ending)], self.durability).await.map(drop)
    }

    /// Says how many positions turned out, in one transaction. How many of them were not known to have
    /// turned out like that.
    pub async fn resolve_all(
        &self,
        at: Timestamp,
        endings: &[(PositionId, Ending)],
        durability: Durability,
    ) -> Result<u64> {
        let mut writer = Writer::begin(self, durability).await?;
        let mut written = 0;
        for (position, Ending { outcome, resolved_at }) in endings {
            let row = writer.tx.row(EXISTS, Args::none().text(position.as_str())).await?;
            let mut row = row.ok_or_else(|| Error::NoPosition(position.clone()))?;
            if row.text()? == outcome.as_str() {
                continue;
            }
            let (position, outcome, resolved_at) = (position.clone(), *outcome, *resolved_at);
            writer.write(at, &Event::PositionResolved { position, outcome, resolved_at }).await?;
            written += 1;
        }
        writer.commit().await?;
        Ok(written)
    }

    /// Says how agents did in a debate, each from 0 to 1. A debate is scored once: what is said of it
    /// later is not written, so that a debate that is shown or resumed again moves no rating twice.
    pub async fn score_debate(
        &self,
        at: Timestamp,
        debate: &DebateId,
        domain: Option<&str>,
        scores: &BTreeMap<AgentId, f64>,
    ) -> Result<()> {
        if let Some((agent, score)) = scores.iter().find(|(_, score)| !(0.0..=1.0).contains(*score))
        {
            return Err(Error::Invalid(format!("{agent}'s score {score} is not within 0..=1")));
        }
        let mut writer = Writer::begin(self, self.durability).await?;
        if writer.tx.row(SCORED, Args::none().text(debate.as_str())).await?.is_some() {
            return Ok(());
        }
        let event = Event::DebateScored {
            debate: debate.clone(),
            domain: domain.map(ToOwned::to_owned),
            scores: scores.clone(),
        };
        writer.write(at, &event).await?;
        writer.commit().await
    }
}

/// Changes the tables by a record that says what became of positions.
pub(super) async fn resolve(
    tx: &mut Tx<'_>,
    at: Timestamp,
    position: &PositionId,
    outcome: Outcome,
) -> Result<()> {
    let args = Args::none().text(position.as_str()).text(outcome.as_str());
    tx.run(RESOLVE, args.int(at.as_microsecond())).await.map(drop)
}

/// Changes the tables by a record that says how agents did.
pub(super) async fn score(
    tx: &mut Tx<'_>,
    seq: u64,
    at: Timestamp,
    debate: &DebateId,
    domain: Option<&str>,
    scores: &BTreeMap<AgentId, f64>,
) -> Result<()> {
    let at = at.as_microsecond();
    let rows: Vec<Value> = scores
        .iter()
        .map(|(agent, score)| {
            let (agent, debate) = (clean(agent.as_str()), clean(debate.as_str()));
            json!([seq, agent, debate, domain.map(clean), score, at])
        })
        .collect();
    tx.run(SCORE, Args::none().json(&rows)).await.map(drop)
}
