//! One value of a sentence and the words around it.

use std::ops::Range;

use rebuttal_model::Span;

use super::amount::{as_share, latest, millions, negated, thousands};
use super::listed::{Listed, any_of};
use super::meaning::{Meaning, Meanings};
use super::names;
use super::pieces::{Kind, Piece, is_note, names_date};
use super::reach::{MeasureWords, Sentence};
use super::table::{self, Column};
use super::wording::RISING;
use super::{Carried, Figure, MetricWord, cited_period};
use crate::citations::Citation;
use crate::periods::Period;
use crate::quantities::{Quantity, Unit, Value};

/// What leads to words that narrow a measure down at the head of a sentence.
const LEADING: Listed = Listed::new(&[
    "before",
    "after",
    "among",
    "excluding",
    "including",
    "without",
    "under",
    "during",
]);

/// What leads to words that narrow a measure down.
const NARROWING: Listed = Listed::new(&[
    "of", "per", "among", "for", "in", "with", "at", "on", "across", "within", "under", "after",
    "before", "during", "when", "above", "below",
]);

/// One value and the words around it.
pub(super) struct Part<'s, 't> {
    pub(super) sentence: &'s Sentence<'s, 't>,
    pub(super) start: usize,
    pub(super) at: usize,
    pub(super) end: usize,
    /// The first value of the sentence.
    pub(super) first: usize,
    /// The words that are known to be its own.
    pub(super) chunk: Option<Range<usize>>,
}

impl Part<'_, '_> {
    pub(super) fn read(&self, carried: &mut Carried, out: &mut Vec<Figure>) {
        let Some(mut quantity) = self.quantity().copied() else { return };
        let column = carried.columns.get(table::column_of(self.sentence.pieces, self.at)).cloned();
        let column = column.unwrap_or_default();
        let mut chosen = self.choose(&quantity, &column, carried);
        if let Some((entity, span)) = column.entity {
            (carried.entity, carried.entity_span, carried.loose) = (entity, Some(span), false);
        } else {
            self.find_entity(&chosen, carried);
        }
        let period = self.period();
        // What it was before belongs to a time of its own, never to that of the value after it.
        let undated = || self.period_behind().is_none();
        if chosen.metric.is_empty()
            || (self.is_before_change() && undated())
            || self.is_of_speaker(&chosen)
        {
            return;
        }
        self.take_places(&mut chosen, carried);
        as_share(&mut quantity);
        thousands(&mut quantity, self.sentence.clean);
        if chosen.metric.iter().any(|word| word.name.is_some()) {
            millions(&mut quantity);
        }
        let change = self.change(&quantity);
        let moves = [Meanings::concept("inflation").term, Meanings::concept("growth").term];
        if change.is_some() && !chosen.metric.iter().any(|word| moves.contains(&word.term)) {
            let growth = MetricWord::of(Meanings::concept("growth"), quantity.span);
            chosen.add(MetricWord { implied: true, ..growth });
        }
        let per = self.per(&quantity);
        let size = per.map_or(1.0, |it| it.1);
        quantity.step *= size;
        let citation = self.citation();
        let bracketed = self.sentence.sources.period;
        let bracketed = bracketed.and_then(|at| self.sentence.marks.periods.get(at).copied());
        let dated = period
            .or_else(|| carried.last_period.filter(|_| self.is_that_time()))
            .or_else(|| citation.as_ref().and_then(cited_period))
            .or(bracketed)
            .or(column.period)
            .or(carried.heading_period);
        let own_entity = !chosen.owned;
        chosen.definition.sort_unstable();
        chosen.definition.dedup();
        out.push(Figure {
            quantity,
            value: self.value(&quantity, change.unwrap_or(chosen.negative), size),
            per: per.map(|it| it.0),
            unit_word: self.unit_word(&quantity),
            sentence: Span::default(),
            metric: chosen.metric,
            entity: if own_entity { carried.entity.clone() } else { Vec::new() },
            entity_span: carried.entity_span.filter(|_| own_entity),
            entity_loose: carried.loose,
            definition: chosen.definition,
            vague_time: if dated.is_some() { None } else { self.vague_time() },
            period: dated,
            reporter_period: bracketed,
            base: self.base(dated),
            citation,
            reporter: self.sentence.sources.reporter,
            hypothetical: self.is_possible(),
        });
    }

    /// "We surveyed 800 firms": what the speaker did, and nothing that another could dispute.
    fn is_of_speaker(&self, chosen: &MeasureWords) -> bool {
        let first = self.sentence.pieces.iter().find(|it| !matches!(it.kind, Kind::Mark(_)));
        first.is_some_and(|it| it.is(any_of!["we", "I"]))
            && chosen.metric.iter().all(|word| word.name.is_none())
            && self.sentence.mentions.is_empty()
    }

