//! The rubric of seed 003: did somebody contradict themselves without saying so?
//!
//! A conversation holds a self-contradiction when both are true (Decision 1): a later turn takes
//! the opposite of a position the same agent held, and nothing acknowledges the change.

use rebuttal_model::{Quote, Transcript};

use crate::positions::{AgentRecord, Reversal, positions};
use crate::reader::Reader;
use crate::view::DebateView;

pub use crate::positions::Held;

/// What the rubric answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RubricAnswer {
    /// The position was reversed and nothing acknowledges it.
    Contradiction,
    /// Every later position agrees with the earlier ones, or the change was acknowledged.
    Consistent,
    /// No agent took two positions that could be read.
    Unclear,
}

/// Why the rubric answers what it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The answer.
    pub outcome: RubricAnswer,
    /// How far the position moved between two turns, 0 to 1; for ranking.
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

impl Explanation {
    /// True when the position turned around, acknowledged or not.
    pub fn is_reversal(&self) -> bool {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => before.side() != after.side(),
            _ => false,
        }
    }
}

/// True when the conversation holds a self-contradiction that nothing acknowledges.
///
/// ```
/// use rebuttal_detect::rubric;
/// use rebuttal_model::{AgentId, DebateId, Role, Transcript, Turn};
///
/// let say = |text| Turn::new(AgentId::new("assistant"), Role::Agent, text);
/// let turns = vec![say("Yes, we should ship."), say("You're right, we should not ship.")];
/// assert!(rubric::rubric(&Transcript::new(DebateId::new("d"), None, turns)));
/// ```
pub fn rubric(conversation: &Transcript) -> bool {
    explain(conversation, Reader::Rules).outcome == RubricAnswer::Contradiction
}

/// Answers the rubric's question with reasons: the two positions, the reversal and the
/// acknowledgment.
pub fn explain(conversation: &Transcript, reader: Reader<'_>) -> Explanation {
    let records = positions(&DebateView::new(conversation), reader);
    let score = records.iter().map(|record| record.movement).fold(0.0, f64::max);
    let mut reversals = records
        .iter()
        .flat_map(|record| record.reversals.iter().map(move |reversal| (record, reversal)));
    let silent = reversals.clone().find(|(_, reversal)| reversal.acknowledgment.is_none());
    if let Some((record, reversal)) = silent {
        return on_reversal(record, reversal, RubricAnswer::Contradiction, score);
    }
    if let Some((record, reversal)) = reversals.next() {
        return on_reversal(record, reversal, RubricAnswer::Consistent, score);
    }
    without_reversal(&records, score)
}

fn on_reversal(
    record: &AgentRecord,
    reversal: &Reversal,
    outcome: RubricAnswer,
    score: f64,
) -> Explanation {
    let turned = format!(
        "{} went from {} ({}) to {} ({})",
        record.agent,
        reversal.before.side(),
        reversal.before.quote.turn,
        reversal.after.side(),
        reversal.after.quote.turn,
    );
    let reason = match &reversal.acknowledgment {
        Some(quote) if reversal.moved_by.is_some() => {
            format!("{turned} and gave what a peer brought as its reason: \"{}\".", quote.text)
        }
        Some(quote) => format!("{turned} and said so: \"{}\".", quote.text),
        None => format!("{turned} without acknowledging the change."),
    };
    Explanation {
        outcome,
        score,
        before: Some(reversal.before.clone()),
        after: Some(reversal.after.clone()),
        acknowledgment: reversal.acknowledgment.clone(),
        reason,
    }
}

fn without_reversal(records: &[AgentRecord], score: f64) -> Explanation {
    let longest = records.iter().max_by_key(|record| record.held.len());
    let held = longest.map(|record| record.held.as_slice()).unwrap_or_default();
    let (outcome, reason) = match held {
        [] => (RubricAnswer::Unclear, "No position on the question could be read.".to_owned()),
        [_] => {
            (RubricAnswer::Unclear, "Only one turn takes a position that could be read.".to_owned())
        }
        [first, ..] => (
            RubricAnswer::Consistent,
            format!("All {} positions that could be read say {}.", held.len(), first.side()),
        ),
    };
    Explanation {
        outcome,
        score,
        before: held.first().cloned(),
        after: held.get(1..).and_then(<[Held]>::last).cloned(),
        acknowledgment: None,
        reason,
    }
}
