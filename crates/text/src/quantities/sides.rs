//! One number with its sign, currency, scale and unit; a range has two of them.

use rebuttal_model::Span;

use super::look::{Look, Lower};
use super::number::{Number, literal};
use super::units::{Measure, Unit, currency_before, is_currency_symbol, scale_after, unit_after};
use super::words::spoken;

/// One number with its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: Number,
    pub(super) measure: Option<Measure>,
    pub(super) unit_span: Option<Span>,
    sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// What stands before the digits of a number: where it starts, its sign and its currency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefix {
    pub(super) start: usize,
    pub(super) sign: Sign,
    pub(super) currency: Option<Measure>,
}

impl Prefix {
    pub(super) fn bare(start: usize) -> Self {
        Self { start, sign: Sign::Plus, currency: None }
    }

    /// Reads back from the first digit: `-$`, `US$`, `USD `, "minus ".
    pub(super) fn before(look: Look<'_>, at: usize) -> Self {
        let inner = sign_before(look, at);
        let digits = inner.map_or(at, |(start, _)| start);
        let currency = currency_before(look, digits);
        let start = currency.map_or(digits, |(start, _)| start);
        let outer = sign_before(look, start).or_else(|| spoken_sign(look, start));
        let sign = inner.or(outer).map_or(Sign::Plus, |(_, sign)| sign);
        let start = outer.map_or(start, |(start, _)| start);
        Self { start, sign, currency: currency.map(|(_, measure)| measure) }
    }
}

fn sign_before(look: Look<'_>, at: usize) -> Option<(usize, Sign)> {
    let sign = match look.byte_before(at) {
        b'-' => Sign::Minus,
        b'+' => Sign::Plus,
        _ => return None,
    };
    let start = at - 1;
    let is_joint = look.is_glued_before(start)
        || matches!(look.byte_before(start), b')' | b']' | b'%' | b'-' | b'+');
    (!is_joint).then_some((start, sign))
}

fn spoken_sign(look: Look<'_>, at: usize) -> Option<(usize, Sign)> {
    let (start, word) = look.word_before(at);
    match &*Lower::new(word) {
        "minus" | "negative" => Some((start, Sign::Minus)),
        _ => None,
    }
}

impl Side {
    /// Completes a number, read up to `end`, with what follows it.
    pub(super) fn new(look: Look<'_>, prefix: Prefix, end: usize, number: Number) -> Option<Self> {
        let mut side = Self {
            start: prefix.start,
            end,
            number,
            measure: prefix.currency,
            unit_span: None,
            sign: prefix.sign,
        };
        // Twice, for "two hundred thousand" and "5 thousand billion".
        for _ in 0..2 {
            if let Some((end, power)) = scale_after(look, side.end, prefix.currency.is_some()) {
                side.number = side.number.scaled(power);
                side.end = end;
            }
        }
        side.read_unit(look);
        // "1e999 users" is a number nobody can compare with.
        let finite = side.number.is_finite();
        (finite && !look.is_glued(side.end)).then_some(side)
    }

    fn read_unit(&mut self, look: Look<'_>) {
        let Some((span, measure)) = unit_after(look, self.end) else { return };
        let is_tight = span.start() == self.end;
        let written = span.of(look.rest(0)).unwrap_or_default();
        // "5 x 10" is a product, and "5 us" more often two words than microseconds.
        if !is_tight && matches!(written, "x" | "\u{d7}" | "us") {
            return;
        }
        match self.measure {
            // `$5 million USD` says it twice; "$5 a day" and "$5 metres" do not.
            Some(currency) if currency.unit != measure.unit => {}
            _ => {
                self.measure = Some(measure);
                self.unit_span = Some(span);
                self.end = span.end();
            }
        }
    }

    /// Reads the second side of a range at `at`.
    pub(super) fn ahead(look: Look<'_>, at: usize) -> Option<Self> {
        let mut digits = at;
        if matches!(look.byte(digits), b'-' | b'+') {
            digits += 1;
        }
        while let Some(c) = look.char(digits)
            && (is_currency_symbol(c) || (digits < at + 4 && c.is_ascii_uppercase()))
            && digits < at + 8
        {
            digits += c.len_utf8();
        }
        if digits > at {
            digits = look.blanks(digits);
        }
        if look.byte(digits).is_ascii_digit() {
            let (end, number) = literal(look, digits)?;
            let prefix = Prefix::before(look, digits);
            let has_more = look.byte(end) == b'.' && look.byte(end + 1).is_ascii_digit();
            let is_here = prefix.start == at && !has_more;
            return is_here.then(|| Self::new(look, prefix, end, number))?;
        }
        let words = spoken(look, at)?;
        Self::new(look, Prefix::bare(at), words.end, words.number)
    }