    /// The words of the measure: its own, else those behind it, else those carried over.
    fn choose(&self, quantity: &Quantity, column: &Column, carried: &mut Carried) -> MeasureWords {
        let mut chosen = match &self.chunk {
            Some(chunk) => self.sentence.chunk(chunk.clone()),
            None => self.metric(),
        };
        let same_sentence = self.at != self.first && !carried.metric.is_empty();
        if chosen.metric.is_empty()
            && let Some(per) = self.earned_per_share(quantity)
        {
            chosen.add(MetricWord::of(Meanings::concept("eps"), per));
        }
        if chosen.metric.is_empty() && !same_sentence {
            chosen = self.share_who(quantity).unwrap_or_else(|| self.metric_behind());
        }
        self.take_done(&mut chosen);
        // "91 % accuracy".
        let named = chosen.metric.iter().any(|word| word.name.is_some());
        if let Some(piece) =
            self.piece(self.at + 1).filter(|_| quantity.unit == Unit::Percent && !named)
            && matches!(piece.kind, Kind::Known(Meaning::Concepts(_)))
        {
            chosen.take(piece);
        }
        let inherits = chosen.metric.is_empty() && column.metric.is_empty();
        if inherits {
            chosen.metric.clone_from(&carried.metric);
            chosen.negative |= carried.negative;
        } else {
            self.carry(&chosen, carried);
        }
        column.metric.iter().for_each(|word| chosen.add(*word));
        let before = chosen.metric.len();
        if self.chunk.is_none() && chosen.chunk.start <= self.at {
            self.qualify(quantity, &mut chosen);
        }
        // "A's rate was 5, against 6 for B": whose it is, is said anew or is as before.
        if inherits && chosen.metric.len() == before {
            carried.owner.iter().for_each(|word| chosen.add(*word));
            chosen.owned |= !carried.owner.is_empty();
        }
        self.take_object(&mut chosen);
        self.take_counted(quantity, &mut chosen);
        self.take_subject(&mut chosen);
        self.take_basis(&mut chosen);
        if chosen.metric.is_empty() {
            let beside = self.sentence.chunk(self.start..self.at);
            chosen.metric.extend(beside.bare);
        }
        if chosen.metric.is_empty() && carried.entity.is_empty() && carried.thing.is_none() {
            self.take_referred(&mut chosen);
        }
        chosen
    }

    /// "earned $3.23 per share": the verb and what the value is per name the measure together.
    fn earned_per_share(&self, quantity: &Quantity) -> Option<Span> {
        let money = matches!(quantity.unit, Unit::Currency(_));
        let per = quantity.per.filter(|_| money)?;
        let share = per.of(self.sentence.clean).is_some_and(|it| it.eq_ignore_ascii_case("share"));
        let before = self.sentence.pieces.get(self.start..self.at).unwrap_or_default();
        let earned = before.iter().any(|it| it.is(any_of!["earned", "earns", "earn", "earning"]));
        (share && earned).then_some(per)
    }

    /// On what basis the value was reckoned, and of what part of the whole: "Before the migration, …".
    /// Whoever says "GDP growth" means the real one; of wages nobody does.
    fn take_basis(&self, chosen: &mut MeasureWords) {
        if chosen.metric.is_empty() {
            return;
        }
        let part = if self.at == self.first { 0..self.end } else { self.start..self.end };
        for piece in self.sentence.pieces.get(part).unwrap_or_default() {
            if let Kind::Known(Meaning::Basis(concepts)) = piece.kind {
                for concept in concepts {
                    chosen.add(MetricWord::of(*concept, piece.span));
                }
            }
        }
        let lead = self.sentence.pieces.get(..chosen.chunk.start.min(self.at)).unwrap_or_default();
        let narrows = lead.iter().find(|it| !matches!(it.kind, Kind::Mark(_)));
        // "In the phase 3 trial, …" tells of which, as it does behind the value.
        let placed = lead.get(1).is_some_and(|it| it.is(any_of!["the"]))
            && lead.last().is_some_and(|it| it.is_mark(b','));
        let within = narrows.filter(|it| placed && it.is(any_of!["in", "at", "on", "within"]));
        if let Some(word) = narrows.filter(|it| it.is(&LEADING)).or(within) {
            if within.is_none() {
                chosen.take_verb(word);
            }
            for at in 0..lead.len() {
                if !self.sentence.sources.is(at) && !self.sentence.in_mention(at) {
                    self.sentence.take(at, chosen);
                }
            }
        }
        let gdp = Meanings::concept("gdp").term;
        if chosen.metric.iter().any(|word| word.term == gdp) {
            let real = Meanings::concept("real").term;
            chosen.metric.retain(|word| word.term != real);
        }
    }

