//! From a network and what is given to posteriors, part by part.

use serde::Serialize;

use super::certificate::{Certificate, certify};
use super::loopy::Messages;
use super::network::{Evidence, Network, NetworkError};
use super::order::min_fill;
use super::part::{Cutter, Part};
use super::{at, exact};

/// How much work may be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeliefOptions {
    /// Most entries that the tables of a part may have together for it to be computed exactly; a part
    /// of up to twenty claims always is, unless this is 0.
    pub exact_entries: u64,
    /// Propagation ends when no message changes by more than this.
    pub tolerance: f64,
    /// Most walks over all claims; the first quarter is not damped.
    pub sweeps_max: u32,
    /// How much of a message stays when it is damped, 0 to 1.
    pub damping: f64,
}

impl Default for BeliefOptions {
    fn default() -> Self {
        Self { exact_entries: 1 << 18, tolerance: 1e-9, sweeps_max: 200, damping: 0.5 }
    }
}

impl BeliefOptions {
    /// Propagation for every part, even where exact inference is cheap.
    pub fn loopy() -> Self {
        Self { exact_entries: 0, ..Self::default() }
    }
}

/// Claims of a part that is computed exactly whatever its links: 2²¹ entries, which is some
/// hundredths of a second.
const SMALL: usize = 20;
/// Claims a table may be over; its entries are counted as well.
const WIDTH_MAX: usize = 22;

/// How a part was computed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum How {
    /// By eliminating variables: right to the last digits.
    Exact {
        /// The most claims that one elimination touched: an upper bound on the part's treewidth.
        width: usize,
    },
    /// By loopy belief propagation: an approximation.
    Loopy {
        /// Walks over all claims.
        sweeps: u32,
        /// By how much a message changed in the last one.
        residual: f64,
        /// Whether that is below the tolerance.
        converged: bool,
        /// What is proven about it.
        certificate: Certificate,
    },
}

impl How {
    /// Exact, or converged to what is proven to be the only fixed point.
    pub fn is_certified(&self) -> bool {
        match self {
            Self::Exact { .. } => true,
            Self::Loopy { converged, certificate, .. } => {
                *converged && certificate.within.is_some()
            }
        }
    }
}

/// One connected part, and how it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct PartBeliefs {
    /// Its claims, by number.
    pub claims: Vec<usize>,
    /// How it was computed.
    pub how: How,
}

/// The posterior of every claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Beliefs {
    pub(super) posteriors: Vec<f64>,
    /// The connected parts; what is given is in none.
    pub parts: Vec<PartBeliefs>,
}

impl Beliefs {
    /// A claim's posterior; 0 for a number no claim has.
    pub fn at(&self, claim: usize) -> f64 {
        at(&self.posteriors, claim)
    }

    /// All posteriors, claim by claim.
    pub fn posteriors(&self) -> &[f64] {
        &self.posteriors
    }

    /// Whether every part was computed exactly.
    pub fn is_exact(&self) -> bool {
        self.parts.iter().all(|part| matches!(part.how, How::Exact { .. }))
    }

    /// Whether every part is exact or certified.
    pub fn is_certified(&self) -> bool {
        self.parts.iter().all(|part| part.how.is_certified())
    }

    /// The part a claim is in; `None` if it is given.
    pub fn part_of(&self, claim: usize) -> Option<&PartBeliefs> {
        self.parts.iter().find(|part| part.claims.contains(&claim))
    }
}

impl Network {
    /// The posterior of every claim under what is given.
    pub fn infer(
        &self,
        evidence: &Evidence,
        options: &BeliefOptions,
    ) -> Result<Beliefs, NetworkError> {
        let fixed = self.fixed(evidence)?;
        let mut posteriors = vec![0.0; self.nodes().len()];
        let all = 0..posteriors.len();
        let parts = self.solve(&fixed, all, options, &mut posteriors);
        Ok(Beliefs { posteriors, parts })
    }

    /// Which claims cannot vary: those given, and those certain by their prior.
    pub(super) fn fixed(&self, evidence: &Evidence) -> Result<Vec<Option<bool>>, NetworkError> {
        let mut fixed: Vec<Option<bool>> =
            self.nodes().iter().map(|node| certain(node.prior)).collect();
        for (&claim, &given) in evidence {
            let Some(slot) = fixed.get_mut(claim) else { continue };
            if *slot == Some(!given) {
                let prior = self.nodes().get(claim).map_or(0.5, |node| node.prior);
                return Err(NetworkError::Impossible {
                    id: self.id(claim).to_owned(),
                    given,
                    prior,
                });
            }
            *slot = Some(given);
        }
        Ok(fixed)
    }

    /// Computes all parts that hold some of these claims.
    pub(super) fn solve(
        &self,
        fixed: &[Option<bool>],
        claims: impl IntoIterator<Item = usize>,
        options: &BeliefOptions,
        posteriors: &mut [f64],
    ) -> Vec<PartBeliefs> {
        let mut cutter = Cutter::new(self, fixed);
        let mut parts = Vec::new();
        for claim in claims {
            if let (Some(given), Some(slot)) =
                (fixed.get(claim).copied().flatten(), posteriors.get_mut(claim))
            {
                *slot = f64::from(u8::from(given));
            }
            let Some(part) = cutter.part(claim) else { continue };
            let (found, how) = solve(&part, options);
            for (&member, value) in part.members.iter().zip(found) {
                if let Some(slot) = posteriors.get_mut(member) {
                    *slot = value;
                }
            }
            parts.push(PartBeliefs { claims: part.members, how });
        }
        parts
    }
}

/// What a prior leaves no doubt about.
#[expect(clippy::float_cmp, reason = "certain is exactly 0 or 1")]
fn certain(prior: f64) -> Option<bool> {
    (prior == 0.0 || prior == 1.0).then_some(prior == 1.0)
}

fn solve(part: &Part, options: &BeliefOptions) -> (Vec<f64>, How) {
    let small = part.members.len() <= SMALL && options.exact_entries > 0;
    let entries = if small { u64::MAX } else { options.exact_entries };
    // A table over so many claims alone has all the entries there may be.
    let width = usize::try_from(entries.checked_ilog2().unwrap_or(0)).unwrap_or(WIDTH_MAX);
    if let Some(buckets) = min_fill(part, width.min(WIDTH_MAX), entries) {
        let width = buckets.iter().map(|bucket| bucket.scope.len()).max().unwrap_or_default();
        return (exact::posteriors(part, &buckets), How::Exact { width });
    }
    let network = Messages::new(part);
    let settled = network.settle(options);
    let how = How::Loopy {
        sweeps: settled.sweeps,
        residual: settled.residual,
        converged: settled.residual <= options.tolerance,
        certificate: certify(&network, &settled.messages),
    };
    (network.posteriors(&settled.messages), how)
}
