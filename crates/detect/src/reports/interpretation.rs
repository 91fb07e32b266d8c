//! Conflicting interpretations: rising and falling, safe and unsafe, adopt and avoid.
//!
//! Statements on the same matter are found by their words, and judged as a pair is: by negation and
//! opposites where the rest agrees, not by lists of good and bad words.

use std::cell::OnceCell;
use std::ops::Range;

use rebuttal_model::{
    AgentId, Cited, Confidence, Contradiction, ContradictionKind, Method, Severity, Side, Span,
    When,
};
use rebuttal_text::{Citation, CitationKind, Reading, Term};

use super::ContradictionOptions;
use super::describe;
use super::judgement::{Judged, judge, read};
use super::statement::Statements;
use crate::Reader;
use crate::relate::{Relation, Statement, relate_read};

/// Words in more statements than this tell no matter.
const COMMON: usize = 64;

/// Most pairs of statements judged for one statement.
const CANDIDATES: usize = 8;

/// From what chance on a model alone is believed: it has no words to point at.
const SURE: f32 = 0.9;

/// Most pairs put to a model. A pair takes it some milliseconds.
const ASKED: usize = 512;

/// One sentence that states something.
pub(super) struct Stated {
    pub(super) report: usize,
    pub(super) agent: usize,
    pub(super) span: Span,
    pub(super) terms: Vec<Term>,
}

/// Statements of different agents that cannot both hold, other than those already found.
pub(super) fn contradictions(
    statements: &Statements<'_>,
    options: &ContradictionOptions,
    reader: Reader<'_>,
) -> Vec<Contradiction> {
    let stated = stated(statements);
    let first = stated.first().map(|it| it.agent);
    if stated.iter().all(|it| Some(it.agent) == first) {
        return Vec::new();
    }
    let shared = Shared::of(&stated);
    if shared.ahead.is_empty() {
        return Vec::new();
    }
    let mut counts = Counts::default();
    // Most sentences have no counterpart, and then nobody asks who else says them.
    let said = OnceCell::new();
    let by_both = |at: usize, one: &Stated, other: usize, two: &Stated| {
        said.get_or_init(|| Said::new(&stated, statements)).by_both(at, one, other, two)
    };
    // Two trends have been compared as such.
    let trends = places(statements.trends.iter().map(|it| (it.report, it.trend.sentence)));
    let trend = |it: &Stated| trends.binary_search(&(it.report, it.span)).is_ok();
    // Each sentence is read when it is first judged, and then known.
    let reads: Vec<OnceCell<Option<Box<Statement<'_>>>>> =
        stated.iter().map(|_| OnceCell::new()).collect();
    let known = |at: usize, it: &Stated| -> Option<&Statement<'_>> {
        let own = || read(without_marks(statements.text(it.report, it.span))).map(Box::new);
        reads.get(at)?.get_or_init(own).as_deref()
    };
    let mut ledger = Ledger { used: vec![None; stated.len()], found: Vec::new() };
    let mut open = Vec::new();
    for (at, one) in stated.iter().enumerate() {
        counts.take_candidates(at, one, &stated, &shared);
        for &(_, other) in counts.best.iter().take(CANDIDATES) {
            let Some(two) = stated.get(other) else { continue };
            if ledger.has(at, other) || trend(one) && trend(two) || by_both(at, one, other, two) {
                continue;
            }
            let (Some(a), Some(b)) = (known(at, one), known(other, two)) else { continue };
            match judge(a, b) {
                Judged::Conflict(by_rules) => {
                    // What the rules see, a model may take back.
                    let found = relate_read(&[(a, b)], reader).pop().unwrap_or(by_rules);
                    if found.contradicts() {
                        ledger.put((at, one), (other, two), &found, &stated);
                    }
                }
                Judged::Open => open.push(((at, one, a), (other, two, b))),
                Judged::Apart => {}
            }
        }
    }
    if reader.models().is_some() {
        ask(reader, open, &stated, &mut ledger);
    }
    let told = ledger.found.iter().map(|found| {
        let sides: Vec<(&Stated, Span)> =
            found.sides.iter().filter_map(|(at, span)| Some((stated.get(*at)?, *span))).collect();
        let told = describe(&sides, found.why, found.chance, statements, options);
        Contradiction { method: found.by, ..told }
    });
    told.collect()
}

/// Statements that cannot all hold.
struct Found {
    /// Each by its place among the statements, with the words of it that decide; one of each agent.
    sides: Vec<(usize, Span)>,
    why: &'static str,
    chance: f64,
    by: Method,
}

