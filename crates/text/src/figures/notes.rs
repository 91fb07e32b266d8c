//! What a numbered note stands for: the entry of that number in a list of references.

use rebuttal_model::Span;

use super::Figure;
use super::pieces::is_note;
use crate::citations::brackets::is_raised;
use crate::citations::{Citation, CitationKind};
use crate::periods::{Period, periods};
use crate::reading::Reading;

/// Most entries that are looked at.
const ENTRIES: usize = 256;

/// Names the sources of figures that cite a number, where the text lists them.
pub(super) fn resolve(clean: &str, figures: &mut [Figure]) {
    let marked = |it: &Figure| it.citation.as_ref().is_some_and(is_note);
    if !figures.iter().any(marked) {
        return;
    }
    let notes = Notes::of(clean);
    for citation in figures.iter_mut().filter_map(|it| it.citation.as_mut()) {
        let mark = citation.source.of(clean).filter(|_| is_note(citation));
        if let Some(note) = mark.and_then(|mark| notes.of_mark(mark)) {
            *citation = Citation { value: citation.value, ..*note };
        }
    }
}

/// The notes at the end of a text, by what they are called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    entries: Vec<(String, Citation)>,
}

impl Notes {
    fn of(clean: &str) -> Self {
        Self { entries: entries(clean).take(ENTRIES).collect() }
    }

    /// The note that a mark stands for; of several, the first: "[1, 2]".
    pub fn of_mark(&self, mark: &str) -> Option<&Citation> {
        let mark = plain(mark);
        let first = mark.split([',', ';', '-', '\u{2013}']).next().unwrap_or_default().trim();
        self.entries.iter().find(|it| it.0 == first).map(|it| &it.1)
    }
}

impl Reading<'_> {
    /// What the marks of notes in the text stand for: `[^1]: World Bank, 2024` at its end.
    pub fn notes(&self) -> Notes {
        let mut notes = Notes::of(self.clean());
        for (_, note) in &mut notes.entries {
            note.span = self.original_span(note.span);
            note.source = self.original_span(note.source);
            if let Some(period) = &mut note.period {
                period.span = self.original_span(period.span);
            }
        }
        notes
    }
}

/// The lines `[1] World Bank, …`, `[^1]: World Bank`, `^1 World Bank` and `¹ World Bank`: what the
/// note is called, and what it says.
fn entries(clean: &str) -> impl Iterator<Item = (String, Citation)> {
    let mut start = 0;
    clean.split('\n').filter_map(move |line| {
        let from = start;
        start += line.len() + 1;
        let (mark, rest) = mark(line.trim_start())?;
        let rest = rest.trim_start_matches([':', '.', ')', ' ']);
        let note = rest.strip_prefix("Source: ").unwrap_or(rest).trim_end();
        let place = from + (note.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        let times = periods(note);
        // A year is no part of a name: "TurkStat 2024".
        let dated = times.first().map_or(note.len(), |it| it.span.start());
        let length = note.find([',', '.', '(', ';', ':']).unwrap_or(note.len()).min(dated);
        let name = note.get(..length)?.trim_end();
        let number = plain(mark);
        let known = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (known && !name.is_empty()).then(|| {
            let shifted = |it: &Period| Period { span: it.span.shifted(place), ..*it };
            let note = Citation {
                span: Span::new(place, place + note.len()),
                kind: CitationKind::SourceNote,
                source: Span::new(place, place + name.len()),
                value: None,
                period: times.last().map(shifted),
            };
            (number, note)
        })
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