    /// What the next value may leave out: the measure, and apart from it whose it is.
    fn carry(&self, chosen: &MeasureWords, carried: &mut Carried) {
        let owns = |word: &MetricWord| {
            let text = word.span.of(self.sentence.clean).unwrap_or_default();
            word.name.is_none() && (text.ends_with("'s") || text.ends_with("s'"))
        };
        let owner = chosen.metric.iter().position(owns).map_or(0, |at| at + 1);
        let (owner, measure) = chosen.metric.split_at_checked(owner).unwrap_or_default();
        carried.owner.clear();
        carried.owner.extend_from_slice(owner);
        carried.metric.clear();
        carried.metric.extend_from_slice(measure);
        carried.negative = chosen.negative;
    }

    /// "in the quarter", "currently": a time, but not which.
    fn vague_time(&self) -> Option<Span> {
        const TIMES: Listed = Listed::new(&[
            "quarter",
            "month",
            "week",
            "half",
            "currently",
            "now",
            "today",
            "quarterly",
            "recently",
            "latest",
        ]);
        let part = self.sentence.pieces.get(self.start..self.end)?;
        let named =
            |it: &&Piece<'_>| TIMES.has_exactly(it.text, it.bit) || names_date(it.text, it.bit);
        part.iter().find(named).map(|it| it.span)
    }

    /// The value as the words mean it: where it has got to, below zero, per the canonical unit.
    fn value(&self, quantity: &Quantity, negative: bool, size: f64) -> Value {
        let ranged =
            matches!(quantity.value, Value::Range { .. }) && self.word_before(any_of!["from"]);
        let value = if ranged { latest(quantity.value) } else { quantity.value };
        let value = if negative { negated(value) } else { value };
        value.scaled(size)
    }

