//! Each report as it was handed in, beside the same with its notes, line by line so that the two
//! stay side by side.

use maud::{Markup, PreEscaped, html};
use rebuttal_model::{Action, Adjustment, Contradiction, Report, Resolution, Ruling, Side};
use rebuttal_policy::{Piece, read_beside};

use super::super::Reconciled;
use super::super::words::{self, Stands};
use super::PART_BYTES;
use crate::{count, grouped, line, shown};

/// Lines without notes that are shown around one with notes.
const AROUND: usize = 3;
/// Longest run of characters without a note that is shown whole.
const RUN_CHARS: usize = 3_000;
/// Longest report without notes that is shown, in characters.
const WHOLE_CHARS: usize = 20_000;

/// All reports: those with notes in full, the others folded away.
pub(super) fn section(reconciled: &Reconciled<'_>) -> Markup {
    let reports = &reconciled.outcome.consensus.adjusted_reports;
    let (mut noted, mut plain) = (String::new(), String::new());
    let (mut folded, mut left_out) = (0, 0);
    for (index, report) in reports.iter().enumerate() {
        let has_notes = !report.adjustments.is_empty();
        let PreEscaped(text) =
            if has_notes { beside(report, index, reconciled) } else { alone(report) };
        let part = if has_notes { &mut noted } else { &mut plain };
        if part.len() + text.len() > PART_BYTES {
            left_out += 1;
            continue;
        }
        part.push_str(&text);
        folded += usize::from(!has_notes);
    }
    html! {
        section aria-labelledby="reports" {
            h2 id="reports" { "Reports" }
            (PreEscaped(noted))
            @if folded > 0 {
                details {
                    summary { (count(folded, "report")) " without notes" }
                    (PreEscaped(plain))
                }
            }
            @if left_out > 0 {
                p.note {
                    (count(left_out, "further report")) " not shown: the page would be too large to "
                    "read. " code { "--adjusted FILE" } " writes them all."
                }
            }
        }
    }
}

fn heading(report: &Report) -> Markup {
    let place = report.source.as_ref().map(|source| format!("{}:{}", source.file, source.line));
    html! {
        h3 {
            (line(report.agent.as_str()))
            @if let Some(sure) = report.confidence {
                " " span.who { "· confidence " (sure.value()) }
            }
            @if let Some(place) = place { " " span.who { "· " (line(&place)) } }
        }
    }
}

fn alone(report: &Report) -> Markup {
    let mut letters = report.text.char_indices();
    let end = letters.nth(WHOLE_CHARS).map(|(at, _)| at);
    html! {
        article.report {
            (heading(report))
            div.text { (shown(report.text.get(..end.unwrap_or(report.text.len())).unwrap_or_default())) }
            @if end.is_some() { p.note { "The rest of it is left out here." } }
        }
    }
}

fn beside(report: &Report, index: usize, reconciled: &Reconciled<'_>) -> Markup {
    let marks = marks(report, index, reconciled);
    let rows = rows(report);
    html! {
        article.report {
            (heading(report))
            div.beside {
                p.column { "As handed in" }
                p.column { "Adjusted" }
                @for part in parts(&rows) {
                    @match part {
                        Part::Row(row) => {
                            div.text { (original(row, &marks)) }
                            div.text.adjusted.same[row.notes.is_empty()] { (adjusted(row, &marks)) }
                        }
                        Part::Skipped(lines) => p.skipped { (count(lines, "line")) " without notes" }
                    }
                }
            }
        }
    }
}

/// One line of a report, and the notes in it.
#[derive(Debug, Default, PartialEq)]
struct Row<'r> {
    text: &'r str,
    /// Where the line begins in the report's text.
    start: usize,
    /// Each after so many bytes of the line.
    notes: Vec<(usize, String)>,
}

