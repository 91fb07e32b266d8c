//! The rubric: did somebody contradict themselves without saying so?

use rebuttal_model::{Method, Quote, Stance, Transcript};

/// What the rubric answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The position was reversed and nothing acknowledges it.
    Contradiction,
    /// Every later position agrees with the earlier ones, or the change was acknowledged.
    Consistent,
    /// Fewer than two positions could be read.
    Unclear,
}

/// A position the rubric read, and the words that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Which side.
    pub stance: Stance,
    /// Where it says so.
    pub quote: Quote,
}

/// Why the rubric answers what it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The answer.
    pub outcome: Outcome,
    /// -1 surely consistent … 1 surely a contradiction; for ranking.
    pub score: f64,
    /// The earlier of the two positions that decided.
    pub before: Option<Held>,
    /// The later one.
    pub after: Option<Held>,
    /// The acknowledgment that was found, if any.
    pub acknowledgment: Option<Quote>,
    /// One sentence for a person.
    pub reason: String,
}

/// True when the conversation contains a self-contradiction that nothing acknowledges.
pub fn rubric(conversation: &Transcript) -> bool {
    explain(conversation, Method::Rules).outcome == Outcome::Contradiction
}

/// The same answer with its reasons.
pub fn explain(_conversation: &Transcript, _method: Method) -> Explanation {
    Explanation {
        outcome: Outcome::Unclear,
        score: 0.0,
        before: None,
        after: None,
        acknowledgment: None,
        reason: String::new(),
    }
}
