//! Which words of a sentence belong to which of its values.

use std::ops::Range;

use rebuttal_model::Span;

use super::meaning::{Concept, Meaning, Meanings};
use super::names::{self, Mention, mentions};
use super::pieces::{EDITIONS, Kind, Marks, Piece, is_note};
use super::sources::Sources;
use super::{Carried, Figure, MetricWord, cited_period, table};
use crate::citations::Citation;
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::periods::Period;
use crate::quantities::{Quantity, Unit, Value};

/// What leads to words that narrow a measure down.
const NARROWING: [&str; 11] =
    ["of", "per", "among", "for", "in", "with", "at", "on", "across", "within", "under"];

/// A sentence as it is read for figures.
pub(super) struct Sentence<'s, 't> {
    pub(super) pieces: &'s [Piece<'t>],
    pub(super) marks: &'s Marks<'s>,
    pub(super) sources: Sources,
    pub(super) mentions: Vec<Mention>,
    clean: &'s str,
}

impl<'s, 't> Sentence<'s, 't> {
    pub(super) fn new(
        clean: &'s str,
        pieces: &'s [Piece<'t>],
        marks: &'s Marks<'s>,
        known: bool,
    ) -> Self {
        let sources = Sources::find(pieces, known);
        let mentions = mentions(pieces, &sources);
        Self { pieces, marks, sources, mentions, clean }
    }

    /// The places of its values.
    pub(super) fn values(&self) -> Vec<usize> {
        (0..self.pieces.len()).filter(|at| self.is_value(*at)).collect()
    }

    /// A number that measures something, and not a name or an edition.
    fn is_value(&self, at: usize) -> bool {
        let Some(Piece { kind: Kind::Value(number), .. }) = self.pieces.get(at) else {
            return false;
        };
        let Some(quantity) = self.marks.quantities.get(*number) else { return false };
        let bare = quantity.unit == Unit::None;
        let names_a_thing = bare && quantity.noun.is_some();
        let year = matches!(quantity.value, Value::Exact(year) if (1900.0..2100.0).contains(&year))
            && bare
            && quantity.decimals == 0
            && quantity.scale <= 1.0;
        // "note 8", "building 21": a bare number right behind a word is its label.
        let before = at.checked_sub(1).and_then(|at| self.pieces.get(at)).map(|it| it.kind);
        let labels = bare
            && quantity.scale <= 1.0
            && (matches!(before, Some(Kind::Word(_) | Kind::Name(_))) || self.is_label(at));
        !names_a_thing && !labels && !year && !self.sources.is(at)
    }

    /// "note 8", "table 4": a place in a text.
    fn is_label(&self, at: usize) -> bool {
        const PLACES: [&str; 16] = [
            "note", "notes", "section", "table", "figure", "chapter", "page", "footnote",
            "version", "ticket", "item", "line", "row", "phase", "step", "appendix",
        ];
        // "10-K": a form.
        let form = self.pieces.get(at + 1).is_some_and(|it| it.kind == Kind::Mark(b'-'))
            && self.pieces.get(at + 2).is_some_and(|it| it.is(&["K", "Q"]));
        form || at
            .checked_sub(1)
            .and_then(|at| self.pieces.get(at))
            .is_some_and(|it| it.is(&PLACES))
    }

    pub(super) fn in_mention(&self, at: usize) -> bool {
        self.mentions.iter().any(|it| it.range.contains(&at))
    }

    pub(super) fn mention_in(&self, range: &Range<usize>) -> Option<&Mention> {
        self.mentions.iter().find(|it| range.contains(&it.range.start))
    }

    /// The figures of the sentence.
    pub(super) fn figures(&self, values: &[usize], carried: &mut Carried, out: &mut Vec<Figure>) {
        let Some(&first) = values.first() else { return };
        let shared = self.respective(values);
        let mut start = 0;
        for (place, &at) in values.iter().enumerate() {
            let next = values.get(place + 1).copied();
            let end = next.map_or(self.pieces.len(), |next| self.cut(at, next));
            let chunk = shared.get(place).cloned();
            let part = Part { sentence: self, start, at, end, first, chunk };
            part.read(carried, out);
            start = end;
        }
    }

    /// Where the words of the value at `at` end and those of the next begin.
    fn cut(&self, at: usize, next: usize) -> usize {
        const LINKS: [&str; 9] =
            ["and", "while", "whereas", "but", "versus", "vs", "compared", "against", "after"];
        let parts = |piece: &Piece<'_>| {
            matches!(piece.kind, Kind::Mark(b',' | b';' | b' ' | b'|')) || piece.is(&LINKS)
        };
        (at + 1..next).find(|at| self.pieces.get(*at).is_some_and(parts)).unwrap_or(at + 1)
    }

    /// "Exports and imports were 5 and 6, respectively": the words of each value.
    fn respective(&self, values: &[usize]) -> Vec<Range<usize>> {
        let Some(&first) = values.first() else { return Vec::new() };
        if values.len() < 2 || !self.pieces.iter().any(|it| it.is(&["respectively"])) {
            return Vec::new();
        }
        let verb = (0..first).rev().find(|at| self.is_verb(*at)).unwrap_or(first);
        let mut chunks = Vec::new();
        let mut start = 0;
        for at in 0..verb {
            let joins = self
                .pieces
                .get(at)
                .is_some_and(|it| it.is(&["and"]) || it.kind == Kind::Mark(b','));
            if joins && !self.in_mention(at) {
                chunks.push(start..at);
                start = at + 1;
            }
        }
        chunks.push(start..verb);
        chunks.retain(|chunk| !self.chunk(chunk.clone()).metric.is_empty());
        if chunks.len() == values.len() { chunks } else { Vec::new() }
    }

    pub(super) fn is_verb(&self, at: usize) -> bool {
        matches!(
            self.pieces.get(at).map(|it| it.kind),
            Some(Kind::Known(Meaning::Links | Meaning::Up | Meaning::Down | Meaning::Reports))
        )
    }

    fn is_comma(&self, at: usize) -> bool {
        matches!(self.pieces.get(at).map(|it| it.kind), Some(Kind::Mark(b',' | b';' | b' ' | b'|')))
    }

    /// What a stretch names as measured. Behind a verb only what no words before it said, except
    /// for what somebody has.
    pub(super) fn chunk(&self, range: Range<usize>) -> Chosen {
        let mut chosen = Chosen { chunk: range.clone(), ..Chosen::default() };
        for at in range {
            let has =
                self.pieces.get(at).is_some_and(|it| it.is(&["has", "have", "had", "having"]));
            if self.is_verb(at) && !has && !chosen.metric.is_empty() {
                break;
            }
            if !self.sources.is(at) && !self.in_mention(at) {
                self.take(at, &mut chosen);
            }
        }
        chosen
    }

    fn take(&self, at: usize, chosen: &mut Chosen) {
        if let Some(piece) = self.pieces.get(at) {
            chosen.owned |= piece.owns && matches!(piece.kind, Kind::Word(_));
            chosen.take(piece);
        }
    }

    /// The time named at a place, unless it dates an edition.
    fn period_at(&self, at: usize) -> Option<Period> {
        match self.pieces.get(at)?.kind {
            Kind::Period(number) if !self.sources.is(at) => {
                let edition = self.pieces.get(at + 1).is_some_and(|it| it.is(&EDITIONS));
                self.marks.periods.get(number).copied().filter(|_| !edition)
            }
            _ => None,
        }
    }

    /// The first time named in the sentence.
    pub(super) fn any_period(&self) -> Option<Period> {
        (0..self.pieces.len()).find_map(|at| self.period_at(at))
    }

    /// True when the sentence means whoever was named before.
    pub(super) fn refers(&self, until: usize) -> bool {
        self.pieces.iter().take(until).any(|it| it.kind == Kind::Refers)
    }
}

