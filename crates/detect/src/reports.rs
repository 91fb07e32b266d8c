//! Contradictions between agents' reports: two values for one thing, opposite readings of it, one
//! source quoted twice with different numbers, one claim held with very different confidence.
//!
//! What is compared is found through an index (metric, entity, unit, base, period), never by
//! trying every pair: the cost is that of reading the reports.
//!
//! ```
//! use rebuttal_detect::{Reader, reports};
//! use rebuttal_model::{AgentId, Report};
//!
//! let reports = [
//!     Report::new(AgentId::new("labour"), "The jobless rate in Qatar was 4.6 % in 2017."),
//!     Report::new(AgentId::new("strategy"), "Unemployment in Qatar stood at 5.9% in 2017."),
//! ];
//! let found = reports::contradictions(&reports, &reports::ContradictionOptions::default(), Reader::Rules);
//! assert_eq!(found[0].metric_name, "qatar_unemployment_rate");
//! ```

mod confidence;
mod coverage;
mod describe;
mod group;
mod index;
mod interpretation;
mod judgement;
mod own;
mod statement;
#[cfg(test)]
mod tests;
mod trend;

use rayon::prelude::*;
use rebuttal_model::{Contradiction, Problem, Report, Severity, Side};

use crate::Reader;
pub use coverage::Coverage;
use statement::Statements;

/// What counts as a contradiction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContradictionOptions {
    /// Values of one metric may differ by this share of the smaller one.
    pub tolerance: f64,
    /// Confidences in one claim may differ by this much.
    pub confidence_gap: f64,
    /// How much hangs on the reports, unless one says so of a finding itself. High stakes raise a
    /// severity by one, low stakes lower it.
    pub stakes: Severity,
}

impl Default for ContradictionOptions {
    fn default() -> Self {
        Self { tolerance: 0.05, confidence_gap: 0.25, stakes: Severity::Medium }
    }
}

/// Finds where reports of different agents conflict, in the order of the first report concerned.
pub fn contradictions(
    reports: &[Report],
    options: &ContradictionOptions,
    reader: Reader<'_>,
) -> Vec<Contradiction> {
    in_each(&[reports], options, reader).pop().unwrap_or_default()
}

/// Finds the contradictions, and what is wrong with each report by itself: values of one agent that
/// do not go together, a field that names another source than the text, an unknown unit.
pub fn contradictions_and_problems(
    reports: &[Report],
    options: &ContradictionOptions,
    reader: Reader<'_>,
) -> (Vec<Contradiction>, Vec<Problem>) {
    let Some(statements) = Statements::of_each(&[reports]).pop() else {
        return (Vec::new(), Vec::new());
    };
    let mut found = of_figures(&statements, options);
    add_readings(&mut found, &statements, options, reader);
    (found, own::problems(&statements, options))
}

/// What is found in each of a few sets.
fn in_each(
    sets: &[&[Report]],
    options: &ContradictionOptions,
    reader: Reader<'_>,
) -> Vec<Vec<Contradiction>> {
    let statements = Statements::of_each(sets);
    let mut found: Vec<Vec<Contradiction>> =
        statements.iter().map(|it| of_figures(it, options)).collect();
    for (found, statements) in found.iter_mut().zip(&statements) {
        add_readings(found, statements, options, reader);
    }
    found
}

/// Adds opposite readings, and puts all in order.
fn add_readings(
    found: &mut Vec<Contradiction>,
    statements: &Statements<'_>,
    options: &ContradictionOptions,
    reader: Reader<'_>,
) {
    found.extend(interpretation::contradictions(statements, options, reader));
    if found.len() > 1 {
        found.sort_by_cached_key(|it| {
            it.sides.first().map(|side| (side.report, side.span, it.kind, it.id.clone()))
        });
    }
}

/// Values, confidences and trends that do not go together.
fn of_figures(statements: &Statements<'_>, options: &ContradictionOptions) -> Vec<Contradiction> {
    let groups = index::groups(statements);
    let mut found = group::contradictions(&groups, statements, options);
    found.extend(confidence::contradictions(&groups, statements, options));
    // Who says -3 % and who says +2 % have been heard.
    let trends = trend::contradictions(statements, options);
    let known = |trend: &Contradiction| {
        found.iter().any(|it| {
            trend.sides.iter().all(|side| it.sides.iter().any(|own| same_place(own, side)))
        })
    };
    let new: Vec<Contradiction> = trends.into_iter().filter(|it| !known(it)).collect();
    found.extend(new);
    found
}

fn same_place(one: &Side, two: &Side) -> bool {
    (one.report, one.span) == (two.report, two.span)
}

/// Sets of reports that are read side by side.
const SETS: usize = 8;

/// The same for many sets of reports, on all cores: each set is compared for itself, and what was
/// found stands where its set stood. Who asks a model asks it from several threads.
///
/// ```
/// use rebuttal_detect::{Reader, reports};
/// use rebuttal_model::{AgentId, Report};
///
/// let report = |agent: &str, text: &str| Report::new(AgentId::new(agent), text);
/// let sets = [
///     vec![report("a", "Rent in Oslo is 900."), report("b", "Rent in Oslo is 900.")],
///     vec![report("a", "Rent in Oslo is 900."), report("b", "Rent in Oslo is 700.")],
/// ];
/// let found = reports::contradictions_of_each(&sets, &reports::ContradictionOptions::default(), Reader::Rules);
/// assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
/// ```
pub fn contradictions_of_each<S: AsRef<[Report]> + Sync>(
    sets: &[S],
    options: &ContradictionOptions,
    reader: Reader<'_>,
) -> Vec<Vec<Contradiction>> {
    let few = |sets: &[S]| {
        let sets: Vec<&[Report]> = sets.iter().map(AsRef::as_ref).collect();
        in_each(&sets, options, reader)
    };
    let found: Vec<Vec<Vec<Contradiction>>> = sets.par_chunks(SETS).map(few).collect();
    found.into_iter().flatten().collect()
}