/// The report's lines, each with its notes. All lines together are its text.
fn rows(report: &Report) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut start = 0;
    for text in report.text.split_inclusive('\n') {
        rows.push(Row { text, start, notes: Vec::new() });
        start += text.len();
    }
    let mut at = 0;
    for piece in read_beside(report) {
        match piece {
            Piece::Original(text) => at += text.len(),
            Piece::Note(note) => {
                // At the end of a line, it belongs to that line and not to the next.
                let index = rows.partition_point(|row| row.start < at).saturating_sub(1);
                if let Some(row) = rows.get_mut(index) {
                    row.notes.push((at - row.start, note));
                }
            }
        }
    }
    rows
}

enum Part<'r> {
    Row(&'r Row<'r>),
    Skipped(usize),
}

/// The lines with notes and some around them; how many were left out between.
fn parts<'r>(rows: &'r [Row<'r>]) -> Vec<Part<'r>> {
    let noted: Vec<usize> = (0..rows.len())
        .filter(|at| rows.get(*at).is_some_and(|row| !row.notes.is_empty()))
        .collect();
    let near = |at: usize| {
        let next = noted.partition_point(|noted| noted + AROUND < at);
        noted.get(next).is_some_and(|noted| noted.abs_diff(at) <= AROUND)
    };
    let mut parts = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        match parts.last_mut() {
            _ if near(at) => parts.push(Part::Row(row)),
            Some(Part::Skipped(lines)) => *lines += 1,
            _ => parts.push(Part::Skipped(1)),
        }
    }
    parts
}

/// A sentence that has a note, and what became of it.
#[derive(Clone, Copy, Debug)]
struct Mark {
    start: usize,
    end: usize,
    /// The conflict's number on the page; none for a note of an earlier run.
    number: Option<usize>,
    fate: Fate,
}

/// What a ruling means for a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Upheld,
    RuledOut,
    Kept,
    Disputed,
}

impl Fate {
    fn class(self) -> &'static str {
        match self {
            Self::Upheld => "won",
            Self::RuledOut => "medium",
            Self::Kept => "low",
            Self::Disputed => "high",
        }
    }

    fn of(
        adjustment: &Adjustment,
        report: usize,
        contradiction: &Contradiction,
        ruling: &Resolution,
    ) -> Self {
        match ruling.resolution {
            _ if ruling.action == Action::FlagForReview => Self::Disputed,
            Some(Ruling::BothValid) => Self::Kept,
            Some(Ruling::Correct(_)) => {
                let mut sides = contradiction.sides.iter().enumerate();
                let own = |side: &Side| side.report == report && side.span == adjustment.span;
                let upheld = sides.any(|(at, side)| {
                    own(side) && words::stands(contradiction, ruling, at) != Stands::No
                });
                if upheld { Self::Upheld } else { Self::RuledOut }
            }
            Some(Ruling::NeitherValid) | None => Self::Disputed,
        }
    }
}

fn marks(report: &Report, index: usize, reconciled: &Reconciled<'_>) -> Vec<Mark> {
    let mark = |adjustment: &Adjustment| {
        let mut rulings = reconciled.rulings().enumerate();
        let found = rulings.find(|(_, (it, _))| it.id == adjustment.contradiction);
        let fate =
            found.map_or(Fate::Kept, |(_, (it, ruling))| Fate::of(adjustment, index, it, ruling));
        Mark {
            start: adjustment.span.start(),
            end: adjustment.span.end(),
            number: found.map(|(number, _)| number + 1),
            fate,
        }
    };
    report.adjustments.iter().map(mark).collect()
}

/// The line, with the sentences that have notes marked and numbered.
fn original(row: &Row<'_>, marks: &[Mark]) -> Markup {
    let end = row.start + row.text.len();
    let here: Vec<&Mark> = marks.iter().filter(|it| it.start < end && it.end > row.start).collect();
    let local = |at: usize| at.clamp(row.start, end) - row.start;
    let mut cuts: Vec<usize> = vec![0, row.text.len()];
    cuts.extend(here.iter().flat_map(|mark| [local(mark.start), local(mark.end)]));
    cuts.sort_unstable();
    cuts.dedup();
    let ends = cuts.iter().copied().skip(1);
    html! {
        @for (from, to) in cuts.iter().copied().zip(ends) {
            @let text = row.text.get(from..to).unwrap_or_default();
            @match here.iter().find(|it| local(it.start) <= from && to <= local(it.end)) {
                Some(mark) => mark.(mark.fate.class()) { (run(text)) },
                None => (run(text)),
            }
            @for mark in here.iter().filter(|it| local(it.end) == to && it.end <= end) {
                @if let Some(number) = mark.number {
                    a.back href=(format!("#c{number}")) aria-label=(format!("to conflict {number}")) { (number) }
                }
            }
        }
    }
}

