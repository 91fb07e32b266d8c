//! Totals that grow with every record, so that no summary ever counts rows.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{Acknowledgment, Cause, Confidence, Flip, FlipKind, Position};
use serde_json::{Value, json};

use super::each;
use crate::Result;
use crate::sql::{Args, Sql, Tx, clean};

const AGENTS: Sql = each!(
    "INSERT INTO agent_totals (agent_name, positions, flips, contradictions, retractions,
        qualifications, refinements, silent, before_sum, before_count, after_sum, after_count)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
        CAST(given.value ->> 5 AS BIGINT), CAST(given.value ->> 6 AS BIGINT),
        CAST(given.value ->> 7 AS BIGINT), CAST(given.value ->> 8 AS DOUBLE PRECISION),
        CAST(given.value ->> 9 AS BIGINT), CAST(given.value ->> 10 AS DOUBLE PRECISION),
        CAST(given.value ->> 11 AS BIGINT)",
    "WHERE true ON CONFLICT (agent_name) DO UPDATE SET
        positions = agent_totals.positions + excluded.positions,
        flips = agent_totals.flips + excluded.flips,
        contradictions = agent_totals.contradictions + excluded.contradictions,
        retractions = agent_totals.retractions + excluded.retractions,
        qualifications = agent_totals.qualifications + excluded.qualifications,
        refinements = agent_totals.refinements + excluded.refinements,
        silent = agent_totals.silent + excluded.silent,
        before_sum = agent_totals.before_sum + excluded.before_sum,
        before_count = agent_totals.before_count + excluded.before_count,
        after_sum = agent_totals.after_sum + excluded.after_sum,
        after_count = agent_totals.after_count + excluded.after_count"
);

const AGENT_DOMAINS: Sql = each!(
    "INSERT INTO agent_domain_totals (agent_name, domain, positions, flips, contradictions,
        retractions, qualifications, refinements, silent)
    SELECT given.value ->> 0, given.value ->> 1, CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
        CAST(given.value ->> 5 AS BIGINT), CAST(given.value ->> 6 AS BIGINT),
        CAST(given.value ->> 7 AS BIGINT), CAST(given.value ->> 8 AS BIGINT)",
    "WHERE true ON CONFLICT (agent_name, domain) DO UPDATE SET
        positions = agent_domain_totals.positions + excluded.positions,
        flips = agent_domain_totals.flips + excluded.flips,
        contradictions = agent_domain_totals.contradictions + excluded.contradictions,
        retractions = agent_domain_totals.retractions + excluded.retractions,
        qualifications = agent_domain_totals.qualifications + excluded.qualifications,
        refinements = agent_domain_totals.refinements + excluded.refinements,
        silent = agent_domain_totals.silent + excluded.silent"
);

const DOMAINS: Sql = each!(
    "INSERT INTO domain_totals (domain, positions, flips, contradictions, retractions,
        qualifications, refinements, silent)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
        CAST(given.value ->> 5 AS BIGINT), CAST(given.value ->> 6 AS BIGINT),
        CAST(given.value ->> 7 AS BIGINT)",
    "WHERE true ON CONFLICT (domain) DO UPDATE SET
        positions = domain_totals.positions + excluded.positions,
        flips = domain_totals.flips + excluded.flips,
        contradictions = domain_totals.contradictions + excluded.contradictions,
        retractions = domain_totals.retractions + excluded.retractions,
        qualifications = domain_totals.qualifications + excluded.qualifications,
        refinements = domain_totals.refinements + excluded.refinements,
        silent = domain_totals.silent + excluded.silent"
);

const KINDS: Sql = each!(
    "INSERT INTO flip_type_totals (flip_type, flips, silent)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), CAST(given.value ->> 2 AS BIGINT)",
    "WHERE true ON CONFLICT (flip_type) DO UPDATE SET
        flips = flip_type_totals.flips + excluded.flips,
        silent = flip_type_totals.silent + excluded.silent"
);

