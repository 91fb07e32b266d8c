//! Figures: a value, what it is a value of, of whom, when, and who says so.
//!
//! "In 2017, the jobless rate in Qatar stood at 0.1 %, the World Bank reports" is the value 0.1 %
//! of the unemployment rate of Qatar for 2017. Two figures can be compared only when all of that
//! is the same, so all of it is read here, and what a sentence leaves out ("It rose to 0.2 % in
//! 2018.") is taken from the ones before.

mod meaning;
mod pieces;
mod reach;
#[cfg(test)]
mod tests;

use rebuttal_model::Span;

use crate::citations::{Citation, CitationKind, citations};
use crate::claims::Term;
use crate::periods::{Period, periods};
use crate::quantities::{Quantity, Value, quantities_beside};
use crate::reading::Reading;
use crate::sentences::Place;
use pieces::Piece;

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
}

/// A value that a text gives for something. All spans are of the original text.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The number as written.
    pub quantity: Quantity,
    /// The value, with the sign that the words give it: a deficit of 3 is −3.
    pub value: Value,
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
    /// The year whose money it is given in: "in 2017 dollars".
    pub base: Option<u16>,
    /// The citation that belongs to it.
    pub citation: Option<Citation>,
    /// Who says so, where the sentence does ("the World Bank puts …") without a citation.
    pub reporter: Option<Span>,
    /// True when the sentence is somebody's wish, plan or question, not a statement of fact.
    pub hypothetical: bool,
}

/// What a sentence may leave out because another said it.
#[derive(Debug, Default)]
struct Carried {
    metric: Vec<MetricWord>,
    entity: Vec<Term>,
    entity_span: Option<Span>,
    loose: bool,
    /// A heading names it, so that it holds until the next heading.
    heading_period: Option<Period>,
}

impl Reading<'_> {
    /// The figures of the text, in order.
    pub fn figures(&self) -> Vec<Figure> {
        let times = periods(self.clean());
        let numbers = quantities_beside(self.clean(), &times);
        if numbers.is_empty() {
            return Vec::new();
        }
        let cited = citations(self.clean());
        let marks = pieces::Marks { quantities: &numbers, periods: &times, citations: &cited };
        let names = self.names_within();
        let mut cursor = pieces::Cursor::default();
        let mut carried = Carried::default();
        let mut found: Vec<Figure> = Vec::new();
        // Where the figures of the sentence before begin.
        let mut last = 0;
        for sentence in &self.sentences {
            if sentence.place == Place::Quoted {
                continue;
            }
            let pieces = pieces::pieces(self, sentence, &marks, &names, &mut cursor);
            let before = found.len();
            reach::figures(&pieces, &marks, &mut carried, &mut found);
            if let (true, Some(citation)) =
                (before == found.len(), opening_citation(&pieces, &cited))
            {
                let uncited = |it: &&mut Figure| it.citation.is_none() && it.reporter.is_none();
                let above = found.get_mut(last..).unwrap_or_default().iter_mut();
                above.filter(uncited).for_each(|it| it.citation = Some(citation));
            }
            last = before;
            let hypothetical = sentence.question;
            let span = self.span_of(sentence.tokens.clone()).unwrap_or_default();
            for figure in found.get_mut(before..).unwrap_or_default() {
                figure.sentence = span;
                figure.hypothetical |= hypothetical;
            }
            if sentence.place == Place::Heading || is_title(&pieces) {
                carried.enter_heading(&pieces, &marks);
            }
        }
        found.iter_mut().for_each(|figure| self.place(figure));
        found
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
        if let Some(period) = &mut figure.period {
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

    /// The words that are written with a capital inside a sentence, sorted: at the start of another
    /// they are names too.
    fn names_within(&self) -> Vec<Term> {
        let mut names: Vec<Term> = Vec::new();
        for segment in &self.segments {
            for at in segment.tokens.clone() {
                if self.is_name(segment, at)
                    && let Some(token) = self.tokens.get(at)
                {
                    names.push(Term::new(token.stem));
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The source that a sentence without figures opens with: "Source: …" is of what was said above.
fn opening_citation(pieces: &[Piece<'_>], citations: &[Citation]) -> Option<Citation> {
    let first = pieces.iter().find(|piece| !matches!(piece.kind, pieces::Kind::Mark(_)))?;
    match first.kind {
        pieces::Kind::Source(at) => citations.get(at).copied(),
        _ => None,
    }
}

/// A line that only says what the next ones are about: "Qatar:", "Results for 2023:".
fn is_title(pieces: &[Piece]) -> bool {
    const WORDS: usize = 8;
    let ends = pieces.last().is_some_and(|piece| piece.kind == pieces::Kind::Mark(b':'));
    ends && pieces.len() <= WORDS
}

impl Carried {
    fn enter_heading(&mut self, pieces: &[Piece], marks: &pieces::Marks<'_>) {
        let (entity, span) = reach::entity(pieces);
        if !entity.is_empty() {
            (self.entity, self.entity_span, self.loose) = (entity, span, false);
        }
        self.metric.clear();
        self.heading_period = pieces.iter().find_map(|piece| match piece.kind {
            pieces::Kind::Period(at) => marks.periods.get(at).copied(),
            _ => None,
        });
    }
}

/// The period a citation dates its figure by, rather than itself.
fn cited_period(citation: &Citation) -> Option<Period> {
    matches!(citation.kind, CitationKind::Extraction | CitationKind::AuthorYear)
        .then_some(citation.period)
        .flatten()
}
