//! Whether the values of one group go together, and where they do not.

use rebuttal_model::{Apart, Contradiction, ContradictionKind};
use rebuttal_text::Relation;

use super::Options;
use super::describe::{self, Parts};
use super::index::Group;
use super::statement::{Statement, Statements};
use crate::same;

/// Most agents compared with each other in one group. Of more, those with the lowest and the
/// highest values are, so that a conflict between any two still shows.
const AGENTS: usize = 64;

/// How many later periods a period is held against: a year has its quarters and months.
const PERIODS_AHEAD: usize = 32;

/// The contradiction within a group, if there is one.
pub(super) fn contradiction(
    group: &Group,
    statements: &Statements<'_>,
    options: &Options,
) -> Option<Contradiction> {
    if one_agent(&group.figures, statements) {
        return None;
    }
    let camps = camps(&group.figures, statements);
    let mut sides = conflicting(&camps, options.tolerance);
    if sides.is_empty() {
        return None;
    }
    // Who says the same as one of them belongs to the picture.
    for camp in &camps {
        let known = |side: &Statement| Some(side.agent) == camp.first().map(|it| it.agent);
        if !sides.iter().any(|side| known(side)) {
            sides.extend(camp.first().copied());
        }
    }
    let defined = sides.windows(2).any(|pair| match pair {
        [one, two] => one.figure.definition != two.figure.definition,
        _ => false,
    });
    let kind = if same_source(&sides, statements, options.tolerance) {
        ContradictionKind::SourceData
    } else {
        ContradictionKind::Value
    };
    let apart = defined.then_some(Apart::Definition);
    Some(describe::values(Parts { kind, apart, sides }, statements, options))
}

/// Conflicts between a time and another that holds it: both may be right, and a reader should know.
pub(super) fn nested(
    groups: &[Group],
    statements: &Statements<'_>,
    options: &Options,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let several = |topic: &&[Group]| topic.len() > 1;
    for topic in groups.chunk_by(|a, b| a.topic == b.topic).filter(several) {
        let mut dated: Vec<_> =
            topic.iter().filter_map(|group| Some((group.period?.dates?, group))).collect();
        dated.sort_by_key(|it| it.0);
        // Conflicts that share a statement are one: a year between two of its quarters.
        let mut joined: Vec<Vec<&Statement>> = Vec::new();
        for (at, ((_, end), one)) in dated.iter().enumerate() {
            let later = dated.iter().skip(at + 1).take(PERIODS_AHEAD);
            for (_, two) in later.take_while(|it| it.0.0 <= *end) {
                if let Some(pair) = between(one, two, statements, options) {
                    join(&mut joined, pair);
                }
            }
        }
        let apart = Some(Apart::Period);
        found.extend(joined.into_iter().map(|sides| {
            let parts = Parts { kind: ContradictionKind::Value, apart, sides };
            describe::values(parts, statements, options)
        }));
    }
    found
}

/// Adds two statements to those they share one with, or begins anew.
fn join<'s>(joined: &mut Vec<Vec<&'s Statement>>, pair: [&'s Statement; 2]) {
    let same = |one: &Statement, two: &Statement| std::ptr::eq(one, two);
    let shares = |sides: &&mut Vec<&Statement>| {
        sides.iter().any(|side| pair.iter().any(|it| same(side, it)))
    };
    match joined.iter_mut().find(shares) {
        Some(sides) => {
            for it in pair {
                if !sides.iter().any(|side| same(side, it)) {
                    sides.push(it);
                }
            }
        }
        None => joined.push(pair.to_vec()),
    }
}

/// Between two groups of overlapping times: agents that spoke of one time only.
fn between<'s>(
    one: &Group,
    two: &Group,
    statements: &'s Statements<'_>,
    options: &Options,
) -> Option<[&'s Statement; 2]> {
    let nests = one.period?.relation(&two.period?);
    if matches!(nests, Relation::Disjoint | Relation::Same) {
        return None;
    }
    let (first, second) = (camps(&one.figures, statements), camps(&two.figures, statements));
    let agent = |camp: &Vec<&Statement>| camp.first().map(|it| it.agent);
    let alone = |own: &[Vec<&'s Statement>], other: &[Vec<&'s Statement>]| {
        let absent = |camp: &&Vec<&'s Statement>| other.iter().all(|it| agent(it) != agent(camp));
        own.iter().find(absent).and_then(|camp| camp.first().copied())
    };
    let (left, right) = (alone(&first, &second)?, alone(&second, &first)?);
    let agree = same::agree(&left.figure, &right.figure, options.tolerance);
    (!agree).then_some([left, right])
}

