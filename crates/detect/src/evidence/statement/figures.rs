//! The figures of a sentence: which numbers measure something, and which are set beside each other.

use super::super::measure::{Measure, measure};
use super::super::scan::{DATE, Kind, MIXED, Token, YEAR};
use super::super::words::{
    BACK, CAUSE, CONTRAST, COUNTED, Class, EARNS, EXAMPLE, FUNCTION, GENERIC, LABEL, LASTS, METER,
    MONEY, NOT, NUMERAL, PAST, PHYSICAL, PLACED, REPORT, RESULT, STANDARD, STUDY, TAKEN, UNIT,
    WHEN,
};
use super::{ItemKind, Sentence, Sink};

/// So far apart two figures may stand that are compared.
const COMPARED: usize = 12;
/// Consecutive readings from which on they count as taken one by one.
const READINGS: u8 = 2;

/// The figure before the one at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    last: Option<usize>,
    /// What it was in: the unit's hash, or the mark.
    unit: u32,
    /// Something that compares has stood since.
    compares: bool,
    /// How many stand side by side.
    run: u8,
}

impl Sentence<'_> {
    pub(super) fn number(&mut self, at: usize, token: &Token, sink: &mut impl Sink) {
        self.numbers += 1;
        let before = self.before(at);
        if before.is_some_and(|before| before.is(PLACED) || before.is_mark(b'#')) {
            self.seen.placed = true;
        }
        self.seen.year |= token.has(YEAR);
        self.seen.when |= token.has(DATE);
        if at < self.sourced || self.void.is_open() {
            return;
        }
        if before.is_some_and(|before| before.is(LABEL) || before.is_mark(b'#')) {
            return;
        }
        let measured = measure(before, token, self.get(at + 1), self.get(at + 2));
        let ratio = self.is_ratio(at);
        if matches!(measured, Measure::Data(_)) && self.is_misfit(at, token) {
            self.misfits += 1;
            return;
        }
        if matches!(measured, Measure::Data(_)) && !ratio && self.is_bare(at) {
            return;
        }
        if !token.has(YEAR | DATE) {
            self.figure(at);
        }
        match measured {
            Measure::Data(more) => self.data(at, more, token, sink),
            Measure::Particular => self.particular(0.5, token, sink),
            Measure::Count if self.counts < 2 => {
                self.counts += 1;
                self.particular(0.25, token, sink);
            }
            Measure::Count | Measure::Nothing => {}
        }
    }

    fn data(&mut self, at: usize, more: usize, token: &Token, sink: &mut impl Sink) {
        self.found.data += 1;
        self.found.particulars += 1.0;
        if let Some(part) = self.here() {
            part.particulars += 1.0;
        }
        let end = self.get(at + more).map_or(token.end, |last| last.end);
        sink.item(ItemKind::Data, token.start, end);
    }

    /// A number in words: "eleven stops" is a count, "nine of fourteen" was counted.
    pub(super) fn numeral(&mut self, at: usize, token: &Token, sink: &mut impl Sink) {
        // "at sixteen" is an age or an hour; what is counted has a name.
        let counts = self.get(at + 1).is_some_and(|next| next.is_word() && !next.is(NO_NAME));
        let ratio = self.is_ratio(at);
        if at < self.sourced || self.void.is_open() || !(counts || ratio) {
            return;
        }
        self.figure(at);
        if ratio {
            self.data(at, 2, token, sink);
        } else if self.counts < 2 {
            self.counts += 1;
            self.particular(0.25, token, sink);
        }
    }

    /// "41 of 71", "eleven of the twelve".
    fn is_ratio(&self, at: usize) -> bool {
        let number = |at: usize| {
            self.get(at).is_some_and(|token| {
                token.is(NUMERAL) || (token.kind == Kind::Number && !token.has(YEAR | DATE))
            })
        };
        let of = self.get(at + 1).is_some_and(|of| of.is_word() && of.is(CONTRAST));
        of && (number(at + 2) || number(at + 3))
    }

    /// One more figure, beside the one before or set against it.
    fn figure(&mut self, at: usize) {
        self.seen.figure();
        let unit = self.get(at + 1).map_or(0, |next| match next.kind {
            Kind::Mark(b'%') => u32::from(b'%'),
            Kind::Word if next.is(UNIT) => next.hash,
            _ => 0,
        });
        let row = self.row;
        let near = row.last.is_some_and(|last| at - last <= COMPARED);
        let beside = row.last.is_some_and(|last| at - last <= 3) && !row.compares;
        let run = if beside { row.run + 1 } else { 0 };
        let same = unit != 0 && unit == row.unit;
        self.seen.compared |= near && (row.compares || same);
        self.seen.compared |= run >= READINGS;
        self.row = Row { last: Some(at), unit, compares: false, run: run.min(READINGS) };
    }

    /// Something that stands between two figures.
    pub(super) fn compares(&mut self) {
        self.row.compares = true;
    }

    /// A number of nothing: "the figure is 40%", "in 40% of all cases". Whatever else is said, it does
    /// not say what was measured.
    fn is_bare(&self, at: usize) -> bool {
        const FAR: usize = 10;
        const EMPTY: Class =
            FUNCTION | TAKEN | METER | UNIT | NOT | CAUSE | RESULT | REPORT | STUDY | GENERIC;
        let says = |token: &&Token| token.is_word() && !token.is(EMPTY);
        let ends =
            |token: &&Token| matches!(token.kind, Kind::Mark(b',' | b';' | b':' | b'-' | b'('));
        let before = self.tokens.get(..at).unwrap_or_default().iter().rev().take(FAR);
        let after = self.tokens.get(at + 1..).unwrap_or_default().iter().take(FAR);
        let clause_ends = |token: &&Token| ends(token) || (token.is_word() && token.is(BACK));
        !before.take_while(|token| !ends(token)).any(|token| says(&token))
            && !after.take_while(|token| !clause_ends(token)).any(|token| says(&token))
    }

    /// A figure that cannot be of what it is said of: a delay in kilograms, an income in bytes, "the
    /// 45 % shows that", "14 % of Tuesday".
    fn is_misfit(&self, at: usize, token: &Token) -> bool {
        // The unit stands behind the number, or is glued to it.
        let behind = usize::from(token.class == 0);
        let unit = if behind == 0 { Some(token) } else { self.get(at + 1) };
        let Some(unit) = unit.filter(|unit| unit.is_mark(b'%') || unit.is(UNIT)) else {
            return false;
        };
        let next = self.get(at + 1 + behind);
        // Who counted people may let them speak; a share or a length says nothing.
        let speaks = next.is_some_and(|verb| verb.is_word() && verb.is(REPORT) && !verb.is(PAST));
        let day = |day: &Token| match day.kind {
            Kind::Number => day.has(YEAR),
            _ => day.is_word() && day.is(WHEN),
        };
        let of_a_day =
            next.is_some_and(|of| of.is(CONTRAST)) && self.get(at + 2 + behind).is_some_and(day);
        speaks || of_a_day || self.is_of_another_kind(at, unit)
    }

    /// Whether what stands beside a figure is never given in its unit.
    fn is_of_another_kind(&self, at: usize, unit: &Token) -> bool {
        const NEAR: usize = 4;
        let quantity = |token: &&Token| token.is(LASTS | EARNS | COUNTED);
        let physical = unit.is(PHYSICAL);
        let misfit = |of: &Token| {
            (of.is(LASTS) && (physical || unit.is(MONEY))) || (of.is(EARNS | COUNTED) && physical)
        };
        let before = self.tokens.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
        // "3 volts of customer loyalty": the last word of the name is what it is.
        let after = self.tokens.get(at + 1..).unwrap_or_default().iter().take(2 * NEAR);
        let mut after = after.take_while(|token| token.is_word()).peekable();
        while after.next_if(|token| token.is(UNIT | FUNCTION)).is_some() {}
        let made_of = after.take_while(|token| !token.is(FUNCTION)).last().filter(quantity);
        before.iter().rev().find(quantity).is_some_and(misfit) || made_of.is_some_and(misfit)
    }
}

/// Words that do not name what is counted.
const NO_NAME: Class = FUNCTION | TAKEN | CAUSE | RESULT | EXAMPLE | STANDARD | GENERIC;

/// A name with a digit in it, by which something can be found again.
pub(super) fn is_tag(token: &Token) -> bool {
    token.is_word() && token.has(MIXED) && token.end - token.start >= 4
}
