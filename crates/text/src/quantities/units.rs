//! What a number counts: units and currencies, as written and in canonical form.

use std::sync::LazyLock;

use rebuttal_model::Span;

use super::look::{Look, Lower};
use super::words::scale;

/// What a value is measured in. The value of a [`super::Quantity`] is already in this unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A bare number, or a number that names a thing ("port 2049").
    None,
    /// A number of things; the noun says of what.
    Count,
    /// Hundredths; 5 % is 5.
    Percent,
    /// Difference between two percentages.
    PercentagePoints,
    /// Hundredths of a percentage point.
    BasisPoints,
    /// A factor: `1.5x`.
    Times,
    /// Money, with its ISO 4217 code.
    Currency(&'static str),
    /// Time, in seconds; a year has 365.25 days and twelve equal months.
    Seconds,
    /// Storage, in bytes; a kB has 1000, a KiB 1024.
    Bytes,
    /// Information, in bits.
    Bits,
    /// Bits per second.
    BitRate,
    /// Frequency, in hertz.
    Hertz,
    /// Length, in metres.
    Metres,
    /// Mass, in kilograms.
    Kilograms,
    /// Volume, in litres.
    Litres,
    /// Power, in watts.
    Watts,
    /// Energy, in watt-hours.
    WattHours,
    /// Temperature, in degrees Celsius.
    Celsius,
    /// An angle, or degrees of a kind not named.
    Degrees,
    /// Whatever else the table knows, by the name of its canonical unit: "pascals".
    Of(&'static str),
}

/// A unit as written and what it is worth in the canonical one: `factor × 10^power`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    pub(super) unit: Unit,
    pub(super) factor: f64,
    pub(super) power: i32,
    /// Where its zero lies: 32 °F are none of the degrees above freezing.
    pub(super) zero: f64,
}

impl Measure {
    fn one(unit: Unit) -> Self {
        Self { unit, factor: 1.0, power: 0, zero: 0.0 }
    }
}

