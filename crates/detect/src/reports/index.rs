//! Brings together what is said of the same thing, without comparing everything with everything.

use std::collections::HashSet;

use rebuttal_text::{Period, Term};

use super::statement::Statements;
use crate::same::Dimension;

/// Figures of one metric, entity, unit, base and period, by their place among the statements.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) figures: Vec<usize>,
    /// The days they speak of, where they say.
    pub(super) period: Option<Period>,
    /// Groups of one metric, entity, unit and base have the same number.
    pub(super) topic: usize,
}

/// What must be the same, the times aside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Topic {
    /// What is measured and of whom, sorted. Whether a word names the one or the other is often a
    /// matter of wording ("the worker's latency", "latency of the worker"), so both are one set.
    words: Vec<Term>,
    dimension: Dimension,
    base: Option<u16>,
}

/// A figure on its way to a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Loose<'s> {
    metric: &'s [Term],
    entity: &'s [Term],
    dimension: Dimension,
    base: Option<u16>,
    at: usize,
}

/// Which topics are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Those of several agents: most have no counterpart.
    Several,
    /// Also those of one agent alone.
    Anybody,
}

/// The groups of what several agents speak of, in the order of their topics.
pub(super) fn groups(statements: &Statements<'_>) -> Vec<Group> {
    grouped(statements, Whose::Several)
}

/// Groups all statements, including those on which only one agent reports.
pub(super) fn groups_of_each(statements: &Statements<'_>) -> Vec<Group> {
    grouped(statements, Whose::Anybody)
}

fn grouped(statements: &Statements<'_>, whose: Whose) -> Vec<Group> {
    let mut order: Vec<Loose<'_>> = statements
        .figures
        .iter()
        .enumerate()
        .map(|(at, it)| Loose {
            metric: &it.metric,
            entity: &it.figure.entity,
            dimension: Dimension::of(&it.figure),
            base: it.figure.base,
            at,
        })
        .collect();
    order.sort_unstable();
    forget_guesses(&mut order, |at| {
        statements.figures.get(at).is_some_and(|it| it.figure.entity_loose)
    });
    order.sort_unstable();
    let agent = |at: usize| statements.figures.get(at).map(|it| it.agent);
    fill_in(&mut order, agent);
    let mut topics: Vec<(Topic, usize)> = order
        .iter()
        .map(|it| {
            let words = union(it.metric, it.entity);
            (Topic { words, dimension: it.dimension, base: it.base }, it.at)
        })
        .collect();
    topics.sort_unstable();
    let mut groups = Vec::new();
    for (number, chunk) in topics.chunk_by(|a, b| a.0 == b.0).enumerate() {
        let [(_, first), rest @ ..] = chunk else { continue };
        let alone = rest.iter().all(|(_, at)| agent(*at) == agent(*first));
        if alone && (whose == Whose::Several || rest.is_empty()) {
            continue;
        }
        let figures: Vec<usize> = chunk.iter().map(|(_, at)| *at).collect();
        by_period(statements, &figures, number, &mut groups);
    }
    groups
}

/// All words of both, sorted, each once.
pub(super) fn union(metric: &[Term], entity: &[Term]) -> Vec<Term> {
    let mut words = [metric, entity].concat();
    words.sort_unstable();
    words.dedup();
    words
}

/// A guessed entity counts where somebody says it of the same metric, and where some other is named
/// of that metric: then it may be another. Where all are guesses, they tell nothing apart.
fn forget_guesses(order: &mut [Loose<'_>], loose: impl Fn(usize) -> bool) {
    if !order.iter().any(|it| loose(it.at)) {
        return;
    }
    let sure = order.iter().filter(|it| !loose(it.at));
    let said: HashSet<Vec<Term>> = sure.map(|it| union(it.metric, it.entity)).collect();
    for chunk in order.chunk_by_mut(|a, b| a.metric == b.metric) {
        if chunk.iter().all(|it| it.entity.is_empty() || loose(it.at)) {
            let unsaid = |it: &&mut Loose<'_>| !said.contains(&union(it.metric, it.entity));
            chunk.iter_mut().filter(unsaid).for_each(|it| it.entity = &[]);
        }
    }
}

/// What a figure leaves out is that of the others, where the others leave no choice.
fn fill_in(order: &mut [Loose<'_>], agent: impl Fn(usize) -> Option<usize>) {
    for chunk in order.chunk_by_mut(|a, b| a.metric == b.metric) {
        let only = one_of(chunk.iter().map(|it| it.entity).filter(|it| !it.is_empty()));
        if let Some(entity) = only.filter(|_| chunk.iter().any(|it| it.entity.is_empty())) {
            // Who names it elsewhere means another where it does not.
            let named = chunk.iter().filter(|it| !it.entity.is_empty());
            let mut knowing: Vec<Option<usize>> = named.map(|it| agent(it.at)).collect();
            knowing.sort_unstable();
            let unnamed =
                chunk.iter_mut().filter(|it| knowing.binary_search(&agent(it.at)).is_err());
            unnamed.for_each(|it| it.entity = entity);
        }
        chunk.sort_unstable();
        for chunk in chunk.chunk_by_mut(|a, b| a.entity == b.entity) {
            let given = chunk.iter().map(|it| it.dimension).filter(|it| it.is_given());
            match one_of(given.clone()) {
                Some(unit) => {
                    for it in chunk.iter_mut() {
                        it.dimension = it.dimension.filled(unit);
                    }
                }
                // Nobody names a unit: large or small, they are numbers of the same kind.
                None if given.clone().next().is_none() => {
                    for it in chunk.iter_mut() {
                        it.dimension = Dimension::Bare;
                    }
                }
                None => {}
            }
            if let Some(base) = one_of(chunk.iter().filter_map(|it| it.base)) {
                for it in chunk.iter_mut() {
                    it.base = Some(base);
                }
            }
        }
    }
}

/// The value that all of them are, if there is one.
fn one_of<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Splits figures of one topic by the days they speak of. What names no days goes with the others
/// where these are all of the same.
fn by_period(
    statements: &Statements<'_>,
    figures: &[usize],
    topic: usize,
    groups: &mut Vec<Group>,
) {
    let period = |at: usize| statements.figures.get(at).and_then(|it| it.figure.period);
    let key = |period: Option<Period>| {
        let dated = period.filter(|it| it.dates.is_some())?;
        Some((dated.dates, dated.fiscal, dated.ambiguous))
    };
    // "in the fourth quarter": some time, but nobody knows whether it is the others'.
    let vague = |at: usize| {
        let statement = statements.figures.get(at)?;
        let words = statement.figure.period.filter(|it| it.dates.is_none()).map(|it| it.span);
        let words = words.or(statement.figure.vague_time)?;
        Some(statements.text(statement.report, words).to_lowercase())
    };
    let mut dated: Vec<_> = figures.iter().map(|at| (key(period(*at)), vague(*at), *at)).collect();
    if let Some(only) = one_of(dated.iter().filter_map(|it| it.0)) {
        for it in dated.iter_mut().filter(|it| it.1.is_none()) {
            it.0 = Some(only);
        }
    }
    dated.sort_unstable();
    for chunk in dated.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1)) {
        let figures: Vec<usize> = chunk.iter().map(|it| it.2).collect();
        let days = figures.iter().find_map(|at| period(*at).filter(|it| it.dates.is_some()));
        groups.push(Group { figures, period: days, topic });
    }
}
