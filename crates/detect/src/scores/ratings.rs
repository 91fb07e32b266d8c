//! Who argues well: Elo and Glicko-2 from debate outcomes, by the `skillratings` crate.
//!
//! A debate is a round of games, every participant against every other, with the ratings from before
//! the debate. What one gains another loses. A debate of six is worth no more to an agent than a
//! debate of two: the K of each game is divided by the number of opponents.

use std::collections::BTreeMap;

use rebuttal_model::AgentId;
use serde::Serialize;
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo, expected_score};
use skillratings::glicko2::{
    Glicko2Config, Glicko2Rating, confidence_interval, glicko2_rating_period,
};

use super::{AgentConsistencyScore, real};

/// The rating of who has not debated yet.
pub const ELO_START: f64 = 1500.0;
/// The most a debate between two can change a rating.
pub const ELO_K: f64 = 32.0;

/// Scores nearer to each other than this are a draw.
const DRAW: f64 = 1e-9;

/// What cannot be rated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// A chance that is none, or certain, has no difference of ratings.
    #[error("an expected score must be in (0, 1), not {0}")]
    Expected(f64),
    /// A share of the points needs points.
    #[error("the score of {agent} is {score}; scores must be finite and not negative")]
    Score {
        /// Whose score.
        agent: AgentId,
        /// What it was.
        score: f64,
    },
    /// A weight scales K.
    #[error("a confidence weight must be within 0 and 1, not {0}")]
    Weight(f64),
}

/// How a debate ended.
#[derive(Clone, Debug, PartialEq)]
pub struct DebateScores {
    /// Points of each participant, on any scale from 0 up; only shares count.
    pub scores: BTreeMap<AgentId, f64>,
    /// How sure the outcome is, 0 to 1; scales what Elo makes of it.
    pub confidence: f64,
    /// The field of the debate, for the ratings by field.
    pub domain: Option<String>,
}

/// A Glicko-2 rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Glicko {
    /// The rating, 1500 at first.
    pub rating: f64,
    /// How uncertain it is, 350 at first.
    pub deviation: f64,
    /// How erratic the agent is, 0.06 at first.
    pub volatility: f64,
}

impl Glicko {
    /// Where the true strength lies, 95 times in 100.
    pub fn interval(&self) -> (f64, f64) {
        confidence_interval(&(*self).into())
    }
}

impl From<Glicko2Rating> for Glicko {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Self {
        Self { rating, deviation, volatility }
    }
}

impl From<Glicko> for Glicko2Rating {
    fn from(Glicko { rating, deviation, volatility }: Glicko) -> Self {
        Self { rating, deviation, volatility }
    }
}

/// One agent's ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentRating {
    /// Elo over all debates.
    pub elo: f64,
    /// That with the agent's consistency in it, see [`elo_with_consistency`]; the same where nothing
    /// is known of it.
    pub elo_with_consistency: f64,
    /// Elo in each field it debated in.
    pub domains: BTreeMap<String, f64>,
    /// Glicko-2 over all debates, one debate being one period.
    pub glicko: Glicko,
    /// Debates that were counted.
    pub debates: u64,
}

/// The most that inconsistency takes off an Elo rating.
pub const INCONSISTENCY_ELO: f64 = 200.0;
/// Positions after which half of it is taken off: few say little.
const POSITIONS_HALF: f64 = 10.0;

/// An Elo rating with the agent's consistency in it:
///
/// `Elo − 200 · (1 − consistency) · n / (n + 10)`, for `n` positions.
///
/// Who never gives a position up keeps its rating, and so does one of whom nothing is known.
///
/// ```
/// use rebuttal_detect::scores::{AgentConsistencyScore, elo_with_consistency};
/// use rebuttal_model::AgentId;
///
/// let mut score = AgentConsistencyScore::new(AgentId::new("claude"), 10);
/// assert_eq!(elo_with_consistency(1500.0, &score), 1500.0);
/// score.contradictions = 5;
/// assert_eq!(elo_with_consistency(1500.0, &score), 1450.0);
/// ```
pub fn elo_with_consistency(elo: f64, score: &AgentConsistencyScore) -> f64 {
    let positions = real(score.total_positions);
    let known = positions / (positions + POSITIONS_HALF);
    elo - INCONSISTENCY_ELO * (1.0 - score.consistency_score()) * known
}

impl Default for AgentRating {
    fn default() -> Self {
        Self {
            elo: ELO_START,
            elo_with_consistency: ELO_START,
            domains: BTreeMap::new(),
            glicko: Glicko2Rating::new().into(),
            debates: 0,
        }
    }
}

