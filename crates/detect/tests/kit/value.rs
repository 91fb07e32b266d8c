//! Quantities as written, and whether two of them can both hold.

use super::rng::Rng;
use super::styles::{Style, Unit, plain};

/// What the written words say of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// This number, to the decimals given.
    Exact,
    /// This number or one near it.
    About,
    MoreThan,
    LessThan,
    /// From one number to another.
    Range,
    /// No number: a direction or a judgement; `low` is 1 or -1.
    Words,
}

/// A quantity as it stands in a text.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) shape: Shape,
    /// The number, or the lower end.
    pub(crate) low: f64,
    /// The upper end; equal to `low` for a single number.
    pub(crate) high: f64,
    /// Half a unit of the last digit given.
    pub(crate) half: f64,
    pub(crate) style: &'static Style,
}

/// How many decimals a reader expects for a number of this size.
pub(crate) fn decimals(rng: &mut Rng, unit: Unit, number: f64) -> usize {
    let number = number.abs();
    match unit {
        Unit::Percent | Unit::OfGdp => match rng.below(10) {
            0..6 if number < 1.0 => 2,
            0 | 1 => 2,
            2 if number >= 12.0 => 0,
            _ if number < 0.2 => 2,
            _ => 1,
        },
        Unit::Months | Unit::Days => 1 + rng.below(2),
        Unit::Price if number < 100.0 => 2,
        Unit::Price => 0,
        Unit::Years => 1,
        _ => {
            let digits = 3 + rng.below(2);
            let whole = (1..=digits).take_while(|&size| number >= power(size - 1)).count();
            let small = usize::from(number < 0.1);
            (digits.saturating_sub(whole.max(1)) + small).min(3)
        }
    }
}

fn power(of_ten: usize) -> f64 {
    10_f64.powi(i32::try_from(of_ten).expect("small"))
}

/// The number with this many decimals and commas between thousands.
pub(crate) fn grouped(number: f64, decimals: usize) -> String {
    let plain = format!("{:.*}", decimals, number.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

impl Written {
    /// This value in this style with so many decimals.
    pub(crate) fn exactly(value: f64, style: &'static Style, decimals: usize) -> Self {
        let number = grouped(value / style.scale, decimals);
        let text = format!("{}{}{}{}", sign(value), style.before, number, style.after);
        let at = round(value / style.scale, decimals) * style.scale;
        let half = 0.5 / power(decimals) * style.scale;
        Self { text, shape: Shape::Exact, low: at, high: at, half, style }
    }

    /// This value in this style.
    pub(crate) fn styled(rng: &mut Rng, unit: Unit, value: f64, style: &'static Style) -> Self {
        let number = value / style.scale;
        let mut decimals = decimals(rng, unit, number);
        // Nobody writes 317.1 requests per second or half a person.
        if style.scale.to_bits() == 1_f64.to_bits() && unit.is_whole() {
            decimals = 0;
        }
        if unit == Unit::PerKwh && style.scale.to_bits() == 1_f64.to_bits() {
            decimals = decimals.max(2);
        }
        let value = if number.abs() >= 1e7 { round_to(value, 6) } else { value };
        Self::exactly(value, style, decimals)
    }

    /// This value in any style.
    pub(crate) fn any(rng: &mut Rng, unit: Unit, value: f64) -> Self {
        let style = unit.style(rng, value);
        Self::styled(rng, unit, value, style)
    }

    /// `about` this.
    pub(crate) fn about(mut self, rng: &mut Rng) -> Self {
        self.text = format!("{} {}", rng.pick(&["about", "around", "roughly"]), self.text);
        self.shape = Shape::About;
        self
    }

    pub(crate) fn more_than(mut self, rng: &mut Rng) -> Self {
        let words = ["more than", "over", "at least", "above", "upwards of"];
        self.text = format!("{} {}", rng.pick(&words), self.text);
        self.shape = Shape::MoreThan;
        self
    }

    pub(crate) fn less_than(mut self, rng: &mut Rng) -> Self {
        let words = ["less than", "below", "under", "at most", "no more than"];
        self.text = format!("{} {}", rng.pick(&words), self.text);
        self.shape = Shape::LessThan;
        self
    }

    /// `between` this `and` that, which is larger and in the same style.
    pub(crate) fn up_to(mut self, rng: &mut Rng, upper: &Self) -> Self {
        let (low, high) = (&self.text, &upper.text);
        let bare = low.strip_suffix(self.style.after).unwrap_or(low);
        let tail = high.strip_prefix(self.style.before).unwrap_or(high);
        self.text = match rng.below(4) {
            0 => format!("between {low} and {high}"),
            1 => format!("between {bare} and {high}"),
            2 => format!("{low} to {high}"),
            _ => format!("{bare}–{tail}"),
        };
        self.shape = Shape::Range;
        self.high = upper.high;
        self
    }

    /// Words that point up or down, or for or against.
    pub(crate) fn words(positive: bool) -> Self {
        let low = if positive { 1.0 } else { -1.0 };
        let style = plain();
        Self { text: String::new(), shape: Shape::Words, low, high: low, half: 0.0, style }
    }
}

fn sign(value: f64) -> &'static str {
    if value < 0.0 { "-" } else { "" }
}

fn round(number: f64, decimals: usize) -> f64 {
    (number * power(decimals)).round() / power(decimals)
}

/// Rounded to so many significant digits.
pub(crate) fn round_to(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powf(value.abs().log10().floor() + 1.0 - f64::from(digits));
    (value / unit).round() * unit
}

/// What a careful reader makes of two figures for the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Conflict,
    Agree,
    /// Readers would differ: never generated.
    Unsure,
}

