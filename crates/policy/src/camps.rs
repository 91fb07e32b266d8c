//! Which sides of a contradiction say the same.

use std::collections::BTreeMap;

use rebuttal_model::{Contradiction, ContradictionKind, Side};
use rebuttal_text::{Content, Reading, Tie, Value};

use crate::numbers::same;
use crate::words::{key, words};

/// Most different wordings compared pair by pair; of more, only equal ones stand together.
const WORDINGS: usize = 64;

/// The camps of a contradiction. Agents that say the same stand in one; which camps there are does
/// not depend on the order of the sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Camps(Vec<usize>);

impl Camps {
    pub(crate) fn of(contradiction: &Contradiction) -> Self {
        let sides = &contradiction.sides;
        let all = 0..sides.len();
        if contradiction.kind == ContradictionKind::Interpretation {
            return Self::of_readings(sides);
        }
        let near = contradiction.tolerance.map(|tolerance| {
            Self::by_value(sides, |side| {
                rounding(side).max(side.value.unwrap_or(0.0).abs() * tolerance)
            })
        });
        // Values that all agree are no contradiction; whoever reports one between them knows better.
        [near, Some(Self::by_value(sides, rounding))]
            .into_iter()
            .flatten()
            .find(|camps| !camps.agree(all.clone()))
            .unwrap_or_else(|| Self::by_value(sides, |_| 0.0))
    }

    /// Who found opposite readings has read whole sentences, with every "not" in them; the deciding
    /// words alone cannot say that they agree. Only among more than two sides can some agree.
    fn of_readings(sides: &[Side]) -> Self {
        let apart = Self((0..sides.len()).collect());
        let by_words = Self::by_value(sides, |_| 0.0);
        let splits = sides.len() > 2 && !by_words.agree(0..sides.len());
        if splits { by_words } else { apart }
    }

    /// True when two sides say the same.
    pub(crate) fn same(&self, one: usize, two: usize) -> bool {
        self.0.get(one) == self.0.get(two)
    }

    /// True when all of these sides say the same.
    pub(crate) fn agree(&self, sides: impl IntoIterator<Item = usize>) -> bool {
        let mut camps = sides.into_iter().map(|side| self.0.get(side));
        let first = camps.next();
        camps.all(|camp| Some(camp) == first)
    }

    /// Groups values that lie within each other's `slack`; sides without a value by their words.
    fn by_value(sides: &[Side], slack: impl Fn(&Side) -> f64) -> Self {
        let finite = |side: &Side| side.value.filter(|value| value.is_finite());
        let mut valued: Vec<(f64, f64, usize)> = Vec::new();
        let mut worded: Vec<usize> = Vec::new();
        for (index, side) in sides.iter().enumerate() {
            match finite(side) {
                Some(value) => valued.push((value, slack(side), index)),
                None => worded.push(index),
            }
        }
        valued.sort_by(|one, two| one.0.total_cmp(&two.0));
        let mut camps = vec![0; sides.len()];
        let mut camp = 0;
        for cut in cut_between(&valued) {
            for (_, _, index) in cut {
                put(&mut camps, *index, camp);
            }
            camp += 1;
        }
        for group in by_words(sides, &worded) {
            for index in group {
                put(&mut camps, index, camp);
            }
            camp += 1;
        }
        Self(camps)
    }
}

fn put(camps: &mut [usize], index: usize, camp: usize) {
    if let Some(place) = camps.get_mut(index) {
        *place = camp;
    }
}

/// Cuts sorted values wherever nothing on the left lies within the slack of something on the right.
fn cut_between(valued: &[(f64, f64, usize)]) -> Vec<&[(f64, f64, usize)]> {
    // How far down the values from here on reach.
    let mut lowest = vec![f64::INFINITY; valued.len()];
    let mut low = f64::INFINITY;
    for (place, (value, slack, _)) in lowest.iter_mut().zip(valued).rev() {
        low = low.min(value - slack);
        *place = low;
    }
    let mut cuts = vec![0];
    let mut high = f64::NEG_INFINITY;
    for (at, ((left, slack, _), (right, ..))) in
        valued.iter().zip(valued.iter().skip(1)).enumerate()
    {
        high = high.max(left + slack);
        let low = lowest.get(at + 1).copied().unwrap_or(f64::INFINITY);
        if high < *right && low > *left && !same(*left, *right) {
            cuts.push(at + 1);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([valued.len()]);
    let cut = cuts.iter().zip(ends).filter_map(|(from, to)| valued.get(*from..to));
    cut.filter(|cut| !cut.is_empty()).collect()
}

/// Half of the last digit given: `4.6` stands for anything from 4.55 to 4.65.
fn rounding(side: &Side) -> f64 {
    let quantities = Reading::new(&side.shown).quantities();
    let (Some(quantity), Some(value)) = (quantities.first(), side.value) else { return 0.0 };
    match quantity.value {
        // As a share of the number as written, because the side's unit may be another.
        Value::Exact(exact) if exact != 0.0 => (quantity.step / 2.0 / exact * value).abs(),
        _ => 0.0,
    }
}

/// Sides whose words say the same.
fn by_words(sides: &[Side], which: &[usize]) -> Vec<Vec<usize>> {
    let mut wordings: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for &index in which {
        let shown = sides.get(index).map_or("", |side| side.shown.as_str());
        wordings.entry(key(shown)).or_default().push(index);
    }
    if wordings.len() > WORDINGS {
        return wordings.into_values().collect();
    }
    let mut groups: Vec<(Vec<Content>, Vec<usize>)> = Vec::new();
    for indices in wordings.into_values() {
        let shown =
            indices.first().and_then(|index| sides.get(*index)).map_or("", |side| &side.shown);
        let content = Reading::new(&words(shown).join(" ")).content();
        let (like, unlike): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(others, _)| others.iter().any(|other| alike(other, &content)));
        groups = unlike;
        let mut group = (vec![content], indices);
        for (contents, indices) in like {
            group.0.extend(contents);
            group.1.extend(indices);
        }
        groups.push(group);
    }
    groups.into_iter().map(|(_, indices)| indices).collect()
}

/// True when the words share a meaning and oppose each other nowhere: "improving", "improved".
fn alike(one: &Content, two: &Content) -> bool {
    let mut shared = false;
    for a in &one.words {
        for b in &two.words {
            let tie = if a.term == b.term { Some(Tie::Same) } else { a.tie(b) };
            let turned = a.negated != b.negated;
            match (tie, turned) {
                (Some(Tie::Same), false) | (Some(Tie::Opposite), true) => shared = true,
                (Some(Tie::Same), true) | (Some(Tie::Opposite | Tie::Exclusive), false) => {
                    return false;
                }
                _ => {}
            }
        }
    }
    shared
}
