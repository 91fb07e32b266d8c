//! Totals that grow with every record, so that no summary ever counts rows.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{Acknowledgment, Cause, Confidence, Flip, FlipKind, Position};
use serde_json::{Value, json};

use super::{Way, each};
use crate::Result;
use crate::sql::{Args, Sql, Tx, clean};

/// Adds to the totals of agents, and notes whether their positions came in order.
const AGENTS: Sql = each!(
    "INSERT INTO agent_totals (agent_name, positions, flips, contradictions, retractions,
        qualifications, refinements, silent, before_sum, before_count, after_sum, after_count,
        earliest_us, latest_us, unordered)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
        CAST(given.value ->> 5 AS BIGINT), CAST(given.value ->> 6 AS BIGINT),
        CAST(given.value ->> 7 AS BIGINT), CAST(given.value ->> 8 AS DOUBLE PRECISION),
        CAST(given.value ->> 9 AS BIGINT), CAST(given.value ->> 10 AS DOUBLE PRECISION),
        CAST(given.value ->> 11 AS BIGINT), CAST(given.value ->> 12 AS BIGINT),
        CAST(given.value ->> 13 AS BIGINT), CAST(given.value ->> 14 AS BIGINT)",
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
        after_count = agent_totals.after_count + excluded.after_count,
        unordered = CASE WHEN agent_totals.unordered = 1 OR excluded.unordered = 1
            OR excluded.earliest_us < agent_totals.latest_us THEN 1 ELSE 0 END,
        earliest_us = CASE WHEN excluded.earliest_us IS NULL
            OR excluded.earliest_us > agent_totals.earliest_us
            THEN agent_totals.earliest_us ELSE excluded.earliest_us END,
        latest_us = CASE WHEN excluded.latest_us IS NULL
            OR excluded.latest_us < agent_totals.latest_us
            THEN agent_totals.latest_us ELSE excluded.latest_us END"
);

/// Adds to the totals of agents in fields.
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

/// Adds to the totals of fields.
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

/// Adds to the totals of kinds of flips.
const KINDS: Sql = each!(
    "INSERT INTO flip_type_totals (flip_type, flips, silent)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), CAST(given.value ->> 2 AS BIGINT)",
    "WHERE true ON CONFLICT (flip_type) DO UPDATE SET
        flips = flip_type_totals.flips + excluded.flips,
        silent = flip_type_totals.silent + excluded.silent"
);

/// Adds to the flips of each minute, from which those of the last 24 hours are summed.
const MINUTES: Sql = each!(
    "INSERT INTO flip_minutes (minute, flips)
    SELECT CAST(given.value ->> 0 AS BIGINT), CAST(given.value ->> 1 AS BIGINT)",
    "WHERE true ON CONFLICT (minute) DO UPDATE SET flips = flip_minutes.flips + excluded.flips"
);

/// Adds to the flips of each day, for plots over time.
const DAYS: Sql = each!(
    "INSERT INTO flip_days (day, flip_type, flips)
    SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1, CAST(given.value ->> 2 AS BIGINT)",
    "WHERE true ON CONFLICT (day, flip_type) DO UPDATE SET
        flips = flip_days.flips + excluded.flips"
);

/// Adds to how often an agent was shown something, and how often it gave way.
const EXPOSURES: Sql = each!(
    "INSERT INTO exposures (agent_name, cause, exposed, flipped)
    SELECT given.value ->> 0, given.value ->> 1, CAST(given.value ->> 2 AS BIGINT),
        CAST(given.value ->> 3 AS BIGINT)",
    "WHERE true ON CONFLICT (agent_name, cause) DO UPDATE SET
        exposed = exposures.exposed + excluded.exposed,
        flipped = exposures.flipped + excluded.flipped"
);

/// Microseconds of a minute.
pub(crate) const MINUTE_US: i64 = 60_000_000;
/// Microseconds of a day.
pub(crate) const DAY_US: i64 = 1_440 * MINUTE_US;

/// What one record adds to a row of totals.
#[derive(Clone, Copy, Debug, Default)]
struct Delta {
    positions: i64,
    flips: i64,
    /// Flips of each kind, mildest first.
    kinds: [i64; 4],
    silent: i64,
    before: Sum,
    after: Sum,
}

/// Confidences added up, in the order they came, so that the same records give the same bits.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    count: i64,
}

impl Sum {
    /// Adds a confidence, or takes it out again.
    fn add(&mut self, confidence: Option<Confidence>, way: Way) {
        if let Some(confidence) = confidence {
            self.count += way.one();
            match way {
                Way::In => self.sum += confidence.value(),
                Way::Out => self.sum -= confidence.value(),
            }
        }
    }
}

