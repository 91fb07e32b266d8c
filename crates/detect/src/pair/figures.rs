//! Numbers of both texts that are known to be of the same thing, or of different things.

use rebuttal_model::Span;
use rebuttal_text::{Figure, Reading, Relation, Term, Unit};

use crate::reports::ContradictionOptions;
use crate::same::{self, Dimension};

/// Most figures compared of each text.
const MOST: usize = 24;

/// What is known of a number of the first text and one of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Values of the same thing that go together.
    Agree,
    /// Values of the same thing that do not.
    Conflict,
    /// Values of different things.
    Other,
}

/// All pairs of numbers of which something is known.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<(Span, Span, Known)>);

/// The figures of one text, each with what it measures.
#[derive(Debug, Default)]
pub(super) struct Measured(Vec<(Figure, Vec<Term>)>);

impl Measured {
    /// The figures that are compared.
    pub(super) fn of(reading: &Reading<'_>) -> Self {
        let measured = |figure: Figure| {
            let metric = same::metric(&figure);
            (figure, metric)
        };
        Self(reading.figures().into_iter().take(MOST).map(measured).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Figures {
    /// Compares what the texts say, where both give figures.
    pub(super) fn new(first: &Measured, second: &Measured) -> Self {
        let mut found = Vec::new();
        for (one, metric) in &first.0 {
            for (two, other) in &second.0 {
                if let Some(known) = relate(one, two, metric == other) {
                    found.push((one.quantity.span, two.quantity.span, known));
                }
            }
        }
        Self(found)
    }

    pub(super) fn of(&self, one: Span, two: Span) -> Option<Known> {
        let both = |it: &&(Span, Span, Known)| it.0 == one && it.1 == two;
        self.0.iter().find(both).map(|it| it.2)
    }
}

/// What is known of two figures, if they are on one metric or surely not.
fn relate(one: &Figure, two: &Figure, same_metric: bool) -> Option<Known> {
    if !measures(one) || !measures(two) {
        return None;
    }
    if !same_metric {
        // Both in words of the list, and not the same words.
        let listed = |figure: &Figure| figure.metric.iter().all(|word| word.name.is_some());
        return (listed(one) && listed(two)).then_some(Known::Other);
    }
    let named = |figure: &Figure| !figure.entity.is_empty() && !figure.entity_loose;
    let times = one.period.zip(two.period).map(|(a, b)| a.relation(&b));
    let bases = one.base.zip(two.base).is_some_and(|(a, b)| a != b);
    let units = (Dimension::of(one), Dimension::of(two));
    let bare = units.0 == Dimension::Bare || units.1 == Dimension::Bare;
    if named(one) && named(two) && one.entity != two.entity
        || matches!(
            times,
            Some(
                Relation::Disjoint
                    | Relation::Contains
                    | Relation::ContainedIn
                    | Relation::Overlaps
            )
        )
        || bases
        || units.0 != units.1 && !bare
        || one.definition != two.definition
    {
        return Some(Known::Other);
    }
    let agree = same::agree(one, two, ContradictionOptions::default().tolerance);
    Some(if agree { Known::Agree } else { Known::Conflict })
}

/// True for what a list of measures knows. Two men and five boys are compared as words are.
fn measures(figure: &Figure) -> bool {
    /// Smaller whole numbers without a unit count things one can see.
    const MANY: f64 = 1000.0;
    let quantity = &figure.quantity;
    let few = matches!(quantity.unit, Unit::Count | Unit::None)
        && quantity.decimals == 0
        && same::number(figure.value).abs() < MANY;
    let people = |name: &str| matches!(name, "male" | "female" | "youth");
    let known = figure.metric.iter().filter_map(|word| word.name).any(|name| !people(name));
    known && !few
}
