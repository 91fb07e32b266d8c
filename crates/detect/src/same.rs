//! Whether two figures are of the same thing, and whether their values agree.
//!
//! Two values can only conflict when metric, entity, period, unit and base are the same. Everything
//! else that differs explains the difference.

use rebuttal_text::{Figure, Quantity, Term, Unit, Value};

/// An estimate may be off by this share.
const ROUGHLY: f64 = 0.1;

/// What is measured, as a sorted set.
pub(crate) fn metric(figure: &Figure) -> Vec<Term> {
    let mut terms: Vec<Term> = figure.metric.iter().map(|word| word.term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// What a unit measures, so that what measures the same can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// No unit given.
    Bare,
    /// No unit given, and too large for a share.
    Number,
    /// A number of things that can be counted.
    Counted,
    /// A share.
    Share,
    /// A difference of shares.
    Points,
    /// Money of one currency.
    Money(&'static str),
    /// In a unit that no list knows, by its word.
    Named(Term),
    /// Anything else, by the name of its unit.
    Of(&'static str),
    /// Money or anything else, per something.
    Per(&'static str, &'static str),
}

impl Dimension {
    /// What the figure is given in.
    pub fn of(figure: &Figure) -> Self {
        /// No rate is larger, and no share that is written without its sign.
        const LARGE: f64 = 1000.0;
        let plain = Self::of_unit(figure.quantity.unit);
        let large = figure.quantity.scale > 1.0 || number(figure.value).abs() > LARGE;
        match (figure.per, plain) {
            (Some(per), Self::Money(unit) | Self::Of(unit)) => Self::Per(unit, name(per)),
            (Some(per), Self::Bare | Self::Counted) => Self::Per("", name(per)),
            (None, Self::Bare) if large => Self::Number,
            (None, Self::Bare) => figure.unit_word.map_or(plain, Self::Named),
            _ => plain,
        }
    }

    /// What a number without a unit may be given in where others say what in.
    #[must_use]
    pub fn filled(self, unit: Self) -> Self {
        match (self, unit) {
            (Self::Number, Self::Share | Self::Points) => self,
            (Self::Bare | Self::Number, unit) => unit,
            _ => self,
        }
    }

    /// True where something says what the number is given in.
    pub(crate) fn is_given(self) -> bool {
        !matches!(self, Self::Bare | Self::Number)
    }

    fn of_unit(unit: Unit) -> Self {
        match unit {
            Unit::None => Self::Bare,
            Unit::Count => Self::Counted,
            Unit::Of("metres-per-second") => Self::Per("m", "s"),
            Unit::Of("litres-per-second") => Self::Per("l", "s"),
            Unit::Percent => Self::Share,
            Unit::PercentagePoints | Unit::BasisPoints => Self::Points,
            Unit::Currency(code) => Self::Money(code),
            unit => Self::Of(name(unit)),
        }
    }

    /// What to write behind a value.
    pub(crate) fn shown(self) -> Option<&'static str> {
        match self {
            Self::Bare | Self::Number | Self::Counted | Self::Named(_) => None,
            Self::Share => Some("%"),
            Self::Points => Some("percentage points"),
            Self::Money(code) => Some(code),
            Self::Per("m", "s") => Some("m/s"),
            Self::Per("l", "s") => Some("l/s"),
            Self::Of(unit) | Self::Per(unit, _) => Some(unit).filter(|it| !it.is_empty()),
        }
    }
}

fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Times => "x",
        Unit::Seconds => "s",
        Unit::Bytes => "bytes",
        Unit::Bits => "bits",
        Unit::BitRate => "bits/s",
        Unit::Hertz => "Hz",
        Unit::Metres => "m",
        Unit::Kilograms => "kg",
        Unit::Litres => "l",
        Unit::Watts => "W",
        Unit::WattHours => "Wh",
        Unit::Celsius => "\u{b0}C",
        Unit::Degrees => "\u{b0}",
        Unit::Of("pascals") => "Pa",
        Unit::Of("newton-metres") => "N m",
        Unit::Of("square-metres") => "m\u{b2}",
        Unit::Of(name) => name,
        _ => "",
    }
}

/// The value in the unit that its dimension is shown in.
pub(crate) fn in_dimension(figure: &Figure) -> Value {
    let factor = if figure.quantity.unit == Unit::BasisPoints { 0.01 } else { 1.0 };
    figure.value.scaled(factor)
}

