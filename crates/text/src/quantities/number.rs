//! One number, exactly as written: digits, a decimal point, groups, an exponent, a fraction.

use super::look::Look;

/// Most digits a quantity has; longer runs are keys or hashes.
const DIGITS_MAX: usize = 30;

/// `mantissa × 10^exponent / divisor`, with what is needed to compare up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) mantissa: i128,
    pub(super) exponent: i32,
    /// More than 1 only for fractions.
    pub(super) divisor: u32,
    /// Power of ten of the last digit given.
    pub(super) last_digit: i32,
    /// Digits after the decimal point as written.
    pub(super) decimals: u8,
    /// Power of ten of the scale word as written.
    pub(super) scale: i32,
}

impl Number {
    pub(super) fn whole(mantissa: i128) -> Self {
        Self { mantissa, exponent: 0, divisor: 1, last_digit: 0, decimals: 0, scale: 0 }
    }

    /// Multiplies the number by a power of ten: 3 for thousands, 6 for millions.
    pub(super) fn scaled(self, power: i32) -> Self {
        Self {
            exponent: self.exponent + power,
            last_digit: self.last_digit + power,
            scale: self.scale + power,
            ..self
        }
    }

    /// True when the value stays a number in any unit there is.
    pub(super) fn is_finite(self) -> bool {
        /// More than any unit or scale word multiplies by.
        const ROOM: i32 = 30;
        self.value(ROOM).is_finite() && self.last_digit < f64::MAX_10_EXP - ROOM
    }

    /// The value times `10^power`.
    pub(super) fn value(self, power: i32) -> f64 {
        times_power(to_float(self.mantissa), self.exponent + power) / f64::from(self.divisor)
    }

    /// The size of the last digit given, times `10^power`; 0 for fractions, which are exact.
    pub(super) fn step(self, power: i32) -> f64 {
        if self.divisor > 1 { 0.0 } else { times_power(1.0, self.last_digit + power) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a quantity is compared with a tolerance")]
fn to_float(mantissa: i128) -> f64 {
    mantissa as f64
}

/// Divides rather than multiplies by negative powers: 3171 / 10 is 317.1, 3171 * 0.1 is not.
fn times_power(value: f64, power: i32) -> f64 {
    let size = 10f64.powi(power.unsigned_abs().min(400).try_into().unwrap_or(400));
    if power < 0 { value / size } else { value * size }
}

/// The number whose first digit (or decimal point) is at `at`, and where it ends.
pub(super) fn literal(look: Look<'_>, at: usize) -> Option<(usize, Number)> {
    let mut digits = Digits { look, at, mantissa: 0, count: 0 };
    digits.whole()?;
    let mut decimals = 0;
    let point = digits.at;
    let pointed = look.byte(point) == b'.' && look.byte(point + 1).is_ascii_digit();
    if pointed || is_decimal_comma(look, point) {
        digits.at += 1;
        decimals = digits.take(DIGITS_MAX)?;
    }
    if digits.count == 0 {
        return None;
    }
    let exponent = -i32::try_from(decimals).ok()?;
    let number = Number {
        exponent,
        last_digit: exponent,
        decimals: u8::try_from(decimals).ok()?,
        ..Number::whole(digits.mantissa)
    };
    Some(tail(look, digits.at, number))
}

/// `2,5 %`: a comma before one or two digits and a percent sign parts no thousands.
fn is_decimal_comma(look: Look<'_>, at: usize) -> bool {
    let count = look.digits(at + 1, 2);
    let end = look.blanks(at + 1 + count);
    look.byte(at) == b','
        && (1..=2).contains(&count)
        && (look.byte(end) == b'%' || look.has(end, "percent") || look.has(end, "per cent"))
}

struct Digits<'t> {
    look: Look<'t>,
    at: usize,
    mantissa: i128,
    count: usize,
}

impl Digits<'_> {
    /// Digits in one run, or in groups of three after commas or after blanks.
    fn whole(&mut self) -> Option<()> {
        let first = self.take(DIGITS_MAX)?;
        let separator = self.look.byte(self.at);
        let may_group = (1..=3).contains(&first) && matches!(separator, b',' | b' ');
        let is_group = |look: Look<'_>, at| {
            // "$63,685m": letters may follow a comma's group, digits may not.
            let ends = match separator {
                b',' => !look.byte(at + 4).is_ascii_digit(),
                _ => !look.is_glued(at + 4),
            };
            look.byte(at) == separator && look.digits(at + 1, 3) == 3 && ends
        };
        while may_group && is_group(self.look, self.at) {
            self.at += 1;
            self.take(3)?;
        }
        Some(())
    }