const MINUTES: Sql = each!(
    "INSERT INTO flip_minutes (minute, flips)
    SELECT CAST(given.value ->> 0 AS BIGINT), CAST(given.value ->> 1 AS BIGINT)",
    "WHERE true ON CONFLICT (minute) DO UPDATE SET flips = flip_minutes.flips + excluded.flips"
);

const DAYS: Sql = each!(
    "INSERT INTO flip_days (day, flip_type, flips)
    SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1, CAST(given.value ->> 2 AS BIGINT)",
    "WHERE true ON CONFLICT (day, flip_type) DO UPDATE SET
        flips = flip_days.flips + excluded.flips"
);

const EXPOSURES: Sql = each!(
    "INSERT INTO exposures (agent_name, cause, exposed, flipped)
    SELECT given.value ->> 0, given.value ->> 1, CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT)",
    "WHERE true ON CONFLICT (agent_name, cause) DO UPDATE SET
        exposed = exposures.exposed + excluded.exposed,
        flipped = exposures.flipped + excluded.flipped"
);

pub(crate) const MINUTE_US: i64 = 60_000_000;
pub(crate) const DAY_US: i64 = 1_440 * MINUTE_US;

/// What one record adds to a row of totals.
#[derive(Clone, Copy, Debug, Default)]
struct Delta {
    positions: u64,
    flips: u64,
    /// By kind, mildest first.
    kinds: [u64; 4],
    silent: u64,
    before: Sum,
    after: Sum,
}

/// Confidences added up, in the order they came, so that the same records give the same bits.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    count: u64,
}

impl Sum {
    fn add(&mut self, confidence: Option<Confidence>) {
        if let Some(confidence) = confidence {
            self.sum += confidence.value();
            self.count += 1;
        }
    }
}

impl Delta {
    fn flip(&mut self, flip: &Flip) {
        self.flips += 1;
        for (count, kind) in self.kinds.iter_mut().zip(FlipKind::ALL) {
            *count += u64::from(kind == flip.kind);
        }
        self.silent += u64::from(flip.acknowledgment == Acknowledgment::Silent);
        self.before.add(flip.before.confidence);
        self.after.add(flip.after.confidence);
    }

    /// The columns that all tables of totals share, heaviest kind first.
    fn columns(&self) -> Vec<Value> {
        let [refinements, qualifications, retractions, contradictions] = self.kinds;
        let counts = [
            self.positions,
            self.flips,
            contradictions,
            retractions,
            qualifications,
            refinements,
            self.silent,
        ];
        counts.map(Value::from).to_vec()
    }
}

/// Totals of one record, each in order of name.
#[derive(Default)]
struct Deltas<'a> {
    agents: BTreeMap<&'a str, Delta>,
    agent_domains: BTreeMap<(&'a str, &'a str), Delta>,
    domains: BTreeMap<&'a str, Delta>,
    /// How often exposed to a cause, and how often moved by it.
    exposures: BTreeMap<(&'a str, Cause), (u64, u64)>,
}

impl<'a> Deltas<'a> {
    fn each(&mut self, agent: &'a str, domain: &'a str, change: impl Fn(&mut Delta)) {
        change(self.agents.entry(agent).or_default());
        change(self.agent_domains.entry((agent, domain)).or_default());
        change(self.domains.entry(domain).or_default());
    }

    async fn write(self, tx: &mut Tx<'_>) -> Result<()> {
        let agents = self.agents.into_iter().map(|(agent, delta)| {
            let mut row = vec![json!(clean(agent))];
            row.extend(delta.columns());
            row.extend([json!(delta.before.sum), json!(delta.before.count)]);
            row.extend([json!(delta.after.sum), json!(delta.after.count)]);
            Value::Array(row)
        });
        put(tx, AGENTS, agents.collect()).await?;
        let pairs = self.agent_domains.into_iter().map(|((agent, domain), delta)| {
            let mut row = vec![json!(clean(agent)), json!(clean(domain))];
            row.extend(delta.columns());
            Value::Array(row)
        });
        put(tx, AGENT_DOMAINS, pairs.collect()).await?;
        let domains = self.domains.into_iter().map(|(domain, delta)| {
            let mut row = vec![json!(clean(domain))];
            row.extend(delta.columns());
            Value::Array(row)
        });
        put(tx, DOMAINS, domains.collect()).await?;
        let exposures = self.exposures.into_iter().map(|((agent, cause), (exposed, flipped))| {
            json!([clean(agent), cause.as_str(), exposed, flipped])
        });
        put(tx, EXPOSURES, exposures.collect()).await
    }
}

