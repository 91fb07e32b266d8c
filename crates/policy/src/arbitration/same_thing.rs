//! Is it the same thing at all? Sides that speak of different periods can all be right.

use rebuttal_model::{Apart, Contradiction, Side};

use crate::camps::Camps;
use crate::side::{agent, days, other_days, shown, source, when_shown};
use crate::words::list;

const PERIODS: f64 = 0.9;
const DEFINITIONS: f64 = 0.8;

/// Whether the sides speak of the same thing.
pub(super) enum Sameness {
    /// They do not, and all can be right.
    Apart { saw: String, confidence: f64 },
    /// They do, and all say the same.
    Agreed { saw: String },
    /// Some do and some do not, so that no one side can be right for all.
    Tangled { saw: String },
    /// These do, and cannot all be right.
    Same { saw: String, disputed: Vec<usize> },
}

pub(super) fn look(contradiction: &Contradiction, camps: &Camps) -> Sameness {
    let sides = &contradiction.sides;
    if camps.agree(0..sides.len()) {
        let saw = "all sides say the same; there is nothing to choose between.".to_owned();
        return Sameness::Agreed { saw };
    }
    let pairs = |clash: &dyn Fn(&Side, &Side) -> bool| -> Vec<usize> {
        let clashes = |one: usize, a: &Side| {
            let mut others = sides.iter().enumerate();
            others.any(|(two, b)| !camps.same(one, two) && clash(a, b))
        };
        let disputed = sides.iter().enumerate().filter(|(index, side)| clashes(*index, side));
        disputed.map(|(index, _)| index).collect()
    };
    match contradiction.apart {
        Some(Apart::Definition) => return by_definition(sides),
        // Unless two sides give two values for the very same days.
        Some(Apart::Period)
            if pairs(&|a, b| days(a).is_some() && days(a) == days(b)).is_empty() =>
        {
            return by_period(sides);
        }
        Some(Apart::Period) | None => {}
    }
    let disputed = pairs(&|a, b| !other_days(a, b));
    if disputed.is_empty() {
        return by_period(sides);
    }
    let picked: Vec<&Side> = disputed.iter().filter_map(|index| sides.get(*index)).collect();
    if picked.iter().any(|one| picked.iter().any(|two| other_days(one, two))) {
        let said = list(sides.iter().map(said_of));
        let saw = format!("{said}: some conflict, some speak of different periods.");
        return Sameness::Tangled { saw };
    }
    Sameness::Same { saw: same(sides, &disputed, &picked), disputed }
}

fn same(sides: &[Side], disputed: &[usize], picked: &[&Side]) -> String {
    let aside: Vec<&Side> = sides
        .iter()
        .enumerate()
        .filter(|(index, _)| !disputed.contains(index))
        .map(|(_, side)| side)
        .collect();
    let period = picked.first().filter(|_| picked.iter().all(|side| days(side).is_some()));
    let saw = match period.and_then(|side| when_shown(side)) {
        Some(period) => format!("the sides in dispute speak of {period}."),
        None => "nothing says that the sides speak of different things.".to_owned(),
    };
    if aside.is_empty() {
        return saw;
    }
    let said = list(aside.into_iter().map(said_of));
    format!("{said}, which disputes nothing; {saw}")
}

fn by_period(sides: &[Side]) -> Sameness {
    let saw = format!("{}; each holds for its own period.", list(sides.iter().map(said_of)));
    Sameness::Apart { saw, confidence: PERIODS }
}

fn by_definition(sides: &[Side]) -> Sameness {
    let said = |side: &Side| match source(side) {
        Some(source) => format!("{}'s {} ({source})", agent(side), shown(side)),
        None => format!("{}'s {}", agent(side), shown(side)),
    };
    let said = list(sides.iter().map(said));
    let saw = format!("{said} are measured by different definitions; each holds by its own.");
    Sameness::Apart { saw, confidence: DEFINITIONS }
}

fn said_of(side: &Side) -> String {
    match when_shown(side) {
        Some(period) => format!("{}'s {} is for {period}", agent(side), shown(side)),
        None => format!("{}'s {} names no period", agent(side), shown(side)),
    }
}
