//! Claims and links, checked, and the potential that each link stands for.
//!
//! A link of full strength weighs the four ways its two claims can turn out:
//!
//! | from, to | T T | T F | F T | F F |
//! |---|---|---|---|---|
//! | supports | 1.00 | 0.10 | 0.40 | 0.50 |
//! | contradicts | 0.05 | 0.95 | 0.50 | 0.50 |
//! | depends on | 0.50 | 0.05 | 0.50 | 0.95 |
//!
//! A link of strength s counts as the s-th power of these, so that strength 0 is no link, and two
//! links of one half are one of full strength.

use std::collections::BTreeMap;

use rebuttal_text::nearest;
use serde::{Deserialize, Serialize};

use super::{CLAIMS_MAX, LINKS_MAX};

/// A claim, and how likely it is before anything else is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name; unique in its network.
    pub id: String,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How likely it is on its own, 0 to 1. At 0 and 1 nothing can move it.
    pub prior: f64,
}

/// What one claim is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// If the first holds, so does the second, ten to one.
    Supports,
    /// If the first holds, the second does not, nineteen to one.
    Contradicts,
    /// Without the second, the first does not hold, nineteen to one.
    #[serde(alias = "depends-on")]
    DependsOn,
}

impl LinkKind {
    /// The weights of the four cases at full strength: both, only the first, only the second,
    /// neither.
    pub fn potential(self) -> [f64; 4] {
        match self {
            Self::Supports => [1.0, 0.1, 0.4, 0.5],
            Self::Contradicts => [0.05, 0.95, 0.5, 0.5],
            Self::DependsOn => [0.5, 0.05, 0.5, 0.95],
        }
    }

    /// `supports`, `contradicts` or `depends_on`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Contradicts => "contradicts",
            Self::DependsOn => "depends_on",
        }
    }
}

/// One claim bears on another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The claim that bears.
    pub from: String,
    /// The claim that is borne on; for [`LinkKind::DependsOn`], what is depended on.
    pub to: String,
    /// In which way.
    pub kind: LinkKind,
    /// How strongly, 0 to 1.
    #[serde(default = "full")]
    pub strength: f64,
}

fn full() -> f64 {
    1.0
}

/// Claims that are given, by their number.
pub type Evidence = BTreeMap<usize, bool>;

/// What is wrong with a network, or with what was asked of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// Nobody could refer to it.
    #[error("claim {} has no id", .0 + 1)]
    NoId(usize),
    /// Which of the two is meant?
    #[error("two claims have the id {0:?}")]
    Duplicate(String),
    /// A prior that is not a probability.
    #[error("the prior of {id:?} is {prior}; it must be within 0 and 1")]
    Prior {
        /// The claim.
        id: String,
        /// The number that was given.
        prior: f64,
    },
    /// A strength that is not a number from 0 to 1.
    #[error(
        "the strength of the link from {from:?} to {to:?} is {strength}; it must be within 0 and 1"
    )]
    Strength {
        /// Where the link starts.
        from: String,
        /// Where it ends.
        to: String,
        /// The number that was given.
        strength: f64,
    },
    /// A claim is no argument for itself.
    #[error("{0:?} is linked to itself")]
    SelfLink(String),
    /// A name nobody has.
    #[error("there is no claim {id:?}{}", hint(.near.as_deref()))]
    Unknown {
        /// The name.
        id: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// Given as true and as false.
    #[error("{0:?} is given both as true and as false")]
    Both(String),
    /// A claim was given that cannot be so.
    #[error("{id:?} cannot be given as {given}: its prior is {prior}")]
    Impossible {
        /// The claim.
        id: String,
        /// The value that was given as evidence.
        given: bool,
        /// Its prior.
        prior: f64,
    },
    /// Nothing moves what is already decided.
    #[error("{0:?} is given, or certain by its prior: no other claim can move it")]
    Settled(String),
    /// More than [`CLAIMS_MAX`].
    #[error("{0} claims; {CLAIMS_MAX} at most are read")]
    Claims(usize),
    /// More than [`LINKS_MAX`].
    #[error("{0} links; {LINKS_MAX} at most are read")]
    Links(usize),
}

fn hint(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
}

/// Claims and what binds them. Invariant: ids are unique, links lead between two different claims
/// that exist, numbers are within their ranges.
#[derive(Clone, Debug)]
pub struct Network {
    nodes: Vec<Node>,
    links: Vec<Link>,
    index: BTreeMap<String, usize>,
    /// What links alone do to a claim: half the log odds.
    pub(super) pull: Vec<f64>,
    /// Each claim's neighbours in order, with how strongly the two go together: positive if they tend
    /// to be the same.
    pub(super) near: Vec<Vec<(usize, f64)>>,
}

