//! The whole ledger at a glance. Everything is read from totals, so that it costs the same at ten
//! million rows.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rebuttal_model::FlipKind;

use super::bounded;
use crate::ledger::{DAY_US, MINUTE_US};
use crate::sql::{Args, Row};
use crate::{Result, Store};

/// The numbers of the whole ledger, which are kept and not counted.
const STATE: &str = "SELECT positions, flips, detected_through FROM ledger_state";

/// Flips of each kind.
const BY_TYPE: &str = "SELECT flip_type, flips, silent FROM flip_type_totals ORDER BY flip_type";

/// The agents with the most flips.
const BY_AGENT: &str = "SELECT agent_name, flips FROM agent_totals WHERE flips > 0
    ORDER BY flips DESC, agent_name LIMIT $1";

/// Whole minutes from their totals, the one the day began in flip by flip.
const RECENT: &str = "SELECT
    CAST(coalesce((SELECT sum(flips) FROM flip_minutes WHERE minute > $1 AND minute < $2), 0)
        AS BIGINT)
    + (SELECT count(*) FROM detected_flips WHERE happened_us >= $3 AND happened_us < $4)
    + (SELECT count(*) FROM detected_flips WHERE happened_us >= $5 AND happened_us <= $6)";

/// Totals of each field.
const DOMAINS: &str = "SELECT domain, positions, flips, contradictions, retractions,
        qualifications, refinements, silent
    FROM domain_totals ORDER BY flips DESC, domain LIMIT $1";

/// Positions and flips of agents by field, for the map of both.
const HEAT: &str = "SELECT t.agent_name, t.domain, t.positions, t.flips
    FROM agent_domain_totals AS t
    WHERE t.agent_name IN (SELECT agent_name FROM agent_totals
        ORDER BY flips DESC, positions DESC, agent_name LIMIT $1)
    ORDER BY t.agent_name, t.domain";

/// Flips of each day and kind since a day.
const DAYS: &str = "SELECT day, flip_type, flips FROM flip_days
    WHERE day >= $1 AND flips > 0 ORDER BY day, flip_type";

/// The matters on which the most agents flip.
const CONTESTED: &str = "SELECT words, agents, flips, toward_yes, toward_no FROM topics
    WHERE agents >= 2 AND agents >= $1
    ORDER BY CASE WHEN toward_yes < toward_no THEN toward_yes ELSE toward_no END DESC,
        agents DESC, flips DESC, topic DESC LIMIT $2";

/// The ledger at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All positions.
    pub positions: u64,
    /// All flips.
    pub total_flips: u64,
    /// Flips by kind; kinds without any are there with 0.
    pub by_type: BTreeMap<FlipKind, u64>,
    /// Flips of the agents with the most, most first.
    pub by_agent: Vec<(String, u64)>,
    /// Flips that the agent did not own up to.
    pub silent: u64,
    /// Flips whose new position was taken in the 24 hours before the time asked for.
    pub recent_24h: u64,
    /// Positions that flips were not looked for at yet.
    pub unseen: u64,
}

/// What happened in one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainTotals {
    /// Its name; empty for positions without one.
    pub domain: String,
    /// How many positions.
    pub positions: u64,
    /// How many flips.
    pub flips: u64,
    /// Flips by kind.
    pub by_type: BTreeMap<FlipKind, u64>,
    /// How many were not owned up to.
    pub silent: u64,
}

/// One agent in one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeatCell {
    /// The name of the agent.
    pub agent: String,
    /// Which domain; empty for positions without one.
    pub domain: String,
    /// How many positions.
    pub positions: u64,
    /// How many flips.
    pub flips: u64,
}

/// The flips of one day, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayFlips {
    /// The day's beginning, in UTC.
    pub day: Timestamp,
    /// Flips whose new position was taken that day.
    pub by_type: BTreeMap<FlipKind, u64>,
}

/// A question, or a claim, that agents flip on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contested {
    /// Its words.
    pub words: String,
    /// How many agents flipped on it.
    pub agents: u64,
    /// How many flips there were.
    pub flips: u64,
    /// Flips that ended for it.
    pub toward_yes: u64,
    /// Flips that ended against it.
    pub toward_no: u64,
}