impl Delta {
    /// Counts a flip, or takes it out again.
    fn flip(&mut self, flip: &Flip, way: Way) {
        self.flips += way.one();
        for (count, kind) in self.kinds.iter_mut().zip(FlipKind::ALL) {
            *count += if kind == flip.kind { way.one() } else { 0 };
        }
        self.silent += silent(flip, way);
        self.before.add(flip.before.confidence, way);
        self.after.add(flip.after.confidence, way);
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
    exposures: BTreeMap<(&'a str, Cause), (i64, i64)>,
    times: BTreeMap<&'a str, Times>,
}

impl<'a> Deltas<'a> {
    /// Changes the totals of the agent, of the field, and of the agent in the field.
    fn each(&mut self, agent: &'a str, domain: &'a str, change: impl Fn(&mut Delta)) {
        change(self.agents.entry(agent).or_default());
        change(self.agent_domains.entry((agent, domain)).or_default());
        change(self.domains.entry(domain).or_default());
    }

    /// Adds all of it to the tables, each in the order of its key.
    async fn write(self, tx: &mut Tx<'_>) -> Result<()> {
        let agents = self.agents.into_iter().map(|(agent, delta)| {
            let mut row = vec![json!(clean(agent))];
            row.extend(delta.columns());
            row.extend([json!(delta.before.sum), json!(delta.before.count)]);
            row.extend([json!(delta.after.sum), json!(delta.after.count)]);
            let times = self.times.get(agent);
            row.push(json!(times.map(|times| times.earliest_us)));
            row.push(json!(times.map(|times| times.latest_us)));
            row.push(json!(times.map_or(0, |times| u8::from(times.unordered))));
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

/// Runs a statement over rows, if there are any.
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

/// What was counted of one agent.
#[derive(Debug, Default)]
struct AgentCounts {
    domains: BTreeMap<String, i64>,
    exposures: BTreeMap<Cause, i64>,
    times: Option<Times>,
}

/// From when to when an agent's positions are, and whether one came after a later one. Read in any
/// number of steps it comes to the same: a step's earliest is late if anything before it is later.
#[derive(Clone, Copy, Debug)]
struct Times {
    earliest_us: i64,
    latest_us: i64,
    unordered: bool,
}

impl Times {
    /// With one more position at this time.
    fn with(before: Option<Self>, at: i64) -> Self {
        let Some(Self { earliest_us, latest_us, unordered }) = before else {
            return Self { earliest_us: at, latest_us: at, unordered: false };
        };
        Self {
            earliest_us: earliest_us.min(at),
            latest_us: latest_us.max(at),
            unordered: unordered || at < latest_us,
        }
    }
}

impl Counts {
    /// Counts positions.
    pub(super) fn positions(&mut self, positions: &[Position]) {
        for position in positions {
            let domain = position.domain.as_deref().unwrap_or_default();
            change(&mut self.agents, position.agent.as_str(), |agent| {
                change(&mut agent.domains, domain, |count| *count += 1);
                agent.times = Some(Times::with(agent.times, position.at.as_microsecond()));
                let causes: BTreeSet<Cause> = position.exposed_to.iter().copied().collect();
                for cause in causes {
                    *agent.exposures.entry(cause).or_default() += 1;
                }
            });
        }
    }

    /// Adds what was counted to the tables.
    pub(super) async fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        let mut deltas = Deltas::default();
        for (agent, counts) in &self.agents {
            for (domain, positions) in &counts.domains {
                deltas.each(agent, domain, |delta| delta.positions += positions);
            }
            deltas.times.extend(counts.times.map(|times| (agent.as_str(), times)));
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

/// 1 for a flip that the agent did not mention, with the sign of the way.
fn silent(flip: &Flip, way: Way) -> i64 {
    if flip.acknowledgment == Acknowledgment::Silent { way.one() } else { 0 }
}

/// Counts flips. A flip counts for the agent and the domain of the position that was left, or, if that
/// has none, of the one that was taken.
pub(super) async fn of_flips(tx: &mut Tx<'_>, flips: &[Flip], way: Way) -> Result<()> {
    let mut deltas = Deltas::default();
    let mut kinds: BTreeMap<FlipKind, (i64, i64)> = BTreeMap::new();
    let mut minutes: BTreeMap<i64, i64> = BTreeMap::new();
    let mut days: BTreeMap<(i64, FlipKind), i64> = BTreeMap::new();
    for flip in flips {
        let domain = flip.before.domain.as_deref().or(flip.after.domain.as_deref());
        let agent = flip.before.agent.as_str();
        deltas.each(agent, domain.unwrap_or_default(), |delta| delta.flip(flip, way));
        deltas.exposures.entry((agent, flip.cause)).or_default().1 += way.one();
        let kind = kinds.entry(flip.kind).or_default();
        kind.0 += way.one();
        kind.1 += silent(flip, way);
        let at = flip.after.at.as_microsecond();
        *minutes.entry(at.div_euclid(MINUTE_US)).or_default() += way.one();
        *days.entry((at.div_euclid(DAY_US), flip.kind)).or_default() += way.one();
    }
    deltas.write(tx).await?;
    let kinds = kinds.into_iter().map(|(kind, (all, silent))| json!([kind.as_str(), all, silent]));
    put(tx, KINDS, kinds.collect()).await?;
    put(tx, MINUTES, minutes.into_iter().map(|(minute, flips)| json!([minute, flips])).collect())
        .await?;
    let days = days.into_iter().map(|((day, kind), flips)| json!([day, kind.as_str(), flips]));
    put(tx, DAYS, days.collect()).await
}
