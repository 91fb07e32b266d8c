//! What the reports say, read once.

use std::cell::OnceCell;

use rayon::prelude::*;
use rebuttal_model::{Confidence, Given, Report, Severity, Span};
use rebuttal_text::{Figure, Figures, Marks, MetricWord, Notes, Reading, Term, Trend};

use super::describe;
use crate::same;

/// A figure of one report.
#[derive(Debug)]
pub(super) struct Statement {
    /// The place of the report in the list.
    pub(super) report: usize,
    /// Whose, by the first report of the same agent.
    pub(super) agent: usize,
    pub(super) figure: Figure,
    /// What is measured, sorted.
    pub(super) metric: Vec<Term>,
}

/// A trend of one report.
#[derive(Debug)]
pub(super) struct TrendOf {
    pub(super) report: usize,
    pub(super) agent: usize,
    pub(super) trend: Trend,
}

/// All reports as they were read.
#[derive(Debug)]
pub(super) struct Statements<'r> {
    pub(super) reports: &'r [Report],
    pub(super) readings: Vec<Reading<'r>>,
    /// For every report, the first one of the same agent.
    pub(super) agents: Vec<usize>,
    pub(super) figures: Vec<Statement>,
    pub(super) trends: Vec<TrendOf>,
    /// Reports with more figures than are read.
    pub(super) cut: Vec<usize>,
    /// The notes of each report, read when one is first asked for.
    notes: Vec<OnceCell<Notes>>,
}

impl<'r> Statements<'r> {
    /// Reads several sets of reports, each step for all of them before the next: a step is little
    /// work on a short report, and its code would have to be fetched anew for each.
    pub(super) fn of_each(sets: &[&'r [Report]]) -> Vec<Self> {
        let read = |set: &&'r [Report]| each(set, set, |report| Reading::new(&report.text));
        let readings: Vec<Vec<Reading<'r>>> = sets.iter().map(read).collect();
        let texts: Vec<_> = sets.iter().zip(&readings).collect();
        let marks: Vec<Vec<Marks>> =
            texts.iter().map(|(set, own)| each(set, own, Reading::marks)).collect();
        let figures: Vec<Vec<Figures>> = texts
            .into_iter()
            .zip(&marks)
            .map(|((set, readings), marks)| figures(set, readings, marks))
            .collect();
        // A large report's are as large as what was made of them.
        drop(marks);
        let read = sets.iter().zip(readings).zip(figures);
        read.map(|((set, readings), figures)| Self::new(set, readings, figures)).collect()
    }

    fn new(reports: &'r [Report], readings: Vec<Reading<'r>>, read: Vec<Figures>) -> Self {
        let agents = agents(reports);
        let figures = read.iter().map(|own| own.figures.len()).sum();
        let (mut figures, mut trends) = (Vec::with_capacity(figures), Vec::new());
        let mut cut = Vec::new();
        for (report, own) in read.into_iter().enumerate() {
            let agent = agents.get(report).copied().unwrap_or(report);
            let given = reports.get(report).map(|it| it.given.as_slice()).unwrap_or_default();
            let stated = |mut figure: Figure| {
                of_its_own(&mut figure, given);
                Statement { report, agent, metric: Vec::new(), figure }
            };
            move_into(&mut figures, own.figures, stated);
            cut.extend(own.is_cut.then_some(report));
            trends.extend(own.trends.into_iter().map(|trend| TrendOf { report, agent, trend }));
        }
        name_entities(&mut figures);
        call_by_one_name(&mut figures, reports);
        for statement in &mut figures {
            statement.metric = same::metric(&statement.figure);
        }
        let notes = reports.iter().map(|_| OnceCell::new()).collect();
        Self { reports, readings, agents, figures, trends, cut, notes }
    }

    /// The notes at the end of a report.
    pub(super) fn notes(&self, report: usize) -> Option<&Notes> {
        let reading = self.readings.get(report)?;
        Some(self.notes.get(report)?.get_or_init(|| reading.notes()))
    }

    /// The words at a place of a report.
    pub(super) fn text(&self, report: usize, span: Span) -> &'r str {
        self.reports.get(report).and_then(|report| span.of(&report.text)).unwrap_or_default()
    }

    /// How sure the agent says it is of what stands at a place, and whether it says so of the
    /// whole report only.
    pub(super) fn confidence(&self, report: usize, span: Span) -> Option<(Confidence, bool)> {
        let report = self.reports.get(report)?;
        let given = given_at(&report.given, span);
        let own = given.and_then(|given| given.confidence).map(|confidence| (confidence, false));
        own.or_else(|| report.confidence.map(|confidence| (confidence, true)))
    }

    pub(super) fn stakes(&self, report: usize, span: Span) -> Option<Severity> {
        given_at(&self.reports.get(report)?.given, span).and_then(|given| given.stakes)
    }
}

/// Adds what is made of each, in order, and gives memory back on the way: a large report would be held
/// twice otherwise.
fn move_into<I, O>(to: &mut Vec<O>, mut from: Vec<I>, made: impl Fn(I) -> O) {
    const AT_ONCE: usize = 1 << 13;
    from.reverse();
    while let Some(one) = from.pop() {
        to.push(made(one));
        if from.len().is_multiple_of(AT_ONCE) {
            from.shrink_to_fit();
        }
    }
}

/// Below so many bytes of reports a second thread costs more than it brings.
const ALONE_BYTES: usize = 8 << 10;