/// All agents' ratings, debate by debate.
///
/// ```
/// use rebuttal_detect::scores::{DebateScores, Ratings};
/// use rebuttal_model::AgentId;
///
/// let (alice, bob) = (AgentId::new("alice"), AgentId::new("bob"));
/// let mut ratings = Ratings::default();
/// let scores = [(alice.clone(), 1.0), (bob, 0.0)].into();
/// ratings.record(&DebateScores { scores, confidence: 1.0, domain: None })?;
/// assert_eq!(ratings.of(&alice).elo, 1516.0);
/// # Ok::<(), rebuttal_detect::scores::RatingError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ratings {
    agents: BTreeMap<AgentId, AgentRating>,
}

impl Ratings {
    /// An agent's ratings; those of a beginner if it never debated.
    pub fn of(&self, agent: &AgentId) -> AgentRating {
        self.agents.get(agent).cloned().unwrap_or_default()
    }

    /// All that debated.
    pub fn iter(&self) -> impl Iterator<Item = (&AgentId, &AgentRating)> {
        self.agents.iter()
    }

    /// Counts one debate. Nothing changes if it cannot be rated.
    pub fn record(&mut self, debate: &DebateScores) -> Result<(), RatingError> {
        let elo: BTreeMap<AgentId, f64> =
            debate.scores.keys().map(|agent| (agent.clone(), self.of(agent).elo)).collect();
        let changes = elo_changes(&elo, &debate.scores, debate.confidence)?;
        let mut after = BTreeMap::new();
        for (agent, change) in changes {
            let mut rating = self.of(&agent);
            rating.elo += change;
            rating.debates += 1;
            if let Some(domain) = &debate.domain {
                let now = elo_in_domain(rating.domains.get(domain).copied(), change);
                rating.domains.insert(domain.clone(), now);
            }
            rating.glicko = self.period(&agent, &debate.scores);
            after.insert(agent, rating);
        }
        self.agents.extend(after);
        Ok(())
    }

    /// One debate as a period of Glicko-2: who scores more wins.
    fn period(&self, agent: &AgentId, scores: &BTreeMap<AgentId, f64>) -> Glicko {
        let own = scores.get(agent).copied().unwrap_or_default();
        let games: Vec<(Glicko2Rating, Outcomes)> = scores
            .iter()
            .filter(|(other, _)| *other != agent)
            .map(|(other, score)| (self.of(other).glicko.into(), outcome(own, *score)))
            .collect();
        let before = self.of(agent).glicko;
        // A period without a game would only widen the deviation: an agent alone learns nothing.
        if games.is_empty() {
            return before;
        }
        glicko2_rating_period(&before.into(), &games, &Glicko2Config::new()).into()
    }
}

fn outcome(own: f64, other: f64) -> Outcomes {
    if (own - other).abs() <= DRAW {
        Outcomes::DRAW
    } else if own > other {
        Outcomes::WIN
    } else {
        Outcomes::LOSS
    }
}

/// The chance that the first beats the second, a draw being half a win.
pub fn elo_expected(one: f64, two: f64) -> f64 {
    expected_score(&EloRating { rating: one }, &EloRating { rating: two }).0
}

/// The difference of ratings at which a score is expected: `400·log10(p / (1 − p))`.
pub fn elo_diff(expected: f64) -> Result<f64, RatingError> {
    if expected > 0.0 && expected < 1.0 {
        Ok(400.0 * (expected / (1.0 - expected)).log10())
    } else {
        Err(RatingError::Expected(expected))
    }
}

/// A rating after a game: `rating + k·(actual − expected)`.
pub fn elo_new(rating: f64, expected: f64, actual: f64, k: f64) -> f64 {
    k.mul_add(actual - expected, rating)
}

/// A field's rating after a change; the first starts from [`ELO_START`].
pub fn elo_in_domain(rating: Option<f64>, change: f64) -> f64 {
    rating.unwrap_or(ELO_START) + change
}

/// What a debate does to its participants' Elo: every pair, `share of the pair's points − expected`,
/// times K and `confidence`, over the number of opponents. The changes sum to 0.
pub fn elo_changes(
    ratings: &BTreeMap<AgentId, f64>,
    scores: &BTreeMap<AgentId, f64>,
    confidence: f64,
) -> Result<BTreeMap<AgentId, f64>, RatingError> {
    if !(0.0..=1.0).contains(&confidence) {
        return Err(RatingError::Weight(confidence));
    }
    if let Some((agent, score)) = scores.iter().find(|(_, s)| !(s.is_finite() && **s >= 0.0)) {
        return Err(RatingError::Score { agent: agent.clone(), score: *score });
    }
    let opponents = real(scores.len().saturating_sub(1).max(1) as u64);
    let config = EloConfig { k: ELO_K * confidence / opponents };
    let players: Vec<(f64, f64)> = scores
        .iter()
        .map(|(agent, score)| (ratings.get(agent).copied().unwrap_or(ELO_START), *score))
        .collect();
    let change = |one: usize| -> f64 {
        let Some(&(rating, score)) = players.get(one) else { return 0.0 };
        let others = players.iter().enumerate().filter(|(two, _)| *two != one);
        others.map(|(_, other)| game((rating, score), *other, config)).sum()
    };
    Ok(scores.keys().enumerate().map(|(at, agent)| (agent.clone(), change(at))).collect())
}

