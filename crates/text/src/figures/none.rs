//! "No deaths" are zero deaths.

use crate::lexicon::Lexicon;
use crate::quantities::{Quantity, Unit, Value};
use crate::reading::Reading;
use crate::traits::Traits;

/// What is counted where it happens, and missed where it does not.
const COUNTED: [&str; 22] = [
    "accidents",
    "breaches",
    "casualties",
    "complaints",
    "crashes",
    "deaths",
    "defects",
    "dropouts",
    "failures",
    "fatalities",
    "hospitalisations",
    "hospitalizations",
    "incidents",
    "infections",
    "injuries",
    "layoffs",
    "outages",
    "recalls",
    "redundancies",
    "relapses",
    "strikes",
    "withdrawals",
];

/// Adds a zero for each of them that a text says there were none of, in order. What is narrowed down
/// by a word ("no unplanned outages") is as many of these.
pub(super) fn add(reading: &Reading<'_>, numbers: &mut Vec<Quantity>) {
    let none = Lexicon::english().look_up("no").0;
    let before = numbers.len();
    for (at, first) in reading.tokens.iter().enumerate() {
        if first.word != none {
            continue;
        }
        let counted = |at: &usize| {
            let noun = reading.word(*at);
            COUNTED.iter().any(|it| it.eq_ignore_ascii_case(noun))
        };
        let narrows = reading
            .tokens
            .get(at + 1)
            .is_some_and(|it| it.is_word() && !it.traits.has(Traits::FUNCTION));
        let places = at + 1..at + if narrows { 3 } else { 2 };
        let noun = places.into_iter().find(counted).and_then(|at| reading.tokens.get(at));
        numbers.extend(noun.filter(|it| it.is_word()).map(|noun| Quantity {
            span: first.span(),
            value: Value::Exact(0.0),
            approx: false,
            unit: Unit::Count,
            unit_span: None,
            noun: Some(noun.span()),
            per: None,
            out_of: 0.0,
            decimals: 0,
            scale: 1.0,
            step: 1.0,
        }));
    }
    if numbers.len() > before {
        numbers.sort_by_key(|it| it.span);
    }
}
