//! Which words of a sentence belong to which of its values.

use std::ops::Range;

use rebuttal_model::Span;

use super::listed::{Listed, any_of};
use super::meaning::{Concept, Meaning};
use super::names::{Mention, mentions};
use super::part::Part;
use super::pieces::{EDITIONS, Kind, Marks, Piece};
use super::sources::Sources;
use super::{Carried, Figure, MetricWord};
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::periods::{Period, Relation};
use crate::quantities::{Unit, Value};

/// Verbs whose subject has what they measure: "the gateway recorded a latency of …".
pub(super) const HAVING: Listed = Listed::new(&[
    "reached",
    "reaches",
    "attained",
    "attracted",
    "attracts",
    "drew",
    "received",
    "paid",
    "pays",
    "carries",
    "carried",
    "bears",
    "charges",
    "offers",
    "boasts",
    "suffered",
    "welcomed",
    "generated",
    "generates",
    "earned",
    "earns",
    "achieved",
    "produced",
    "delivered",
    "makes",
    "has",
    "have",
    "had",
    "having",
    "recorded",
    "posted",
    "ran",
    "saw",
    "logged",
    "registered",
    "booked",
    "reported",
    "made",
    "shows",
    "showed",
    "enjoyed",
]);

/// Verbs that say no more than that it is so much.
pub(super) const BEING: Listed = Listed::new(&[
    "is", "was", "were", "are", "be", "been", "being", "stands", "stood", "stand", "reached",
    "reaches", "amounted", "amounts", "totalled", "totaled", "came", "comes", "equals", "remained",
    "remains", "stayed", "averaged", "settled", "hit", "sat", "sits", "exceeded", "exceeds",
    "became",
]);

/// Verbs that say what part of a whole something is: "supplied 46 % of", "accounted for 46 % of".
const SHARING: Listed = Listed::new(&[
    "accounted",
    "accounts",
    "account",
    "supplied",
    "supplies",
    "supply",
    "provided",
    "provides",
    "provide",
    "represented",
    "represents",
    "represent",
    "constituted",
    "constitutes",
    "made",
    "makes",
    "contributed",
    "contributes",
    "covered",
    "covers",
]);

/// A sentence as it is read for figures.
pub(super) struct Sentence<'s, 't> {
    pub(super) pieces: &'s [Piece<'t>],
    pub(super) marks: &'s Marks,
    pub(super) sources: Sources,
    pub(super) mentions: Vec<Mention>,
    pub(super) clean: &'s str,
}