/// The line with its notes.
fn adjusted(row: &Row<'_>, marks: &[Mark]) -> Markup {
    let mut pieces = Vec::new();
    let mut copied = 0;
    for (at, note) in &row.notes {
        let at = (*at).min(row.text.trim_end_matches('\n').len());
        pieces.push((row.text.get(copied..at).unwrap_or_default(), Some(note)));
        copied = at.max(copied);
    }
    pieces.push((row.text.get(copied..).unwrap_or_default(), None));
    let fate = |note: usize| {
        let (at, _) = row.notes.get(note)?;
        let ends = marks.iter().filter(|mark| mark.end == row.start + at);
        let earlier = row.notes.iter().take(note).filter(|(before, _)| before == at).count();
        ends.map(|mark| mark.fate).nth(earlier)
    };
    html! {
        @for (index, (text, note)) in pieces.iter().enumerate() {
            (run(text))
            @if let Some(note) = note {
                " " mark.adjustment.(fate(index).unwrap_or(Fate::Kept).class()) { (line(note.trim())) }
            }
        }
    }
}

/// Text without notes: of a very long run, the two ends.
fn run(text: &str) -> Markup {
    let half = RUN_CHARS / 2;
    let (head, tail) = match text.char_indices().nth(RUN_CHARS) {
        Some(_) => (
            text.char_indices().nth(half).map_or(text.len(), |(at, _)| at),
            text.char_indices().rev().nth(half).map_or(text.len(), |(at, _)| at),
        ),
        None => (text.len(), text.len()),
    };
    let skipped = text.get(head..tail).map_or(0, |between| between.chars().count());
    html! {
        (shown(text.get(..head).unwrap_or_default()))
        @if skipped > 0 {
            span.skipped { " … " (grouped(skipped)) " characters … " }
            (shown(text.get(tail..).unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use rebuttal_model::{AgentId, Arbiter, FindingId, Span};

    use super::*;

    fn report(text: &str, spans: &[(usize, usize)]) -> Report {
        let mut report = Report::new(AgentId::new("a"), text);
        for (start, end) in spans {
            let span = Span::new(*start, *end);
            report.adjustments.push(Adjustment {
                contradiction: FindingId::new("r-1"),
                span,
                original: span.of(text).unwrap_or_default().to_owned(),
                note: "Disputed.".to_owned(),
                recommended_value: None,
                by: Arbiter::Rules,
                why: String::new(),
            });
        }
        report
    }

    #[test]
    fn notes_stand_in_their_lines() {
        let report = report("one.\ntwo. three.\nfour.", &[(5, 9), (10, 16), (17, 22)]);
        let rows = rows(&report);
        let notes: Vec<Vec<usize>> =
            rows.iter().map(|row| row.notes.iter().map(|(at, _)| *at).collect()).collect();
        assert_eq!(notes, [vec![], vec![4, 11], vec![5]]);
        assert_eq!(rows.iter().map(|row| row.text).collect::<String>(), report.text);
    }

    #[test]
    fn long_stretches_are_left_out() {
        let text = "a\n".repeat(100);
        let noted = report(&text, &[(100, 101)]);
        let rows = rows(&noted);
        let parts: Vec<usize> = parts(&rows)
            .into_iter()
            .map(|part| if let Part::Skipped(lines) = part { lines } else { 0 })
            .collect();
        assert_eq!(parts, [47, 0, 0, 0, 0, 0, 0, 0, 46]);
        let PreEscaped(run) = run(&"é".repeat(10_000));
        assert!(run.contains(" … 7,000 characters … ") || run.contains("6,999"), "{run}");
    }
}
