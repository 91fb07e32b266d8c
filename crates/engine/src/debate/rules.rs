//! The rules of a debate, read once from the text they are written in.

use std::fmt::Display;
use std::str::FromStr;

use rebuttal_model::Protocol;
use rebuttal_policy::debate::Stop;
use rebuttal_policy::voting::{Rule, TieBreak};

/// How votes are counted, when the rounds end and what becomes of a tie.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// How votes are counted.
    pub rule: Rule,
    /// When the rounds end.
    pub stop: Stop,
    /// What becomes of a tie.
    pub tie: TieBreak,
}

/// A text that is none of the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {reason}")]
pub struct RulesError {
    what: &'static str,
    reason: String,
}

impl Rules {
    /// The rules that a protocol names.
    pub fn of(protocol: &Protocol) -> Result<Self, RulesError> {
        /// Reads one rule; an error names which one, and quotes it.
        fn read<T: FromStr<Err: Display>>(what: &'static str, text: &str) -> Result<T, RulesError> {
            text.parse().map_err(|error: T::Err| RulesError { what, reason: error.to_string() })
        }
        Ok(Self {
            // One that has not begun yet need not name it.
            rule: match protocol.rule.as_str() {
                Protocol::USUAL_RULE => Rule::Majority,
                rule => read("the decision rule", rule)?,
            },
            stop: read("the stop rule", &protocol.stop)?,
            tie: read("the tie break", &protocol.tie)?,
        })
    }
}
