//! Numbers that only describe: which one is meant, and not how much it is.

use rebuttal_model::Span;

use super::listed::{Listed, any_of};
use super::meaning::{Meaning, Meanings};
use super::pieces::{EDITIONS, Kind, Piece};
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::quantities::{Quantity, Unit, Value};
use crate::words::{self, Stem};

/// Numbers that only describe: "30-day mortality", "15-24 year olds", "aged 65", "2021 edition", "10-K".
/// None stands before `first`.
pub(super) fn adjectives(
    pieces: &mut [Piece<'_>],
    first: usize,
    quantities: &[Quantity],
    clean: &str,
) {
    for at in first..pieces.len() {
        let Some(&Piece { kind: Kind::Value(number), span, .. }) = pieces.get(at) else { continue };
        let Some(quantity) = quantities.get(number) else { continue };
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        let mut after = pieces.iter().skip(at + 1).filter(|it| !it.is_mark(b'-'));
        let next = after.next();
        let bare = matches!(quantity.unit, Unit::None | Unit::Count);
        let aged = bare && before.is_some_and(|it| it.is(any_of!["age", "ages", "aged"]));
        let old = next.is_some_and(|it| it.is(any_of!["old", "olds"]));
        let measures = next
            .is_some_and(|it| matches!(it.kind, Kind::Word(_) | Kind::Known(Meaning::Concepts(_))));
        let length = quantity.unit == Unit::Seconds && is_hyphenated(quantity, span, clean);
        let form = pieces.get(at + 1).is_some_and(|it| it.is_mark(b'-'))
            && next.is_some_and(|it| it.is(any_of!["K", "Q"]));
        let edition = form || bare && next.is_some_and(|it| it.is(&EDITIONS));
        // "mortality at 30 days was 5 %".
        let horizon = quantity.unit == Unit::Seconds
            && quantity.decimals == 0
            && before.is_some_and(|it| it.is(any_of!["at", "within", "after", "over"]))
            && pieces.iter().any(|it| {
                matches!(it.kind, Kind::Value(other) if
                quantities.get(other).is_some_and(|it| it.unit != Unit::Seconds))
            });
        let back = |far: usize| at.checked_sub(far).and_then(|at| pieces.get(at));
        // "patients over 65", "adults under 30".
        let bounded = !matches!(quantity.value, Value::Exact(_) | Value::Range { .. });
        let grouped =
            bare && bounded && (1..=3).any(|far| back(far).is_some_and(|it| it.is(&PEOPLE)));
        // "week 12", "grade 3": which one.
        let which = bare && before.is_some_and(|it| it.is(&NUMBERED));
        // "patients on 5 mg": of which dose.
        let dosed = quantity.unit == Unit::Kilograms
            && (before.is_some_and(|it| it.is(any_of!["on"]))
                || next.is_some_and(|it| it.is(&DOSED)));
        // "poverty was 27 % at $2.15 a day": by which line.
        let lined = matches!(quantity.unit, Unit::Currency(_))
            && quantity.per.is_some()
            && before.is_some_and(|it| it.is(any_of!["at", "under", "below", "on"]))
            && pieces.iter().any(|it| {
                matches!(it.kind, Kind::Value(other) if
                quantities.get(other).is_some_and(|it| it.unit == Unit::Percent))
            });
        // "one in five" is a share, and not five.
        let ratio = before.is_some_and(|it| it.is(any_of!["in"]))
            && back(2).is_some_and(|it| it.is(any_of!["one", "two", "three", "1", "2", "3"]));
        let Some(piece) = pieces.get_mut(at) else { continue };
        if grouped || which || dosed || lined {
            piece.kind = Kind::Word(adjective(quantity.value));
        } else if ratio {
            piece.kind = Kind::Function;
        } else if aged || old {
            piece.kind = ages(quantity);
        } else if horizon || (measures && length) {
            piece.kind = Kind::Word(adjective(quantity.value));
        } else if edition {
            piece.kind = Kind::Function;
        }
    }
}

/// Who has an age.
const PEOPLE: Listed = Listed::new(&[
    "patients",
    "adults",
    "people",
    "women",
    "men",
    "children",
    "those",
    "persons",
    "workers",
    "aged",
    "participants",
    "age",
]);

/// What is told apart by its dose.
const DOSED: Listed = Listed::new(&[
    "group", "arm", "cohort", "dose", "tablet", "tablets", "capsule", "capsules", "regimen",
]);

/// What is told apart by its number.
const NUMBERED: Listed =
    Listed::new(&["week", "day", "month", "visit", "cycle", "grade", "stage", "type", "tier"]);

/// Who is meant by an age: the young are called by theirs as often as by their name.
fn ages(quantity: &Quantity) -> Kind {
    const YEAR: f64 = 365.25 * 86400.0;
    let years =
        |value: f64| if quantity.unit == Unit::Seconds { (value / YEAR).round() } else { value };
    let youth =
        || Meanings::english().phrase(Lexicon::english().look_up("youth").1, &std::iter::empty());
    match quantity.value {
        Value::Range { low, high } if (years(low), years(high)) == (15.0, 24.0) => {
            youth().map_or(Kind::Function, |(_, meaning)| Kind::Known(meaning))
        }
        Value::Range { low, high } => {
            Kind::Word(adjective(Value::Range { low: years(low), high: years(high) }))
        }
        Value::Exact(value) => Kind::Word(adjective(Value::Exact(years(value)))),
        other => Kind::Word(adjective(other)),
    }
}

/// "30-day" and not "30 days".
fn is_hyphenated(quantity: &Quantity, span: Span, clean: &str) -> bool {
    let unit = quantity.unit_span.filter(|unit| span.contains(*unit));
    let before = unit.and_then(|unit| unit.start().checked_sub(1));
    before.and_then(|at| clean.as_bytes().get(at)) == Some(&b'-')
}

/// A term of its own for each such number.
fn adjective(value: Value) -> Term {
    let bits = match value {
        Value::Exact(value) => value.to_bits(),
        Value::Range { low, high } => low.to_bits() ^ high.to_bits().rotate_left(7),
        Value::AtLeast(value) | Value::MoreThan(value) => value.to_bits().rotate_left(3),
        Value::AtMost(value) | Value::LessThan(value) => value.to_bits().rotate_left(5),
    };
    Term::new(Stem(words::hash(&bits.to_le_bytes())))
}