    pub(super) fn piece(&self, at: usize) -> Option<&Piece<'_>> {
        self.sentence.pieces.get(at)
    }

    pub(super) fn quantity(&self) -> Option<&Quantity> {
        match self.piece(self.at)?.kind {
            Kind::Value(number) => self.sentence.marks.quantities.get(number),
            _ => None,
        }
    }

    /// "Looking at the worker, the cost was 5", "With a cost of 5, the worker is cheap": what a sentence
    /// without a name is about stands beside the words of its measure.
    fn take_subject(&self, chosen: &mut MeasureWords) {
        let pieces = self.sentence.pieces;
        if !self.sentence.mentions.is_empty() || self.sentence.refers(pieces.len()) || chosen.owned
        {
            return;
        }
        let before = pieces.get(..chosen.chunk.start.min(self.at)).unwrap_or_default();
        let aside = before
            .iter()
            .take(4)
            .any(|it| it.is(any_of!["looking", "turning", "for", "regarding", "concerning"]));
        let behind = (self.at + 1..self.end).find(|at| self.sentence.is_comma(*at));
        let subject = behind.and_then(|comma| {
            let rest = pieces.get(comma + 1..self.end)?;
            let verb = rest
                .iter()
                .position(|it| it.is(any_of!["is", "was", "are", "were", "has", "had"]))?;
            rest.get(..verb)
        });
        let words = subject.or(aside.then_some(before));
        if let Some((start, length)) = words.and_then(names::thing_at) {
            let own = words.and_then(|words| words.get(start..start + length)).unwrap_or_default();
            for piece in own {
                chosen.take(piece);
            }
            chosen.owned = true;
        }
    }

    /// What the value is per, where that is a unit, and by how much the value changes when it is
    /// given per the canonical one: 370 per `MWh` are 0.00037 per watt-hour.
    fn per(&self, quantity: &Quantity) -> Option<(Unit, f64)> {
        // "5 % a year" is no less than 5 %.
        if matches!(
            quantity.unit,
            Unit::Percent | Unit::PercentagePoints | Unit::BasisPoints | Unit::Times
        ) {
            return None;
        }
        let word = quantity.per?.of(self.sentence.clean)?;
        let (unit, size) = crate::quantities::measure(word)?;
        Some((unit, 1.0 / size))
    }

    /// The names beside the measure, else in the rest of the sentence, else the last one named.
    fn find_entity(&self, chosen: &MeasureWords, carried: &mut Carried) {
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
    fn metric(&self) -> MeasureWords {
        let mut chosen = MeasureWords::default();
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
    fn metric_behind(&self) -> MeasureWords {
        let mut chosen = MeasureWords::default();
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
    fn qualify(&self, quantity: &Quantity, chosen: &mut MeasureWords) {
        let counted = quantity.unit == Unit::Count && quantity.noun.is_some();
        let narrows = self.piece(self.at + 1).is_some_and(|it| {
            // "14.5 tonnes per capita": a phrase of its own.
            it.is(&NARROWING)
                || it.text.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("per "))
        });
        // "per 1,000 live births" is how it is counted.
        let rated = quantity.out_of > 0.0 && !chosen.metric.is_empty();
        if !counted && !narrows || rated {
            return;
        }
        for at in self.at + 1..self.end {
            let Some(piece) = self.piece(at) else { break };
            // "5 % in 2022 at the border", "on web-1": neither ends what narrows the value down.
            // "59 % of Portugal's electricity".
            let goes_on = piece.is_mark(b'-')
                || piece.owns && self.sentence.in_mention(at)
                || matches!(piece.kind, Kind::Period(_))
                    && self.piece(at + 1).is_some_and(|it| it.is(&NARROWING));
            if goes_on {
                continue;
            }
            let other = matches!(
                piece.kind,
                Kind::Mark(_) | Kind::Period(_) | Kind::Source(_) | Kind::Base(_)
            );
            let stops = piece.is(any_of!["which", "that", "by", "as"]);
            if other || stops || self.sentence.is_verb(at) || self.sentence.in_mention(at) {
                break;
            }
            self.sentence.take(at, chosen);
        }
    }

    /// The time named nearest behind the value, else before it, else at the head of the sentence.
    fn period(&self) -> Option<Period> {
        let behind = self.period_behind();
        let before = || (self.start..self.at).rev().find_map(|at| self.sentence.period_at(at));
        behind
            .or_else(before)
            .or_else(|| (0..self.first).find_map(|at| self.sentence.period_at(at)))
            .or_else(|| self.sentence.only_period())
    }

    fn period_behind(&self) -> Option<Period> {
        (self.at + 1..self.end).find_map(|at| self.sentence.period_at(at))
    }

    /// The year whose money it is given in; current prices are those of the year spoken of.
    fn base(&self, period: Option<Period>) -> Option<u16> {
        let base = |at: usize| match self.piece(at)?.kind {
            Kind::Base(0) => u16::try_from(period?.dates?.0.year()).ok(),
            Kind::Base(year) => Some(year),
            _ => None,
        };
        (self.at + 1..self.end).chain((self.start..self.at).rev()).find_map(base)
    }

    /// The citation around the value, else behind it, else before it.
    fn citation(&self) -> Option<Citation> {
        let value = self.quantity()?.span;
        let citations = &self.sentence.marks.citations;
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

    /// Whether the word right before the number, "about" aside, is one of these.
    pub(super) fn word_before(&self, words: &Listed) -> bool {
        let skipped = |piece: &&Piece<'_>| {
            matches!(
                piece.kind,
                Kind::Known(Meaning::Neutral) | Kind::Mark(b'~' | b'$' | b'\'' | b'"')
            )
        };
        let before = self.sentence.pieces.get(self.start..self.at).unwrap_or_default();
        before.iter().rev().find(|it| !skipped(it)).is_some_and(|it| it.is(words))
    }

    /// "up from 4 %", "than 4 %": what it was before, or elsewhere.
    fn is_before_change(&self) -> bool {
        // "more than 4 %" is a bound.
        let exact = matches!(self.quantity().map(|it| it.value), Some(Value::Exact(_)));
        let later = any_of!["from", "than", "versus", "vs", "against", "with"];
        let words = if self.at == self.first { any_of!["from"] } else { later };
        exact && self.word_before(words)
    }

    /// Whether the number is by how much it changed, and then whether downwards.
    fn change(&self, quantity: &Quantity) -> Option<bool> {
        let share =
            matches!(quantity.unit, Unit::Percent | Unit::PercentagePoints | Unit::BasisPoints);
        let by = self.word_before(any_of!["by"]);
        let turn = self.sentence.pieces.get(self.start..self.at)?.iter().rev().find(|piece| {
            !matches!(piece.kind, Kind::Known(Meaning::Neutral))
                && !piece.is(any_of!["by", "a", "an"])
        })?;
        let named = matches!(turn.kind, Kind::Word(_) | Kind::Known(Meaning::Concepts(_)));
        let by = by || turn.is(&RISING);
        let turn = if by && named { self.turned()? } else { turn };
        match turn.kind {
            Kind::Known(Meaning::Up) if share || by => Some(false),
            Kind::Known(Meaning::Down) if share || by => Some(true),
            _ => None,
        }
    }
}
