//! Scores: what a ledger of positions and flips says about agents, claims and fields.
//!
//! All are pure functions of counts, positions and flips; whoever calls them brings the clock and the
//! store. Every formula stands in `docs/scores.md`. A rate is never shown without how many cases are
//! behind it: small numbers come with [Wilson's interval](Rate).

mod calibration;
mod card;
mod consistency;
mod contested;
mod domain;
mod pivots;
mod rate;
mod ratings;
mod scale;
mod summary;
mod susceptibility;
mod temperature;
mod weight;

pub use calibration::{
    Calibration, CalibrationBucket, DomainCalibration, Prediction, calibration_by_domain,
};
pub use card::{FlipCard, FlipEvent, FlipSide, format_flip_for_ui};
pub use consistency::{AgentConsistencyScore, ConsistencyClass, consistency_batch};
pub use contested::{Contested, ProblemDomain, contested, problem_domains};
pub use domain::{DOMAINS, GENERAL, detect_domain};
pub use pivots::{HeldDegree, Pivot, PivotKind, influencers, influencers_of_flips, pivots};
pub use rate::Rate;
pub use ratings::{
    AgentRating, DebateScores, ELO_K, ELO_START, Glicko, INCONSISTENCY_ELO, RatingError, Ratings,
    elo_changes, elo_diff, elo_expected, elo_in_domain, elo_new, elo_with_consistency,
};
pub use scale::{
    Change, ChangeKind, Degree, VOLATILITY_STABLE, Volatility, change, convergence, is_stable,
    stability,
};
pub use summary::FlipSummary;
pub use susceptibility::{Susceptibility, susceptibility};
pub use temperature::{Temperature, temperatures_by_domain};
pub use weight::VoteWeight;

/// A count as a number to compute with.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn real(count: u64) -> f64 {
    count as f64
}