/// What was found, each statement once: who contradicts one that is in a dispute already joins it, so
/// that three agents on one matter get one ruling.
struct Ledger {
    used: Vec<Option<usize>>,
    found: Vec<Found>,
}

impl Ledger {
    fn dispute(&self, at: usize) -> Option<usize> {
        self.used.get(at).copied().flatten()
    }

    /// True when both have been told.
    fn has(&self, one: usize, two: usize) -> bool {
        self.dispute(one).is_some() && self.dispute(two).is_some()
    }

    /// Takes down that two statements cannot both hold.
    fn put(
        &mut self,
        (at, one): (usize, &Stated),
        (other, two): (usize, &Stated),
        relation: &Relation,
        stated: &[Stated],
    ) {
        let whole = |it: &Stated| Span::new(0, it.span.len());
        let (first, second) = relation.at.unwrap_or_else(|| (whole(one), whole(two)));
        let known = self.dispute(at).or_else(|| self.dispute(other));
        let number = known.unwrap_or(self.found.len());
        if known.is_none() {
            let (why, chance) = (relation.why, f64::from(relation.confidence));
            self.found.push(Found { sides: Vec::new(), why, chance, by: relation.method });
        }
        let Some(dispute) = self.found.get_mut(number) else { return };
        for (at, span) in [(at, first), (other, second)] {
            let agent = |at: usize| stated.get(at).map(|it| it.agent);
            if dispute.sides.iter().all(|side| agent(side.0) != agent(at)) {
                dispute.sides.push((at, span));
            }
            if let Some(used) = self.used.get_mut(at) {
                *used = Some(number);
            }
        }
    }
}

/// A statement that was read, with its place among the others.
type Known<'s> = (usize, &'s Stated, &'s Statement<'s>);

/// Puts the pairs that rules leave open to a model, in one batch.
fn ask(
    reader: Reader<'_>,
    open: Vec<(Known<'_>, Known<'_>)>,
    stated: &[Stated],
    ledger: &mut Ledger,
) {
    let free = |ledger: &Ledger, one: usize, two: usize| {
        ledger.dispute(one).or_else(|| ledger.dispute(two)).is_none()
    };
    let asked = open.into_iter().filter(|(one, two)| free(ledger, one.0, two.0));
    let asked: Vec<_> = asked.take(ASKED).collect();
    let pairs: Vec<_> = asked.iter().map(|(one, two)| (one.2, two.2)).collect();
    for ((one, two), found) in asked.into_iter().zip(relate_read(&pairs, reader)) {
        let sure = found.contradicts() && found.confidence >= SURE;
        if sure && free(ledger, one.0, two.0) {
            ledger.put((one.0, one.1), (two.0, two.1), &found, stated);
        }
    }
}

/// Who says which words. What an agent says too, it does not contradict.
struct Said {
    words: Vec<u64>,
    /// With who says them, sorted.
    by: Vec<(u64, usize)>,
}