impl Network {
    /// Checks claims and links.
    pub fn new(nodes: Vec<Node>, links: Vec<Link>) -> Result<Self, NetworkError> {
        if nodes.len() > CLAIMS_MAX {
            return Err(NetworkError::Claims(nodes.len()));
        }
        if links.len() > LINKS_MAX {
            return Err(NetworkError::Links(links.len()));
        }
        let mut index = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            if node.id.trim().is_empty() {
                return Err(NetworkError::NoId(at));
            }
            if !(0.0..=1.0).contains(&node.prior) {
                return Err(NetworkError::Prior { id: node.id.clone(), prior: node.prior });
            }
            if index.insert(node.id.clone(), at).is_some() {
                return Err(NetworkError::Duplicate(node.id.clone()));
            }
        }
        let count = nodes.len();
        let (pull, near) = (vec![0.0; count], vec![Vec::new(); count]);
        let mut network = Self { nodes, links, index, pull, near };
        network.connect()?;
        Ok(network)
    }

    /// The claims, as they were given.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The links, as they were given.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The number of a claim.
    pub fn find(&self, id: &str) -> Result<usize, NetworkError> {
        self.index.get(id).copied().ok_or_else(|| {
            let known: Vec<&str> = self.index.keys().map(String::as_str).collect();
            let near = nearest(id, &known).map(str::to_owned);
            NetworkError::Unknown { id: id.to_owned(), near }
        })
    }

    /// The id of a claim by its number.
    pub fn id(&self, claim: usize) -> &str {
        self.nodes.get(claim).map_or("", |node| node.id.as_str())
    }

    /// What is given, checked: known names, and none both ways.
    pub fn evidence(&self, given: &[(&str, bool)]) -> Result<Evidence, NetworkError> {
        let mut evidence = Evidence::new();
        for &(id, value) in given {
            if evidence.insert(self.find(id)?, value) == Some(!value) {
                return Err(NetworkError::Both(id.to_owned()));
            }
        }
        Ok(evidence)
    }

    /// Sets a claim's prior, as after a flip.
    pub fn set_prior(&mut self, claim: usize, prior: f64) -> Result<(), NetworkError> {
        let Some(node) = self.nodes.get_mut(claim) else { return Ok(()) };
        if !(0.0..=1.0).contains(&prior) {
            return Err(NetworkError::Prior { id: node.id.clone(), prior });
        }
        node.prior = prior;
        Ok(())
    }

    /// A claim that nothing further is built on: it is argued for, against or depends on others, and
    /// is no argument itself. `None` if there is none, or more than one.
    pub fn conclusion(&self) -> Option<usize> {
        let mut built_on = vec![false; self.nodes.len()];
        let mut argued = vec![false; self.nodes.len()];
        for link in &self.links {
            let (premise, conclusion) = match link.kind {
                LinkKind::DependsOn => (&link.to, &link.from),
                LinkKind::Supports | LinkKind::Contradicts => (&link.from, &link.to),
            };
            for (id, mark) in [(premise, &mut built_on), (conclusion, &mut argued)] {
                if let Some(mark) = self.index.get(id).and_then(|at| mark.get_mut(*at)) {
                    *mark = true;
                }
            }
        }
        let mut ends = argued.iter().zip(&built_on).enumerate();
        let mut ends = ends.by_ref().filter(|(_, (argued, built_on))| **argued && !**built_on);
        match (ends.next(), ends.next()) {
            (Some((only, _)), None) => Some(only),
            _ => None,
        }
    }

    /// Turns links into pulls and couplings: with claims as ±1, the logarithm of a potential is
    /// `constant + a·from + b·to + c·from·to`, and strengths and parallel links simply add up.
    fn connect(&mut self) -> Result<(), NetworkError> {
        let mut couplings: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for link in &self.links {
            let (from, to) = (self.find(&link.from)?, self.find(&link.to)?);
            if from == to {
                return Err(NetworkError::SelfLink(link.from.clone()));
            }
            if !(0.0..=1.0).contains(&link.strength) {
                let (from, to, strength) = (link.from.clone(), link.to.clone(), link.strength);
                return Err(NetworkError::Strength { from, to, strength });
            }
            let [both, first, second, neither] = link.kind.potential().map(f64::ln);
            let quarter = link.strength / 4.0;
            for (claim, pull) in
                [(from, both + first - second - neither), (to, both - first + second - neither)]
            {
                if let Some(sum) = self.pull.get_mut(claim) {
                    *sum += quarter * pull;
                }
            }
            let pair = (from.min(to), from.max(to));
            *couplings.entry(pair).or_default() += quarter * (both - first - second + neither);
        }
        for ((one, two), coupling) in couplings {
            for (claim, other) in [(one, two), (two, one)] {
                if let (Some(near), true) = (self.near.get_mut(claim), coupling != 0.0) {
                    near.push((other, coupling));
                }
            }
        }
        for near in &mut self.near {
            near.sort_by_key(|(other, _)| *other);
        }
        Ok(())
    }
}
