//! What several reports come to, once their contradictions are ruled on.

mod narrative;

use rebuttal_model::{ConsensusResult, Contradiction, Report, Resolution};

use crate::adjust::apply;
use crate::outcome::outcomes;

/// Counts what is resolved and what a person must look at, tells it as a text, and adjusts the
/// reports.
///
/// Where several arbiters ruled on one contradiction, the verdict with more than half of all
/// confidence behind it is accepted; a split is flagged. A person's ruling holds against all others,
/// and of several by one arbiter the last. A contradiction nobody ruled on is flagged.
///
/// ```
/// use rebuttal_model::{Contradiction, Report};
/// use rebuttal_policy::{Authority, arbitrate, consensus};
///
/// let json = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_sources.json"));
/// let contradiction: Contradiction = serde_json::from_str(json).unwrap();
/// let reports: Vec<Report> = contradiction
///     .sides
///     .iter()
///     .map(|side| Report::new(side.agent.clone(), side.quote.clone()))
///     .collect();
/// let (authority, _) = Authority::read(Authority::EXAMPLE, "authority.toml");
/// let resolution = arbitrate(&contradiction, &authority);
///
/// let result = consensus(&[contradiction], &[resolution], &reports);
/// assert_eq!((result.resolved_contradictions, result.flagged_for_review), (1, 0));
/// assert_eq!(
///     result.consensus_narrative,
///     "Unemployment rate of Qatar: 0.10% (GCC-STAT), not 0.12% (World Bank): decided by source \
///      authority."
/// );
/// ```
pub fn consensus(
    contradictions: &[Contradiction],
    resolutions: &[Resolution],
    reports: &[Report],
) -> ConsensusResult {
    let outcomes = outcomes(contradictions, resolutions);
    let resolved = outcomes.iter().filter(|outcome| outcome.resolved().is_some()).count();
    ConsensusResult {
        resolved_contradictions: resolved,
        flagged_for_review: outcomes.len() - resolved,
        consensus_narrative: narrative::tell(&outcomes),
        adjusted_reports: apply(reports, &outcomes),
    }
}