/// One value and the words around it.
struct Part<'s, 't> {
    sentence: &'s Sentence<'s, 't>,
    start: usize,
    at: usize,
    end: usize,
    /// The first value of the sentence.
    first: usize,
    /// The words that are known to be its own.
    chunk: Option<Range<usize>>,
}

impl Part<'_, '_> {
    fn read(&self, carried: &mut Carried, out: &mut Vec<Figure>) {
        let Some(mut quantity) = self.quantity().copied() else { return };
        let column = carried.columns.get(table::column_of(self.sentence.pieces, self.at)).cloned();
        let column = column.unwrap_or_default();
        let mut chosen = match &self.chunk {
            Some(chunk) => self.sentence.chunk(chunk.clone()),
            None => self.metric(),
        };
        let same_sentence = self.at != self.first && !carried.metric.is_empty();
        if chosen.metric.is_empty() && !same_sentence {
            chosen = self.metric_behind();
        }
        if chosen.metric.is_empty() && column.metric.is_empty() {
            chosen.metric.clone_from(&carried.metric);
            chosen.negative |= carried.negative;
        } else {
            carried.metric.clone_from(&chosen.metric);
            carried.negative = chosen.negative;
        }
        column.metric.iter().for_each(|word| chosen.add(*word));
        if self.chunk.is_none() && chosen.chunk.start <= self.at {
            self.qualify(&quantity, &mut chosen);
        }
        self.take_subject(&mut chosen);
        if let Some((entity, span)) = column.entity {
            (carried.entity, carried.entity_span, carried.loose) = (entity, Some(span), false);
        } else {
            self.find_entity(&chosen, carried);
        }
        let period = self.period();
        if chosen.metric.is_empty() || (self.is_before_change() && period.is_none()) {
            return;
        }
        if chosen.metric.iter().any(|word| word.name.is_some()) {
            millions(&mut quantity);
        }
        let change = self.change(&quantity);
        if change.is_some() {
            let growth = Meanings::concept("growth");
            chosen.add(MetricWord::of(growth, quantity.span));
        }
        let per = self.per(&quantity);
        quantity.step *= per.map_or(1.0, |it| it.1);
        let citation = self.citation();
        let ranged = matches!(quantity.value, Value::Range { .. }) && self.word_before("from");
        let value = if ranged { latest(quantity.value) } else { quantity.value };
        let negative = change.unwrap_or(chosen.negative);
        chosen.definition.sort_unstable();
        chosen.definition.dedup();
        let own_entity = !chosen.owned;
        let bracketed = self.sentence.sources.period;
        out.push(Figure {
            quantity,
            value: scaled(
                if negative { negated(value) } else { value },
                per.map_or(1.0, |it| it.1),
            ),
            per: per.map(|it| it.0),
            sentence: Span::default(),
            metric: chosen.metric,
            entity: if own_entity { carried.entity.clone() } else { Vec::new() },
            entity_span: carried.entity_span.filter(|_| own_entity),
            entity_loose: carried.loose,
            definition: chosen.definition,
            period: period
                .or_else(|| citation.as_ref().and_then(cited_period))
                .or_else(|| bracketed.and_then(|at| self.sentence.marks.periods.get(at).copied()))
                .or(column.period)
                .or(carried.heading_period),
            base: self.base(),
            citation,
            reporter: self.sentence.sources.reporter,
            hypothetical: false,
        });
    }

