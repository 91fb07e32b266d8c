//! Figures: a value, what it is a value of, of whom, when, and who says so.
//!
//! "In 2017, the jobless rate in Qatar stood at 0.1 %, the World Bank reports" is the value 0.1 %
//! of the unemployment rate of Qatar for 2017. Two figures can be compared only when all of that
//! is the same, so all of it is read here, and what a sentence leaves out ("It rose to 0.2 % in
//! 2018.") is taken from the ones before.

mod amount;
mod common;
mod describing;
mod listed;
mod meaning;
mod names;
mod none;
mod notes;
mod part;
mod pieces;
mod reach;
mod second;
mod sources;
mod table;
#[cfg(test)]
mod tests;
mod trend;
mod wording;

pub(crate) use common::is_common;
use jiff::civil::Date;
use rebuttal_model::{Span, limits};

use crate::citations::{self, Citation, CitationKind, citations_at};
use crate::claims::Term;
use crate::lexicon::Lexicon;
use crate::periods::{Grain, Period, periods_at};
use crate::places::Places;
use crate::quantities::look::Starts;
use crate::quantities::{self, Quantity, Unit, Value, quantities_beside};
use crate::reading::Reading;
use crate::senses::Senses;
use crate::sentences::{Place, Sentence};
use crate::tokens::{self, Token};
pub(crate) use meaning::Meanings;
pub use notes::Notes;
pub use pieces::Marks;
use pieces::{Kind, Piece};
use table::Column;
pub use trend::Trend;

/// Where numbers, times and citations may start.
const STARTS: Starts = quantities::BOTH.or(citations::STARTS);

/// Sentences that are cut into pieces before the first of them is read: either step is little work
/// on one sentence, and its code would have to be fetched anew for each.
const RUN: usize = 8;

/// How many pieces most sentences have, or fewer.
const PIECES: usize = 24;

/// A word of what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricWord {
    /// The concept, or the word in any of its forms.
    pub term: Term,
    /// Where it stands in the original text.
    pub span: Span,
    /// What the concept is called, where it is a known one.
    pub name: Option<&'static str>,
    /// Opens a sentence with a capital letter, so that it may be a name.
    pub maybe_name: bool,
    /// Said by the verb and not by a word of its own: the growth of "rose 5 %".
    pub implied: bool,
}

/// A value that a text gives for something. All spans are of the original text.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The number as written.
    pub quantity: Quantity,
    /// The value, with the sign that the words give it: a deficit of 3 is −3.
    pub value: Value,
    /// What the value is per, where that is a unit; the value is then per the canonical one.
    pub per: Option<Unit>,
    /// The word behind the number, where it reads as a unit that no list knows.
    pub unit_word: Option<Term>,
    /// The sentence it stands in.
    pub sentence: Span,
    /// What is measured, in the order of the text, each word once.
    pub metric: Vec<MetricWord>,
    /// Of whom or what: the words of a name, sorted. Empty when nothing says so.
    pub entity: Vec<Term>,
    /// The name, where it is written last before or in the sentence.
    pub entity_span: Option<Span>,
    /// Named in an earlier sentence without a figure, to which this one does not refer: a guess.
    pub entity_loose: bool,
    /// How it was counted, sorted: "seasonally adjusted".
    pub definition: Vec<Term>,
    /// When.
    pub period: Option<Period>,
    /// Words that name some time and no days, where there is nothing better: "in the quarter".
    pub vague_time: Option<Span>,
    /// When the one who says so said it: the "April 2024" of "(IMF, April 2024)".
    pub reporter_period: Option<Period>,
    /// The year whose money it is given in: "in 2017 dollars".
    pub base: Option<u16>,
    /// The citation that belongs to it.
    pub citation: Option<Citation>,
    /// Who says so, where the sentence does ("the World Bank puts …") without a citation.
    pub reporter: Option<Span>,
    /// True when the sentence is somebody's wish, plan or question, not a statement of fact.
    pub hypothetical: bool,
}

/// The figures of a text, and what it says rises or falls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Values, in order.
    pub figures: Vec<Figure>,
    /// Trends without a value, in order.
    pub trends: Vec<Trend>,
    /// True when there are more than [`limits::REPORT_FIGURES`] figures, and the text was not read on.
    pub is_cut: bool,
}