/// One number for a value: the middle of a range, the end of what is open.
pub fn number(value: Value) -> f64 {
    match value {
        Value::Exact(value)
        | Value::AtLeast(value)
        | Value::AtMost(value)
        | Value::MoreThan(value)
        | Value::LessThan(value) => value,
        Value::Range { low, high } => f64::midpoint(low, high),
    }
}

/// Whether two values of the same thing go together: one number can be both, or they are no
/// farther apart than `tolerance`, as a share of the smaller.
pub fn agree(one: &Figure, two: &Figure, tolerance: f64) -> bool {
    let (a, b) = (in_dimension(one), in_dimension(two));
    if consistent((a, &one.quantity), (b, &two.quantity)) || within(a, b, tolerance) {
        return true;
    }
    // 0.046 and 4.6 %: a share without its sign.
    let shares = (Dimension::of(one), Dimension::of(two));
    match shares {
        (Dimension::Bare, Dimension::Share) => is_share(a, (b, two), tolerance),
        (Dimension::Share, Dimension::Bare) => is_share(b, (a, one), tolerance),
        // A coefficient of 0.63 and one of 63.
        (Dimension::Bare, Dimension::Bare) => {
            let fraction = |value: Value| number(value).abs() < 1.0;
            fraction(a) && within(a.scaled(100.0), b, tolerance)
                || fraction(b) && within(a, b.scaled(100.0), tolerance)
        }
        _ => false,
    }
}

/// Whether a number without a unit is a share: as a fraction, or out of as many as the share is.
fn is_share(bare: Value, (share, figure): (Value, &Figure), tolerance: f64) -> bool {
    let out_of = figure.quantity.out_of;
    within(bare.scaled(100.0), share, tolerance)
        || out_of > 0.0 && within(bare, share.scaled(out_of / 100.0), tolerance)
}

/// How far apart two values are, as a share of the smaller; infinite when one is zero.
pub(crate) fn difference(one: Value, two: Value) -> f64 {
    let (a, b) = (number(one), number(two));
    let smaller = a.abs().min(b.abs());
    let apart = (a - b).abs();
    if apart > 0.0 { apart / smaller } else { 0.0 }
}

fn within(one: Value, two: Value, tolerance: f64) -> bool {
    match (one, two) {
        (Value::Exact(a), Value::Exact(b)) => {
            // A hair's breadth beside the tolerance is rounding of the machine's, not a difference.
            (a > 0.0) == (b > 0.0) && difference(one, two) <= tolerance * (1.0 + 1e-9)
        }
        _ => false,
    }
}

/// Whether one number can be both.
pub(crate) fn consistent(one: (Value, &Quantity), two: (Value, &Quantity)) -> bool {
    let finer = |one: &Quantity, two: &Quantity| two.step < one.step || two.decimals > one.decimals;
    let (a, b) = (bounds(one, finer(one.1, two.1)), bounds(two, finer(two.1, one.1)));
    let apart = |low: Bound, high: Bound| {
        low.value > high.value || (low.open || high.open) && low.value >= high.value
    };
    !apart(a.0, b.1) && !apart(b.0, a.1)
}

#[derive(Clone, Copy)]
struct Bound {
    value: f64,
    open: bool,
}

/// From where to where the value may lie. What is given less finely than the other may have been
/// rounded: half its last digit either way. Three is not four, but 5 % may be 4.6 %.
fn bounds((value, quantity): (Value, &Quantity), rounded: bool) -> (Bound, Bound) {
    let closed = |value| Bound { value, open: false };
    let open = |value| Bound { value, open: true };
    match value {
        Value::Exact(value) => {
            let slack = if quantity.approx { (value * ROUGHLY).abs() } else { 0.0 };
            let factor = if quantity.unit == Unit::BasisPoints { 0.01 } else { 1.0 };
            let half = if rounded { quantity.step * factor * (0.5 + 1e-9) } else { 0.0 };
            let slack = slack.max(half);
            (closed(value - slack), closed(value + slack))
        }
        Value::Range { low, high } => (closed(low), closed(high)),
        Value::AtLeast(value) => (closed(value), closed(f64::INFINITY)),
        Value::AtMost(value) => (closed(f64::NEG_INFINITY), closed(value)),
        Value::MoreThan(value) => (open(value), closed(f64::INFINITY)),
        Value::LessThan(value) => (closed(f64::NEG_INFINITY), open(value)),
    }
}
