//! A network of beliefs over claims: what follows for each claim from all the others.
//!
//! Claims have priors; links say that one supports, contradicts or depends on another, and how
//! strongly. Together they make a probability distribution over all ways the claims can be true or
//! false, and a posterior is a claim's share in it. A claim that is *given* is clamped: it has no
//! probability of its own any more, and nothing passes through it.
//!
//! Each connected part is computed on its own: exactly, by eliminating variables in min-fill order,
//! where its treewidth allows that, and else by loopy belief propagation, which says whether its
//! answer is [certified](Certificate). `docs/beliefs.md` has the mathematics.
//!
//! ```
//! use rebuttal_detect::beliefs::{Link, LinkKind, Network, Node, BeliefOptions};
//!
//! let node = |id: &str, prior| Node { id: id.into(), text: None, prior };
//! let link = Link { from: "A".into(), to: "B".into(), kind: LinkKind::Supports, strength: 1.0 };
//! let network = Network::new(vec![node("A", 0.6), node("B", 0.5)], vec![link])?;
//! let a = network.find("A")?;
//! let beliefs = network.infer(&network.evidence(&[])?, &BeliefOptions::default())?;
//! assert!((beliefs.at(a) - 0.647).abs() < 1e-3 && beliefs.is_exact());
//! let beliefs = network.infer(&network.evidence(&[("A", false)])?, &BeliefOptions::default())?;
//! assert_eq!(beliefs.at(a), 0.0);
//! # Ok::<(), rebuttal_detect::beliefs::NetworkError>(())
//! ```

mod bounds;
mod certificate;
mod cruxes;
mod exact;
mod infer;
mod live;
mod loopy;
mod network;
mod odds;
mod order;
mod part;

pub use bounds::Bounds;
pub use certificate::Certificate;
pub use cruxes::Crux;
pub use infer::{BeliefOptions, Beliefs, How, PartBeliefs};
pub use live::{Live, Moved, Update};
pub use network::{Evidence, Link, LinkKind, Network, NetworkError, Node};

/// Most claims in one network. A debate has hundreds; one with more is a knowledge base, and would be
/// waited for.
pub const CLAIMS_MAX: usize = 20_000;

/// Most links in one network: ten for each of the most claims, half of it on each side.
pub const LINKS_MAX: usize = 100_000;

const _: () = assert!(CLAIMS_MAX <= LINKS_MAX);

/// The number at a place; 0 outside.
fn at(values: &[f64], index: usize) -> f64 {
    values.get(index).copied().unwrap_or_default()
}

/// The probability that belongs to half the log odds.
fn probability(half_odds: f64) -> f64 {
    (1.0 + (-2.0 * half_odds).exp()).recip()
}

#[cfg(test)]
mod tests;
