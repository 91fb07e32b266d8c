//! A sentence of a document, with where it stands and what it speaks for.

use jiff::civil::Date;
use rebuttal_model::{Passage, PassageId, Place, Span};
use rebuttal_semantics::Embedding;

/// A sentence as it stands in a document, and what it speaks for.
#[derive(Clone, Debug)]
pub struct Quote {
    /// The words, literally.
    pub text: String,
    /// The passage they stand in.
    pub passage: PassageId,
    /// The document.
    pub document: String,
    /// Where in it.
    pub place: Place,
    /// When it was written, where the document says so.
    pub date: Option<Date>,
    /// Who says so, where the document does.
    pub source: Option<String>,
    /// Which answer it speaks for, by its number.
    pub side: usize,
    /// How strongly: the reader's certainty, how near it is to the question, how well it is supported and how
    /// recent it is.
    pub weight: f64,
    /// What it means.
    pub(crate) vector: Option<Embedding>,
}

impl Quote {
    /// The words in quotation marks with their place, source and date: the form in which it is said. It is
    /// the same wherever the quote is said, so that whoever hears it knows which it is.
    pub fn said(&self) -> String {
        let from = match (&self.source, self.date) {
            (Some(source), Some(date)) => format!("; {source}, {date}"),
            (Some(source), None) => format!("; {source}"),
            (None, Some(date)) => format!("; {date}"),
            (None, None) => String::new(),
        };
        format!("“{}” ({}, {}{from})", self.text, self.document, self.place)
    }
}

/// Where a stretch of a passage stands in the document.
pub(crate) fn place(passage: &Passage, span: Span) -> Place {
    let Place::Lines(first, last) = passage.place else { return passage.place };
    let lines = |end: usize| {
        let before = passage.text.get(..end).unwrap_or_default();
        u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX)
    };
    let from = first.saturating_add(lines(span.start())).min(last);
    Place::Lines(from, first.saturating_add(lines(span.end())).clamp(from, last))
}
