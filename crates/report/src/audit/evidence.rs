//! A finding's quotes as a person reads them.

use rebuttal_model::{Finding, Quote};

use crate::audit::Sentences;

/// One place in a debate and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence<'a> {
    /// `file:line`, or the turn where there is no file.
    pub place: String,
    /// What it shows: `position before`, or several things at once.
    pub shows: String,
    /// The words, in their sentence.
    pub words: &'a str,
    /// The first quote of those it stands for, and its number within the finding.
    pub quote: (usize, &'a Quote),
}

/// The quotes in order; those out of the same sentence are shown once.
pub fn evidence<'a>(finding: &'a Finding, sentences: &'a Sentences) -> Vec<Evidence<'a>> {
    let mut evidence: Vec<Evidence<'a>> = Vec::new();
    for (index, quote) in finding.quotes.iter().enumerate() {
        let (place, words) = (place(quote), sentences.of(quote));
        let is_same = |it: &&mut Evidence<'_>| {
            it.quote.1.turn == quote.turn && it.place == place && it.words == words
        };
        if let Some(same) = evidence.iter_mut().find(is_same) {
            if !same.shows.contains(&*quote.shows) {
                same.shows.push_str(", ");
                same.shows.push_str(&quote.shows);
            }
        } else {
            let (shows, quote) = (quote.shows.to_string(), (index, quote));
            evidence.push(Evidence { place, shows, words, quote });
        }
    }
    evidence
}

/// Where a quote stands: a file and line that an editor can open.
pub fn place(quote: &Quote) -> String {
    match &quote.source {
        Some(source) => format!("{}:{}", source.file, source.line),
        None => quote.turn.to_string(),
    }
}
