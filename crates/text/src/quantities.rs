//! Numbers with what they measure: "$317.1 billion", "5–10 %", "at least two thirds", "200ms".
//!
//! Every value is in a canonical unit, so that `$317.1 billion` and `317,064 million dollars`
//! compare; `step` says how coarsely it was given, so that they can be equal up to rounding.
//! Versions, addresses, dates, list markers and digits inside names are not quantities.

mod context;
mod guards;
pub(crate) mod look;
mod number;
mod numbered;
mod sides;
mod units;
mod words;

use rebuttal_model::{Span, limits};

use crate::periods::{self, Period, periods_at};
use crate::places::Places;
pub(crate) use context::noun_after;
use context::{Bound, Label};
use look::{Look, Starts};
pub(crate) use numbered::{is_verb_of_one, numbered};
use sides::{Prefix, Side};
pub use units::Unit;

/// How the value relates to the number given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Exactly this number.
    Exact(f64),
    /// Somewhere between two numbers.
    Range {
        /// The smaller one.
        low: f64,
        /// The larger one.
        high: f64,
    },
    /// This number or more.
    AtLeast(f64),
    /// This number or less.
    AtMost(f64),
    /// More than this number.
    MoreThan(f64),
    /// Less than this number.
    LessThan(f64),
}

impl Value {
    /// Converts the value to a unit that is `factor` times smaller.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value * factor),
            Self::Range { low, high } => Self::Range { low: low * factor, high: high * factor },
            Self::AtLeast(value) => Self::AtLeast(value * factor),
            Self::AtMost(value) => Self::AtMost(value * factor),
            Self::MoreThan(value) => Self::MoreThan(value * factor),
            Self::LessThan(value) => Self::LessThan(value * factor),
        }
    }
}

/// A number found in a text, with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Sign, currency, number, scale and unit; not the words before ("about") nor the noun.
    pub span: Span,
    /// The value in `unit`.
    pub value: Value,
    /// True when the text calls it an estimate: "about", "nearly", `~`.
    pub approx: bool,
    /// What the value is measured in.
    pub unit: Unit,
    /// The unit as written.
    pub unit_span: Option<Span>,
    /// What is counted ("services"), or what the number names ("port").
    pub noun: Option<Span>,
    /// What a rate is per: the "second" of "200 requests per second".
    pub per: Option<Span>,
    /// Of how many: 100,000 for "12 per 100,000"; 0 where nothing says so.
    pub out_of: f64,
    /// Digits after the decimal point as written.
    pub decimals: u8,
    /// The scale as written: 1e9 for "billion", 1 when there is none.
    pub scale: f64,
    /// The size of the last digit given, in `unit`; 0 for fractions, which are exact.
    pub step: f64,
}

/// The quantities of `text`, in order and without overlaps.
pub(crate) fn quantities(text: &str) -> Vec<Quantity> {
    let places = Places::of(text, &BOTH);
    quantities_beside(&places, &periods_at(&places))
}

/// Where quantities and periods may start, for whoever needs both.
pub(crate) const BOTH: Starts = STARTS.or(periods::STARTS);

/// The quantities of a text, given its places (those of [`STARTS`] and any others) and its
/// `periods` (in order), whose digits are not quantities.
pub(crate) fn quantities_beside(places: &Places<'_>, periods: &[Period]) -> Vec<Quantity> {
    let (look, mut walk) = (places.look(), places.walk());
    let mut reader = Reader { look, periods, found: Vec::with_capacity(4) };
    let mut at = 0;
    while let Some(start) = walk.next(at, &STARTS, |at, first| is_candidate(look, at, first)) {
        let is_digit = look.byte(start).is_ascii_digit();
        let end = if is_digit { reader.digits(start) } else { reader.word(start) };
        at = end.max(start + 1);
        if reader.found.len() >= limits::TEXT_QUANTITIES {
            break;
        }
    }
    reader.found
}

struct Reader<'t> {
    look: Look<'t>,
    /// Those not yet passed.
    periods: &'t [Period],
    found: Vec<Quantity>,
}

