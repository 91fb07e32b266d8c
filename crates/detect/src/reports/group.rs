//! Whether the values of one group go together, and where they do not.

use rebuttal_model::{Apart, Contradiction, ContradictionKind};
use rebuttal_text::Relation;

use super::ContradictionOptions;
use super::describe::{self, Parts};
use super::index::Group;
use super::statement::{Statement, Statements};
use crate::same;

/// Most agents compared with each other in one group. Of more, those with the lowest and the
/// highest values are, so that a conflict between any two still shows.
const AGENTS: usize = 64;

/// How many later periods a period is held against: a year has its quarters and months.
const PERIODS_AHEAD: usize = 32;

/// Statements of several agents that do not go together.
struct Conflict<'s> {
    /// Each with its group, by that group's place in the topic.
    sides: Vec<(usize, &'s Statement)>,
    /// Of a time that holds that of the sides, or is held by it; in dispute with nobody.
    aside: Vec<&'s Statement>,
    kind: ContradictionKind,
    apart: Option<Apart>,
}

/// Where the values of a topic conflict. A time and another that holds it are told in one with
/// what is disputed of either, so that one metric has one ruling.
pub(super) fn contradictions(
    groups: &[Group],
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for topic in groups.chunk_by(|a, b| a.topic == b.topic) {
        let own = topic.iter().enumerate();
        let mut conflicts: Vec<Conflict<'_>> =
            own.filter_map(|(at, group)| within(at, group, statements, options)).collect();
        if topic.len() > 1 {
            let nested = nested(topic, statements, options);
            tell_beside(&mut conflicts, nested);
        }
        found.extend(conflicts.into_iter().map(|it| {
            let Conflict { sides, aside, kind, apart } = it;
            let sides = sides.into_iter().map(|it| it.1).collect();
            describe::values(Parts { kind, apart, sides, aside }, statements, options)
        }));
    }
    found
}

/// Adds those of other times to the dispute that they touch; what touches none stands by itself.
/// Who is in a dispute already is not told again in another.
fn tell_beside<'s>(disputes: &mut Vec<Conflict<'s>>, nested: Vec<Conflict<'s>>) {
    let group_of = |it: &Conflict<'_>| it.sides.first().map(|side| side.0);
    let taken: Vec<usize> = disputes.iter().filter_map(group_of).collect();
    for conflict in nested {
        let touches = |it: &usize| conflict.sides.iter().any(|side| side.0 == *it);
        let Some(dispute) = taken.iter().position(touches) else {
            disputes.push(conflict);
            continue;
        };
        let Some(dispute) = disputes.get_mut(dispute) else { continue };
        let loose = conflict.sides.iter().filter(|(group, _)| !taken.contains(group));
        dispute.aside.extend(loose.map(|it| it.1));
    }
}

/// The conflict within a group, if there is one.
fn within<'s>(
    at: usize,
    group: &Group,
    statements: &'s Statements<'_>,
    options: &ContradictionOptions,
) -> Option<Conflict<'s>> {
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
    let sides = sides.into_iter().map(|side| (at, side)).collect();
    Some(Conflict { sides, aside: Vec::new(), kind, apart })
}

/// Conflicts between a time and another that holds it: both may be right, and a reader should know.
fn nested<'s>(
    topic: &[Group],
    statements: &'s Statements<'_>,
    options: &ContradictionOptions,
) -> Vec<Conflict<'s>> {
    let dated = topic.iter().enumerate();
    let mut dated: Vec<_> =
        dated.filter_map(|(at, group)| Some((group.period?.dates?, at, group))).collect();
    dated.sort_by_key(|it| it.0);
    // Conflicts that share a statement are one: a year between two of its quarters.
    let mut joined: Vec<Conflict<'s>> = Vec::new();
    for (place, ((_, end), at, one)) in dated.iter().enumerate() {
        let later = dated.iter().skip(place + 1).take(PERIODS_AHEAD);
        for (_, other, two) in later.take_while(|it| it.0.0 <= *end) {
            if let Some(pair) = between(one, two, statements, options) {
                let [left, right] = pair;
                join(&mut joined, [(*at, left), (*other, right)]);
            }
        }
    }
    joined
}

/// Adds two statements to those they share one with, or begins anew.
fn join<'s>(joined: &mut Vec<Conflict<'s>>, pair: [(usize, &'s Statement); 2]) {
    let same = |one: &(usize, &Statement), two: &(usize, &Statement)| std::ptr::eq(one.1, two.1);
    let shares =
        |it: &&mut Conflict<'s>| it.sides.iter().any(|side| pair.iter().any(|own| same(side, own)));
    let Some(known) = joined.iter_mut().find(shares) else {
        let (kind, apart) = (ContradictionKind::Value, Some(Apart::Period));
        return joined.push(Conflict { sides: pair.to_vec(), aside: Vec::new(), kind, apart });
    };
    for it in pair {
        if !known.sides.iter().any(|side| same(side, &it)) {
            known.sides.push(it);
        }
    }
}

/// Between two groups of overlapping times: agents that spoke of one time only.
fn between<'s>(
    one: &Group,
    two: &Group,
    statements: &'s Statements<'_>,
    options: &ContradictionOptions,
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

/// Whether two that name the same source disagree. Then one of them has copied it wrongly, whatever
/// a third one cites.
fn same_source(sides: &[&Statement], statements: &Statements<'_>, tolerance: f64) -> bool {
    let plain = |name: String| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let named: Vec<(&Statement, String)> = sides
        .iter()
        .filter_map(|side| Some((*side, plain(describe::source_name(side, statements)?))))
        .filter(|(_, source)| !source.is_empty())
        .collect();
    // Two editions of one source are of different dates, and may well differ.
    let edition = |it: &Statement| {
        let cited = it.figure.citation.and_then(|it| it.period).or(it.figure.reporter_period)?;
        let own = it.figure.period.is_some_and(|own| own.relation(&cited) == Relation::Same);
        (!own).then_some(cited)
    };
    let editions = |one: &Statement, two: &Statement| {
        let both = edition(one).zip(edition(two));
        both.is_some_and(|(one, two)| one.relation(&two) == Relation::Disjoint)
    };
    named.iter().enumerate().any(|(at, (one, source))| {
        let mut others = named.iter().skip(at + 1).filter(|(_, other)| other == source);
        others.any(|(two, _)| {
            !same::agree(&one.figure, &two.figure, tolerance) && !editions(one, two)
        })
    })
}
