//! A finding's quotes as a person reads them.

use rebuttal::model::{Finding, Quote};

use crate::audit::Sentences;

/// One place in a debate and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evidence<'a> {
    /// `file:line`, or the turn where there is no file.
    pub(crate) place: String,
    /// What it shows: `position before`, or several things at once.
    pub(crate) shows: String,
    /// The words, in their sentence.
    pub(crate) words: &'a str,
}

/// The quotes in order; neighbours out of the same sentence are shown once.
pub(super) fn evidence<'a>(finding: &'a Finding, sentences: &'a Sentences) -> Vec<Evidence<'a>> {
    let mut evidence: Vec<Evidence<'a>> = Vec::new();
    for quote in finding.quotes.iter() {
        let (place, words) = (place(quote), sentences.of(quote));
        match evidence.last_mut() {
            Some(last) if last.place == place && last.words == words => {
                last.shows.push_str(", ");
                last.shows.push_str(&quote.shows);
            }
            _ => evidence.push(Evidence { place, shows: quote.shows.to_string(), words }),
        }
    }
    evidence
}

/// Where a quote stands: a file and line that an editor can open.
pub(crate) fn place(quote: &Quote) -> String {
    match &quote.source {
        Some(source) => format!("{}:{}", source.file, source.line),
        None => quote.turn.to_string(),
    }
}