    /// The value in the canonical unit.
    pub(super) fn value(&self) -> f64 {
        let size = self.sized(|power| self.number.value(power));
        let value = if self.sign == Sign::Minus { -size } else { size };
        self.measure.map_or(value, |measure| value - measure.zero * measure.factor)
    }

    /// The size of the last digit in the canonical unit.
    pub(super) fn step(&self) -> f64 {
        self.sized(|power| self.number.step(power))
    }

    fn sized(&self, of: impl Fn(i32) -> f64) -> f64 {
        self.measure.map_or_else(|| of(0), |measure| of(measure.power) * measure.factor)
    }

    pub(super) fn unit(&self) -> Unit {
        self.measure.map_or(Unit::None, |measure| measure.unit)
    }
}

/// The second side of a range that begins with `first`, and the first side completed by it:
/// in "5 to 10 million dollars" both are millions and both are dollars.
pub(super) fn range(look: Look<'_>, first: Side) -> Option<(Side, Side)> {
    let link = link(look, first)?;
    let mut second = Side::ahead(look, link.next)?;
    let mut first = first;
    if first.measure.is_none() {
        first.measure = second.measure;
    }
    if second.measure.is_none() {
        second.measure = first.measure;
    }
    if first.number.scale == 0 && second.number.scale > 0 && first.unit_span.is_none() {
        let scaled = Side { number: first.number.scaled(second.number.scale), ..first };
        if scaled.value() <= second.value() {
            first = scaled;
        }
    }
    let measured = link.kind != LinkKind::Loose || second.measure.is_some();
    let ordered = first.value() < second.value();
    (measured && ordered && first.unit() == second.unit()).then_some((first, second))
}

/// The end and the length of "2 h 15 min" and "1h 57m", of which `first` is the hours: what follows is
/// finer, and its `m` are no metres.
pub(super) fn and_finer(look: Look<'_>, first: Side) -> Option<(usize, Side)> {
    const SIXTIETH: f64 = 1.0 / 60.0;
    let whole = first.measure.filter(|it| it.unit == Unit::Seconds && it.power == 0)?;
    let at = look.blanks(first.end);
    let (end, number) = literal(look, at).filter(|_| first.number.decimals == 0)?;
    let mut finer = Side::new(look, Prefix::bare(at), end, number)?;
    if finer.unit() == Unit::Metres && look.slice(end, finer.end).trim() == "m" {
        finer.measure = Some(Measure { factor: whole.factor * SIXTIETH, ..whole });
    }
    let own = finer.measure.filter(|it| it.unit == Unit::Seconds)?;
    let ratio = own.factor * 10f64.powi(own.power) / whole.factor;
    (ratio < 0.5 && whole.factor > 1.0).then_some((finer.end, finer))
}

/// `first` with the unit that it shares with the second number of "fell from 71 to 55 percent".
pub(super) fn shared(look: Look<'_>, first: Side) -> Side {
    let (_, before) = look.word_before(first.start);
    if first.measure.is_some() || !before.eq_ignore_ascii_case("from") {
        return first;
    }
    let second = link(look, first).and_then(|link| Side::ahead(look, link.next));
    Side { measure: second.and_then(|second| second.measure), ..first }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkKind {
    /// A dash without blanks, or a word.
    Firm,
    /// A dash between blanks, which may also be an aside.
    Loose,
}

struct Link {
    next: usize,
    kind: LinkKind,
}

fn link(look: Look<'_>, first: Side) -> Option<Link> {
    let next = look.blanks(first.end);
    if let Some(dash) = look.char(next).filter(|c| matches!(c, '-' | '\u{2013}')) {
        return dash_link(look, first.end, next, dash);
    }
    (next > first.end).then_some(())?;
    let word = look.word(next);
    let is_link = match &*Lower::new(word) {
        "to" | "through" => true,
        "and" => is_after_between(look, first.start),
        _ => false,
    };
    let after = look.blanks(next + word.len());
    is_link.then_some(Link { next: after, kind: LinkKind::Firm })
}

fn dash_link(look: Look<'_>, end: usize, dash_at: usize, dash: char) -> Option<Link> {
    let after = dash_at + dash.len_utf8();
    let next = look.blanks(after);
    let starts_number =
        look.byte(next).is_ascii_digit() || look.char(next).is_some_and(is_currency_symbol);
    let is_tight = dash_at == end;
    let kind = if is_tight { LinkKind::Firm } else { LinkKind::Loose };
    // A dash that leans to one side is an aside or a minus.
    (starts_number && is_tight == (next == after)).then_some(Link { next, kind })
}

/// True after "between" and "between about".
fn is_after_between(look: Look<'_>, at: usize) -> bool {
    let (start, before) = look.word_before(at);
    let (_, further) = look.word_before(start);
    [before, further].iter().any(|word| word.eq_ignore_ascii_case("between"))
}