impl<'s, 't> Sentence<'s, 't> {
    pub(super) fn new(
        clean: &'s str,
        pieces: &'s [Piece<'t>],
        marks: &'s Marks,
        known: bool,
    ) -> Self {
        let sources = Sources::find(pieces, known);
        let mentions = mentions(pieces, &sources);
        Self { pieces, marks, sources, mentions, clean }
    }

    /// The places of its values.
    pub(super) fn values(&self) -> Vec<usize> {
        let mut values = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            if matches!(piece.kind, Kind::Value(_)) && self.is_value(at) {
                values.push(at);
            }
        }
        values
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
        const PLACES: Listed = Listed::new(&[
            "note", "notes", "section", "table", "figure", "chapter", "page", "footnote",
            "version", "ticket", "item", "line", "row", "phase", "step", "appendix",
        ]);
        at.checked_sub(1).and_then(|at| self.pieces.get(at)).is_some_and(|it| it.is(&PLACES))
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
        const LINKS: Listed = Listed::new(&[
            "and", "while", "whereas", "but", "versus", "vs", "compared", "against", "after",
        ]);
        let parts = |piece: &Piece<'_>| {
            matches!(piece.kind, Kind::Mark(b',' | b';' | b' ' | b'|')) || piece.is(&LINKS)
        };
        // "from 8 % in 2022 to 3 % in 2023": what is dated keeps its date.
        let moves = |at: &usize| {
            let before = at.checked_sub(1).and_then(|at| self.pieces.get(at)).map(|it| it.kind);
            matches!(before, Some(Kind::Period(_)))
                && self.pieces.get(*at).is_some_and(|it| it.is(any_of!["to", "from"]))
        };
        let mut between = at + 1..next;
        let link = between.clone().find(|at| self.pieces.get(*at).is_some_and(parts));
        link.or_else(|| between.find(moves)).unwrap_or(at + 1)
    }

    /// "Exports and imports were 5 and 6, respectively": the words of each value.
    fn respective(&self, values: &[usize]) -> Vec<Range<usize>> {
        let Some(&first) = values.first() else { return Vec::new() };
        if values.len() < 2 || !self.pieces.iter().any(|it| it.is(any_of!["respectively"])) {
            return Vec::new();
        }
        let verb = (0..first).rev().find(|at| self.is_verb(*at)).unwrap_or(first);
        let mut chunks = Vec::new();
        let mut start = 0;
        for at in 0..verb {
            let joins =
                self.pieces.get(at).is_some_and(|it| it.is(any_of!["and"]) || it.is_mark(b','));
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

    /// True when a share of something follows the verb: "accounted for 46 % of".
    fn shares(&self, verb: usize) -> bool {
        let ahead = self.pieces.iter().skip(verb + 1).take(4);
        let value = ahead.into_iter().find_map(|it| match it.kind {
            Kind::Value(number) => self.marks.quantities.get(number),
            _ => None,
        });
        value.is_some_and(|it| it.unit == Unit::Percent)
    }

    pub(super) fn is_comma(&self, at: usize) -> bool {
        matches!(self.pieces.get(at).map(|it| it.kind), Some(Kind::Mark(b',' | b';' | b' ' | b'|')))
    }

    /// What a stretch names as measured. Behind a verb only what no words before it said, except
    /// for what somebody has.
    pub(super) fn chunk(&self, range: Range<usize>) -> MeasureWords {
        let mut chosen = MeasureWords { chunk: range.clone(), ..MeasureWords::default() };
        for at in range {
            let verb =
                self.pieces.get(at).filter(|_| !chosen.metric.is_empty() && self.is_verb(at));
            if let Some(verb) = verb.filter(|it| !it.is(&HAVING)) {
                let known = chosen.metric.iter().any(|word| word.name.is_some());
                // "Backups run every 6 hours": what no list knows is told apart by what it does.
                let is_share = verb.is(&SHARING) && self.shares(at);
                if known || verb.kind != Kind::Known(Meaning::Links) || verb.is(&BEING) || is_share
                {
                    break;
                }
                chosen.take_verb(verb);
            }
            if !self.sources.is(at) && !self.in_mention(at) {
                self.take(at, &mut chosen);
            }
        }
        chosen
    }

    pub(super) fn take(&self, at: usize, chosen: &mut MeasureWords) {
        if let Some(piece) = self.pieces.get(at) {
            chosen.owned |= piece.owns && matches!(piece.kind, Kind::Word(_));
            chosen.take(piece);
        }
    }

    /// The time named at a place, unless it dates an edition.
    pub(super) fn period_at(&self, at: usize) -> Option<Period> {
        match self.pieces.get(at)?.kind {
            Kind::Period(number) if !self.sources.is(at) => {
                let edition = self.pieces.get(at + 1).is_some_and(|it| it.is(&EDITIONS));
                self.marks.periods.get(number).copied().filter(|_| !edition)
            }
            _ => None,
        }
    }

    /// The time of the sentence, where it names one and no other.
    pub(super) fn only_period(&self) -> Option<Period> {
        let mut all = (0..self.pieces.len()).filter_map(|at| self.period_at(at));
        let first = all.next()?;
        all.all(|other| other.relation(&first) == Relation::Same).then_some(first)
    }

    /// The first time named in the sentence.
    pub(super) fn any_period(&self) -> Option<Period> {
        (0..self.pieces.len()).find_map(|at| self.period_at(at))
    }

    /// True when the sentence means whoever was named before.
    pub(super) fn refers(&self, until: usize) -> bool {
        self.pieces.iter().take(until).any(|it| matches!(it.kind, Kind::Refers))
    }
}

/// The words found to name a measure.
#[derive(Debug, Default)]
pub(super) struct MeasureWords {
    pub(super) metric: Vec<MetricWord>,
    pub(super) definition: Vec<Term>,
    pub(super) negative: bool,
    /// It says itself whose it is, though by no name: "the worker's latency".
    pub(super) owned: bool,
    pub(super) chunk: Range<usize>,
    /// "rate", "level": all there is where nothing says of what.
    pub(super) bare: Option<MetricWord>,
}

impl MeasureWords {
    pub(super) fn add(&mut self, word: MetricWord) {
        if !self.metric.iter().any(|known| known.term == word.term) {
            self.metric.push(word);
        }
    }

    /// What is done, as a word of what is measured.
    pub(super) fn take_verb(&mut self, piece: &Piece<'_>) {
        let term = Term::new(Lexicon::english().look_up(piece.text).1);
        let span = piece.span;
        self.add(MetricWord { term, span, name: None, maybe_name: false, implied: false });
    }

    pub(super) fn take(&mut self, piece: &Piece<'_>) {
        match piece.kind {
            Kind::Word(_) | Kind::Known(Meaning::Concepts(_)) if piece.is(&HAVING) => {}
            Kind::Word(term) => {
                let maybe_name = piece.opens;
                self.add(MetricWord {
                    term,
                    span: piece.span,
                    name: None,
                    maybe_name,
                    implied: false,
                });
            }
            Kind::Known(Meaning::Concepts(concepts)) => {
                for it in concepts {
                    self.add(MetricWord::of(*it, piece.span));
                }
            }
            Kind::Known(sign @ (Meaning::Minus(concepts) | Meaning::Plus(concepts))) => {
                for it in concepts {
                    self.add(MetricWord::of(*it, piece.span));
                }
                self.negative |= matches!(sign, Meaning::Minus(_));
            }
            Kind::Known(Meaning::Neutral) => {
                let term = Term::new(Lexicon::english().look_up(piece.text).1);
                let bare = MetricWord {
                    term,
                    span: piece.span,
                    name: None,
                    maybe_name: false,
                    implied: false,
                };
                self.bare = Some(bare);
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
    let mut chosen = MeasureWords::default();
    for piece in pieces {
        chosen.take(piece);
    }
    chosen.metric
}

impl MetricWord {
    pub(super) fn of(concept: Concept, span: Span) -> Self {
        Self {
            term: concept.term,
            span,
            name: Some(concept.name),
            maybe_name: false,
            implied: false,
        }
    }
}
