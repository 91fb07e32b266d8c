//! What a numbered note stands for: the entry of that number in a list of references.

use rebuttal_model::Span;

use super::Figure;
use super::pieces::is_note;
use crate::citations::CitationKind;

/// Most entries that are looked at.
const ENTRIES: usize = 256;

/// Names the sources of figures that cite a number, where the text lists them.
pub(super) fn resolve(clean: &str, figures: &mut [Figure]) {
    let noted = |it: &Figure| it.citation.as_ref().is_some_and(is_note);
    if !figures.iter().any(noted) {
        return;
    }
    let entries: Vec<(&str, Span)> = entries(clean).take(ENTRIES).collect();
    for citation in figures.iter_mut().filter_map(|it| it.citation.as_mut()) {
        let number = citation.source.of(clean).filter(|_| is_note(citation));
        let entry = number.and_then(|number| entries.iter().find(|it| it.0 == number));
        if let Some((_, source)) = entry {
            (citation.source, citation.kind) = (*source, CitationKind::SourceNote);
        }
    }
}

/// The lines `[1] World Bank, …`, `[^1]: World Bank`: the number, and where the name stands.
fn entries(clean: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut start = 0;
    clean.split('\n').filter_map(move |line| {
        let from = start;
        start += line.len() + 1;
        let inner = line.trim_start().strip_prefix('[')?;
        let (number, rest) = inner.split_once(']')?;
        let number = number.trim_start_matches('^');
        let name = rest.trim_start_matches([':', ' ']);
        let length = name.find([',', '.', '(', ';']).unwrap_or(name.len());
        let name = name.get(..length)?.trim_end();
        let place = from + (name.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (plain && !name.is_empty()).then(|| (number, Span::new(place, place + name.len())))
    })
}
