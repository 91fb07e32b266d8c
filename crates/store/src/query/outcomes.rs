//! What ratings and calibration are computed from.

use jiff::Timestamp;
use rebuttal_model::{AgentId, DebateId, Outcome};

use super::bounded;
use crate::journal::time;
use crate::sql::{Args, Row};
use crate::{Result, Store};

/// What became of an agent's positions, as far as that is known.
const RESOLVED: &str = "SELECT n, agent_name, confidence, outcome, domain FROM positions
    WHERE agent_name = $1 AND outcome <> 'pending' AND n > $2 ORDER BY n LIMIT $3";

/// What became of all positions, as far as that is known.
const RESOLVED_ALL: &str = "SELECT n, agent_name, confidence, outcome, domain FROM positions
    WHERE outcome <> 'pending' AND n > $1 ORDER BY n LIMIT $2";

/// How agents did in debates, in the order in which ratings are made from them.
const SCORES: &str = "SELECT n, agent_name, debate_id, domain, score, at FROM debate_scores
    WHERE n > $1 AND n <= (SELECT max(m.n) FROM (SELECT DISTINCT n FROM debate_scores
        WHERE n > $1 ORDER BY n LIMIT $2) AS m)
    ORDER BY n, agent_name";

/// A position of which it is known how it turned out.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Its number; the next page goes on after it.
    pub n: u64,
    /// Who held it.
    pub agent: AgentId,
    /// How sure the agent was, where it said so.
    pub confidence: Option<f64>,
    /// How it turned out.
    pub outcome: Outcome,
    /// Its domain.
    pub domain: Option<String>,
}

/// How an agent did in a debate.
#[derive(Clone, Debug, PartialEq)]
pub struct DebateScore {
    /// The record that says so, the same for all agents of the debate; the next page goes on
    /// after it.
    pub n: u64,
    /// The name of the agent.
    pub agent: AgentId,
    /// The id of the debate.
    pub debate: DebateId,
    /// Its domain.
    pub domain: Option<String>,
    /// The score, from 0 to 1.
    pub score: f64,
    /// When that was known.
    pub at: Timestamp,
}

impl Store {
    /// Positions with a known outcome, of one agent or of all, in order. One statement.
    pub async fn resolved(
        &self,
        agent: Option<&str>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Resolved>> {
        let rows = match agent {
            Some(agent) => {
                let args = Args::none().text(agent).count(after).int(bounded(limit));
                self.db.rows(RESOLVED, args).await?
            }
            None => {
                self.db.rows(RESOLVED_ALL, Args::none().count(after).int(bounded(limit))).await?
            }
        };
        let read = |mut row: Row| {
            Ok(Resolved {
                n: row.count()?,
                agent: AgentId::new(row.text()?),
                confidence: row.take()?,
                outcome: row.word()?,
                domain: row.take()?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    /// Scores of up to `debates` debates, each whole, in the order they were known. One statement.
    pub async fn debate_scores(&self, after: u64, debates: u32) -> Result<Vec<DebateScore>> {
        let args = Args::none().count(after).int(bounded(debates));
        let rows = self.db.rows(SCORES, args).await?;
        let read = |mut row: Row| {
            Ok(DebateScore {
                n: row.count()?,
                agent: AgentId::new(row.text()?),
                debate: DebateId::new(row.text()?),
                domain: row.take()?,
                score: row.take()?,
                at: time(row.int()?)?,
            })
        };
        rows.into_iter().map(read).collect()
    }
}