    fn piece(&self, at: usize) -> Option<&Piece<'_>> {
        self.sentence.pieces.get(at)
    }

    fn quantity(&self) -> Option<&Quantity> {
        match self.piece(self.at)?.kind {
            Kind::Value(number) => self.sentence.marks.quantities.get(number),
            _ => None,
        }
    }

    /// "Looking at the worker, the cost was 5", "With a cost of 5, the worker is cheap": what a sentence
    /// without a name is about stands beside the words of its measure.
    fn take_subject(&self, chosen: &mut Chosen) {
        let pieces = self.sentence.pieces;
        if !self.sentence.mentions.is_empty() || self.sentence.refers(pieces.len()) || chosen.owned
        {
            return;
        }
        let before = pieces.get(..chosen.chunk.start.min(self.at)).unwrap_or_default();
        let aside = before
            .iter()
            .take(4)
            .any(|it| it.is(&["looking", "turning", "for", "regarding", "concerning"]));
        let behind = (self.at + 1..self.end).find(|at| self.sentence.is_comma(*at));
        let subject = behind.and_then(|comma| {
            let rest = pieces.get(comma + 1..self.end)?;
            let verb =
                rest.iter().position(|it| it.is(&["is", "was", "are", "were", "has", "had"]))?;
            rest.get(..verb)
        });
        let words = subject.or_else(|| if aside { Some(before) } else { None });
        if let Some((start, length)) = words.and_then(names::thing_at) {
            let own = words.and_then(|words| words.get(start..start + length)).unwrap_or_default();
            own.iter().for_each(|piece| chosen.take(piece));
            chosen.owned = true;
        }
    }

    /// What the value is per, where that is a unit, and by how much the value changes when it is
    /// given per the canonical one: 370 per `MWh` are 0.00037 per watt-hour.
    fn per(&self, quantity: &Quantity) -> Option<(Unit, f64)> {
        let word = quantity.per?.of(self.sentence.clean)?;
        let (unit, size) = crate::quantities::measure(word)?;
        Some((unit, 1.0 / size))
    }

    /// The names beside the measure, else in the rest of the sentence, else the last one named.
    fn find_entity(&self, chosen: &Chosen, carried: &mut Carried) {
        let ranges =
            [chosen.chunk.clone(), self.at + 1..self.end, self.start..self.at, 0..self.first];
        let found = ranges.iter().find_map(|range| self.sentence.mention_in(range));
        if let Some(mention) = found {
            carried.entity.clone_from(&mention.terms);
            (carried.entity_span, carried.loose) = (Some(mention.span), false);
        } else if self.sentence.refers(self.end) {
            if let Some((entity, span)) = carried.thing.take() {
                (carried.entity, carried.entity_span) = (entity, Some(span));
            }
            carried.loose = false;
        } else if let Some((entity, span)) = carried.thing.take() {
            (carried.entity, carried.entity_span, carried.loose) = (entity, Some(span), true);
        }
    }

    /// The last chunk before the value that names a measure.
    fn metric(&self) -> Chosen {
        let mut chosen = Chosen::default();
        let mut end = self.at;
        while end > self.start && chosen.metric.is_empty() {
            let comma = (self.start..end).rev().find(|at| self.sentence.is_comma(*at));
            let start = comma.map_or(self.start, |comma| comma + 1);
            chosen = self.sentence.chunk(start..end);
            end = comma.unwrap_or(self.start);
        }
        chosen
    }

    /// The first chunk behind the value that names one: "5 % was the rate", "At 5 %, the rate is …".
    fn metric_behind(&self) -> Chosen {
        let mut chosen = Chosen::default();
        let mut start = self.at + 1;
        while start < self.end && chosen.metric.is_empty() {
            let comma = (start..self.end).find(|at| self.sentence.is_comma(*at));
            let end = comma.unwrap_or(self.end);
            chosen = self.sentence.chunk(start..end);
            start = end + 1;
        }
        chosen
    }

    /// What is counted, and what narrows it down: "of revenue", "per request", "in the control arm".
    fn qualify(&self, quantity: &Quantity, chosen: &mut Chosen) {
        let counted = quantity.unit == Unit::Count && quantity.noun.is_some();
        let narrows = self.piece(self.at + 1).is_some_and(|it| it.is(&NARROWING));
        if !counted && !narrows {
            return;
        }
        for at in self.at + 1..self.end {
            let Some(piece) = self.piece(at) else { break };
            let other = matches!(
                piece.kind,
                Kind::Mark(_) | Kind::Period(_) | Kind::Source(_) | Kind::Base(_)
            );
            let stops = piece.is(&["which", "that", "by", "after", "before", "when", "as"]);
            if other || stops || self.sentence.is_verb(at) || self.sentence.in_mention(at) {
                break;
            }
            self.sentence.take(at, chosen);
        }
    }

    /// The time named nearest behind the value, else before it, else at the head of the sentence.
    fn period(&self) -> Option<Period> {
        let behind = (self.at + 1..self.end).find_map(|at| self.sentence.period_at(at));
        let before = || (self.start..self.at).rev().find_map(|at| self.sentence.period_at(at));
        behind
            .or_else(before)
            .or_else(|| (0..self.first).find_map(|at| self.sentence.period_at(at)))
    }

    fn base(&self) -> Option<u16> {
        let base = |at: usize| match self.piece(at)?.kind {
            Kind::Base(year) => Some(year),
            _ => None,
        };
        (self.at + 1..self.end).chain((self.start..self.at).rev()).find_map(base)
    }

    /// The citation around the value, else behind it, else before it.
    fn citation(&self) -> Option<Citation> {
        let value = self.quantity()?.span;
        let citations = self.sentence.marks.citations;
        let near = citations.partition_point(|it| it.span.end() < value.end());
        let around = citations.get(near).filter(|it| it.span.contains(value));
        let cited = |at: usize| match self.piece(at)?.kind {
            Kind::Source(number) => citations.get(number),
            _ => None,
        };
        let behind = || (self.at + 1..self.end).find_map(cited);
        let before = || (0..self.at).rev().find_map(cited).filter(|it| !is_note(it));
        around.or_else(behind).or_else(before).copied()
    }

    /// Whether the word right before the number, "about" aside, is this one.
    fn word_before(&self, word: &str) -> bool {
        let skipped = |piece: &&Piece<'_>| {
            matches!(
                piece.kind,
                Kind::Known(Meaning::Neutral) | Kind::Mark(b'~' | b'$' | b'\'' | b'"')
            )
        };
        let before = self.sentence.pieces.get(self.start..self.at).unwrap_or_default();
        before.iter().rev().find(|it| !skipped(it)).is_some_and(|it| it.is(&[word]))
    }

    /// "up from 4 %", "than 4 %": what it was before, or elsewhere.
    fn is_before_change(&self) -> bool {
        // "more than 4 %" is a bound.
        let exact = matches!(self.quantity().map(|it| it.value), Some(Value::Exact(_)));
        let words = ["from", "than", "versus", "vs", "against", "with"];
        exact && words.iter().any(|word| self.word_before(word)) && self.at != self.first
            || exact && self.word_before("from")
    }

    /// Whether the number is by how much it changed, and then whether downwards.
    fn change(&self, quantity: &Quantity) -> Option<bool> {
        let share =
            matches!(quantity.unit, Unit::Percent | Unit::PercentagePoints | Unit::BasisPoints);
        let by = self.word_before("by");
        let turn = self.sentence.pieces.get(self.start..self.at)?.iter().rev().find(|piece| {
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
pub(super) struct Chosen {
    pub(super) metric: Vec<MetricWord>,
    definition: Vec<Term>,
    negative: bool,
    /// It says itself whose it is, though by no name: "the worker's latency".
    pub(super) owned: bool,
    pub(super) chunk: Range<usize>,
}

impl Chosen {
    fn add(&mut self, word: MetricWord) {
        if !self.metric.iter().any(|known| known.term == word.term) {
            self.metric.push(word);
        }
    }

    fn take(&mut self, piece: &Piece<'_>) {
        match piece.kind {
            Kind::Word(term) => {
                let maybe_name = piece.opens;
                self.add(MetricWord { term, span: piece.span, name: None, maybe_name });
            }
            Kind::Known(Meaning::Concepts(concepts)) => {
                concepts.iter().for_each(|it| self.add(MetricWord::of(*it, piece.span)));
            }
            Kind::Known(sign @ (Meaning::Minus(concepts) | Meaning::Plus(concepts))) => {
                concepts.iter().for_each(|it| self.add(MetricWord::of(*it, piece.span)));
                self.negative |= matches!(sign, Meaning::Minus(_));
            }
            Kind::Known(Meaning::Definition) => {
                let stem = Lexicon::english().look_up(piece.text).1;
                self.definition.push(Term::new(stem));
            }
            _ => {}
        }
    }
}

/// What some pieces name as measured.
pub(super) fn concepts(pieces: &[Piece<'_>]) -> Vec<MetricWord> {
    let mut chosen = Chosen::default();
    pieces.iter().for_each(|piece| chosen.take(piece));
    chosen.metric
}

impl MetricWord {
    fn of(concept: Concept, span: Span) -> Self {
        Self { term: concept.term, span, name: Some(concept.name), maybe_name: false }
    }
}

/// "11.33m" inhabitants are millions: nothing in the list of measures is a length.
fn millions(quantity: &mut Quantity) {
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

/// The value after a change "from 4 to 5".
fn latest(value: Value) -> Value {
    match value {
        Value::Range { high, .. } => Value::Exact(high),
        other => other,
    }
}

fn scaled(value: Value, factor: f64) -> Value {
    match value {
        Value::Exact(value) => Value::Exact(value * factor),
        Value::Range { low, high } => Value::Range { low: low * factor, high: high * factor },
        Value::AtLeast(value) => Value::AtLeast(value * factor),
        Value::AtMost(value) => Value::AtMost(value * factor),
        Value::MoreThan(value) => Value::MoreThan(value * factor),
        Value::LessThan(value) => Value::LessThan(value * factor),
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