/// What a sentence may leave out because another said it.
#[derive(Debug, Default)]
struct Carried {
    metric: Vec<MetricWord>,
    /// Whose it is, where that is no name: "the gateway's".
    owner: Vec<MetricWord>,
    /// The words of the metric put its value below zero.
    negative: bool,
    entity: Vec<Term>,
    entity_span: Option<Span>,
    /// Nothing ties the entity to the sentence.
    loose: bool,
    /// What the sentence right before speaks of without a name: "the billing service".
    thing: Option<(Vec<Term>, Span)>,
    /// A title names it; holds for what is listed below.
    heading_period: Option<Period>,
    /// The time that was named last: "that year".
    last_period: Option<Period>,
    /// The head of the table.
    columns: Vec<Column>,
}

impl Reading<'_> {
    /// The figures of the text, in order.
    pub fn figures(&self) -> Vec<Figure> {
        self.figures_and_trends().figures
    }

    /// The figures and the trends of the text.
    pub fn figures_and_trends(&self) -> Figures {
        self.figures_among(&self.names())
    }

    /// Reads the figures, given the sorted names that this text and others use: what is a name in
    /// one text is a name at the start of a sentence of another.
    pub fn figures_among(&self, names: &[Term]) -> Figures {
        self.figures_of(&self.marks(), names)
    }

    /// The numbers, times and citations that figures are made of.
    pub fn marks(&self) -> Marks {
        let places = Places::of(self.clean(), &STARTS);
        let periods = periods_at(&places);
        let mut quantities = quantities_beside(&places, &periods);
        none::add(self, &mut quantities);
        quantities.shrink_to_fit();
        let mut citations = citations_at(&places);
        // "(Peru, 2023)" says of whom and when.
        citations.retain(|it| it.kind != CitationKind::AuthorYear || !self.is_country(it.source));
        Marks { quantities, periods, citations }
    }

    /// True for the name of a country and nothing else.
    fn is_country(&self, span: Span) -> bool {
        let stem = |word: &str| Lexicon::english().look_up(word).1;
        let words = || span.of(self.clean()).unwrap_or_default().split_whitespace().map(stem);
        let whole = match words().count() {
            1 => words().next(),
            count => Senses::english().phrase(words()).filter(|it| it.0 == count).map(|it| it.1),
        };
        whole.is_some_and(|stem| Senses::english().country(stem).is_some())
    }

    /// [`figures_among`](Self::figures_among) for whoever has the marks of the text already.
    pub fn figures_of(&self, marks: &Marks, names: &[Term]) -> Figures {
        let mut cursor = pieces::Cursor::default();
        let mut state = State::default();
        state.found.figures.reserve(marks.quantities.len().min(limits::REPORT_FIGURES));
        let mut pieces = Vec::with_capacity(self.tokens.len().min(RUN * PIECES));
        let mut ends = [0; RUN];
        for run in self.sentences.chunks(RUN) {
            pieces.clear();
            for (sentence, end) in run.iter().zip(&mut ends) {
                if sentence.place != Place::Quoted {
                    cursor.title = !marks.citations.is_empty() && self.is_title(sentence);
                    pieces::pieces(self, sentence, marks, names, &mut cursor, &mut pieces);
                }
                *end = pieces.len();
            }
            let mut from = 0;
            for (sentence, end) in run.iter().zip(ends) {
                if sentence.place != Place::Quoted {
                    let own = pieces.get(from..end).unwrap_or_default();
                    state.read(self, sentence, own, marks);
                }
                from = end;
            }
            if state.found.figures.len() > limits::REPORT_FIGURES {
                state.found.is_cut = true;
                break;
            }
        }
        let mut found = state.found;
        found.figures.truncate(limits::REPORT_FIGURES);
        found.is_cut |= marks.quantities.len() >= limits::TEXT_QUANTITIES;
        notes::resolve(self.clean(), &mut found.figures);
        found.figures.iter_mut().for_each(|figure| self.place(figure));
        found.trends.iter_mut().for_each(|trend| self.place_trend(trend));
        found
    }

    /// A line of its own that ends like no sentence: a title for what stands below.
    fn is_title(&self, sentence: &Sentence) -> bool {
        const TOKENS: usize = 14;
        let breaks = |at: Option<usize>| {
            let kind = at.and_then(|at| self.tokens.get(at)).map(|token| token.kind);
            matches!(
                kind,
                None | Some(
                    tokens::Kind::Break
                        | tokens::Kind::Blank
                        | tokens::Kind::Heading
                        | tokens::Kind::Bullet
                )
            )
        };
        let last = sentence.tokens.end.checked_sub(1).and_then(|at| self.tokens.get(at));
        let ended = last.is_some_and(|token| {
            matches!(token.kind, tokens::Kind::Mark(b'.' | b'!' | b'?' | b'|'))
        });
        sentence.place == Place::Heading
            || sentence.place == Place::Prose
                && sentence.tokens.len() <= TOKENS
                && !ended
                && breaks(sentence.tokens.start.checked_sub(1))
                && breaks(Some(sentence.tokens.end))
    }

    fn place_trend(&self, trend: &mut Trend) {
        let place = |span: &mut Span| *span = self.original_span(*span);
        place(&mut trend.span);
        trend.metric.iter_mut().for_each(|word| place(&mut word.span));
        trend.entity_span.iter_mut().for_each(place);
        trend.vague_time.iter_mut().for_each(place);
        if let Some(period) = &mut trend.period {
            place(&mut period.span);
        }
    }

    /// From the clean text to the original.
    fn place(&self, figure: &mut Figure) {
        let place = |span: &mut Span| *span = self.original_span(*span);
        let quantity = &mut figure.quantity;
        place(&mut quantity.span);
        quantity.unit_span.iter_mut().for_each(place);
        quantity.noun.iter_mut().for_each(place);
        quantity.per.iter_mut().for_each(place);
        figure.metric.iter_mut().for_each(|word| place(&mut word.span));
        figure.entity_span.iter_mut().for_each(place);
        figure.reporter.iter_mut().for_each(place);
        figure.vague_time.iter_mut().for_each(place);
        for period in [&mut figure.period, &mut figure.reporter_period].into_iter().flatten() {
            place(&mut period.span);
        }
        if let Some(citation) = &mut figure.citation {
            place(&mut citation.span);
            place(&mut citation.source);
            citation.value.iter_mut().for_each(place);
            if let Some(period) = &mut citation.period {
                place(&mut period.span);
            }
        }
    }

    /// The words that are names wherever they stand, sorted: they have a capital inside a sentence,
    /// or own something at its start.
    pub fn names(&self) -> Vec<Term> {
        let mut names: Vec<Term> = Vec::new();
        self.add_names(&mut names);
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Adds the [names](Self::names) in the order of the text, as often as they stand there.
    pub fn add_names(&self, names: &mut Vec<Term>) {
        names.reserve(16);
        let bytes = self.clean().as_bytes();
        let small = |token: &Token| {
            let first = bytes.get(token.start());
            first.is_some_and(|it| it.is_ascii_lowercase() || *it < b'A')
        };
        for segment in &self.segments {
            let own = self.tokens.get(segment.tokens.clone()).unwrap_or_default();
            // Most words are told by one look.
            let large = own.iter().zip(segment.tokens.clone()).filter(|it| !small(it.0));
            for (token, at) in large {
                let word = self.word(at);
                if !word.starts_with(char::is_uppercase) {
                    continue;
                }
                let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
                let opens = before.is_some_and(|token| {
                    matches!(token.kind, tokens::Kind::Mark(b'|' | b':' | b'(' | b'"' | b'='))
                });
                let owns = at == segment.tokens.start && word.ends_with("'s");
                if !opens && self.is_name(segment, at) || owns {
                    names.push(Term::new(token.stem));
                }
            }
        }
    }
}