async fn put(tx: &mut Tx<'_>, sql: Sql, rows: Vec<Value>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(sql, Args::none().json(&rows)).await.map(drop)
}

/// Positions counted over any number of records. Whole numbers add up to the same in any order;
/// confidences do not, so flips are written record by record.
#[derive(Debug, Default)]
pub(super) struct Counts {
    agents: BTreeMap<String, AgentCounts>,
}

#[derive(Debug, Default)]
struct AgentCounts {
    domains: BTreeMap<String, u64>,
    exposures: BTreeMap<Cause, u64>,
}

impl Counts {
    pub(super) fn positions(&mut self, positions: &[Position]) {
        for position in positions {
            let domain = position.domain.as_deref().unwrap_or_default();
            change(&mut self.agents, position.agent.as_str(), |agent| {
                change(&mut agent.domains, domain, |count| *count += 1);
                let causes: BTreeSet<Cause> = position.exposed_to.iter().copied().collect();
                for cause in causes {
                    *agent.exposures.entry(cause).or_default() += 1;
                }
            });
        }
    }

    pub(super) async fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        let mut deltas = Deltas::default();
        for (agent, counts) in &self.agents {
            for (domain, positions) in &counts.domains {
                deltas.each(agent, domain, |delta| delta.positions += positions);
            }
            for (cause, exposed) in &counts.exposures {
                deltas.exposures.entry((agent, *cause)).or_default().0 += exposed;
            }
        }
        deltas.write(tx).await
    }
}

/// Changes the entry of a name, without a copy of the name where it is there already.
fn change<V: Default>(map: &mut BTreeMap<String, V>, name: &str, change: impl FnOnce(&mut V)) {
    if let Some(value) = map.get_mut(name) {
        change(value);
    } else {
        let mut value = V::default();
        change(&mut value);
        map.insert(name.to_owned(), value);
    }
}

/// Counts flips. A flip counts for the agent and the domain of the position that was left.
pub(super) async fn of_flips(tx: &mut Tx<'_>, flips: &[Flip]) -> Result<()> {
    let mut deltas = Deltas::default();
    let mut kinds: BTreeMap<FlipKind, (u64, u64)> = BTreeMap::new();
    let mut minutes: BTreeMap<i64, u64> = BTreeMap::new();
    let mut days: BTreeMap<(i64, FlipKind), u64> = BTreeMap::new();
    for flip in flips {
        let domain = flip.before.domain.as_deref().unwrap_or_default();
        deltas.each(flip.before.agent.as_str(), domain, |delta| delta.flip(flip));
        deltas.exposures.entry((flip.before.agent.as_str(), flip.cause)).or_default().1 += 1;
        let kind = kinds.entry(flip.kind).or_default();
        kind.0 += 1;
        kind.1 += u64::from(flip.acknowledgment == Acknowledgment::Silent);
        let minute = flip.detected_at.as_microsecond().div_euclid(MINUTE_US);
        *minutes.entry(minute).or_default() += 1;
        let day = flip.after.at.as_microsecond().div_euclid(DAY_US);
        *days.entry((day, flip.kind)).or_default() += 1;
    }
    deltas.write(tx).await?;
    let kinds = kinds.into_iter().map(|(kind, (all, silent))| json!([kind.as_str(), all, silent]));
    put(tx, KINDS, kinds.collect()).await?;
    put(tx, MINUTES, minutes.into_iter().map(|(minute, flips)| json!([minute, flips])).collect())
        .await?;
    let days = days.into_iter().map(|((day, kind), flips)| json!([day, kind.as_str(), flips]));
    put(tx, DAYS, days.collect()).await
}
