//! What is shown of an agent, and of the whole ledger.

use std::collections::BTreeMap;

use rebuttal_detect::scores::{
    AgentConsistencyScore, AgentRating, Calibration, DomainCalibration, Rate, Temperature,
    VoteWeight,
};
use rebuttal_model::{AgentId, Cause, Flip};
use rebuttal_store::{
    AgentTotals, Contested, DayFlips, DomainTotals, HeatCell, StoredPosition, Summary,
};

/// Positions that the line of confidences is drawn from.
pub const LINE: u32 = 60;

/// Everything that is shown of an agent.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// What the ledger counted.
    pub totals: AgentTotals,
    /// How consistent it is.
    pub score: AgentConsistencyScore,
    /// The latest first; as many as the line takes.
    pub history: Vec<StoredPosition>,
    /// The latest found first.
    pub flips: Vec<Flip>,
    /// How often it gave way, by what it was shown.
    pub moved_by: BTreeMap<Cause, Rate>,
    /// How right it was, where anybody knows.
    pub judged: Option<Judged>,
    /// Its ratings; `None` if it was in no debate that was scored.
    pub rating: Option<AgentRating>,
    /// How much its vote should count.
    pub weight: VoteWeight,
    /// How many positions and flips are wanted.
    pub limit: usize,
}

impl Portrait {
    /// Whether the ledger has any position of it.
    pub fn is_known(&self) -> bool {
        self.totals.positions > 0
    }

    /// The positions that are listed.
    pub fn listed(&self) -> &[StoredPosition] {
        self.history.get(..self.limit.min(self.history.len())).unwrap_or_default()
    }

    /// Stated confidences, the earliest first.
    pub fn confidences(&self) -> Vec<Option<f64>> {
        let latest = usize::try_from(LINE).unwrap_or(usize::MAX);
        let history = self.history.iter().take(latest).rev();
        history.map(|held| Some(held.position.confidence?.value())).collect()
    }
}

/// How far to believe what an agent says about itself.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its confidences beside how its positions turned out.
    pub calibration: Calibration,
    /// The sums of that over all fields.
    pub overall: DomainCalibration,
    /// What makes its confidences honest; from ten outcomes on.
    pub temperature: Option<Temperature>,
}

impl Judged {
    /// What the temperature means, in words.
    pub fn temperature_words(&self) -> String {
        const SAID: f64 = 0.9;
        match self.temperature {
            None => "no temperature yet: it takes ten outcomes".to_owned(),
            Some(fitted) => format!(
                "temperature {:.2}: {SAID} of its confidence is worth {:.2}",
                fitted.value(),
                fitted.scale(SAID)
            ),
        }
    }
}

/// An agent in a list: its totals and its score.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// What the ledger counted.
    pub totals: AgentTotals,
    /// The seed document's score.
    pub score: AgentConsistencyScore,
}

impl From<AgentTotals> for Ranked {
    fn from(totals: AgentTotals) -> Self {
        Self { score: consistency(&totals), totals }
    }
}

/// The seed document's score.
pub fn consistency(totals: &AgentTotals) -> AgentConsistencyScore {
    let domains = totals.domains_with_flips.iter().filter(|domain| !domain.is_empty());
    AgentConsistencyScore {
        agent_name: AgentId::new(totals.agent.as_str()),
        total_positions: totals.positions,
        total_flips: totals.flips,
        contradictions: totals.contradictions,
        refinements: totals.refinements,
        retractions: totals.retractions,
        qualifications: totals.qualifications,
        avg_confidence_on_flip: totals.confidence_before.unwrap_or(0.0),
        domains_with_flips: domains.cloned().collect(),
    }
}

/// Everything on the page.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Where the ledger is.
    pub database: String,
    /// Its totals.
    pub summary: Summary,
    /// Flips by the day the new position was taken.
    pub days: Vec<DayFlips>,
    /// Flips by field.
    pub domains: Vec<DomainTotals>,
    /// Flips by agent and field.
    pub heat: Vec<HeatCell>,
    /// What several agents flip on.
    pub contested: Vec<Contested>,
    /// The least consistent agents first.
    pub agents: Vec<Ranked>,
}