/// Spellings in order, with where those of each first byte end: most words after a number are no
/// unit, and are known not to be one after a comparison or two.
struct Table {
    entries: Vec<(&'static str, Measure)>,
    ends: [usize; 256],
}

static UNITS: LazyLock<Table> = LazyLock::new(|| {
    let units = lines(include_str!("../../lexicons/units.txt")).flat_map(|line| {
        let mut words = line.split_whitespace();
        let unit = words.next().map(canonical);
        let size = words.next().and_then(size);
        let measure = unit.zip(size).map(|(unit, size)| Measure { unit, ..size });
        words.filter_map(move |word| Some((word, measure?)))
    });
    let currencies = lines(include_str!("../../lexicons/currencies.txt")).flat_map(|line| {
        let code = line.split_whitespace().next().unwrap_or_default();
        line.split_whitespace().map(move |word| (word, Measure::one(Unit::Currency(code))))
    });
    Table::new(units.chain(currencies))
});

fn lines(data: &'static str) -> impl Iterator<Item = &'static str> {
    data.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Table {
    fn new(entries: impl Iterator<Item = (&'static str, Measure)>) -> Self {
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|(word, _)| *word);
        let mut ends = [0; 256];
        for (first, end) in (0..=u8::MAX).zip(&mut ends) {
            *end = entries.partition_point(|(word, _)| word.as_bytes().first() <= Some(&first));
        }
        Self { entries, ends }
    }

    fn get(&self, word: &str) -> Option<Measure> {
        let first = usize::from(*word.as_bytes().first()?);
        let start = first.checked_sub(1).map_or(Some(&0), |before| self.ends.get(before));
        let near = self.entries.get(*start?..*self.ends.get(first)?)?;
        near.iter().find(|(spelling, _)| *spelling == word).map(|(_, measure)| *measure)
    }
}

/// `60` is a factor; `1e-3` is a power of ten, kept apart so that scaling stays exact; `0.5@32` has
/// its zero at 32.
fn size(written: &str) -> Option<Measure> {
    let (written, zero) = written.split_once('@').unwrap_or((written, "0"));
    let plain = Measure { zero: zero.parse().ok()?, ..Measure::one(Unit::None) };
    Some(match written.strip_prefix("1e") {
        Some(power) => Measure { power: power.parse().ok()?, ..plain },
        None => Measure { factor: written.parse().ok()?, ..plain },
    })
}

fn canonical(name: &'static str) -> Unit {
    match name {
        "percent" => Unit::Percent,
        "points" => Unit::PercentagePoints,
        "basis" => Unit::BasisPoints,
        "times" => Unit::Times,
        "seconds" => Unit::Seconds,
        "bytes" => Unit::Bytes,
        "bits" => Unit::Bits,
        "bitrate" => Unit::BitRate,
        "hertz" => Unit::Hertz,
        "metres" => Unit::Metres,
        "kilograms" => Unit::Kilograms,
        "litres" => Unit::Litres,
        "watts" => Unit::Watts,
        "watt-hours" => Unit::WattHours,
        "celsius" => Unit::Celsius,
        "degrees" => Unit::Degrees,
        other => Unit::Of(other),
    }
}

pub(super) fn find(word: &str) -> Option<Measure> {
    UNITS.get(word).or_else(|| match Lower::new(word) {
        // Short units differ by case alone: `Mb` is not `MB`.
        folded @ Lower::Folded(..) if word.len() >= 3 => UNITS.get(&folded),
        _ => None,
    })
}

fn find_currency(word: &str) -> Option<Measure> {
    find(word).filter(|measure| matches!(measure.unit, Unit::Currency(_)))
}

/// The currency whose symbol or code ends at `at`, and where it starts.
pub(super) fn currency_before(look: Look<'_>, at: usize) -> Option<(usize, Measure)> {
    let end = look.blanks_before(at);
    if let Some(symbol) = look.char_before(end).filter(|c| is_currency_symbol(*c)) {
        let start = end - symbol.len_utf8();
        // `US$`, `HK$`: up to two letters before the symbol belong to it.
        for letters in [2, 1] {
            if let Some(wide) = start.checked_sub(letters)
                && !look.is_glued_before(wide)
                && let Some(found) = find_currency(look.slice(wide, end))
            {
                return Some((wide, found));
            }
        }
        return find_currency(look.slice(start, end)).map(|found| (start, found));
    }
    let (start, word) = look.word_before(at);
    let is_code = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_code && !look.is_glued_before(start)).then_some(())?;
    find_currency(word).map(|found| (start, found))
}

pub(super) fn is_currency_symbol(c: char) -> bool {
    matches!(c, '$' | '\u{a3}' | '\u{a5}' | '\u{20a0}'..='\u{20bf}' | '\u{e3f}')
}

/// The scale at `at` and where it ends: `million`, `bn`, and, for money, `m`, `b` and `t`.
pub(super) fn scale_after(look: Look<'_>, at: usize, is_money: bool) -> Option<(usize, i32)> {
    let start = if look.byte(at) == b'-' { at + 1 } else { look.blanks(at) };
    let word = look.word(start);
    let end = start + word.len();
    (!word.is_empty() && !look.is_glued(end)).then_some(())?;
    let is_tight = start == at;
    let power = match word {
        "k" | "K" => 3,
        "M" | "mn" | "mln" | "MM" => 6,
        "bn" | "Bn" | "BN" | "bln" => 9,
        "tn" | "trn" => 12,
        "m" if is_money => 6,
        "b" | "B" if is_money => 9,
        "t" | "T" if is_money => 12,
        "B" if is_tight => 9,
        _ => scale(&Lower::new(word))?,
    };
    // "5 hundred" is rare and "5 k" is a typo for 5k, but "5-m" is neither.
    (look.byte(at) != b'-' || word.len() > 2).then_some((end, power))
}

/// The unit at `at` and its bytes: `%`, `per cent`, `ms`, `-year`, `US dollars`.
pub(super) fn unit_after(look: Look<'_>, at: usize) -> Option<(Span, Measure)> {
    let is_hyphen = look.byte(at) == b'-';
    let start = if is_hyphen { at + 1 } else { look.blanks(at) };
    let (end, measure) = symbol(look, start).or_else(|| unit_word(look, start))?;
    let (end, measure) = match look.char(end) {
        // `km²`; a raised figure behind a word is a note.
        Some(two @ '\u{b2}') if end - start <= 3 => squared((end + two.len_utf8(), measure))?,
        _ => points(look, end, measure),
    };
    if look.is_glued(end) {
        return None;
    }
    // "3-d" and "4-m" are names of things, "5-year" is a length of time.
    (!is_hyphen || end - start > 1).then(|| (Span::new(start, end), measure))
}

/// Units that are not words.
fn symbol(look: Look<'_>, at: usize) -> Option<(usize, Measure)> {
    let c = look.char(at).filter(|c| !c.is_ascii_alphanumeric())?;
    let end = at + c.len_utf8();
    // `°C` and `µs` are a symbol and letters.
    let letters = end + look.word(end).len();
    find(look.slice(at, letters))
        .map(|found| (letters, found))
        .or_else(|| find(look.slice(at, end)).map(|found| (end, found)))
}

fn unit_word(look: Look<'_>, at: usize) -> Option<(usize, Measure)> {
    let word = look.word(at);
    let end = at + word.len();
    let next = look.blanks(end);
    let phrase = |second: &str, measure: Measure| {
        let whole = next + second.len();
        (look.has(next, second) && !look.is_glued(whole)).then_some((whole, measure))
    };
    match &*Lower::new(word) {
        "" => None,
        "per" => phrase("cent", Measure::one(Unit::Percent)),
        "percentage" => phrase("points", Measure::one(Unit::PercentagePoints))
            .or_else(|| phrase("point", Measure::one(Unit::PercentagePoints))),
        "basis" => phrase("points", Measure::one(Unit::BasisPoints))
            .or_else(|| phrase("point", Measure::one(Unit::BasisPoints))),
        "degree" | "degrees" => phrase("celsius", Measure::one(Unit::Celsius))
            .or_else(|| find("\u{b0}F").and_then(|found| phrase("fahrenheit", found)))
            .or_else(|| find(word).map(|found| (end, found))),
        "lb" if look.has(end, "-ft") => find("lbft").map(|found| (end + 3, found)),
        "ft" if look.has(end, "-lb") => find("ftlb").map(|found| (end + 3, found)),
        "sq" | "square" => unit_word(look, next).filter(|_| next > end).and_then(squared),
        "nautical" => {
            find("nmi").and_then(|found| phrase("miles", found).or_else(|| phrase("mile", found)))
        }
        "us" => phrase("dollars", Measure::one(Unit::Currency("USD")))
            .or_else(|| find(word).map(|found| (end, found))),
        _ => find(word).map(|found| (end, found)),
    }
}

/// A length is an area when "square" stands before it.
fn squared((end, measure): (usize, Measure)) -> Option<(usize, Measure)> {
    let Measure { unit, factor, power, .. } = measure;
    let area = Measure { factor: factor * factor, power: power * 2, ..Measure::one(AREA) };
    (unit == Unit::Metres).then_some((end, area))
}

/// Areas, in square metres.
const AREA: Unit = Unit::Of("square-metres");

/// `% points` and `%-points` are percentage points.
fn points(look: Look<'_>, end: usize, measure: Measure) -> (usize, Measure) {
    let next = if look.byte(end) == b'-' { end + 1 } else { look.blanks(end) };
    let word = look.word(next);
    if measure.unit == Unit::Percent && matches!(word, "points" | "point") {
        return (next + word.len(), Measure::one(Unit::PercentagePoints));
    }
    (end, measure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_read() {
        let spellings = |data, skip| lines(data).map(|l| l.split_whitespace().count() - skip).sum();
        let units: usize = spellings(include_str!("../../lexicons/units.txt"), 2);
        let currencies: usize = spellings(include_str!("../../lexicons/currencies.txt"), 0);
        assert_eq!(UNITS.entries.len(), units + currencies);
    }

    #[test]
    fn no_spelling_means_two_things() {
        for pair in UNITS.entries.windows(2) {
            assert_ne!(pair[0].0, pair[1].0);
        }
    }

    #[test]
    fn reads_units_after_numbers() {
        for (text, unit, written) in [
            ("%", Unit::Percent, "%"),
            (" per cent", Unit::Percent, "per cent"),
            (" percentage points", Unit::PercentagePoints, "percentage points"),
            (" %-points", Unit::PercentagePoints, "%-points"),
            (" ms", Unit::Seconds, "ms"),
            ("\u{b5}s", Unit::Seconds, "\u{b5}s"),
            ("-year plan", Unit::Seconds, "year"),
            (" US dollars", Unit::Currency("USD"), "US dollars"),
            (" \u{20ac}", Unit::Currency("EUR"), "\u{20ac}"),
            ("\u{b0}C", Unit::Celsius, "\u{b0}C"),
            (" Percent", Unit::Percent, "Percent"),
        ] {
            let (span, measure) = unit_after(Look::new(text), 0).unwrap();
            assert_eq!((measure.unit, span.of(text)), (unit, Some(written)), "{text}");
        }
        for text in [" services", " shows", "-d printing", " in", "", " Mbx", " x1"] {
            assert_eq!(unit_after(Look::new(text), 0), None, "{text}");
        }
    }
}
