//! What a value comes to as its words mean it.

use rebuttal_model::Span;

use crate::quantities::{Quantity, Unit, Value};

/// "Half of them" are 50 %, and 12 out of 1,000 are 1.2 %.
pub(super) fn as_share(quantity: &mut Quantity) {
    let bare = matches!(quantity.unit, Unit::None | Unit::Count);
    let fraction = quantity.step <= 0.0 && matches!(quantity.value, Value::Exact(it) if it < 1.0);
    let factor = match quantity.out_of {
        whole if whole > 0.0 => 100.0 / whole,
        _ if fraction => 100.0,
        _ => return,
    };
    if bare {
        quantity.value = quantity.value.scaled(factor);
        quantity.step *= factor;
        quantity.unit = Unit::Percent;
    }
}

/// "11.33m" inhabitants are millions: nothing in the list of measures is a length.
pub(super) fn millions(quantity: &mut Quantity) {
    const MILLION: f64 = 1e6;
    let is_m = |unit: Span| unit.len() == 1 && unit.end() == quantity.span.end();
    if let (Unit::Metres, Value::Exact(value)) = (quantity.unit, quantity.value)
        && quantity.unit_span.is_some_and(is_m)
    {
        quantity.value = Value::Exact(value * MILLION);
        quantity.step *= MILLION;
        quantity.scale *= MILLION;
        quantity.unit = Unit::None;
    }
}

/// "12.500 people" are twelve thousand and five hundred: what is counted comes in whole numbers, and
/// nobody writes their zeros.
pub(super) fn thousands(quantity: &mut Quantity, clean: &str) {
    const THOUSAND: f64 = 1000.0;
    let written = quantity.span.of(clean).unwrap_or_default();
    let dotted = written.bytes().filter(|byte| *byte == b'.').count() == 1;
    let ends =
        written.split_once('.').is_some_and(|it| it.1.starts_with(|c: char| c.is_ascii_digit()))
            && written.trim_end_matches(|c: char| !c.is_ascii_digit()).ends_with('0');
    let counted = quantity.unit == Unit::Count && quantity.per.is_none() && quantity.out_of <= 0.0;
    if let Value::Exact(value) = quantity.value
        && counted
        && dotted
        && ends
        && quantity.decimals == 3
        && quantity.scale <= 1.0
    {
        quantity.value = Value::Exact(value * THOUSAND);
        quantity.step *= THOUSAND;
        quantity.decimals = 0;
    }
}

/// The value after a change "from 4 to 5".
pub(super) fn latest(value: Value) -> Value {
    match value {
        Value::Range { high, .. } => Value::Exact(high),
        other => other,
    }
}

pub(super) fn negated(value: Value) -> Value {
    match value {
        Value::Exact(value) => Value::Exact(-value.abs()),
        Value::Range { low, high } => Value::Range { low: -high, high: -low },
        Value::AtLeast(value) => Value::AtMost(-value),
        Value::AtMost(value) => Value::AtLeast(-value),
        Value::MoreThan(value) => Value::LessThan(-value),
        Value::LessThan(value) => Value::MoreThan(-value),
    }
}
