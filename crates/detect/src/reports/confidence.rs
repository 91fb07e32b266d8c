//! One claim, held with very different confidence.

use rebuttal_model::{Contradiction, ContradictionKind, Severity};

use super::Options;
use super::describe::{self, Parts};
use super::index::Group;
use super::statement::{Statement, Statements};
use crate::same;

/// Claims that agents agree on while one is much surer than the other. Where confidence is given
/// for whole reports only, two agents differ once, not once for every figure they share.
pub(super) fn contradictions(
    groups: &[Group],
    statements: &Statements<'_>,
    options: &Options,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let mut met: Vec<(usize, usize)> = Vec::new();
    for group in groups {
        let Some((one, two)) = widest(group, statements, options) else { continue };
        let whole = one.whole && two.whole;
        let agents = (one.statement.agent, two.statement.agent);
        if whole && met.contains(&agents) {
            continue;
        }
        met.extend(whole.then_some(agents));
        let sides = vec![one.statement, two.statement];
        let parts = Parts { kind: ContradictionKind::Confidence, apart: None, sides };
        let plain = describe::values(parts, statements, options);
        let severity = describe::weighed(Severity::Low, options.stakes);
        let [a, b] = [one.value, two.value].map(|value| format!("{value:.2}"));
        let explanation = format!(
            "{} and {} say the same of the {} ({}), the first with confidence {a}, the second with {b}.",
            agent(one.statement, statements),
            agent(two.statement, statements),
            plain.metric,
            plain.sides.first().map_or("", |side| side.shown.as_str()),
        );
        found.push(Contradiction { severity, explanation, ..plain });
    }
    found
}

#[derive(Clone, Copy)]
struct Sure<'s> {
    statement: &'s Statement,
    value: f64,
    whole: bool,
}

/// The surest and the least sure of a group, when they agree on the value and differ enough.
fn widest<'s>(
    group: &Group,
    statements: &'s Statements<'_>,
    options: &Options,
) -> Option<(Sure<'s>, Sure<'s>)> {
    let sure = |at: &usize| {
        let statement = statements.figures.get(*at)?;
        let (confidence, whole) =
            statements.confidence(statement.report, statement.figure.sentence)?;
        Some(Sure { statement, value: confidence.value(), whole })
    };
    let mut all: Vec<Sure<'s>> = group.figures.iter().filter_map(sure).collect();
    all.sort_by(|a, b| a.value.total_cmp(&b.value));
    let (least, most) = (*all.first()?, *all.last()?);
    // A hair's breadth is the machine's rounding: 0.9 - 0.65 is a quarter.
    let apart = most.value - least.value > options.confidence_gap + 1e-9;
    let agree = same::agree(&least.statement.figure, &most.statement.figure, options.tolerance);
    let others = least.statement.agent != most.statement.agent;
    let first = least.statement.report <= most.statement.report;
    (apart && agree && others).then_some(if first { (least, most) } else { (most, least) })
}

fn agent<'s>(statement: &Statement, statements: &'s Statements<'_>) -> &'s str {
    statements.reports.get(statement.report).map_or("", |report| report.agent.as_str())
}
