//! How consistent an agent is: the seed document's score, field by field.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Flip, FlipKind};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::real;

/// An agent's flips in numbers. As JSON it has every field of the seed document under its name, the
/// computed `consistency_score` and `flip_rate` among them.
///
/// ```
/// use rebuttal_detect::scores::AgentConsistencyScore;
/// use rebuttal_model::AgentId;
///
/// let mut score = AgentConsistencyScore::new(AgentId::new("claude"), 10);
/// assert_eq!(score.consistency_score(), 1.0);
/// score.contradictions = 1;
/// assert_eq!(score.consistency_score(), 0.9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AgentConsistencyScore {
    /// Whose score it is.
    pub agent_name: AgentId,
    /// Positions the agent took.
    pub total_positions: u64,
    /// Flips of any kind.
    pub total_flips: u64,
    /// Flips to the direct opposite.
    pub contradictions: u64,
    /// Minor adjustments.
    pub refinements: u64,
    /// Withdrawals.
    pub retractions: u64,
    /// Nuances added.
    pub qualifications: u64,
    /// How sure the agent was, on average, of what it then gave up; flips of a position without a
    /// confidence are left out, and 0 says that there is none.
    pub avg_confidence_on_flip: f64,
    /// Fields it flipped in, most flips first, then by name.
    pub domains_with_flips: Vec<String>,
}

/// How consistent, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsistencyClass {
    /// A score of 0.5 at most.
    Low,
    /// A score above 0.5.
    Medium,
    /// A score above 0.8.
    High,
}

impl ConsistencyClass {
    /// The class of a score.
    pub fn of(score: f64) -> Self {
        if score > 0.8 {
            Self::High
        } else if score > 0.5 {
            Self::Medium
        } else {
            Self::Low
        }
    }

    /// `high`, `medium` or `low`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

impl AgentConsistencyScore {
    /// An agent with positions and no flip.
    pub fn new(agent_name: AgentId, total_positions: u64) -> Self {
        Self {
            agent_name,
            total_positions,
            total_flips: 0,
            contradictions: 0,
            refinements: 0,
            retractions: 0,
            qualifications: 0,
            avg_confidence_on_flip: 0.0,
            domains_with_flips: Vec::new(),
        }
    }

    /// From an agent's own flips; flips of others are left out.
    pub fn from_flips<'f>(
        agent: AgentId,
        total_positions: u64,
        flips: impl IntoIterator<Item = &'f Flip>,
    ) -> Self {
        let mut tally = Tally::default();
        for flip in flips.into_iter().filter(|flip| flip.after.agent == agent) {
            tally.add(flip);
        }
        tally.score(agent, total_positions)
    }

    /// `max(0, 1 − (1.0·contradictions + 0.7·retractions + 0.3·qualifications + 0.1·refinements) /
    /// positions)`; 1 without a position.
    pub fn consistency_score(&self) -> f64 {
        if self.total_positions == 0 {
            return 1.0;
        }
        let weighted: f64 =
            FlipKind::ALL.iter().map(|&kind| real(self.count(kind)) * kind.weight()).sum();
        (1.0 - weighted / real(self.total_positions)).max(0.0)
    }

    /// Flips for each position; above 1 where one position was given up several times, 0 without a
    /// position.
    pub fn flip_rate(&self) -> f64 {
        crate::measure::share(self.total_flips, self.total_positions).unwrap_or(0.0)
    }

    /// The score in a word.
    pub fn class(&self) -> ConsistencyClass {
        ConsistencyClass::of(self.consistency_score())
    }

    /// How many flips of one kind.
    pub fn count(&self, kind: FlipKind) -> u64 {
        match kind {
            FlipKind::Contradiction => self.contradictions,
            FlipKind::Retraction => self.retractions,
            FlipKind::Qualification => self.qualifications,
            FlipKind::Refinement => self.refinements,
        }
    }
}

impl Serialize for AgentConsistencyScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("AgentConsistencyScore", 11)?;
        fields.serialize_field("agent_name", &self.agent_name)?;
        fields.serialize_field("total_positions", &self.total_positions)?;
        fields.serialize_field("total_flips", &self.total_flips)?;
        fields.serialize_field("contradictions", &self.contradictions)?;
        fields.serialize_field("refinements", &self.refinements)?;
        fields.serialize_field("retractions", &self.retractions)?;
        fields.serialize_field("qualifications", &self.qualifications)?;
        fields.serialize_field("avg_confidence_on_flip", &self.avg_confidence_on_flip)?;
        fields.serialize_field("domains_with_flips", &self.domains_with_flips)?;
        fields.serialize_field("consistency_score", &self.consistency_score())?;
        fields.serialize_field("flip_rate", &self.flip_rate())?;
        fields.end()
    }
}

/// The scores of many agents in one walk over their flips. Who has neither position nor flip is
/// perfectly consistent so far.
pub fn consistency_batch<'f>(
    agents: &[AgentId],
    positions: &BTreeMap<AgentId, u64>,
    flips: impl IntoIterator<Item = &'f Flip>,
) -> BTreeMap<AgentId, AgentConsistencyScore> {
    let mut tallies: BTreeMap<AgentId, Tally> =
        agents.iter().map(|agent| (agent.clone(), Tally::default())).collect();
    for flip in flips {
        if let Some(tally) = tallies.get_mut(&flip.after.agent) {
            tally.add(flip);
        }
    }
    let score = |(agent, tally): (AgentId, Tally)| {
        let total = positions.get(&agent).copied().unwrap_or(0);
        (agent.clone(), tally.score(agent, total))
    };
    tallies.into_iter().map(score).collect()
}

/// One agent's flips, counted as they come.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<FlipKind, u64>,
    domains: BTreeMap<String, u64>,
    confidence_sum: f64,
    confident: u64,
}

impl Tally {
    fn add(&mut self, flip: &Flip) {
        *self.kinds.entry(flip.kind).or_default() += 1;
        if let Some(domain) = flip.after.domain.as_ref().or(flip.before.domain.as_ref()) {
            *self.domains.entry(domain.clone()).or_default() += 1;
        }
        if let Some(confidence) = flip.before.confidence {
            self.confidence_sum += confidence.value();
            self.confident += 1;
        }
    }

    fn score(self, agent_name: AgentId, total_positions: u64) -> AgentConsistencyScore {
        let count = |kind| self.kinds.get(&kind).copied().unwrap_or(0);
        let mut domains: Vec<(String, u64)> = self.domains.into_iter().collect();
        // Stable: equal counts stay in the order of names.
        domains.sort_by_key(|(_, flips)| std::cmp::Reverse(*flips));
        AgentConsistencyScore {
            agent_name,
            total_positions,
            total_flips: self.kinds.values().sum(),
            contradictions: count(FlipKind::Contradiction),
            refinements: count(FlipKind::Refinement),
            retractions: count(FlipKind::Retraction),
            qualifications: count(FlipKind::Qualification),
            avg_confidence_on_flip: if self.confident == 0 {
                0.0
            } else {
                self.confidence_sum / real(self.confident)
            },
            domains_with_flips: domains.into_iter().map(|(domain, _)| domain).collect(),
        }
    }
}