/// Digits, number words, capitals for `EUR5m`, and the colon of URLs.
pub(crate) const STARTS: Starts = words::STARTS.and(b"0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/// True when a quantity may start at the word at `at`: a digit, a number word, `EUR5m`.
fn is_candidate(look: Look<'_>, at: usize, first: u8) -> bool {
    first.is_ascii_digit()
        || words::may_start(look, at)
        || (first.is_ascii_uppercase() && look.byte(at + 3).is_ascii_digit())
}

impl<'t> Reader<'t> {
    /// Skips a word, unless it begins a number in words or is a currency glued to one.
    fn word(&mut self, at: usize) -> usize {
        let end = self.look.run_end(at);
        let taken =
            if words::may_start(self.look, at) { self.spoken(at) } else { self.glued_code(at) };
        taken.unwrap_or(end).max(end)
    }

    /// Takes a number in words and gives its end.
    fn spoken(&mut self, at: usize) -> Option<usize> {
        if self.look.is_glued_before(at) || self.look.byte_before(at) == b'-' {
            return None;
        }
        let spoken = words::spoken(self.look, at)?;
        let (look, period) = self.until_period(at);
        if period.is_some_and(|period| period.start() < spoken.end) {
            return None;
        }
        let side = Side::new(look, self.prefix(look, at), spoken.end, spoken.number)?;
        // "One" is a pronoun unless it measures something; "two-factor" is an adjective.
        let is_hollow = spoken.is_bare_one && side.measure.is_none() && side.number.scale == 0;
        let is_adjective = look.byte(side.end) == b'-' && look.is_glued(side.end + 1);
        (!is_hollow && !is_adjective).then(|| self.take(look, side))
    }

    /// `EUR5m`: the code is glued to the number.
    fn glued_code(&mut self, at: usize) -> Option<usize> {
        let is_code = self.look.slice(at, at + 3).bytes().all(|byte| byte.is_ascii_uppercase());
        let (end, number) = number::literal(self.look, at + 3).filter(|_| is_code)?;
        let prefix = Prefix::before(self.look, at + 3);
        prefix.currency?;
        let side = Side::new(self.look, prefix, end, number)?;
        Some(self.take(self.look, side))
    }

    fn digits(&mut self, at: usize) -> usize {
        let (look, period) = self.until_period(at);
        if let Some(period) = period.filter(|period| period.start() <= at) {
            return period.end();
        }
        if let Some(end) = guards::skip(look, at) {
            return end;
        }
        let first = if look.byte_before(at) == b'.' { at - 1 } else { at };
        let end = look.run_end(at);
        let Some((number_end, number)) = number::literal(look, first) else { return end };
        match Side::new(look, self.prefix(look, first), number_end, number) {
            Some(side) => self.take(look, side),
            None => look.run_end(number_end),
        }
    }

    /// What stands before the number at `at` and does not belong to the quantity before it.
    fn prefix(&self, look: Look<'_>, at: usize) -> Prefix {
        let prefix = Prefix::before(look, at);
        let taken = self.found.last().map_or(0, |last| last.span.end());
        if prefix.start < taken { Prefix::bare(at) } else { prefix }
    }

    /// The text up to the next period that ends after `at`, and that period.
    fn until_period(&mut self, at: usize) -> (Look<'t>, Option<Span>) {
        while let Some((first, rest)) = self.periods.split_first()
            && first.span.end() <= at
        {
            self.periods = rest;
        }
        match self.periods.first().map(|period| period.span) {
            Some(span) if span.start() > at => {
                (Look::new(self.look.slice(0, span.start())), Some(span))
            }
            span => (self.look, span),
        }
    }

    /// Makes a quantity of `side`, and of the second side if it begins a range; gives its end.
    fn take(&mut self, look: Look<'_>, side: Side) -> usize {
        let before = context::before(look, side.start);
        let range = sides::range(look, side);
        let side = if range.is_none() { sides::shared(look, side) } else { side };
        let (first, last) = range.unwrap_or((side, side));
        if let Some((end, finer)) = sides::and_finer(look, side).filter(|_| range.is_none()) {
            return self.take_both(side, finer, end, before);
        }
        let (end, bound) = match context::bound_after(look, last.end) {
            Some((end, bound)) if range.is_none() && before.bound == Bound::Exact => (end, bound),
            _ => (last.end, before.bound),
        };
        let mut quantity = Quantity {
            span: Span::new(first.start, end),
            value: match range {
                Some((low, high)) => Value::Range { low: low.value(), high: high.value() },
                None => bounded(bound, first.value()),
            },
            approx: before.approx,
            unit: last.unit(),
            unit_span: last.unit_span.or(first.unit_span),
            noun: None,
            per: context::per_after(look, end),
            out_of: 0.0,
            decimals: first.number.decimals.max(last.number.decimals),
            scale: 10f64.powi(last.number.scale),
            step: first.step().max(last.step()),
        };
        if last.unit() == Unit::None && !name(look, &mut quantity) {
            return end;
        }
        let counted = quantity.noun.filter(|noun| noun.start() >= end).map_or(end, Span::end);
        let whole = matches!(quantity.unit, Unit::None | Unit::Count)
            .then(|| context::out_of(look, counted))
            .flatten();
        if let Some((per, size)) = whole {
            (quantity.per, quantity.out_of) = (Some(per), size);
        }
        self.found.push(quantity);
        whole.map_or(end, |(per, _)| per.end())
    }

    /// Makes one length of time of two sides, and gives its end.
    fn take_both(&mut self, side: Side, finer: Side, end: usize, before: context::Before) -> usize {
        let unit_span = finer.unit_span;
        self.found.push(Quantity {
            span: Span::new(side.start, end),
            value: bounded(before.bound, side.value() + finer.value()),
            approx: before.approx,
            unit: Unit::Seconds,
            unit_span,
            noun: None,
            per: None,
            out_of: 0.0,
            decimals: finer.number.decimals,
            scale: 1.0,
            step: finer.step(),
        });
        end
    }
}

fn bounded(bound: Bound, value: f64) -> Value {
    match bound {
        Bound::Exact => Value::Exact(value),
        Bound::AtLeast => Value::AtLeast(value),
        Bound::AtMost => Value::AtMost(value),
        Bound::MoreThan => Value::MoreThan(value),
        Bound::LessThan => Value::LessThan(value),
    }
}

/// Says what a number without a unit counts or names; false when it is only a place in a text.
fn name(look: Look<'_>, quantity: &mut Quantity) -> bool {
    let is_plain = matches!(quantity.value, Value::Exact(_)) && quantity.scale <= 1.0;
    let label = context::label_before(look, quantity.span.start()).filter(|_| is_plain);
    let thing = || numbered(look, quantity.span.start(), quantity.span.end());
    if let Some(noun) = thing().filter(|_| label.is_none() && is_plain) {
        quantity.noun = Some(noun);
        return true;
    }
    match (label, noun_after(look, quantity.span.end())) {
        (Some(Label::Place), _) => return false,
        (Some(Label::Name(noun)), _) | (Some(Label::Title(noun)), None) => {
            quantity.noun = Some(noun);
        }
        (_, Some(noun)) => {
            quantity.unit = Unit::Count;
            quantity.noun = Some(noun);
            quantity.per = context::per_after(look, noun.end());
        }
        (None, None) => {}
    }
    true
}

/// The unit a word stands for, and what it is worth in the canonical one.
pub(crate) fn measure(word: &str) -> Option<(Unit, f64)> {
    units::find(word).map(|it| (it.unit, it.factor * 10f64.powi(it.power)))
}

/// True when a scale or unit follows `at`, so that what ends there is a size.
pub(crate) fn is_measured(look: Look<'_>, at: usize) -> bool {
    units::scale_after(look, at, false).is_some() || units::unit_after(look, at).is_some()
}

/// True when the word before `at` says that a number there is a place or a name.
pub(crate) fn is_labelled(look: Look<'_>, at: usize) -> bool {
    matches!(context::label_before(look, at), Some(Label::Place | Label::Name(_)))
        || units::currency_before(look, at).is_some()
}

#[cfg(test)]
pub(crate) mod tests;
