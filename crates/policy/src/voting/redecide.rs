//! One election counted again under every rule: what the choice of the rule decided.

use serde::{Deserialize, Serialize};

use super::election::{Election, VoteResult, decide};
use super::rule::Rule;

/// An election under several rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Redecided {
    /// One outcome for each rule, in the order asked.
    pub outcomes: Vec<VoteResult>,
    /// The answer of all rules that decided, if they agree.
    pub agreed: Option<String>,
}

/// Counts an election under each of these rules. No model is asked.
pub fn redecide(rules: &[Rule], election: &Election<'_>) -> Redecided {
    let outcomes: Vec<VoteResult> = rules.iter().map(|rule| decide(rule, election)).collect();
    let mut winners = outcomes.iter().filter_map(|outcome| outcome.winner.as_ref());
    let first = winners.next();
    let agreed = first.filter(|first| winners.all(|winner| winner == *first)).cloned();
    Redecided { outcomes, agreed }
}