/// Most figures have no counterpart.
fn one_agent(figures: &[usize], statements: &Statements<'_>) -> bool {
    let mut agents = figures.iter().map(|at| statements.figures.get(*at).map(|it| it.agent));
    let first = agents.next().flatten();
    agents.all(|agent| agent == first)
}

/// The figures of a group by agent, in the order of the reports.
fn camps<'s>(figures: &[usize], statements: &'s Statements<'_>) -> Vec<Vec<&'s Statement>> {
    let mut own: Vec<&Statement> =
        figures.iter().filter_map(|at| statements.figures.get(*at)).collect();
    own.sort_by_key(|it| (it.agent, it.report, it.figure.quantity.span));
    let mut camps: Vec<Vec<&Statement>> =
        own.chunk_by(|a, b| a.agent == b.agent).map(<[_]>::to_vec).collect();
    if camps.len() > AGENTS {
        let low = |camp: &Vec<&Statement>| {
            camp.first().map_or(0.0, |it| same::number(same::in_dimension(&it.figure)))
        };
        camps.sort_by(|a, b| low(a).total_cmp(&low(b)));
        camps.drain(AGENTS / 2..camps.len() - AGENTS / 2);
        camps.sort_by_key(|camp| camp.first().map(|it| it.agent));
    }
    camps
}

/// One statement of each agent that conflicts with another agent: each says something that the
/// other nowhere says. Whatever both say somewhere is no conflict between them, so that two
/// identical reports have none.
fn conflicting<'s>(camps: &[Vec<&'s Statement>], tolerance: f64) -> Vec<&'s Statement> {
    let mut sides: Vec<&Statement> = Vec::new();
    for (at, one) in camps.iter().enumerate() {
        for two in camps.iter().skip(at + 1) {
            let alone = |own: &[&'s Statement], other: &[&'s Statement]| {
                let meets = |a: &&&Statement| {
                    other.iter().any(|b| same::agree(&a.figure, &b.figure, tolerance))
                };
                own.iter().find(|it| !meets(it)).copied()
            };
            if let (Some(a), Some(b)) = (alone(one, two), alone(two, one)) {
                for side in [a, b] {
                    if !sides.iter().any(|known| known.agent == side.agent) {
                        sides.push(side);
                    }
                }
            }
        }
    }
    sides.sort_by_key(|side| (side.report, side.figure.quantity.span));
    sides
}

/// Whether those that name a source name the same one, and disagree. Then one of them has copied it
/// wrongly.
fn same_source(sides: &[&Statement], statements: &Statements<'_>, tolerance: f64) -> bool {
    let plain = |name: String| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let named: Vec<(&Statement, String)> = sides
        .iter()
        .filter_map(|side| Some((*side, plain(describe::source_name(side, statements)?))))
        .collect();
    let Some((first, source)) = named.first().filter(|it| !it.1.is_empty()) else { return false };
    let disagrees =
        |it: &(&Statement, String)| !same::agree(&it.0.figure, &first.figure, tolerance);
    // Two editions of one source are of different dates, and may well differ.
    let edition = |it: &Statement| {
        let cited = it.figure.citation.and_then(|it| it.period).or(it.figure.reporter_period)?;
        let own = it.figure.period.is_some_and(|own| own.relation(&cited) == Relation::Same);
        (!own).then_some(cited)
    };
    let another = |it: &(&Statement, String)| {
        let editions = edition(first).zip(edition(it.0));
        editions.is_some_and(|(a, b)| a.relation(&b) == Relation::Disjoint)
    };
    named.iter().all(|it| it.1 == *source)
        && named.iter().any(disagrees)
        && !named.iter().any(another)
}
