//! "No deaths" are zero deaths.

use crate::lexicon::Lexicon;
use crate::quantities::{Quantity, Unit, Value};
use crate::reading::Reading;

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
/// ("no serious incidents") is another matter.
pub(super) fn add(reading: &Reading<'_>, numbers: &mut Vec<Quantity>) {
    let none = Lexicon::english().look_up("no").0;
    let mut found = false;
    for (at, pair) in reading.tokens.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        if first.word != none || !second.is_word() {
            continue;
        }
        let noun = reading.word(at + 1);
        if COUNTED.iter().any(|it| it.eq_ignore_ascii_case(noun)) {
            found = true;
            numbers.push(Quantity {
                span: first.span(),
                value: Value::Exact(0.0),
                approx: false,
                unit: Unit::Count,
                unit_span: None,
                noun: Some(second.span()),
                per: None,
                out_of: 0.0,
                decimals: 0,
                scale: 1.0,
                step: 1.0,
            });
        }
    }
    if found {
        numbers.sort_by_key(|it| it.span);
    }
}
