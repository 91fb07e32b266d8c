//! What is measured, under every name a reader takes for the same thing.

use std::sync::OnceLock;

use super::entities::Kind;
use super::rng::Rng;
use super::styles::Unit;

/// How a name behaves in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `inflation was`, `inflation of 3%`.
    Mass,
    /// `the jobless rate was`, `a jobless rate of 3%`.
    Count,
    /// `exports were`, `exports of $3 billion`.
    Plural,
}

/// One name of a metric.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) text: &'static str,
    pub(crate) form: Form,
}

/// What sets a metric apart when cases are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    /// Nobody gives it by the quarter or month.
    Yearly,
    /// May be below zero.
    Signed,
    /// Whose figure it is belongs to it: analysts may differ.
    Unsourced,
    /// Five percent mean nothing here: only ever repeated, never in conflict.
    Fixed,
    /// It can be said to rise and fall.
    Moves,
}

/// Something that has a value for some entity at some time.
#[derive(Debug)]
pub(crate) struct Metric {
    pub(crate) names: Vec<Name>,
    pub(crate) unit: Unit,
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) of: Kind,
    traits: Vec<Trait>,
    /// First names of metrics that look like this one and are not.
    near: Vec<&'static str>,
}

impl Metric {
    pub(crate) fn is(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    pub(crate) fn id(&self) -> &'static str {
        self.names[0].text
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        self.id() == other.id()
    }

    /// A value it could have.
    pub(crate) fn value(&self, rng: &mut Rng) -> f64 {
        if self.most / self.least > 20.0 {
            return self.least * (self.most / self.least).powf(rng.unit());
        }
        rng.between(self.least, self.most)
    }

    /// Any metric of this kind that fits.
    pub(crate) fn any(
        rng: &mut Rng,
        kind: Kind,
        fits: impl Fn(&Self) -> bool,
    ) -> Option<&'static Self> {
        let of_kind: Vec<&'static Self> =
            all().iter().filter(|metric| metric.of == kind && fits(metric)).collect();
        (!of_kind.is_empty()).then(|| of_kind[rng.below(of_kind.len())])
    }

    /// One that looks like this and is not.
    pub(crate) fn lookalike(&self, rng: &mut Rng) -> Option<&'static Self> {
        let id = self.near.get(rng.below(self.near.len().max(1)))?;
        all().iter().find(|metric| metric.id() == *id)
    }
}

/// Metrics that some sentences are made for: of these, no other table can do without.
const NEEDED: [&str; 11] = [
    "GDP growth",
    "budget deficit",
    "consumer price inflation",
    "current account deficit",
    "error rate",
    "exports",
    "foreign exchange reserves",
    "imports",
    "infection rate",
    "net income",
    "revenue",
];

/// Every metric of the table; with `REBUTTAL_KIT_METRICS=file`, those of another table, to see
/// whether a detector only learned this one.
pub(crate) fn all() -> &'static [Metric] {
    static ALL: OnceLock<Vec<Metric>> = OnceLock::new();
    ALL.get_or_init(|| {
        let ours = table(include_str!("metrics.txt"));
        let Some(path) = std::env::var_os("REBUTTAL_KIT_METRICS") else { return ours };
        let file = std::fs::File::open(path).expect("the table is there");
        let theirs = std::io::read_to_string(file).expect("the table is text");
        let mut all: Vec<Metric> =
            ours.into_iter().filter(|metric| NEEDED.contains(&metric.id())).collect();
        all.extend(table(theirs.leak()));
        all
    })
}

fn table(text: &'static str) -> Vec<Metric> {
    text.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

fn parse(line: &'static str) -> Metric {
    let parts: Vec<&'static str> = line.split('|').map(str::trim).collect();
    let [about, names, near] = parts[..] else { panic!("three parts: {line}") };
    let words: Vec<&str> = about.split_whitespace().collect();
    let [kind, unit, least, most, ref traits @ ..] = words[..] else { panic!("{line}") };
    let number = |text: &str| text.parse().expect("a number");
    let of = Kind::ALL.into_iter().find(|of| format!("{of:?}") == kind).expect("a kind");
    Metric {
        names: names.split(" / ").map(name).collect(),
        unit: Unit::ALL.into_iter().find(|of| format!("{of:?}") == unit).expect("a unit"),
        least: number(least),
        most: number(most),
        of,
        traits: traits.iter().map(|text| the_trait(text)).collect(),
        near: near.split(" / ").filter(|text| !text.is_empty()).collect(),
    }
}

fn name(text: &'static str) -> Name {
    if let Some(text) = text.strip_prefix("the ") {
        return Name { text, form: Form::Count };
    }
    match text.strip_prefix("many ") {
        Some(text) => Name { text, form: Form::Plural },
        None => Name { text, form: Form::Mass },
    }
}

fn the_trait(text: &str) -> Trait {
    match text {
        "Yearly" => Trait::Yearly,
        "Signed" => Trait::Signed,
        "Unsourced" => Trait::Unsourced,
        "Fixed" => Trait::Fixed,
        "Moves" => Trait::Moves,
        _ => panic!("no such trait: {text}"),
    }
}

#[test]
fn lookalikes_are_in_the_table() {
    for metric in all() {
        for near in &metric.near {
            let known = all().iter().find(|other| other.id() == *near);
            assert!(known.is_none_or(|known| known.of == metric.of), "{near}");
        }
    }
}

#[test]
fn no_two_metrics_share_a_name() {
    let mut names: Vec<&str> =
        all().iter().flat_map(|metric| metric.names.iter().map(|name| name.text)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