impl Store {
    /// The ledger at a glance. Four statements.
    pub async fn summary(&self, now: Timestamp, agents: u32) -> Result<Summary> {
        let mut summary = Summary::default();
        if let Some(mut row) = self.db.row(STATE, Args::none()).await? {
            summary.positions = row.count()?;
            summary.total_flips = row.count()?;
            summary.unseen = summary.positions.saturating_sub(row.count()?);
        }
        summary.by_type = FlipKind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for mut row in self.db.rows(BY_TYPE, Args::none()).await? {
            let (kind, flips) = (row.word()?, row.count()?);
            summary.by_type.insert(kind, flips);
            summary.silent += row.count()?;
        }
        for mut row in self.db.rows(BY_AGENT, Args::none().int(bounded(agents))).await? {
            summary.by_agent.push((row.text()?, row.count()?));
        }
        summary.recent_24h = self.recent(now).await?;
        Ok(summary)
    }

    /// Flips of the last 24 hours, from the totals of whole minutes and the flips of the two at the ends.
    async fn recent(&self, now: Timestamp) -> Result<u64> {
        let until = now.as_microsecond();
        let since = until.saturating_sub(DAY_US);
        let (first, last) = (since.div_euclid(MINUTE_US), until.div_euclid(MINUTE_US));
        let args = Args::none()
            .int(first)
            .int(last)
            .int(since)
            .int((first + 1).saturating_mul(MINUTE_US))
            .int(last.saturating_mul(MINUTE_US))
            .int(until);
        let row = self.db.row(RECENT, args).await?;
        row.map_or(Ok(0), |mut row| row.count())
    }

    /// Domains, those with the most flips first. One statement.
    pub async fn domains(&self, limit: u32) -> Result<Vec<DomainTotals>> {
        let rows = self.db.rows(DOMAINS, Args::none().int(bounded(limit))).await?;
        let read = |mut row: Row| {
            let (domain, positions, flips) = (row.text()?, row.count()?, row.count()?);
            let mut by_type = BTreeMap::new();
            for kind in FlipKind::ALL.into_iter().rev() {
                by_type.insert(kind, row.count()?);
            }
            Ok(DomainTotals { domain, positions, flips, by_type, silent: row.count()? })
        };
        rows.into_iter().map(read).collect()
    }

    /// Agents by domains, for the agents with the most flips. One statement.
    pub async fn heat_map(&self, agents: u32) -> Result<Vec<HeatCell>> {
        let rows = self.db.rows(HEAT, Args::none().int(bounded(agents))).await?;
        let read = |mut row: Row| {
            Ok(HeatCell {
                agent: row.text()?,
                domain: row.text()?,
                positions: row.count()?,
                flips: row.count()?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    /// Flips by the day the new position was taken, from the day of `since` on; days without any
    /// are left out. One statement.
    pub async fn flips_per_day(&self, since: Timestamp) -> Result<Vec<DayFlips>> {
        let day = since.as_microsecond().div_euclid(DAY_US);
        let mut days: Vec<DayFlips> = Vec::new();
        for mut row in self.db.rows(DAYS, Args::none().int(day)).await? {
            let day = crate::journal::time(row.int()?.saturating_mul(DAY_US))?;
            let (kind, flips) = (row.word()?, row.count()?);
            match days.last_mut().filter(|last| last.day == day) {
                Some(last) => drop(last.by_type.insert(kind, flips)),
                None => days.push(DayFlips { day, by_type: BTreeMap::from([(kind, flips)]) }),
            }
        }
        Ok(days)
    }

    /// Questions and claims that at least `agents` agents, two or more, flipped on: first those on which
    /// they go both ways, by how many went the rarer way; then by agents and flips. One statement.
    pub async fn contested(&self, agents: u64, limit: u32) -> Result<Vec<Contested>> {
        let args = Args::none().count(agents).int(bounded(limit));
        let rows = self.db.rows(CONTESTED, args).await?;
        rows.into_iter().map(|mut row| Contested::read(&mut row)).collect()
    }
}

impl Contested {
    /// Reads the columns of the matters on which agents flip.
    pub(crate) fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            words: row.text()?,
            agents: row.count()?,
            flips: row.count()?,
            toward_yes: row.count()?,
            toward_no: row.count()?,
        })
    }
}
