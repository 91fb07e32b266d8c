//! Ruling by a model: what it is asked, how its answer is read, and when it counts. No call is made
//! here.
//!
//! A model is asked twice, with the sides [as given](Order::AsGiven) and [reversed](Order::Reversed),
//! because models favour what stands first. An answer counts when it is the same both times, follows
//! the schema, and holds no value, citation, number or name that was not provided. A model that contradicts
//! itself leaves the matter to a person; one whose answer is refused leaves it to the rules.

mod check;
mod fragment;
mod names;
mod prompt;
mod refused;
mod reply;
mod settle;

use rebuttal_model::{Action, Confidence, Ruling};

pub use prompt::prompt;
pub use refused::Refused;
pub use reply::replies;
pub use settle::settle;

/// In which order a model sees the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// As they stand in the contradiction.
    AsGiven,
    /// The last first.
    Reversed,
}

impl Order {
    /// Where a side stands in this order; the way there and the way back are one.
    fn place(self, side: usize, sides: usize) -> Option<usize> {
        match self {
            Self::AsGiven => Some(side).filter(|side| *side < sides),
            Self::Reversed => sides.checked_sub(side + 1),
        }
    }
}

/// A model's answer on one contradiction, checked, with sides counted as in the contradiction
/// whatever the order it was asked in.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// Who is right.
    pub resolution: Ruling,
    /// Why, in the model's words. It counts agents in the order it was asked in.
    pub explanation: String,
    /// One of the sides' values.
    pub recommended_value: Option<f64>,
    /// One of the sides' citations, as that side wrote it.
    pub recommended_citation: Option<String>,
    /// How sure the model says it is.
    pub confidence: Confidence,
    /// What is to be done.
    pub action: Action,
}
