//! The ways in which two reports conflict, and the ways in which they only seem to.

use super::claim::Claim;
use super::rng::Rng;
use super::{figures, others, words};

/// What a careful reader says of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    /// They cannot all be right.
    Conflict,
    /// They differ, and can all be right: part of a time and all of it.
    BothValid,
    /// Nothing to report.
    None,
}

/// The claims of each report, before anything is written.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) reports: Vec<Vec<Claim>>,
    pub(crate) company: Company,
}

/// What else the reports may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    /// Other things, other times of the same thing among them.
    Any,
    /// Many of those.
    Crowd,
    /// Other metrics and other entities.
    Apart,
    /// All reports are the same text.
    Copies,
}

impl Draft {
    pub(crate) fn two(one: Claim, two: Claim) -> Self {
        Self { reports: vec![vec![one], vec![two]], company: Company::Any }
    }

    pub(crate) fn with(mut self, company: Company) -> Self {
        self.company = company;
        self
    }
}

/// How a case came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mechanism {
    SameUnit,
    JustApart,
    OtherUnit,
    OtherName,
    OtherTemplate,
    SameSource,
    Alias,
    SameBase,
    Hedged,
    Zero,
    Bound,
    Range,
    Crowd,
    ThreeOneOff,
    ThreeWays,
    Sign,
    Direction,
    Judgement,
    PartOfYear,
    Identical,
    UnitAgrees,
    Rounded,
    Within,
    NameAgrees,
    BoundHolds,
    RangeHolds,
    ThreeAgree,
    OtherPeriod,
    OtherEntity,
    OtherMetric,
    OtherBase,
    OtherMeasure,
    Unrelated,
    NotValues,
    Target,
    Change,
    SignAgrees,
    SameDirection,
    OtherDirection,
    SameJudgement,
    OtherJudgement,
}

type Drafter = fn(&mut Rng) -> Draft;

/// Every mechanism: its weight in a hundred and its drafts.
const TABLE: &[(Mechanism, f64, Label, Drafter)] = &[
    (Mechanism::SameUnit, 6.0, Label::Conflict, figures::same_unit),
    (Mechanism::JustApart, 3.0, Label::Conflict, figures::just_apart),
    (Mechanism::OtherUnit, 6.0, Label::Conflict, figures::other_unit),
    (Mechanism::OtherName, 6.0, Label::Conflict, figures::other_name),
    (Mechanism::OtherTemplate, 4.0, Label::Conflict, figures::other_template),
    (Mechanism::SameSource, 3.0, Label::Conflict, figures::same_source),
    (Mechanism::Alias, 2.0, Label::Conflict, figures::alias),
    (Mechanism::SameBase, 1.0, Label::Conflict, figures::same_base),
    (Mechanism::Hedged, 1.0, Label::Conflict, figures::hedged),
    (Mechanism::Zero, 1.0, Label::Conflict, figures::zero),
    (Mechanism::Bound, 3.0, Label::Conflict, figures::bound),
    (Mechanism::Range, 2.0, Label::Conflict, figures::range),
    (Mechanism::Crowd, 4.0, Label::Conflict, figures::crowd),
    (Mechanism::ThreeOneOff, 1.0, Label::Conflict, figures::three_one_off),
    (Mechanism::ThreeWays, 1.0, Label::Conflict, figures::three_ways),
    (Mechanism::Sign, 3.0, Label::Conflict, words::sign),
    (Mechanism::Direction, 3.0, Label::Conflict, words::direction),
    (Mechanism::Judgement, 3.0, Label::Conflict, words::judgement),
    (Mechanism::PartOfYear, 3.0, Label::BothValid, others::part_of_year),
    (Mechanism::Identical, 2.0, Label::None, others::identical),
    (Mechanism::UnitAgrees, 4.0, Label::None, others::unit_agrees),
    (Mechanism::Rounded, 4.0, Label::None, others::rounded),
    (Mechanism::Within, 3.0, Label::None, others::within),
    (Mechanism::NameAgrees, 2.0, Label::None, others::name_agrees),
    (Mechanism::BoundHolds, 2.0, Label::None, others::bound_holds),
    (Mechanism::RangeHolds, 1.0, Label::None, others::range_holds),
    (Mechanism::ThreeAgree, 0.5, Label::None, others::three_agree),
    (Mechanism::OtherPeriod, 6.0, Label::None, others::other_period),
    (Mechanism::OtherEntity, 5.0, Label::None, others::other_entity),
    (Mechanism::OtherMetric, 6.0, Label::None, others::other_metric),
    (Mechanism::OtherBase, 1.5, Label::None, others::other_base),
    (Mechanism::OtherMeasure, 1.0, Label::None, others::other_measure),
    (Mechanism::Unrelated, 1.0, Label::None, others::unrelated),
    (Mechanism::NotValues, 2.0, Label::None, others::not_values),
    (Mechanism::Target, 1.0, Label::None, others::target),
    (Mechanism::Change, 1.0, Label::None, others::change),
    (Mechanism::SignAgrees, 1.0, Label::None, words::sign_agrees),
    (Mechanism::SameDirection, 1.5, Label::None, words::same_direction),
    (Mechanism::OtherDirection, 1.5, Label::None, words::other_direction),
    (Mechanism::SameJudgement, 1.5, Label::None, words::same_judgement),
    (Mechanism::OtherJudgement, 1.5, Label::None, words::other_judgement),
];

impl Mechanism {
    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(mechanism, ..)| *mechanism)
    }

    /// One of them, by weight.
    pub(crate) fn any(rng: &mut Rng) -> Self {
        let whole: f64 = TABLE.iter().map(|(_, weight, ..)| weight).sum();
        let mut left = rng.unit() * whole;
        for (mechanism, weight, ..) in TABLE {
            left -= weight;
            if left < 0.0 {
                return *mechanism;
            }
        }
        Self::Unrelated
    }

    pub(crate) fn label(self) -> Label {
        self.row().2
    }

    pub(crate) fn draft(self, rng: &mut Rng) -> Draft {
        (self.row().3)(rng)
    }

    /// `same_unit`.
    pub(crate) fn name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    fn row(self) -> &'static (Self, f64, Label, Drafter) {
        TABLE.iter().find(|(mechanism, ..)| *mechanism == self).expect("in the table")
    }
}
