//! What a numbered note stands for: the entry of that number in a list of references.

use rebuttal_model::Span;

use super::Figure;
use super::pieces::is_note;
use crate::citations::brackets::is_raised;
use crate::citations::{Citation, CitationKind};
use crate::periods::{Period, periods};

/// Most entries that are looked at.
const ENTRIES: usize = 256;

/// Names the sources of figures that cite a number, where the text lists them.
pub(super) fn resolve(clean: &str, figures: &mut [Figure]) {
    let noted = |it: &Figure| it.citation.as_ref().is_some_and(is_note);
    if !figures.iter().any(noted) {
        return;
    }
    let notes = Notes::of(clean);
    for citation in figures.iter_mut().filter_map(|it| it.citation.as_mut()) {
        notes.name(citation);
    }
}

/// The notes at the end of a text.
#[derive(Debug)]
pub(super) struct Notes<'t> {
    clean: &'t str,
    /// What a note is called, where its source is named, and where it ends.
    entries: Vec<(String, Span, usize)>,
}

impl<'t> Notes<'t> {
    pub(super) fn of(clean: &'t str) -> Self {
        Self { clean, entries: entries(clean).take(ENTRIES).collect() }
    }

    /// Names the source of a citation that is only the mark of a note, and when it is from.
    pub(super) fn name(&self, citation: &mut Citation) {
        let mark = citation.source.of(self.clean).filter(|_| is_note(citation));
        let Some(mark) = mark.map(plain) else { return };
        // Of several, the first: "[1, 2]".
        let first = mark.split([',', ';', '-', '\u{2013}']).next().unwrap_or_default().trim();
        let entry = self.entries.iter().find(|it| it.0 == first);
        if let Some((_, source, end)) = entry {
            let text = self.clean.get(source.start()..*end).unwrap_or_default();
            let shifted = |it: Period| Period { span: it.span.shifted(source.start()), ..it };
            citation.period = citation.period.or_else(|| periods(text).pop().map(shifted));
            (citation.source, citation.kind) = (*source, CitationKind::SourceNote);
        }
    }
}

/// The lines `[1] World Bank, …`, `[^1]: World Bank`, `^1 World Bank` and `¹ World Bank`: what the
/// note is called, where the name stands, and where the line ends.
fn entries(clean: &str) -> impl Iterator<Item = (String, Span, usize)> {
    let mut start = 0;
    clean.split('\n').filter_map(move |line| {
        let from = start;
        start += line.len() + 1;
        let (mark, rest) = mark(line.trim_start())?;
        let name = rest.trim_start_matches([':', '.', ')', ' ']);
        let name = name.strip_prefix("Source: ").unwrap_or(name);
        // A year is no part of a name: "TurkStat 2024".
        let dated = periods(name).first().map_or(name.len(), |it| it.span.start());
        let length = name.find([',', '.', '(', ';']).unwrap_or(name.len()).min(dated);
        let name = name.get(..length)?.trim_end();
        let place = from + (name.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        let number = plain(mark);
        let known = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (known && !name.is_empty())
            .then(|| (number, Span::new(place, place + name.len()), from + line.len()))
    })
}

/// The mark that a line opens with, and the rest of it.
fn mark(line: &str) -> Option<(&str, &str)> {
    if let Some(inner) = line.strip_prefix('[') {
        return inner.split_once(']');
    }
    let digits = |text: &str, is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    let (line, length) = match line.strip_prefix('^') {
        Some(rest) => (rest, digits(rest, |c| c.is_ascii_digit())),
        None => (line, digits(line, is_raised)),
    };
    line.split_at_checked(length).filter(|it| !it.0.is_empty())
}

/// What a note is called, whether it is raised or not.
fn plain(mark: &str) -> String {
    let plain = |c: char| match c {
        '\u{b9}' => '1',
        '\u{b2}' => '2',
        '\u{b3}' => '3',
        '\u{2070}' => '0',
        '\u{2074}'..='\u{2079}' => char::from_digit(u32::from(c) - 0x2070, 10).unwrap_or(c),
        other => other,
    };
    mark.trim_start_matches('^').chars().map(plain).collect()
}
