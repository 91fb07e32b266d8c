//! What is wrong with a report by itself: values of one agent that do not go together, a field that
//! names another source than the text, a unit that nobody knows. All of it is kept, and said.
//!
//! Within one text an agent may well speak of two things in the same words, so values are held
//! against each other only where the report itself says that they are of one: they stand in fields,
//! in two reports, or are ascribed to one source.

use rebuttal_model::{Problem, ProblemKind, limits};
use rebuttal_text::Unit;

use super::ContradictionOptions;
use super::describe;
use super::index::{self, Group};
use super::statement::{Statement, Statements, given_at};
use crate::same;

/// Most of these that are told: somebody with more has one mistake in many places.
const TOLD: usize = 20;

/// How many further values of a thing each is held against: of a hundred thousand that one report
/// gives in the same words ("region 7"), every pair would take minutes.
const AHEAD: usize = 64;

/// Characters of an agent's words that are repeated.
const PIECE: usize = 80;

pub(super) fn problems(
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    for group in index::groups_of_each(statements) {
        found.extend(two_values(&group, statements, options));
    }
    let mut told: Vec<usize> = Vec::new();
    for statement in &statements.figures {
        found.extend(unknown_unit(statement, statements));
        if !told.contains(&statement.report) {
            let other = other_source(statement, statements);
            told.extend(other.is_some().then_some(statement.report));
            found.extend(other);
        }
    }
    found.sort_by(|a, b| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)));
    found.dedup();
    found.truncate(TOLD);
    // What was not read is told however much else there is.
    found.extend(statements.cut.iter().map(|report| cut(*report, statements)));
    found
}

/// A report with more figures than are read.
fn cut(report: usize, statements: &Statements<'_>) -> Problem {
    let report = statements.reports.get(report);
    let message = format!(
        "the report of {} has more than {} figures; what follows them was not read. Hand it in in \
         parts",
        short(report.map_or("", |it| it.agent.as_str())),
        limits::REPORT_FIGURES
    );
    match report.and_then(|it| it.source.as_ref()) {
        Some(source) => {
            Problem::new(source.file.as_ref(), ProblemKind::Limit, message).at_line(source.line)
        }
        None => Problem::new("reports", ProblemKind::Limit, message),
    }
}

/// One agent gives two values for one thing.
fn two_values(
    group: &Group,
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Option<Problem> {
    let own: Vec<&Statement> =
        group.figures.iter().filter_map(|at| statements.figures.get(*at)).collect();
    let (one, two, by) = own.iter().enumerate().find_map(|(at, one)| {
        own.iter().skip(at + 1).take(AHEAD).find_map(|two| {
            let apart = one.agent == two.agent
                && one.figure.definition == two.figure.definition
                && !same::agree(&one.figure, &two.figure, options.tolerance);
            let by = apart.then(|| one_thing(one, two, statements)).flatten()?;
            Some((*one, *two, by))
        })
    })?;
    let shown = |it: &Statement| short(statements.text(it.report, it.figure.quantity.span));
    let of_source = match by {
        OneThing::Source(name) => format!(", both from {}", short(&name)),
        OneThing::Fields => String::new(),
    };
    let message = format!(
        "{} contradicts itself: for one thing it gives “{}” here and “{}” in {}{of_source}; both \
         are kept. Correct whichever is wrong",
        short(describe::agent(one, statements)),
        shown(one),
        shown(two),
        place(two, one, statements),
    );
    Some(problem(one, statements, message))
}

/// How a report says that two values are of one thing.
enum OneThing {
    /// By ascribing both to this source.
    Source(String),
    /// By giving each as a report or a finding of its own.
    Fields,
}

/// Whether a report says that two values are of one thing.
fn one_thing(one: &Statement, two: &Statement, statements: &Statements<'_>) -> Option<OneThing> {
    let plain = |name: &String| name.to_lowercase();
    let names = [one, two].map(|it| describe::source_name(it, statements));
    if let [Some(a), Some(b)] = &names
        && plain(a) == plain(b)
    {
        return Some(OneThing::Source(a.clone()));
    }
    let piece = |it: &Statement| {
        let given = statements.reports.get(it.report).map(|report| report.given.as_slice());
        let given = given_at(given.unwrap_or_default(), it.figure.sentence);
        given.filter(|given| given.metric.is_some()).map(|given| given.span)
    };
    // Whoever read the file has said already that a finding's text and its value differ.
    let fields = piece(one).zip(piece(two)).is_some_and(|(one, two)| one != two);
    // Two sources may well differ: that is what an agent reports when it names both.
    let sources = matches!(&names, [Some(_), Some(_)]);
    let apart = one.report != two.report || fields;
    (apart && !sources).then_some(OneThing::Fields)
}

/// Where the second stands, as seen from the first.
fn place(two: &Statement, one: &Statement, statements: &Statements<'_>) -> String {
    if one.report == two.report {
        return "the same report".to_owned();
    }
    match statements.reports.get(two.report).and_then(|it| it.source.as_ref()) {
        Some(source) => format!("{}:{}", source.file, source.line),
        None => format!("report {}", two.report + 1),
    }
}

/// The field names another source than the text.
fn other_source(statement: &Statement, statements: &Statements<'_>) -> Option<Problem> {
    let (said, field) = describe::overruled(statement, statements)?;
    let message = format!(
        "the text of {} names “{}” as its source and its `citation` “{}”; the field counts",
        short(describe::agent(statement, statements)),
        short(&said),
        short(&field)
    );
    Some(problem(statement, statements, message))
}

/// A field's unit that was not read as one: `Distance: 5 parsec`.
fn unknown_unit(statement: &Statement, statements: &Statements<'_>) -> Option<Problem> {
    let figure = &statement.figure;
    if figure.quantity.unit != Unit::None {
        return None;
    }
    let report = statements.reports.get(statement.report)?;
    let given = given_at(&report.given, figure.sentence).filter(|it| it.metric.is_some())?;
    let number = figure.quantity.span;
    let before = report.text.get(given.span.start()..number.start())?;
    let after = report.text.get(number.end()..given.span.end())?;
    // As findings with a value and no text are written out.
    let unit = after.strip_prefix(' ').filter(|_| before.ends_with(": "))?;
    let end = unit.find([';', '[']).unwrap_or(unit.len());
    let unit = unit.get(..end)?.trim();
    let is_word = !unit.is_empty() && !unit.contains(' ') && unit.chars().all(char::is_alphabetic);
    is_word.then(|| {
        let message = format!(
            "the unit “{}” of {} is not known, so its number is compared as it stands",
            short(unit),
            short(report.agent.as_str())
        );
        problem(statement, statements, message)
    })
}

fn problem(statement: &Statement, statements: &Statements<'_>, message: String) -> Problem {
    let source = statements.reports.get(statement.report).and_then(|it| it.source.as_ref());
    let Some(source) = source else {
        let file = format!("report {}", statement.report + 1);
        return Problem::new(file, ProblemKind::Conflicting, message);
    };
    Problem::new(source.file.as_ref(), ProblemKind::Conflicting, message).at_line(source.line)
}

/// On one line, without hidden characters, and not too long.
fn short(text: &str) -> String {
    let line: String = text.chars().take(PIECE).collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    rebuttal_text::visible(&line).into_owned()
}
