//! What became of positions, and what moved agents, in a few words.

use rebuttal_detect::scores::Rate;
use rebuttal_model::{Cause, Outcome};
use rebuttal_store::StoredPosition;

/// `2 of 5, 40 % (12–77 %)`.
pub fn percent(rate: Rate) -> String {
    let Rate { count, of, value, low, high } = rate;
    let value = value.map_or("–".to_owned(), |value| format!("{:.0} %", value * 100.0));
    format!("{count} of {of}, {value} (95 %: {:.0} to {:.0} %)", low * 100.0, high * 100.0)
}

/// A cause in words.
pub fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::NewEvidence => "new evidence",
        Cause::CounterArgument => "a counter-argument",
        Cause::Majority => "the majority",
        Cause::Authority => "authority",
        Cause::Insistence => "insistence",
        Cause::NoneVisible => "nothing visible",
    }
}

/// What became of a position, in words.
pub fn became(held: &StoredPosition) -> Option<&'static str> {
    match (held.outcome, held.reversed) {
        (Some(Outcome::Correct), _) => Some("turned out right"),
        (Some(Outcome::Incorrect), _) => Some("turned out wrong"),
        (Some(Outcome::Unresolved), _) => Some("will never be known"),
        (None, true) => Some("given up later"),
        (None, false) => None,
    }
}
