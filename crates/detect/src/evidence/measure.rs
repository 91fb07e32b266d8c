//! What a number measures, if anything.

use super::scan::{DATE, EXACT, Kind, MEASURED, MIXED, Token, YEAR};
use super::words::{FUNCTION, SAMPLE, SHIFT, UNIT};

/// What a number is.
pub(super) enum Measure {
    /// A measurement, with so many more tokens.
    Data(usize),
    /// A date or a year.
    Particular,
    /// A number of things that can be counted.
    Count,
    /// A label.
    Nothing,
}

/// From so many digits on a number of things was counted.
const MANY_DIGITS: u32 = 3;

/// What a number is, by what stands around it.
pub(super) fn measure(
    before: Option<&Token>,
    token: &Token,
    next: Option<&Token>,
    after: Option<&Token>,
) -> Measure {
    let next_is = |mark: u8| next.is_some_and(|next| next.is_mark(mark));
    let unit = |token: &Token| token.is_word() && token.is(UNIT);
    let money = before.is_some_and(|before| before.is_mark(b'$'));
    if next_is(b'%') || next.is_some_and(unit) {
        return Measure::Data(1);
    }
    let hyphened = (next_is(b'-') || next_is(b'/')) && after.is_some_and(unit);
    let sampled =
        |token: Option<&Token>| token.is_some_and(|token| token.is_word() && token.is(SAMPLE));
    let adjective = next.is_some_and(|next| next.is_word() && !next.is(FUNCTION));
    if hyphened || (adjective && sampled(after)) {
        return Measure::Data(2);
    }
    if sampled(next) {
        return Measure::Data(1);
    }
    if token.has(MEASURED) || money {
        return Measure::Data(0);
    }
    if token.has(DATE | YEAR) {
        return Measure::Particular;
    }
    // "22 of 31 repairs", "388 houses": nobody counts so far without counting.
    let of = next.is_some_and(|next| next.is_word() && next.is(FUNCTION))
        && after.is_some_and(|after| after.kind == Kind::Number && !after.has(YEAR | DATE));
    let many = token.end - token.start >= MANY_DIGITS && !token.has(MIXED);
    if of || (many && adjective) {
        return Measure::Data(if of { 2 } else { 1 });
    }
    // "fell to 0.21", "n = 412".
    let shifted = before.is_some_and(|before| before.is(SHIFT) || before.is_mark(b'='));
    if token.has(EXACT) || (shifted && !adjective) {
        return Measure::Data(0);
    }
    if token.has(MIXED) { Measure::Nothing } else { Measure::Count }
}