/// Differences from here on are conflicts to everybody; the rule says 5 %.
pub(crate) const CLEARLY_APART: f64 = 0.07;
/// Differences up to here agree for everybody.
pub(crate) const CLEARLY_CLOSE: f64 = 0.043;

/// Judges two figures for the same thing by what is written alone.
pub(crate) fn judge(one: &Written, two: &Written) -> Verdict {
    use Shape::{About, Exact, LessThan, MoreThan, Range, Words};
    match (one.shape, two.shape) {
        (Words, Words) if one.low * two.low < 0.0 => Verdict::Conflict,
        (Words, Words) | (MoreThan, MoreThan) | (LessThan, LessThan) => Verdict::Agree,
        (Exact, Exact) => exact(one, two, CLEARLY_APART),
        (Exact | About, Exact | About) => exact(one, two, 2.5 * CLEARLY_APART),
        (MoreThan, LessThan | Exact | Range) | (Exact | Range, LessThan) => gap(two, one),
        (Exact | Range, Exact | Range) if one.low > two.high => gap(two, one),
        (Exact | Range, Exact | Range) if gap(two, one) != Verdict::Agree => Verdict::Unsure,
        (LessThan | Exact | Range, MoreThan | Exact | Range) => gap(one, two),
        _ => Verdict::Unsure,
    }
}

/// Conflict when the upper end of one is clearly below the lower end of the other, which it must
/// not be, however both were rounded.
fn gap(upper: &Written, lower: &Written) -> Verdict {
    let rounding = upper.half.max(lower.half) * 1.15;
    let (upper, lower) = (upper.high, lower.low);
    match () {
        () if upper < lower * (1.0 - CLEARLY_APART) && lower - upper > rounding => {
            Verdict::Conflict
        }
        () if upper > lower * 1.005 => Verdict::Agree,
        () => Verdict::Unsure,
    }
}

fn exact(one: &Written, two: &Written, apart: f64) -> Verdict {
    let difference = (one.low - two.low).abs();
    let smaller = one.low.abs().min(two.low.abs());
    let half = one.half.max(two.half);
    match () {
        () if difference <= smaller * CLEARLY_CLOSE => Verdict::Agree,
        () if difference <= half * 0.95 && difference <= smaller * 0.12 => Verdict::Agree,
        () if difference > smaller * apart && difference > half * 1.15 => Verdict::Conflict,
        () => Verdict::Unsure,
    }
}
