//! Networks of claims: what follows for each claim from all the others, and what the conclusion turns on.
//!
//! A network is read from JSON: `{ "claims": [ { "id", "text", "prior" } ], "links": [ … ] }`. The answer,
//! as JSON, schema 1:
//!
//! ```text
//! { "file", "exact": bool, "certified": bool,
//!   "claims": [ { "id", "text": null | text, "prior", "posterior", "given": null | bool } ],
//!   "parts":  [ { "claims": [ id ], "certified": bool, "method": "exact", "width" }
//!           or  { …, "method": "loopy", "sweeps", "residual", "converged",
//!                 "certificate": { "radius_bound", "within": null | number } } ],
//!   "conclusion": null | id, "bounds": null | { "low", "high" },
//!   "cruxes": [ { "claim": id, "if_true", "if_false", "swing", "expected_move" } ],
//!   "notes": [ text ] }
//! ```
//!
//! ```
//! use rebuttal::beliefs::{infer, network};
//!
//! let text = r#"{ "claims": [ { "id": "cheap", "prior": 0.6 }, { "id": "move", "prior": 0.5 } ],
//!     "links": [ { "from": "cheap", "to": "move", "kind": "supports", "strength": 0.9 } ] }"#;
//! let network = network(text, "network.json")?;
//! let answer = infer(&network, &[("cheap", true)], Some("move"))?;
//! assert!(answer.exact && answer.claims[1].posterior > 0.5);
//! # Ok::<(), rebuttal::Error>(())
//! ```

use rebuttal_detect::beliefs::{
    BeliefOptions, Beliefs, Bounds, Crux, Evidence, How, Link, Network, NetworkError, Node,
};
use serde::{Deserialize, Serialize};

use crate::error::{Context, Result, err};

/// A network as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Document {
    pub(crate) claims: Vec<Node>,
    #[serde(default)]
    pub(crate) links: Vec<Link>,
}

/// Reads a network; `name` is what messages call it.
pub fn network(text: &str, name: &str) -> Result<Network> {
    let document: Document = serde_json::from_str(text).with_context(|| {
        format!("{name} is not a network of claims (see `rebuttal beliefs --help`)")
    })?;
    if document.claims.is_empty() {
        return Err(err!(Text; "{name} has no claims; there is nothing to believe"));
    }
    Network::new(document.claims, document.links).with_context(|| name.to_owned())
}

/// What is believed of one claim.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ClaimBelief<'n> {
    /// Its id.
    pub id: &'n str,
    /// Its words.
    pub text: Option<&'n str>,
    /// How likely it was said to be.
    pub prior: f64,
    /// How likely it is with everything else.
    pub posterior: f64,
    /// What it was given as.
    pub given: Option<bool>,
}

/// How one part was solved.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct PartBelief<'n> {
    /// The claims of the part.
    pub claims: Vec<&'n str>,
    /// Whether its figures are proven.
    pub certified: bool,
    /// How they were computed.
    #[serde(flatten)]
    pub how: How,
}

/// How far settling one claim moves the conclusion.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CruxOf<'n> {
    /// The id of the claim.
    pub claim: &'n str,
    /// How likely the conclusion is if it is true.
    pub if_true: f64,
    /// How likely the conclusion is if it is false.
    pub if_false: f64,
    /// The difference of the two.
    pub swing: f64,
    /// How far the conclusion is expected to move once the claim is settled.
    pub expected_move: f64,
}

/// What follows from a network.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct BeliefAnswer<'n> {
    /// The file, where the network came from one.
    pub file: Option<String>,
    /// Whether every figure is exact.
    pub exact: bool,
    /// Whether every figure is proven.
    pub certified: bool,
    /// Every claim.
    pub claims: Vec<ClaimBelief<'n>>,
    /// How many links there are.
    #[serde(skip)]
    pub links: usize,
    /// Parts that no link connects.
    pub parts: Vec<PartBelief<'n>>,
    /// What the cruxes are of.
    pub conclusion: Option<&'n str>,
    /// How likely the conclusion is.
    #[serde(skip)]
    pub likely: Option<f64>,
    /// What the conclusion is proven to lie within, where it is an approximation.
    pub bounds: Option<Bounds>,
    /// What the conclusion turns on, the most important first.
    pub cruxes: Vec<CruxOf<'n>>,
    /// What could not be said, and why.
    pub notes: Vec<String>,
}

/// What follows, with some claims given as true or false, and what a claim turns on: `conclusion`, or
/// else the one claim that all others lead to.
pub fn infer<'n>(
    network: &'n Network,
    given: &[(&str, bool)],
    conclusion: Option<&str>,
) -> Result<BeliefAnswer<'n>> {
    let evidence = &network.evidence(given)?;
    let asked = conclusion.map(|id| network.find(id)).transpose()?;
    let options = BeliefOptions::default();
    let beliefs = network.infer(evidence, &options)?;
    let mut notes = Vec::new();
    let conclusion = asked.or_else(|| network.conclusion());
    if conclusion.is_none() {
        notes.push(
            "no single claim is where all leads to; --conclusion CLAIM finds its cruxes".to_owned(),
        );
    }
    let cruxes = match conclusion.map(|claim| network.cruxes(evidence, claim, &options)) {
        Some(Err(settled @ NetworkError::Settled(_))) => {
            notes.push(settled.to_string());
            Vec::new()
        }
        found => found.transpose()?.unwrap_or_default(),
    };
    // Where the posterior is an approximation, say what it cannot be.
    let rough = conclusion.filter(|claim| {
        beliefs.part_of(*claim).is_some_and(|part| !matches!(part.how, How::Exact { .. }))
    });
    let bounds = rough.map(|claim| network.bounds(evidence, claim)).transpose()?;
    Ok(BeliefAnswer {
        file: None,
        exact: beliefs.is_exact(),
        certified: beliefs.is_certified(),
        claims: claims(network, evidence, &beliefs),
        links: network.links().len(),
        parts: parts(network, &beliefs),
        conclusion: conclusion.map(|claim| network.id(claim)),
        likely: conclusion.map(|claim| beliefs.at(claim)),
        bounds,
        cruxes: cruxes.iter().map(|crux| shown_crux(network, crux)).collect(),
        notes,
    })
}

fn claims<'n>(
    network: &'n Network,
    evidence: &Evidence,
    beliefs: &Beliefs,
) -> Vec<ClaimBelief<'n>> {
    let shown = |(at, node): (usize, &'n Node)| ClaimBelief {
        id: &node.id,
        text: node.text.as_deref(),
        prior: node.prior,
        posterior: beliefs.at(at),
        given: evidence.get(&at).copied(),
    };
    network.nodes().iter().enumerate().map(shown).collect()
}

fn parts<'n>(network: &'n Network, beliefs: &Beliefs) -> Vec<PartBelief<'n>> {
    let shown = |part: &rebuttal_detect::beliefs::PartBeliefs| PartBelief {
        claims: part.claims.iter().map(|claim| network.id(*claim)).collect(),
        certified: part.how.is_certified(),
        how: part.how,
    };
    beliefs.parts.iter().map(shown).collect()
}

fn shown_crux<'n>(network: &'n Network, crux: &Crux) -> CruxOf<'n> {
    let Crux { claim, if_true, if_false, expected_move } = *crux;
    CruxOf { claim: network.id(claim), if_true, if_false, swing: crux.swing(), expected_move }
}
