//! On which claims a conclusion turns.
//!
//! How likely the conclusion is if a claim holds, and if it does not, would take two runs for every
//! claim. It takes two in all: by Bayes' rule it follows from how likely the claim is if the
//! conclusion holds, and if it does not, which one run each gives for all claims at once.

use serde::Serialize;

use super::at;
use super::infer::BeliefOptions;
use super::network::{Evidence, Network, NetworkError};

/// What a claim means to a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crux {
    /// The claim, by number.
    pub claim: usize,
    /// How likely the conclusion is if the claim holds.
    pub if_true: f64,
    /// How likely it is if the claim does not.
    pub if_false: f64,
    /// By how much finding out about the claim would move the conclusion on average:
    /// `2·p·(1 − p)·|swing|` with p the claim's posterior.
    pub expected_move: f64,
}

impl Crux {
    /// `if_true − if_false`: by how much the conclusion hangs on the claim, and in which direction.
    pub fn swing(&self) -> f64 {
        self.if_true - self.if_false
    }
}

impl Network {
    /// All claims connected with a conclusion, those that would move it most first, equal ones in
    /// order. As exact as the posteriors of the conclusion's part are.
    pub fn cruxes(
        &self,
        evidence: &Evidence,
        conclusion: usize,
        options: &BeliefOptions,
    ) -> Result<Vec<Crux>, NetworkError> {
        let mut fixed = self.fixed(evidence)?;
        if fixed.get(conclusion).is_none_or(Option::is_some) {
            return Err(NetworkError::Settled(self.id(conclusion).to_owned()));
        }
        let mut now = vec![0.0; self.nodes().len()];
        let parts = self.solve(&fixed, [conclusion], options, &mut now);
        let claims: Vec<usize> = parts.into_iter().flat_map(|part| part.claims).collect();
        let mut suppose = |value: bool| {
            let mut found = vec![0.0; self.nodes().len()];
            if let Some(slot) = fixed.get_mut(conclusion) {
                *slot = Some(value);
            }
            self.solve(&fixed, claims.iter().copied(), options, &mut found);
            found
        };
        let (with, without) = (suppose(true), suppose(false));
        let likely = at(&now, conclusion);
        let crux = |&claim: &usize| {
            let (with, without) = (at(&with, claim), at(&without, claim));
            let if_true = bayes(likely, with, without);
            let if_false = bayes(likely, 1.0 - with, 1.0 - without);
            let expected = likely.mul_add(with, (1.0 - likely) * without);
            let expected_move = 2.0 * expected * (1.0 - expected) * (if_true - if_false).abs();
            Crux { claim, if_true, if_false, expected_move }
        };
        let mut found: Vec<Crux> =
            claims.iter().filter(|claim| **claim != conclusion).map(crux).collect();
        found.sort_by(|a, b| {
            b.swing().abs().total_cmp(&a.swing().abs()).then(a.claim.cmp(&b.claim))
        });
        Ok(found)
    }
}

/// How likely the conclusion is given something that is `with` likely if it holds and `without` if it
/// does not; as likely as before where that cannot happen.
fn bayes(likely: f64, with: f64, without: f64) -> f64 {
    let (both, other) = (likely * with, (1.0 - likely) * without);
    if both + other > 0.0 { both / (both + other) } else { likely }
}