    /// Reads up to `most` digits; `None` when there are more of them than a quantity has.
    fn take(&mut self, most: usize) -> Option<usize> {
        let mut taken = 0;
        while let digit @ b'0'..=b'9' = self.look.byte(self.at) {
            if self.count == DIGITS_MAX || taken == most {
                return None;
            }
            self.mantissa = self.mantissa * 10 + i128::from(digit - b'0');
            self.at += 1;
            self.count += 1;
            taken += 1;
        }
        Some(taken)
    }
}

/// What may follow the digits: `e6`, `^6`, `× 10^6`, `/4`.
fn tail(look: Look<'_>, at: usize, number: Number) -> (usize, Number) {
    exponent(look, at, number)
        .or_else(|| power_of(look, at, number))
        .or_else(|| times_ten(look, at, number))
        .or_else(|| fraction(look, at, number))
        .unwrap_or((at, number))
}

/// A signed whole number of at most three digits that ends its word.
fn small_signed(look: Look<'_>, at: usize) -> Option<(usize, i32)> {
    let sign = look.byte(at);
    let start = if matches!(sign, b'-' | b'+') { at + 1 } else { at };
    let count = look.digits(start, 3);
    let size = i32::try_from(look.number(start, count)?).ok()?;
    let end = start + count;
    ((1..=3).contains(&count) && !look.is_glued(end))
        .then_some((end, if sign == b'-' { -size } else { size }))
}

fn exponent(look: Look<'_>, at: usize, number: Number) -> Option<(usize, Number)> {
    matches!(look.byte(at), b'e' | b'E').then_some(())?;
    let (end, power) = small_signed(look, at + 1)?;
    Some((end, Number { scale: 0, ..number.scaled(power) }))
}

fn power_of(look: Look<'_>, at: usize, number: Number) -> Option<(usize, Number)> {
    (look.byte(at) == b'^' && number.exponent == 0).then_some(())?;
    let (end, power) = small_signed(look, at + 1)?;
    match number.mantissa {
        10 => Some((end, Number { last_digit: power, exponent: power, ..Number::whole(1) })),
        base @ 2..=9 => {
            let value = base.checked_pow(u32::try_from(power).ok()?)?;
            Some((end, Number::whole(value)))
        }
        _ => None,
    }
}

fn times_ten(look: Look<'_>, at: usize, number: Number) -> Option<(usize, Number)> {
    let sign = look.blanks(at);
    let times = look.char(sign).filter(|c| matches!(c, 'x' | '*' | '\u{d7}'))?;
    let ten = look.blanks(sign + times.len_utf8());
    look.has(ten, "10^").then_some(())?;
    let (end, power) = small_signed(look, ten + 3)?;
    Some((end, Number { scale: 0, ..number.scaled(power) }))
}

/// `3/4` and its like; not `24/7`, `9/11`, `and/or`, nor the start of a date.
fn fraction(look: Look<'_>, at: usize, number: Number) -> Option<(usize, Number)> {
    (look.byte(at) == b'/' && number.decimals == 0).then_some(())?;
    let count = look.digits(at + 1, 4);
    let divisor = look.number(at + 1, count)?;
    let common = matches!(divisor, 2..=10 | 12 | 16 | 20 | 24 | 32 | 50 | 64 | 100 | 1000);
    let end = at + 1 + count;
    let ends = !look.is_glued(end) && !matches!(look.byte(end), b'/');
    (common && ends && (1..=i128::from(divisor)).contains(&number.mantissa))
        .then_some((end, Number { divisor, ..number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(usize, f64)> {
        literal(Look::new(text), 0).map(|(end, number)| (end, number.value(0)))
    }

    #[test]
    fn reads_literals() {
        for (text, end, expected) in [
            ("1,234,567.89", 12, 1_234_567.89),
            ("10 000 marks", 6, 10_000.0),
            ("10  000", 2, 10.0),
            ("1,23", 1, 1.0),
            ("1234,567", 4, 1234.0),
            ("0.10 %", 4, 0.1),
            (".5", 2, 0.5),
            ("1e6", 3, 1e6),
            ("1.5e-3", 6, 0.0015),
            ("1e6x", 1, 1.0),
            ("10^6", 4, 1e6),
            ("2^10", 4, 1024.0),
            ("2 \u{d7} 10^6", 9, 2e6),
            ("3/4", 3, 0.75),
            ("24/7", 2, 24.0),
            ("3/4/2024", 1, 3.0),
            ("5.", 1, 5.0),
        ] {
            assert_eq!(value(text), Some((end, expected)), "{text}");
        }
        assert_eq!(value(&"1".repeat(31)), None);
        assert_eq!(value(&"1,111".repeat(1000)), Some((1, 1.0)));
        assert_eq!(value(&",111".repeat(1000)[1..]), None);
    }

    #[test]
    fn scaling_is_exact() {
        let (_, number) = literal(Look::new("317.1"), 0).unwrap();
        assert!((number.scaled(9).value(0) - 317_100_000_000.0).abs() < 1e-9);
        assert!((number.scaled(9).step(0) - 1e8).abs() < 1e-9);
    }
}
