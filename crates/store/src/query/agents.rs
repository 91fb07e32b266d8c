//! Agents: how consistent each is, and what it was exposed to.

use std::collections::BTreeMap;

use rebuttal_model::Cause;

use super::bounded;
use crate::ledger::each_text;
use crate::sql::{Args, Row, Sql};
use crate::{Result, Store};

/// The columns of an agent's totals, in the order in which they are read.
macro_rules! agent_columns {
    () => {
        "t.agent_name, t.positions, t.flips, t.contradictions, t.retractions, t.qualifications,
        t.refinements, t.silent, t.before_sum, t.before_count, t.after_sum, t.after_count,
        t.consistency"
    };
}

/// The totals of several agents by name.
const BATCH: Sql = each_text!(
    concat!("SELECT ", agent_columns!()),
    "JOIN agent_totals AS t ON t.agent_name = given.value"
);

/// The totals of several agents, field by field.
const BATCH_DOMAINS: Sql = each_text!(
    "SELECT t.agent_name, t.domain",
    "JOIN agent_domain_totals AS t ON t.agent_name = given.value
    WHERE t.flips > 0 ORDER BY t.agent_name, t.flips DESC, t.domain"
);

/// A page of agents in the order of an index, the least consistent first.
const RANKED: &str = concat!(
    "SELECT ",
    agent_columns!(),
    " FROM agent_totals AS t
    WHERE t.consistency > $1 OR (t.consistency = $1 AND t.agent_name > $2)
    ORDER BY t.consistency, t.agent_name LIMIT $3"
);

/// The names of agents, for suggestions where one was misspelt.
const NAMES: &str = "SELECT agent_name FROM agent_totals ORDER BY agent_name LIMIT $1";

/// How often agents were shown what may move one, and how often it did.
const EXPOSURES: &str = "SELECT agent_name, cause, exposed, flipped FROM exposures
    WHERE CAST($1 AS TEXT) IS NULL OR agent_name = $1 ORDER BY agent_name, cause LIMIT $2";

/// Everything a consistency score is made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentTotals {
    /// The name of the agent.
    pub agent: String,
    /// How many positions it took.
    pub positions: u64,
    /// How many of them it left, of all kinds.
    pub flips: u64,
    /// Flips that are contradictions.
    pub contradictions: u64,
    /// Flips that are retractions.
    pub retractions: u64,
    /// Flips that are qualifications.
    pub qualifications: u64,
    /// Flips that are refinements.
    pub refinements: u64,
    /// How many it did not own up to.
    pub silent: u64,
    /// Mean confidence in what it left, where it stated one.
    pub confidence_before: Option<f64>,
    /// Mean confidence in what it took up instead, where it stated one.
    pub confidence_after: Option<f64>,
    /// 1 minus weighted flips per position, not below 0; 1 without positions.
    pub consistency: f64,
    /// Domains it flipped in, most flips first; positions without a domain are under the empty
    /// name.
    pub domains_with_flips: Vec<String>,
}

impl AgentTotals {
    /// An agent the ledger knows nothing of.
    fn unknown(agent: &str) -> Self {
        Self { agent: agent.to_owned(), consistency: 1.0, ..Self::default() }
    }

    /// Reads `agent_columns`.
    fn read(row: &mut Row) -> Result<Self> {
        let mean = |row: &mut Row| -> Result<Option<f64>> {
            let (sum, count) = (row.take::<f64>()?, row.count()?);
            #[expect(clippy::cast_precision_loss, reason = "no ledger has 2^52 flips")]
            Ok((count > 0).then(|| sum / count as f64))
        };
        Ok(Self {
            agent: row.text()?,
            positions: row.count()?,
            flips: row.count()?,
            contradictions: row.count()?,
            retractions: row.count()?,
            qualifications: row.count()?,
            refinements: row.count()?,
            silent: row.count()?,
            confidence_before: mean(row)?,
            confidence_after: mean(row)?,
            consistency: row.take()?,
            domains_with_flips: Vec::new(),
        })
    }
}

/// Where a page of the ranking begins: after this agent of the page before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankPage {
    /// The last agent of the page before, and its consistency; `None` for the first page.
    pub after: Option<(f64, String)>,
    /// At most so many.
    pub limit: u32,
}

/// How often an agent was exposed to something, and how often that moved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// The name of the agent.
    pub agent: String,
    /// What it was exposed to.
    pub cause: Cause,
    /// Positions it took after it was shown this.
    pub exposed: u64,
    /// Flips put down to this.
    pub flipped: u64,
}

impl Store {
    /// The totals of many agents, in the order asked for; unknown ones have zero rows. Two
    /// statements, whatever their number.
    pub async fn agents(&self, names: &[&str]) -> Result<Vec<AgentTotals>> {
        let mut known: BTreeMap<String, AgentTotals> = BTreeMap::new();
        for mut row in self.db.rows(BATCH, Args::none().json(&names)).await? {
            let totals = AgentTotals::read(&mut row)?;
            known.insert(totals.agent.clone(), totals);
        }
        self.add_domains(names, &mut known).await?;
        let found =
            |name: &&str| known.get(*name).cloned().unwrap_or_else(|| AgentTotals::unknown(name));
        Ok(names.iter().map(found).collect())
    }

    /// Adds the totals of each field to those of the agents, in one statement for all of them.
    async fn add_domains(
        &self,
        names: &[&str],
        known: &mut BTreeMap<String, AgentTotals>,
    ) -> Result<()> {
        for mut row in self.db.rows(BATCH_DOMAINS, Args::none().json(&names)).await? {
            let (agent, domain) = (row.text()?, row.text()?);
            if let Some(totals) = known.get_mut(&agent)
                && totals.domains_with_flips.last() != Some(&domain)
            {
                totals.domains_with_flips.push(domain);
            }
        }
        Ok(())
    }

    /// All agents, least consistent first, page by page. Two statements a page.
    pub async fn agents_ranked(&self, page: &RankPage) -> Result<Vec<AgentTotals>> {
        let (score, name) = page.after.clone().unwrap_or((-1.0, String::new()));
        let args = Args::none().real(score).text(name.as_str()).int(bounded(page.limit));
        let rows = self.db.rows(RANKED, args).await?;
        let ranked: Vec<AgentTotals> =
            rows.into_iter().map(|mut row| AgentTotals::read(&mut row)).collect::<Result<_>>()?;
        let names: Vec<&str> = ranked.iter().map(|totals| totals.agent.as_str()).collect();
        let mut known: BTreeMap<String, AgentTotals> =
            ranked.iter().map(|totals| (totals.agent.clone(), totals.clone())).collect();
        self.add_domains(&names, &mut known).await?;
        Ok(ranked.iter().filter_map(|totals| known.remove(&totals.agent)).collect())
    }

    /// Names the ledger knows, in order, to find the one that was meant. One statement.
    pub async fn agent_names(&self, limit: u32) -> Result<Vec<String>> {
        let rows = self.db.rows(NAMES, Args::none().int(bounded(limit))).await?;
        rows.into_iter().map(|mut row| row.text()).collect()
    }

    /// What agents were exposed to and moved by: of one, or of all. One statement.
    pub async fn exposures(&self, agent: Option<&str>) -> Result<Vec<Exposure>> {
        let args = Args::none().text(agent).int(bounded(u32::MAX));
        let rows = self.db.rows(EXPOSURES, args).await?;
        let read = |mut row: Row| {
            Ok(Exposure {
                agent: row.text()?,
                cause: row.word()?,
                exposed: row.count()?,
                flipped: row.count()?,
            })
        };
        rows.into_iter().map(read).collect()
    }
}