/// What has been read so far.
#[derive(Debug, Default)]
struct State {
    carried: Carried,
    found: Figures,
    /// Where the figures of the sentence before begin.
    last: usize,
    /// "Source: …" at the head of the text.
    ahead: Option<Citation>,
}

impl State {
    fn read(
        &mut self,
        reading: &Reading<'_>,
        sentence: &Sentence,
        pieces: &[Piece<'_>],
        marks: &Marks,
    ) {
        let before = self.found.figures.len();
        let known = !self.carried.entity.is_empty();
        let read = reach::Sentence::new(reading.clean(), pieces, marks, known);
        let values = read.values();
        let span = reading.span_of(sentence.tokens.clone()).unwrap_or_default();
        let row = table::is_row(pieces);
        if !row {
            self.carried.columns.clear();
        }
        if values.is_empty() {
            if row {
                self.carried.columns = table::head(pieces, marks);
            } else if reading.is_title(sentence) {
                self.carried.enter(pieces, marks);
            } else {
                self.without_values(&read, sentence, span);
            }
        } else {
            if sentence.place == Place::Prose && !row && is_prose(pieces) {
                self.carried.heading_period = None;
            }
            let trend = if sentence.question || row {
                None
            } else {
                trend::beside_values(&read, &self.carried)
            };
            self.found.trends.extend(trend.map(|it| Trend { sentence: span, ..it }));
            read.figures(&values, &mut self.carried, &mut self.found.figures);
            self.carried.thing = None;
        }
        self.carried.last_period = read.any_period().or(self.carried.last_period);
        self.cite_above(before, pieces, marks, reading.clean());
        for figure in self.found.figures.get_mut(before..).unwrap_or_default() {
            figure.sentence = span;
            figure.hypothetical |= sentence.question;
        }
    }

    /// A sentence that only says whom the next is about, or what rises or falls.
    fn without_values(&mut self, read: &reach::Sentence<'_, '_>, sentence: &Sentence, span: Span) {
        if !sentence.question
            && let Some(trend) = trend::trend(read, &self.carried)
        {
            self.found.trends.push(Trend { sentence: span, ..trend });
        }
        // Whom the sentence right before names is meant; one named earlier may be.
        match read.mentions.first() {
            Some(mention) => {
                self.carried.entity.clone_from(&mention.terms);
                self.carried.entity_span = Some(mention.span);
                self.carried.loose = false;
            }
            None => self.carried.loose = true,
        }
        self.carried.thing =
            if read.mentions.is_empty() { names::thing(read.pieces) } else { None };
    }

    /// "Source: …" in a sentence of its own is of the figures right above.
    fn cite_above(&mut self, before: usize, pieces: &[Piece<'_>], marks: &Marks, clean: &str) {
        let opening = pieces.iter().find(|piece| !matches!(piece.kind, Kind::Mark(_)));
        let alone = before == self.found.figures.len();
        // The mark of a note behind a full stop belongs to what stands before it; at the start of a
        // line it is the note itself.
        let heads = |it: &Citation| {
            let line = clean.get(..it.span.start()).unwrap_or_default();
            let line = line.trim_end_matches(' ');
            line.is_empty() || line.ends_with('\n')
        };
        let cited = match opening.map(|piece| piece.kind) {
            Some(Kind::Source(at)) => marks.citations.get(at).copied(),
            _ => None,
        };
        let cited = cited.filter(|it| if pieces::is_note(it) { !heads(it) } else { alone });
        // With no figure above it heads those below.
        let note = cited.filter(|it| it.kind == CitationKind::SourceNote && before == 0);
        self.ahead = note.or(self.ahead);
        let uncited = |it: &&mut Figure| it.citation.is_none() && it.reporter.is_none();
        let below = self.found.figures.get_mut(before..).unwrap_or_default().iter_mut();
        below.filter(uncited).for_each(|it| it.citation = self.ahead);
        if cited.is_some() {
            let above =
                self.found.figures.get_mut(self.last..before).unwrap_or_default().iter_mut();
            above.filter(uncited).for_each(|it| it.citation = cited);
        }
        self.last = before;
    }
}

/// True for a sentence with a verb; "Exports: 5 m" is an entry of a list.
fn is_prose(pieces: &[Piece<'_>]) -> bool {
    let verb = |piece: &Piece<'_>| {
        use meaning::Meaning::{Down, Links, Reports, ReportsOwn, Up};
        matches!(piece.kind, Kind::Known(Links | Up | Down | Reports | ReportsOwn))
    };
    pieces.iter().any(verb)
}

impl Carried {
    /// Enters a part of the text under a title.
    fn enter(&mut self, pieces: &[Piece<'_>], marks: &Marks) {
        if let Some((entity, span, loose)) = names::titled(pieces) {
            (self.entity, self.entity_span, self.loose) = (entity, Some(span), loose);
        }
        self.thing = None;
        self.metric.clear();
        self.heading_period = pieces.iter().find_map(|piece| match piece.kind {
            Kind::Period(at) => marks.periods.get(at).copied(),
            // "Oman - 2013": after a dash elsewhere it would be a number.
            Kind::Value(_) | Kind::Word(_) => year(piece),
            _ => None,
        });
    }
}

/// Four digits that can only be a year.
fn year(piece: &Piece<'_>) -> Option<Period> {
    let digits = piece.text.trim_start_matches(['-', '\u{2013}', ' ']);
    let year: i16 = digits.parse().ok().filter(|year| (1900..2100).contains(year))?;
    let days = Date::new(year, 1, 1).ok().zip(Date::new(year, 12, 31).ok());
    Some(Period {
        span: piece.span,
        grain: Grain::Year,
        dates: days,
        fiscal: false,
        ambiguous: false,
    })
}

/// The period a citation dates its figure by, rather than itself.
fn cited_period(citation: &Citation) -> Option<Period> {
    matches!(citation.kind, CitationKind::Extraction | CitationKind::AuthorYear)
        .then_some(citation.period)
        .flatten()
}
