//! The rubric: does a conversation contradict itself without saying so? And how often it is right on
//! labelled examples.
//!
//! [`explain`] answers for one transcript, [`check`] for every conversation in many files, and [`test`]
//! against a folder of examples.
//!
//! ```
//! use rebuttal::prelude::*;
//! use rebuttal::rubric::{RubricEntry, answer_word, explain};
//!
//! let say = |text| Turn::new(AgentId::new("assistant"), Role::Agent, text);
//! let turns = vec![say("Yes, we should ship it."), say("No, we should not ship it.")];
//! let conversation = Transcript::new(DebateId::new("d"), None, turns);
//! let found = explain(&conversation, Analyzer::rules().reader());
//! assert_eq!(answer_word(found.outcome), "yes");
//! println!("{}", rebuttal::json(&RubricEntry::from(&found))?);
//! # Ok::<(), Error>(())
//! ```

mod check;
mod example;
mod test;

use rebuttal_model::{Quote, Stance};
use serde::Serialize;

pub use check::{Checked, Tally, check};
pub use example::Example;
pub use rebuttal_detect::rubric::{Explanation, Held, RubricAnswer, explain, rubric};
pub use test::{Case, CaseResult, Tested, test};

/// `yes`, `no` or `unclear`: does the conversation contradict itself?
pub fn answer_word(answer: RubricAnswer) -> &'static str {
    match answer {
        RubricAnswer::Contradiction => "yes",
        RubricAnswer::Consistent => "no",
        RubricAnswer::Unclear => "unclear",
    }
}

/// The two sides of a reversal, where there is one.
pub fn reversal(explanation: &Explanation) -> Option<[Stance; 2]> {
    let (before, after) = (explanation.before.as_ref()?, explanation.after.as_ref()?);
    before.stance.opposes(after.stance).then_some([before.stance, after.stance])
}

/// An answer with its reasons, as it stands in JSON:
/// `{ "contradiction": "yes|no|unclear", "score", "before", "after", "reversal", "acknowledgment",
/// "reason" }`.
#[derive(Debug, Serialize)]
pub struct RubricEntry<'a> {
    contradiction: &'static str,
    score: f64,
    before: Option<HeldPosition<'a>>,
    after: Option<HeldPosition<'a>>,
    reversal: Option<[Stance; 2]>,
    acknowledgment: Option<&'a Quote>,
    reason: &'a str,
}

#[derive(Debug, Serialize)]
struct HeldPosition<'a> {
    stance: Stance,
    quote: &'a Quote,
}

impl<'a> From<&'a Held> for HeldPosition<'a> {
    fn from(held: &'a Held) -> Self {
        Self { stance: held.stance, quote: &held.quote }
    }
}

impl<'a> From<&'a Explanation> for RubricEntry<'a> {
    fn from(explanation: &'a Explanation) -> Self {
        Self {
            contradiction: answer_word(explanation.outcome),
            score: explanation.score,
            before: explanation.before.as_ref().map(HeldPosition::from),
            after: explanation.after.as_ref().map(HeldPosition::from),
            reversal: reversal(explanation),
            acknowledgment: explanation.acknowledgment.as_ref(),
            reason: &explanation.reason,
        }
    }
}
