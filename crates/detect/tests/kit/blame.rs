//! What kinds of mistakes were made: which sentences, metrics and places are not read, and what
//! false contradictions are made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rebuttal_model::{Contradiction, ContradictionKind, Side};

use super::case::{Case, Mention};
use super::score::quotes;

/// Lines printed of each kind.
const WORST: usize = 24;
/// Fewer conflicts than this say nothing.
const FEW: usize = 40;

/// Mistakes by what they have in common.
#[derive(Debug, Default)]
pub(crate) struct Blame {
    /// Conflicts there were and conflicts found, by kind and name.
    planted: BTreeMap<(&'static str, String), (usize, usize)>,
    /// False contradictions by what is wrong with them.
    wrong: BTreeMap<&'static str, usize>,
}

impl Blame {
    /// Takes note of a planted conflict.
    pub(crate) fn planted(&mut self, one: &Mention, two: &Mention, found: bool) {
        let (first, last) = (one.place.min(two.place), one.place.max(two.place));
        self.count("places", format!("{first:?}/{last:?}"), found);
        self.count("metric", one.thing.metric.id().to_owned(), found);
        self.count("unit", format!("{:?}", one.thing.metric.unit), found);
        self.count("kind", format!("{:?}", one.thing.entity.kind), found);
        for side in [one, two] {
            self.count("sentence", side.template.clone(), found);
        }
    }

    fn count(&mut self, kind: &'static str, name: String, found: bool) {
        let (planted, hit) = self.planted.entry((kind, name)).or_default();
        *planted += 1;
        *hit += usize::from(found);
    }

    /// Takes note of a contradiction that is not there.
    pub(crate) fn wrong(&mut self, case: &Case, found: &Contradiction) {
        *self.wrong.entry(why(case, found)).or_default() += 1;
    }

    /// The worst of each kind, and what the false ones are.
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        for kind in ["places", "kind", "unit", "metric", "sentence"] {
            let of_kind =
                self.planted.iter().filter(|((of, _), (count, _))| *of == kind && *count >= FEW);
            let mut rows: Vec<(f64, usize, &str)> = of_kind
                .map(|((_, name), (count, hit))| {
                    (super::score::share(*hit, *count), *count, name.as_str())
                })
                .collect();
            rows.sort_by(|one, two| one.0.total_cmp(&two.0));
            _ = writeln!(out, "\nrecall  planted  {kind}, the worst first");
            for (recall, count, name) in rows.into_iter().take(WORST) {
                _ = writeln!(out, "{recall:.4} {count:>8}  {name}");
            }
        }
        out.push_str("\nfalse contradictions\n");
        for (why, count) in &self.wrong {
            _ = writeln!(out, "{count:>6}  {why}");
        }
        out
    }
}

/// The mention a side quotes.
fn quoted<'c>(case: &'c Case, side: &Side) -> Option<&'c Mention> {
    case.mentions.iter().find(|mention| quotes(side, mention))
}

/// What is wrong with a contradiction that is not there.
fn why(case: &Case, found: &Contradiction) -> &'static str {
    let sides: Option<Vec<&Mention>> = found.sides.iter().map(|side| quoted(case, side)).collect();
    let words = found.kind == ContradictionKind::Interpretation;
    let Some(sides) = sides else {
        return if words {
            "words that say nothing of the sort"
        } else {
            "a number that is no value"
        };
    };
    let Some((first, rest)) = sides.split_first() else { return "no sides" };
    let differs =
        |differs: fn(&Mention, &Mention) -> bool| rest.iter().any(|two| differs(first, two));
    match () {
        () if words && differs(|one, two| one.group != two.group) => "judgements of two things",
        () if words => "judgements that agree",
        () if differs(|one, two| one.thing.entity != two.thing.entity) => "two entities",
        () if differs(|one, two| !one.thing.metric.same(two.thing.metric)) => "two metrics",
        () if differs(|one, two| one.thing.period != two.thing.period) => "two periods",
        () if differs(|one, two| one.group != two.group) => "a target, a change or another base",
        () if found.apart.is_some() => "one thing, said to be both valid",
        () => "one thing, values that agree",
    }
}
