//! From what the ledger counted to calibration, ratings and the weight of a vote.

use crate::error::Result;
use rebuttal_detect::scores::{
    AgentConsistencyScore, AgentRating, Calibration, DebateScores, DomainCalibration, Prediction,
    Ratings, Temperature, VoteWeight,
};
use rebuttal_model::{AgentId, Outcome};
use rebuttal_store::{DebateScore, Store};

use rebuttal_report::ledger::Judged;

/// Rows read at a time.
const PAGE: u32 = 5_000;

/// Most debates that ratings are made from, the latest ones left out beyond.
const DEBATES: usize = 1_000_000;

/// Compares an agent's confidences with how its positions turned out; `None` while nobody knows.
pub async fn judged(store: &Store, agent: &str) -> Result<Option<Judged>> {
    let mut predictions = Vec::new();
    let mut overall = DomainCalibration::default();
    let mut after = 0;
    loop {
        let page = store.resolved(Some(agent), after, PAGE).await?;
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

/// An agent's ratings from all debates that were scored; `None` if it was in none.
pub async fn rating(store: &Store, agent: &str) -> Result<Option<AgentRating>> {
    let mut ratings = Ratings::default();
    let (mut after, mut debates) = (0, 0);
    loop {
        let page = store.debate_scores(after, PAGE).await?;
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
pub fn weight(
    score: &AgentConsistencyScore,
    judged: Option<&Judged>,
    rating: Option<&AgentRating>,
) -> VoteWeight {
    let calibration = judged.map(|judged| &judged.overall);
    VoteWeight::new(Some(score), calibration, rating.map(|rating| rating.elo))
}