/// Does the same for each of many, on all cores where that pays: every report is read apart from
/// the others.
fn each<'r, I: Sync, O: Send>(
    reports: &[Report],
    of: &'r [I],
    work: impl Fn(&'r I) -> O + Sync + Send,
) -> Vec<O> {
    let bytes: usize = reports.iter().map(|report| report.text.len()).sum();
    if bytes < ALONE_BYTES {
        of.iter().map(work).collect()
    } else {
        of.par_iter().map(work).collect()
    }
}

/// The figures of each report, those that somebody only wishes for or asks about aside.
fn figures(reports: &[Report], readings: &[Reading<'_>], marks: &[Marks]) -> Vec<Figures> {
    let mut names: Vec<Term> = Vec::new();
    for reading in readings {
        reading.add_names(&mut names);
    }
    names.sort_unstable();
    names.dedup();
    let texts: Vec<(&Reading<'_>, &Marks)> = readings.iter().zip(marks).collect();
    each(reports, &texts, |(reading, marks)| {
        let mut found = reading.figures_of(marks, &names);
        found.figures.retain(|figure| !figure.hypothetical);
        found
    })
}

/// What is given of the piece at a place; pieces come in their order.
pub(super) fn given_at(given: &[Given], span: Span) -> Option<&Given> {
    let at = given.partition_point(|it| it.span.end() <= span.start());
    given.get(at).filter(|it| it.span.overlaps(span))
}

/// A finding given by itself names its entity or has none: that of the finding above is not its own.
fn of_its_own(figure: &mut Figure, given: &[Given]) {
    let Some(own) = given_at(given, figure.sentence) else { return };
    let inside = figure.entity_span.is_some_and(|span| own.span.contains(span));
    if !inside {
        (figure.entity, figure.entity_span) = (Vec::new(), None);
    }
}

/// An agent named twice is one agent with two reports.
fn agents(reports: &[Report]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..reports.len()).collect();
    let name = |at: usize| reports.get(at).map(|report| report.agent.as_str());
    order.sort_by_key(|at| (name(*at), *at));
    let mut first = vec![0; reports.len()];
    let mut last = None;
    for at in order {
        if last.is_none_or(|last| name(last) != name(at)) {
            last = Some(at);
        }
        if let (Some(place), Some(last)) = (first.get_mut(at), last) {
            *place = last;
        }
    }
    first
}

/// A word that opens a sentence with a capital is a name when another sentence uses it as one.
fn name_entities(figures: &mut [Statement]) {
    let mut names: Vec<Term> =
        figures.iter().flat_map(|it| it.figure.entity.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    for Statement { figure, .. } in figures {
        let is_name = |term: &Term| names.binary_search(term).is_ok();
        // "Checkout's latency" and "the latency of checkout".
        let alone = figure.entity.is_empty() || figure.entity_loose;
        let names =
            |it: &MetricWord| (it.maybe_name || alone && it.name.is_none()) && is_name(&it.term);
        let opens = figure.metric.iter().filter(|it| names(it));
        let own: Vec<(Term, Span)> = opens.map(|it| (it.term, it.span)).collect();
        if own.is_empty() || own.len() == figure.metric.len() {
            continue;
        }
        figure.metric.retain(|it| !names(it));
        // "Antigua and Barbuda's": the rest of the name is known already.
        let beside = figure.entity_span.filter(|span| figure.sentence.contains(*span));
        figure.entity_span = own.iter().map(|it| it.1).chain(beside).reduce(Span::join);
        let rest = if beside.is_some() { figure.entity.as_slice() } else { &[] };
        let mut entity: Vec<Term> = own.iter().map(|it| it.0).chain(rest.iter().copied()).collect();
        entity.sort_unstable();
        entity.dedup();
        figure.entity = entity;
        figure.entity_loose = false;
    }
}

/// "Marlowe" is "Marlowe Pharma" where there is no other Marlowe.
fn call_by_one_name(figures: &mut [Statement], reports: &[Report]) {
    let name = |it: &Statement| -> Option<String> {
        let report = reports.get(it.report)?;
        let text = it.figure.entity_span?.of(&report.text)?;
        Some(describe::plain_name(text).to_lowercase())
    };
    let goes_on = [' ', '-', '('];
    // Where no name has a second word, none is longer than another.
    let several = |it: &Statement| {
        let text = reports.get(it.report).zip(it.figure.entity_span);
        text.and_then(|(report, span)| span.of(&report.text)).is_some_and(|it| it.contains(goes_on))
    };
    if !figures.iter().any(several) {
        return;
    }
    let names: Vec<Option<String>> = figures.iter().map(name).collect();
    let mut known: Vec<(&str, &[Term])> = figures
        .iter()
        .zip(&names)
        .filter(|(it, _)| !it.figure.entity.is_empty())
        .filter_map(|(it, name)| Some((name.as_deref()?, it.figure.entity.as_slice())))
        .collect();
    known.sort_unstable();
    known.dedup();
    let full = |short: &str| -> Option<&[Term]> {
        let from = known.partition_point(|it| it.0 <= short);
        let extends =
            |long: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(goes_on));
        let mut longer = known.get(from..)?.iter().take_while(|it| it.0.starts_with(short));
        let mut longer = longer.by_ref().filter(|it| extends(it.0)).map(|it| it.1);
        let first = longer.next()?;
        longer.all(|other| other == first).then_some(first)
    };
    let renamed: Vec<Option<Vec<Term>>> =
        names.iter().map(|name| Some(full(name.as_deref()?)?.to_vec())).collect();
    for (statement, full) in figures.iter_mut().zip(renamed) {
        if let Some(full) = full {
            statement.figure.entity = full;
        }
    }
}
