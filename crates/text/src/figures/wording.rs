//! Wordings that name a measure, or narrow it down, in ways of their own.

use std::ops::Range;

use super::listed::{Listed, any_of};
use super::meaning::{Meaning, Meanings};
use super::part::Part;
use super::pieces::{Kind, Piece};
use super::reach::{BEING, HAVING, MeasureWords};
use super::{Carried, MetricWord, common};
use rebuttal_model::Span;

use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::quantities::{Quantity, Unit};

/// What rises or falls by itself does so by the number behind it: "rose 1.9 mm".
pub(super) const RISING: Listed = Listed::new(&[
    "rose",
    "risen",
    "fell",
    "fallen",
    "increased",
    "decreased",
    "declined",
    "climbed",
    "jumped",
    "surged",
    "slid",
    "slipped",
    "plunged",
    "tumbled",
]);

impl<'t> Part<'_, 't> {
    /// "The fund gained 8 %": where nobody was named before, the thing itself is all there is.
    pub(super) fn take_referred(&self, chosen: &mut MeasureWords) {
        let own = self.sentence.pieces.get(self.start..self.at).unwrap_or_default();
        let thing = own
            .iter()
            .find(|it| it.kind == Kind::Refers && !it.is(any_of!["its", "it", "their", "there"]));
        if let Some(thing) = thing {
            chosen.take_verb(thing);
            let does = |it: &&Piece<'_>| {
                it.kind == Kind::Known(Meaning::Links) && !it.is(&BEING) && !it.is(&HAVING)
            };
            own.iter().filter(does).for_each(|it| chosen.take_verb(it));
        }
    }

    /// "emitted 5 Mt": what is done, as what is measured; the verb itself then says no more.
    pub(super) fn take_done(&self, chosen: &mut MeasureWords) {
        const DONE: [(&Listed, &str); 4] = [
            (any_of!["emitted", "emits", "emit"], "emissions"),
            (any_of!["produced", "produces", "produce"], "production"),
            (any_of!["killed", "kills"], "mortality"),
            (any_of!["waited", "waits"], "waiting time"),
        ];
        let Some((verbs, name)) = DONE.iter().find(|(verbs, _)| self.word_before(verbs)) else {
            return;
        };
        let Some(value) = self.piece(self.at) else { return };
        let said = |it: &Piece<'_>| it.is(verbs);
        let verb = self.sentence.pieces.iter().find(|it| said(it)).map(|it| it.span);
        chosen.metric.retain(|word| Some(word.span) != verb);
        chosen.add(MetricWord::of(Meanings::concept(name), value.span));
    }

    /// "generated 157 `TWh` of electricity" is its electricity generation: what is done and what it is
    /// done to name a measure together, where a list knows them by one name.
    pub(super) fn take_object(&self, chosen: &mut MeasureWords) {
        const NOUNS: [(&Listed, &str); 4] = [
            (any_of!["generated", "generates", "generate"], "generation"),
            (any_of!["consumed", "consumes", "consume", "used", "uses"], "consumption"),
            (any_of!["produced", "produces", "produce"], "production"),
            (any_of!["emitted", "emits", "emit"], "emissions"),
        ];
        let of = self.piece(self.at + 1).is_some_and(|it| it.is(any_of!["of"]));
        let noun = NOUNS.iter().find(|(verbs, _)| of && self.word_before(verbs));
        let Some((verbs, noun)) = noun else { return };
        // "of crude oil".
        let object: Vec<&Piece<'_>> = (self.at + 2..self.end)
            .filter_map(|at| self.piece(at))
            .take_while(|it| matches!(it.kind, Kind::Word(_) | Kind::Known(Meaning::Concepts(_))))
            .collect();
        let stem = |text: &str| Lexicon::english().look_up(text).1;
        let mut stems = object.iter().map(|it| stem(it.text)).chain([stem(noun)]);
        let Some(first) = stems.next() else { return };
        let found = Meanings::english().phrase(first, &stems);
        if let Some((words, Meaning::Concepts(concepts))) = found
            && words == object.len() + 1
        {
            let said = |word: &MetricWord| {
                object.iter().any(|it| it.span == word.span)
                    || self.sentence.pieces.iter().any(|it| it.is(verbs) && it.span == word.span)
                    || self.piece(self.at).is_some_and(|it| it.span == word.span)
            };
            chosen.metric.retain(|word| !said(word));
            let span = object.first().map_or_else(Span::default, |it| it.span);
            for it in concepts {
                chosen.add(MetricWord::of(*it, span));
            }
        }
    }

    /// "recorded 1,120 cases": what is counted, where no other word says what is measured.
    pub(super) fn take_counted(&self, quantity: &Quantity, chosen: &mut MeasureWords) {
        let noun = quantity.noun.filter(|_| quantity.unit == Unit::Count);
        let own = (self.at + 1..self.end).filter_map(|at| self.piece(at));
        let counted = own.into_iter().find(|it| {
            noun.is_some_and(|noun| noun.overlaps(it.span))
                && it.kind == Kind::Known(Meaning::Neutral)
        });
        if let Some(piece) = counted.filter(|_| chosen.metric.is_empty()) {
            chosen.take_verb(piece);
        }
    }

    /// "that year", "in the same quarter": the time that was named last.
    pub(super) fn is_that_time(&self) -> bool {
        let own = self.sentence.pieces.get(self.start..self.end).unwrap_or_default();
        own.iter().any(|it| it.kind == Kind::Same)
    }

    /// "47 % of adults were obese": what they are is measured, and of whom.
    pub(super) fn share_who(&self, quantity: &Quantity) -> Option<MeasureWords> {
        const EVERYBODY: Listed = Listed::new(&[
            "adults",
            "people",
            "population",
            "workforce",
            "force",
            "residents",
            "citizens",
        ]);
        let of = self.piece(self.at + 1).filter(|_| quantity.unit == Unit::Percent)?;
        of.is(any_of!["of"]).then_some(())?;
        let verb = (self.at + 2..self.end).find(|at| {
            self.piece(*at).is_some_and(|it| it.is(any_of!["is", "are", "was", "were"]))
        })?;
        let states = (verb + 1..self.end.min(verb + 3)).find(|at| {
            matches!(self.piece(*at).map(|it| it.kind), Some(Kind::Known(Meaning::Concepts(_))))
        })?;
        let mut chosen = MeasureWords { chunk: self.at + 1..self.end, ..MeasureWords::default() };
        for at in self.at + 2..verb {
            let group = self.piece(at).filter(|it| matches!(it.kind, Kind::Word(_)));
            if group.is_some_and(|it| !it.is(&EVERYBODY)) && !self.sentence.in_mention(at) {
                self.sentence.take(at, &mut chosen);
            }
        }
        self.sentence.take(states, &mut chosen);
        Some(chosen)
    }

    /// "may reach 9 %", "could be 5 % if …": a possibility is not what is.
    pub(super) fn is_possible(&self) -> bool {
        let own = self.sentence.pieces.get(self.start..self.at).unwrap_or_default();
        let modal = |it: &Piece<'_>| {
            it.is(any_of!["may", "might", "could"]) && (it.opens || it.text != "May")
        };
        own.iter().any(modal)
    }

    /// "5.5 mmol": a short word right behind the number that is no word of the language.
    pub(super) fn unit_word(&self, quantity: &Quantity) -> Option<Term> {
        const BYTES: usize = 6;
        let piece = self.piece(self.at + 1).filter(|_| quantity.unit == Unit::None)?;
        let Kind::Word(term) = piece.kind else { return None };
        let tight = piece.span.start() <= quantity.span.end() + 1;
        let vowel = |c: char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        let spoken = piece.text.contains(vowel) && common::is_common(piece.text);
        let inner = piece.text.chars().skip(1).any(char::is_uppercase);
        (tight && piece.text.len() <= BYTES && (inner || !spoken)).then_some(term)
    }

    /// "Honda's sales in Japan": a further name beside the measure tells which part is meant.
    pub(super) fn take_places(&self, chosen: &mut MeasureWords, carried: &Carried) {
        let leads = |at: usize| {
            self.piece(at).is_some_and(|it| it.is(any_of!["in", "to", "from", "across", "within"]))
        };
        let beside = |range: &Range<usize>| {
            let start = range.start;
            let article = start
                .checked_sub(1)
                .filter(|at| self.piece(*at).is_some_and(|it| it.is(any_of!["the"])));
            let before = article.unwrap_or(start).checked_sub(1);
            let own = chosen.chunk.contains(&start) || (self.at..self.end).contains(&start);
            own && before.is_some_and(leads)
        };
        let further: Vec<MetricWord> = self
            .sentence
            .mentions
            .iter()
            .filter(|it| beside(&it.range) && it.terms != carried.entity)
            .flat_map(|it| it.terms.iter().map(|term| (*term, it.span)))
            .map(|(term, span)| MetricWord {
                term,
                span,
                name: None,
                maybe_name: false,
                implied: false,
            })
            .collect();
        for word in further {
            chosen.add(word);
        }
    }

    /// The "reduced" of "reduced latency by 30 %".
    pub(super) fn turned(&self) -> Option<&Piece<'t>> {
        let own = self.sentence.pieces.get(self.start..self.at)?;
        own.iter().rev().find(|it| matches!(it.kind, Kind::Known(Meaning::Up | Meaning::Down)))
    }
}