/// What one game changes for the first player. The crate knows wins and losses; its rule is linear in
/// the points won, so a share of the points lies between the two.
fn game(one: (f64, f64), two: (f64, f64), config: EloConfig) -> f64 {
    let players = (EloRating { rating: one.0 }, EloRating { rating: two.0 });
    let after = |outcome| elo(&players.0, &players.1, &outcome, &config).0.rating - one.0;
    // Halves first: the sum of two large scores must not overflow.
    let points = one.1 / 2.0 + two.1 / 2.0;
    let share = if points > 0.0 { one.1 / 2.0 / points } else { 0.5 };
    share.mul_add(after(Outcomes::WIN), (1.0 - share) * after(Outcomes::LOSS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(scores: &[f64]) -> BTreeMap<AgentId, f64> {
        let named = scores.iter().enumerate();
        named.map(|(at, score)| (AgentId::new(format!("a{at}")), *score)).collect()
    }

    #[test]
    fn six_win_no_more_than_two() {
        let six = elo_changes(&BTreeMap::new(), &agents(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 1.0);
        let most = six.unwrap().values().copied().fold(0.0, f64::max);
        assert!((most - 16.0).abs() < 1e-9, "{most}");
    }

    #[test]
    fn what_cannot_be_rated_changes_nothing() {
        let mut ratings = Ratings::default();
        for (scores, confidence) in
            [(agents(&[-1.0, 1.0]), 1.0), (agents(&[f64::NAN]), 1.0), (agents(&[1.0, 2.0]), 1.5)]
        {
            let debate = DebateScores { scores, confidence, domain: None };
            assert!(ratings.record(&debate).is_err());
        }
        assert_eq!(ratings, Ratings::default());
    }

    #[test]
    fn glicko_learns_and_grows_sure() {
        let mut ratings = Ratings::default();
        for _ in 0..12 {
            let debate =
                DebateScores { scores: agents(&[3.0, 1.0]), confidence: 1.0, domain: None };
            ratings.record(&debate).unwrap();
        }
        let (winner, loser) = (ratings.of(&AgentId::new("a0")), ratings.of(&AgentId::new("a1")));
        assert!(winner.glicko.rating > 1600.0 && loser.glicko.rating < 1400.0, "{winner:?}");
        assert!(winner.glicko.deviation < 200.0);
        let (low, high) = winner.glicko.interval();
        assert!(low < winner.glicko.rating && winner.glicko.rating < high && low > 1200.0);
        // Three points of four, again and again: Elo comes to rest where three of four are expected.
        assert!(winner.elo - loser.elo < elo_diff(0.75).unwrap() + 1e-9);
    }

    #[test]
    fn glickman_s_own_example() {
        // From "Example of the Glicko-2 system": 1464.06, 151.52, 0.05999, with τ = 0.5.
        let player = Glicko2Rating { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let other = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let games = [
            (other(1400.0, 30.0), Outcomes::WIN),
            (other(1550.0, 100.0), Outcomes::LOSS),
            (other(1700.0, 300.0), Outcomes::LOSS),
        ];
        let after = glicko2_rating_period(&player, &games, &Glicko2Config::new());
        assert!((after.rating - 1464.06).abs() < 0.02 && (after.deviation - 151.52).abs() < 0.02);
    }

    #[test]
    fn fields_have_ratings_of_their_own() {
        let mut ratings = Ratings::default();
        let domain = Some("finance".to_owned());
        let debate = DebateScores { scores: agents(&[1.0, 0.0]), confidence: 0.5, domain };
        ratings.record(&debate).unwrap();
        let winner = ratings.of(&AgentId::new("a0"));
        assert_eq!(winner.domains.get("finance"), Some(&1508.0));
        assert_eq!((winner.elo, winner.debates), (1508.0, 1));
    }

    proptest::proptest! {
        #[test]
        fn what_one_gains_another_loses(
            scores in proptest::collection::vec((0.0..10.0f64, 1000.0..2000.0f64), 1..8),
            confidence in 0.0..=1.0f64,
        ) {
            let (points, elo): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
            let changes = elo_changes(&agents(&elo), &agents(&points), confidence).unwrap();
            assert!(changes.values().sum::<f64>().abs() < 1e-9);
            assert!(changes.values().all(|change| change.abs() <= ELO_K + 1e-9));
        }
    }
}