impl Said {
    fn new(stated: &[Stated], statements: &Statements<'_>) -> Self {
        let words: Vec<u64> = stated
            .iter()
            .map(|it| {
                let text = statements.text(it.report, it.span);
                // Numbers are compared as figures: "Table 3 has it" and "Table 4 has it" say the same.
                let letters = text.bytes().filter(u8::is_ascii_alphabetic);
                // FNV-1a: a letter costs two instructions.
                letters.fold(0xcbf2_9ce4_8422_2325, |state: u64, byte| {
                    (state ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
                })
            })
            .collect();
        let mut by: Vec<(u64, usize)> =
            words.iter().zip(stated).map(|(words, it)| (*words, it.agent)).collect();
        by.sort_unstable();
        Self { words, by }
    }

    fn by_both(&self, at: usize, one: &Stated, other: usize, two: &Stated) -> bool {
        let says = |at: usize, agent: usize| {
            self.words.get(at).is_some_and(|words| self.by.binary_search(&(*words, agent)).is_ok())
        };
        says(at, two.agent) || says(other, one.agent)
    }
}

/// The sentences with a claim of the speaker's own.
pub(super) fn stated(statements: &Statements<'_>) -> Vec<Stated> {
    let mut out: Vec<Stated> = Vec::new();
    // What has a value has been compared as a figure.
    let compared = places(statements.figures.iter().map(|it| (it.report, it.figure.sentence)));
    for (report, reading) in statements.readings.iter().enumerate() {
        let agent = statements.agents.get(report).copied().unwrap_or(report);
        let stated = reading.stated(|span| compared.binary_search(&(report, span)).is_err());
        out.extend(stated.into_iter().map(|(span, terms)| Stated { report, agent, span, terms }));
    }
    out
}

/// Sentences by report and place, sorted.
fn places(all: impl Iterator<Item = (usize, Span)>) -> Vec<(usize, Span)> {
    let mut places: Vec<(usize, Span)> = all.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Words that several statements have. Most words are in one only, and are passed over here once
/// instead of being looked for again for each statement.
struct Shared {
    /// Which statements have a word, by word and place, sorted.
    index: Vec<(Term, usize)>,
    /// For a statement, where in the index the later ones with one of its words stand; sorted.
    ahead: Vec<(usize, Range<usize>)>,
}

impl Shared {
    fn of(stated: &[Stated]) -> Self {
        let mut index = Vec::with_capacity(stated.iter().map(|it| it.terms.len()).sum());
        for (at, it) in stated.iter().enumerate() {
            index.extend(it.terms.iter().map(|term| (*term, at)));
        }
        index.sort_unstable();
        let mut ahead = Vec::new();
        let mut start = 0;
        for run in index.chunk_by(|a, b| a.0 == b.0) {
            let end = start + run.len();
            if (2..=COMMON).contains(&run.len()) {
                let later = start + 1..end;
                ahead.extend(run.iter().zip(later).map(|(it, from)| (it.1, from..end)));
            }
            start = end;
        }
        ahead.sort_unstable_by_key(|it| it.0);
        Self { index, ahead }
    }

    /// The later statements that share a word with the one at a place, once for each word.
    fn later(&self, at: usize) -> impl Iterator<Item = usize> {
        let from = self.ahead.partition_point(|it| it.0 < at);
        let own =
            self.ahead.get(from..).unwrap_or_default().iter().take_while(move |it| it.0 == at);
        own.flat_map(|it| self.index.get(it.1.clone()).unwrap_or_default()).map(|it| it.1)
    }
}

/// How many words the later statements share with one; kept from one to the next.
#[derive(Default)]
struct Counts {
    /// Statements with one of its words, once for each.
    seen: Vec<usize>,
    /// How many words are shared, and by which statement.
    best: Vec<(usize, usize)>,
}

impl Counts {
    /// Later statements of other agents that share enough words, the fullest overlap first.
    fn take_candidates(&mut self, at: usize, one: &Stated, stated: &[Stated], shared: &Shared) {
        self.seen.clear();
        self.seen.extend(shared.later(at));
        self.seen.sort_unstable();
        self.best.clear();
        let runs = self.seen.chunk_by(|a, b| a == b);
        self.best.extend(runs.filter_map(|run| Some((run.len(), *run.first()?))));
        self.best.retain(|(shared, other)| {
            stated.get(*other).is_some_and(|two| {
                let shorter = one.terms.len().min(two.terms.len());
                // Each may have one word of its own ("recommend", "team"), not a subject.
                let alone = (one.terms.len() - shared).min(two.terms.len() - shared);
                two.agent != one.agent && shared * 2 >= shorter && alone < 2
            })
        });
        self.best.sort_by_key(|(shared, other)| (std::cmp::Reverse(*shared), *other));
    }
}

/// Sentences that cannot all hold, each with the words of it that decide.
pub(super) fn describe(
    stated: &[(&Stated, Span)],
    why: &str,
    chance: f64,
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Contradiction {
    let read = |it: &Stated| Reading::new(statements.text(it.report, it.span));
    let side = |(it, span): &(&Stated, Span)| side(it, *span, &read(it), statements);
    let sides: Vec<Side> = stated.iter().map(side).collect();
    let subject = stated.first().map(|(it, span)| subject(&read(it), *span)).unwrap_or_default();
    let stakes = stated.iter().filter_map(|it| statements.stakes(it.0.report, it.0.span)).max();
    let said: Vec<String> = sides
        .iter()
        .map(|side| format!("{} says \u{201c}{}\u{201d}", side.agent, side.shown))
        .collect();
    Contradiction {
        id: describe::id(ContradictionKind::Interpretation, &sides),
        kind: ContradictionKind::Interpretation,
        metric_name: describe::slug(None, &subject),
        explanation: format!("On {subject}: {}: {why}.", said.join(", ")),
        metric: subject,
        entity: None,
        unit: None,
        relative_difference: None,
        severity: describe::weighed(Severity::High, stakes.unwrap_or(options.stakes)),
        confidence: Confidence::detector(chance),
        method: Method::Rules,
        apart: None,
        tolerance: None,
        sides,
    }
}

/// What it is about: the words before those that decide, else those behind.
fn subject(sentence: &Reading<'_>, deciding: Span) -> String {
    const WORDS: usize = 6;
    let words = sentence.content().words;
    let content = || words.iter().filter(|it| it.content);
    let before: Vec<Span> =
        content().map(|it| it.span).take_while(|it| it.end() <= deciding.start()).collect();
    let other = content().map(|it| it.span).filter(|it| !it.overlaps(deciding));
    let about = if before.is_empty() { other.take(WORDS).collect() } else { before };
    let last = about.iter().take(WORDS).copied().reduce(Span::join);
    let text = last.and_then(|span| span.of(sentence.original())).unwrap_or("this");
    text.to_owned()
}

/// A sentence without the marks of notes at its end, which say nothing of its matter.
fn without_marks(sentence: &str) -> &str {
    let mut text = sentence.trim_end();
    loop {
        let bracket = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let bracket =
            bracket.filter(|it| it.1.trim_start_matches('^').chars().all(char::is_numeric));
        let plain = text.trim_end_matches(|c: char| c.is_numeric() && !c.is_ascii());
        let caret = text.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('^');
        let next = bracket.map(|it| it.0).or(caret).unwrap_or(plain);
        if next.len() == text.len() {
            return text;
        }
        text = next.trim_end();
    }
}

/// What the sentence cites; where that is the mark of a note, in it or right behind it, the note.
fn cited(stated: &Stated, reading: &Reading<'_>, statements: &Statements<'_>) -> Option<Cited> {
    let own = reading.citations().first().map(|it| (*it, reading.original()));
    let text = statements.reports.get(stated.report).map_or("", |it| it.text.as_str());
    let is_note =
        |it: &Citation| matches!(it.kind, CitationKind::Numbered | CitationKind::Footnote);
    let mark = match &own {
        Some((citation, quote)) => citation.source.of(quote).filter(|_| is_note(citation)),
        None => mark_behind(text, stated.span),
    };
    let note = mark.and_then(|mark| statements.notes(stated.report)?.of_mark(mark).copied());
    let (citation, text) = note.map(|it| (it, text)).or(own)?;
    let part = |span: Span| span.of(text).unwrap_or_default().to_owned();
    Some(Cited {
        text: part(citation.span),
        source: Some(part(citation.source)),
        period: citation.period.map(|it| When { text: part(it.span), days: it.dates }),
        quotes_value: citation.value.is_some(),
        locator: false,
    })
}

/// The mark of a note between the end of a sentence and the next: `is safe.[^1]`.
fn mark_behind(text: &str, sentence: Span) -> Option<&str> {
    const BYTES: usize = 12;
    let (before, behind) = text.split_at_checked(sentence.end())?;
    // With the full stop that it stands behind.
    let stop = before.chars().next_back()?.len_utf8();
    let line = behind.lines().next()?;
    let length = (0..=line.len().min(BYTES)).rev().find(|at| line.is_char_boundary(*at))?;
    let around = text.get(sentence.end() - stop..sentence.end() + length)?;
    let found = *Reading::new(around).citations().first()?;
    let leads = around.get(stop..found.span.start()).is_some_and(|it| it.trim().is_empty());
    let is_note = matches!(found.kind, CitationKind::Numbered | CitationKind::Footnote);
    found.source.of(around).filter(|_| leads && is_note)
}

fn side(stated: &Stated, span: Span, reading: &Reading<'_>, statements: &Statements<'_>) -> Side {
    let report = statements.reports.get(stated.report);
    let quote = reading.original().to_owned();
    let shown_span = span.shifted(stated.span.start());
    let cited = cited(stated, reading, statements);
    let period = reading.periods().first().map(|period| When {
        text: period.span.of(&quote).unwrap_or_default().to_owned(),
        days: period.dates,
    });
    Side {
        agent: report.map_or_else(|| AgentId::new(""), |it| it.agent.clone()),
        report: stated.report,
        span: stated.span,
        shown: statements.text(stated.report, shown_span).to_owned(),
        shown_span,
        quote,
        value: None,
        period,
        citation: cited,
        confidence: statements.confidence(stated.report, stated.span).map(|it| it.0),
        source: report.and_then(|it| it.source.clone()),
    }
}
