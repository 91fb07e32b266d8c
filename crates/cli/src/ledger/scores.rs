//! From the ledger's totals to the scores of `detect`.

use anyhow::Result;
use rebuttal::detect::scores::{
    AgentConsistencyScore, AgentRating, Calibration, DebateScores, DomainCalibration, Prediction,
    Ratings, Temperature, VoteWeight,
};
use rebuttal::model::{AgentId, Outcome};
use rebuttal::store::{AgentTotals, DebateScore};

use super::Ledger;

/// Rows read at a time.
const PAGE: u32 = 5_000;

/// Most debates that ratings are made from, the latest ones left out beyond.
const DEBATES: usize = 1_000_000;

/// The seed document's score.
pub(super) fn consistency(totals: &AgentTotals) -> AgentConsistencyScore {
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

/// How far to believe what an agent says about itself.
pub(super) struct Judged {
    pub(super) calibration: Calibration,
    pub(super) overall: DomainCalibration,
    /// What makes its confidences honest; from ten outcomes on.
    pub(super) temperature: Option<Temperature>,
}

/// Compares an agent's confidences with how its positions turned out; `None` while nobody knows.
pub(super) fn judged(ledger: &Ledger, agent: &str) -> Result<Option<Judged>> {
    let mut predictions = Vec::new();
    let mut overall = DomainCalibration::default();
    let mut after = 0;
    loop {
        let page = ledger.wait(ledger.store.resolved(Some(agent), after, PAGE))?;
        let Some(last) = page.last() else { break };
        after = last.n;
        for row in &page {
            let correct = match row.outcome {
                Outcome::Correct => true,
                Outcome::Incorrect => false,
                Outcome::Unresolved => continue,
            };
            let Some(confidence) = row.confidence else { continue };
            let made = Prediction { confidence, correct };
            overall.add(made);
            predictions.push(made);
        }
    }
    let calibration = Calibration::of(&predictions);
    let temperature = Temperature::fit(&predictions);
    Ok((!predictions.is_empty()).then_some(Judged { calibration, overall, temperature }))
}

impl Judged {
    /// What the temperature means, in words.
    pub(super) fn temperature_words(&self) -> String {
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

/// An agent's ratings from all debates that were scored; `None` if it was in none.
pub(super) fn rating(ledger: &Ledger, agent: &str) -> Result<Option<AgentRating>> {
    let mut ratings = Ratings::default();
    let (mut after, mut debates) = (0, 0);
    loop {
        let page = ledger.wait(ledger.store.debate_scores(after, PAGE))?;
        let Some(last) = page.last() else { break };
        after = last.n;
        for rows in page.chunk_by(|one, two| one.n == two.n) {
            // A debate that cannot be rated changes nobody's rating.
            ratings.record(&debate(rows)).ok();
            debates += 1;
        }
        if debates > DEBATES {
            break;
        }
    }
    let rating = ratings.of(&AgentId::new(agent));
    Ok((rating.debates > 0).then_some(rating))
}

fn debate(rows: &[DebateScore]) -> DebateScores {
    DebateScores {
        scores: rows.iter().map(|row| (row.agent.clone(), row.score)).collect(),
        confidence: 1.0,
        domain: rows.first().and_then(|row| row.domain.clone()),
    }
}

/// How much an agent's vote should count.
pub(super) fn weight(
    score: &AgentConsistencyScore,
    judged: Option<&Judged>,
    rating: Option<&AgentRating>,
) -> VoteWeight {
    let calibration = judged.map(|judged| &judged.overall);
    VoteWeight::new(Some(score), calibration, rating.map(|rating| rating.elo))
}
