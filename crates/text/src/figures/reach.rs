//! Which words of a sentence belong to which of its values.

use rebuttal_model::Span;

use super::meaning::{Concept, Meaning, Meanings};
use super::pieces::{EDITIONS, Kind, Marks, Piece, is_note};
use super::{Carried, Figure, MetricWord, cited_period};
use crate::citations::Citation;
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::periods::Period;
use crate::quantities::{Quantity, Unit, Value};

/// Most words of the subject of "puts": a longer one is a clause of its own.
const REPORTER_WORDS: usize = 10;

/// What leads to words that narrow a measure down.
const NARROWING: [&str; 11] =
    ["of", "per", "among", "for", "in", "with", "at", "on", "across", "within", "under"];

/// Words that mean whoever was named before.
const REFERRING: [&str; 9] =
    ["its", "it", "their", "they", "country", "company", "firm", "economy", "there"];

/// Finds the figures of one sentence.
pub(super) fn figures(
    pieces: &[Piece<'_>],
    marks: &Marks<'_>,
    carried: &mut Carried,
    out: &mut Vec<Figure>,
) {
    let sources = Sources::find(pieces, carried);
    let values: Vec<usize> =
        (0..pieces.len()).filter(|at| is_value(pieces, marks, &sources, *at)).collect();
    if values.is_empty() {
        if let (entity, Some(span)) = named(pieces, &sources, 0..pieces.len()) {
            (carried.entity, carried.entity_span, carried.loose) = (entity, Some(span), true);
        }
        return;
    }
    let mut start = 0;
    for (place, &at) in values.iter().enumerate() {
        let next = values.get(place + 1).copied();
        let end = next.map_or(pieces.len(), |next| cut(pieces, at, next));
        let first = values.first().copied().unwrap_or(at);
        let part = Part { pieces, marks, sources: &sources, start, at, end, first };
        part.read(carried, out);
        start = end;
    }
}

/// The name a heading or sentence is about.
pub(super) fn entity(pieces: &[Piece<'_>]) -> (Vec<Term>, Option<Span>) {
    let none = Sources { is: vec![false; pieces.len()], ..Sources::default() };
    named(pieces, &none, 0..pieces.len())
}

/// Where the words of the value at `at` end and those of the next begin.
fn cut(pieces: &[Piece<'_>], at: usize, next: usize) -> usize {
    let parts = |piece: &Piece<'_>| {
        matches!(piece.kind, Kind::Mark(b',' | b';' | b' '))
            || piece.is(&["and", "while", "whereas", "but", "versus", "vs", "compared", "against"])
    };
    (at + 1..next).find(|at| pieces.get(*at).is_some_and(parts)).unwrap_or(at + 1)
}

/// A number that measures something, and not a name, an edition or the value before a change.
fn is_value(pieces: &[Piece<'_>], marks: &Marks<'_>, sources: &Sources, at: usize) -> bool {
    let Some(Piece { kind: Kind::Value(number), .. }) = pieces.get(at) else { return false };
    let Some(quantity) = marks.quantities.get(*number) else { return false };
    let names_a_thing = quantity.unit == Unit::None && quantity.noun.is_some();
    !names_a_thing && !sources.is(at)
}

/// Which pieces only say who says so.
#[derive(Debug, Default)]
struct Sources {
    is: Vec<bool>,
    reporter: Option<Span>,
    /// In brackets behind the source: "(World Bank, 2021)".
    period: Option<usize>,
}

impl Sources {
    fn is(&self, at: usize) -> bool {
        self.is.get(at).copied().unwrap_or(false)
    }

    fn find(pieces: &[Piece<'_>], carried: &Carried) -> Self {
        let mut sources = Self { is: vec![false; pieces.len()], ..Self::default() };
        for (at, piece) in pieces.iter().enumerate() {
            match piece.kind {
                Kind::Source(_) => sources.mark(at..at + 1),
                Kind::Mark(b'(') => sources.bracket(pieces, at),
                Kind::Known(Meaning::Reports) => sources.subject(pieces, at, true, carried),
                Kind::Known(Meaning::ReportsOwn) => sources.subject(pieces, at, false, carried),
                _ => {}
            }
        }
        sources
    }

    fn mark(&mut self, range: std::ops::Range<usize>) {
        self.is.get_mut(range).unwrap_or_default().fill(true);
    }

    /// "(World Bank, 2021)": a name, a year, and nothing that is measured.
    fn bracket(&mut self, pieces: &[Piece<'_>], open: usize) {
        let length = pieces.iter().skip(open).position(|it| it.kind == Kind::Mark(b')'));
        let Some(close) = length.map(|length| open + length) else { return };
        let inside = pieces.get(open + 1..close).unwrap_or_default();
        let has = |wanted: fn(&Kind) -> bool| inside.iter().any(|piece| wanted(&piece.kind));
        let dated = has(|kind| matches!(kind, Kind::Period(_)))
            || inside.iter().any(|piece| piece.is(&["edition"]));
        let measured = has(|kind| {
            matches!(kind, Kind::Value(_) | Kind::Base(_) | Kind::Known(Meaning::Concepts(_)))
        });
        if dated && !measured && has(|kind| matches!(kind, Kind::Name(_) | Kind::Word(_))) {
            self.mark(open..close + 1);
            self.reporter = self.reporter.or_else(|| words_span(inside));
            self.period = match inside.last().map(|piece| piece.kind) {
                Some(Kind::Period(at)) => Some(at),
                _ => self.period,
            };
        }
    }

    /// What stands before "puts", as far as the last comma, is who says so.
    fn subject(&mut self, pieces: &[Piece<'_>], verb: usize, always: bool, carried: &Carried) {
        let start = (0..verb)
            .rev()
            .find(|at| {
                matches!(
                    pieces.get(*at).map(|it| it.kind),
                    Some(Kind::Mark(b',' | b';' | b':' | b' '))
                )
            })
            .map_or(0, |comma| comma + 1);
        let subject = pieces.get(start..verb).unwrap_or_default();
        let is_word = |piece: &Piece<'_>| matches!(piece.kind, Kind::Name(_) | Kind::Word(_));
        let measured = |piece: &Piece<'_>| {
            matches!(piece.kind, Kind::Value(_) | Kind::Known(Meaning::Concepts(_)))
        };
        let mut around = (0..start).chain(verb + 1..pieces.len());
        let said = around
            .clone()
            .any(|at| pieces.get(at).is_some_and(|piece| matches!(piece.kind, Kind::Value(_))));
        if subject.len() > REPORTER_WORDS
            || !subject.iter().any(is_word)
            || subject.iter().any(measured)
            || !said
        {
            return;
        }
        // "Acme reported revenue of 5 m" is of Acme, unless somebody else is named.
        let named = |at: usize| {
            pieces.get(at).is_some_and(|it| matches!(it.kind, Kind::Name(_))) && !self.is(at)
        };
        if always || around.any(named) || !carried.entity.is_empty() {
            self.reporter = self.reporter.or_else(|| words_span(subject));
            self.mark(start..verb + 1);
        }
    }
}

/// From the first to the last word that says something.
fn words_span(pieces: &[Piece<'_>]) -> Option<Span> {
    let says = |piece: &&Piece<'_>| !matches!(piece.kind, Kind::Function | Kind::Mark(_));
    let (first, last) = (pieces.iter().find(says)?, pieces.iter().rfind(says)?);
    Some(first.span.join(last.span))
}

/// The first name within a range that is not a source: its words, sorted, and its place.
fn named(
    pieces: &[Piece<'_>],
    sources: &Sources,
    range: std::ops::Range<usize>,
) -> (Vec<Term>, Option<Span>) {
    let name = |at: usize| match pieces.get(at) {
        Some(Piece { kind: Kind::Name(term), span, .. }) if !sources.is(at) => Some((*term, *span)),
        _ => None,
    };
    let Some(first) = range.clone().find(|at| name(*at).is_some()) else {
        return (Vec::new(), None);
    };
    let (mut terms, mut span, mut at) = (Vec::new(), None::<Span>, first);
    while at < range.end {
        if let Some((term, place)) = name(at) {
            terms.push(term);
            span = Some(span.map_or(place, |span| span.join(place)));
            at += 1;
            if pieces.get(at - 1).is_some_and(|piece| piece.owns) {
                break;
            }
            continue;
        }
        // "Antigua and Barbuda", "Bank of England", "Congo (Brazzaville)".
        let joins = pieces.get(at).is_some_and(|piece| {
            piece.is(&["and", "of", "the", "&"])
                || matches!(piece.kind, Kind::Mark(b'-' | b'(' | b'&'))
        });
        let mut ahead = at + 1;
        while pieces.get(ahead).is_some_and(|piece| piece.is(&["the"])) {
            ahead += 1;
        }
        if joins && ahead < range.end && name(ahead).is_some() {
            at = ahead;
        } else {
            break;
        }
    }
    terms.sort_unstable();
    terms.dedup();
    (terms, span)
}

/// One value and the words around it.
struct Part<'s, 't> {
    pieces: &'s [Piece<'t>],
    marks: &'s Marks<'s>,
    sources: &'s Sources,
    start: usize,
    at: usize,
    end: usize,
    /// The first value of the sentence.
    first: usize,
}

impl Part<'_, '_> {
    fn read(&self, carried: &mut Carried, out: &mut Vec<Figure>) {
        let Some(mut quantity) = self.quantity().copied() else { return };
        let mut chosen = self.metric();
        let same_sentence = self.at != self.first && !carried.metric.is_empty();
        if chosen.metric.is_empty() && !same_sentence {
            chosen = self.metric_behind();
        }
        if chosen.metric.is_empty() {
            chosen.metric.clone_from(&carried.metric);
        } else {
            carried.metric.clone_from(&chosen.metric);
        }
        if chosen.chunk.start <= self.at {
            self.qualify(&quantity, &mut chosen);
        }
        self.find_entity(&chosen, carried);
        let period = self.period();
        if chosen.metric.is_empty() || (self.is_before_change() && period.is_none()) {
            return;
        }
        if chosen.metric.iter().any(|word| word.name.is_some()) {
            millions(&mut quantity);
        }
        let change = self.change(&quantity);
        let growth = growth();
        if change.is_some() && !chosen.metric.iter().any(|word| word.term == growth.term) {
            let (term, name) = (growth.term, Some(growth.name));
            let span = quantity.span;
            chosen.metric.push(MetricWord { term, span, name, maybe_name: false });
        }
        let citation = self.citation();
        let ranged = matches!(quantity.value, Value::Range { .. }) && self.word_before("from");
        let value = if ranged { latest(quantity.value) } else { quantity.value };
        let negative = change.unwrap_or(chosen.negative);
        chosen.definition.sort_unstable();
        chosen.definition.dedup();
        out.push(Figure {
            quantity,
            value: if negative { negated(value) } else { value },
            sentence: Span::default(),
            metric: chosen.metric,
            entity: carried.entity.clone(),
            entity_span: carried.entity_span,
            entity_loose: carried.loose,
            definition: chosen.definition,
            period: period
                .or_else(|| citation.as_ref().and_then(cited_period))
                .or_else(|| self.sources.period.and_then(|at| self.marks.periods.get(at).copied()))
                .or(carried.heading_period),
            base: self.base(),
            citation,
            reporter: self.sources.reporter,
            hypothetical: false,
        });
    }

    fn quantity(&self) -> Option<&Quantity> {
        match self.pieces.get(self.at)?.kind {
            Kind::Value(number) => self.marks.quantities.get(number),
            _ => None,
        }
    }

    /// The names beside the measure, else in the rest of the sentence, else the last one named.
    fn find_entity(&self, chosen: &Chosen, carried: &mut Carried) {
        let ranges =
            [chosen.chunk.clone(), self.at + 1..self.end, self.start..self.at, 0..self.first];
        let found = ranges.into_iter().map(|range| named(self.pieces, self.sources, range));
        if let Some((entity, span)) = found.into_iter().find(|(entity, _)| !entity.is_empty()) {
            (carried.entity, carried.entity_span, carried.loose) = (entity, span, false);
        } else if self.pieces.iter().take(self.at).any(|it| it.is(&REFERRING)) {
            carried.loose = false;
        }
    }

    /// The last chunk before the value that names a measure, else the first behind it.
    fn metric(&self) -> Chosen {
        let mut chosen = Chosen::default();
        let mut end = self.at;
        while end > self.start && chosen.metric.is_empty() {
            let comma = (self.start..end).rev().find(|at| self.is_comma(*at));
            let start = comma.map_or(self.start, |comma| comma + 1);
            chosen = self.chunk(start..end);
            end = comma.unwrap_or(self.start);
        }
        chosen
    }

    /// The first chunk behind the value: "5 % was the rate".
    fn metric_behind(&self) -> Chosen {
        let behind = self.at + 1..self.end;
        let comma = behind.clone().find(|at| self.is_comma(*at)).unwrap_or(self.end);
        self.chunk(behind.start..comma)
    }

    /// What is counted, and what narrows it down: "of revenue", "per request", "in the control arm".
    fn qualify(&self, quantity: &Quantity, chosen: &mut Chosen) {
        let counted = quantity.unit == Unit::Count && quantity.noun.is_some();
        let narrows = self.pieces.get(self.at + 1).is_some_and(|it| it.is(&NARROWING));
        if !counted && !narrows {
            return;
        }
        for at in self.at + 1..self.end {
            let Some(piece) = self.pieces.get(at) else { break };
            let verb = matches!(
                piece.kind,
                Kind::Known(Meaning::Links | Meaning::Reports | Meaning::Up | Meaning::Down)
            );
            let other = matches!(
                piece.kind,
                Kind::Mark(_) | Kind::Name(_) | Kind::Period(_) | Kind::Source(_)
            );
            if verb || other || piece.is(&["which", "that", "by", "after", "before", "when", "as"])
            {
                break;
            }
            self.take(at, chosen);
        }
    }

    fn is_comma(&self, at: usize) -> bool {
        matches!(self.pieces.get(at).map(|it| it.kind), Some(Kind::Mark(b',' | b';' | b' ' | b'|')))
    }

    /// What a stretch names as measured. Behind a verb only what no words before it said.
    fn chunk(&self, range: std::ops::Range<usize>) -> Chosen {
        let mut chosen = Chosen { chunk: range.clone(), ..Chosen::default() };
        for at in range {
            let verb = matches!(
                self.pieces.get(at).map(|it| it.kind),
                Some(Kind::Known(Meaning::Links | Meaning::Up | Meaning::Down | Meaning::Reports))
            );
            if verb && !chosen.metric.is_empty() {
                break;
            }
            if !self.sources.is(at) {
                self.take(at, &mut chosen);
            }
        }
        chosen
    }

    fn take(&self, at: usize, chosen: &mut Chosen) {
        let Some(piece) = self.pieces.get(at) else { return };
        let word = |term, name| MetricWord {
            term,
            span: piece.span,
            name,
            maybe_name: piece.opens && name.is_none(),
        };
        match piece.kind {
            Kind::Word(term) => chosen.add(word(term, None)),
            Kind::Known(Meaning::Concepts(concepts)) => {
                concepts.iter().for_each(|it| chosen.add(word(it.term, Some(it.name))));
            }
            Kind::Known(sign @ (Meaning::Minus | Meaning::Plus)) => {
                let balance = balance();
                chosen.add(word(balance.term, Some(balance.name)));
                chosen.negative |= sign == Meaning::Minus;
            }
            Kind::Known(Meaning::Definition) => {
                let stem = Lexicon::english().look_up(piece.text).1;
                chosen.definition.push(Term::new(stem));
            }
            _ => {}
        }
    }

    /// The time named nearest behind the value, else before it, else at the head of the sentence.
    fn period(&self) -> Option<Period> {
        let period = |at: usize| match self.pieces.get(at)?.kind {
            Kind::Period(number) if !self.sources.is(at) => {
                let edition = self.pieces.get(at + 1).is_some_and(|it| it.is(&EDITIONS));
                self.marks.periods.get(number).copied().filter(|_| !edition)
            }
            _ => None,
        };
        let behind = (self.at + 1..self.end).find_map(period);
        let before = || (self.start..self.at).rev().find_map(period);
        behind.or_else(before).or_else(|| (0..self.first).find_map(period))
    }

    fn base(&self) -> Option<u16> {
        let base = |at: usize| match self.pieces.get(at)?.kind {
            Kind::Base(year) => Some(year),
            _ => None,
        };
        (self.at + 1..self.end).chain((self.start..self.at).rev()).find_map(base)
    }

    /// The citation around the value, else behind it, else before it.
    fn citation(&self) -> Option<Citation> {
        let value = self.quantity()?.span;
        let near = self.marks.citations.partition_point(|it| it.span.end() < value.end());
        let around = self.marks.citations.get(near).filter(|it| it.span.contains(value));
        let cited = |at: usize| match self.pieces.get(at)?.kind {
            Kind::Source(number) => self.marks.citations.get(number),
            _ => None,
        };
        let behind = || (self.at + 1..self.end).find_map(cited);
        let before = || (0..self.at).rev().find_map(cited).filter(|it| !is_note(it));
        around.or_else(behind).or_else(before).copied()
    }

    /// Whether the word right before the number, "about" aside, is this one.
    fn word_before(&self, word: &str) -> bool {
        self.last_before().is_some_and(|piece| piece.is(&[word]))
    }

    fn last_before(&self) -> Option<&Piece<'_>> {
        let skipped = |piece: &&Piece<'_>| {
            matches!(
                piece.kind,
                Kind::Known(Meaning::Neutral) | Kind::Mark(b'~' | b'$' | b'\'' | b'"')
            )
        };
        self.pieces.get(self.start..self.at)?.iter().rev().find(|piece| !skipped(piece))
    }

    /// "up from 4 %", "than 4 %": what it was before, or elsewhere.
    fn is_before_change(&self) -> bool {
        // "more than 4 %" is a bound.
        let exact = matches!(self.quantity().map(|it| it.value), Some(Value::Exact(_)));
        exact
            && ["from", "than", "versus", "vs", "against", "with"]
                .iter()
                .any(|word| self.word_before(word))
    }

    /// Whether the number is by how much it changed, and then whether downwards.
    fn change(&self, quantity: &Quantity) -> Option<bool> {
        let share =
            matches!(quantity.unit, Unit::Percent | Unit::PercentagePoints | Unit::BasisPoints);
        let by = self.word_before("by");
        let turn = self.pieces.get(self.start..self.at)?.iter().rev().find(|piece| {
            !matches!(piece.kind, Kind::Known(Meaning::Neutral)) && !piece.is(&["by", "a", "an"])
        })?;
        match turn.kind {
            Kind::Known(Meaning::Up) if share || by => Some(false),
            Kind::Known(Meaning::Down) if share || by => Some(true),
            _ => None,
        }
    }
}

/// The words found to name a measure.
#[derive(Debug, Default)]
struct Chosen {
    metric: Vec<MetricWord>,
    definition: Vec<Term>,
    negative: bool,
    chunk: std::ops::Range<usize>,
}

impl Chosen {
    fn add(&mut self, word: MetricWord) {
        if !self.metric.iter().any(|known| known.term == word.term) {
            self.metric.push(word);
        }
    }
}

/// "11.33m" inhabitants are millions: nothing in the list of measures is a length.
fn millions(quantity: &mut Quantity) {
    const MILLION: f64 = 1e6;
    let is_m =
        quantity.unit_span.is_some_and(|unit| unit.len() == 1 && unit.end() == quantity.span.end());
    if let (Unit::Metres, true, Value::Exact(value)) = (quantity.unit, is_m, quantity.value) {
        quantity.value = Value::Exact(value * MILLION);
        quantity.step *= MILLION;
        quantity.scale *= MILLION;
        quantity.unit = Unit::None;
    }
}

fn growth() -> Concept {
    Meanings::concept("growth")
}

fn balance() -> Concept {
    Meanings::concept("balance")
}

/// The value after a change "from 4 to 5".
fn latest(value: Value) -> Value {
    match value {
        Value::Range { high, .. } => Value::Exact(high),
        other => other,
    }
}

fn negated(value: Value) -> Value {
    match value {
        Value::Exact(value) => Value::Exact(-value.abs()),
        Value::Range { low, high } => Value::Range { low: -high, high: -low },
        Value::AtLeast(value) => Value::AtMost(-value),
        Value::AtMost(value) => Value::AtLeast(-value),
        Value::MoreThan(value) => Value::LessThan(-value),
        Value::LessThan(value) => Value::MoreThan(-value),
    }
}
