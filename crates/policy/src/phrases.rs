//! Pieces of sentences that the narrative and the notes share.

use rebuttal_model::Side;

use crate::outcome::WeighedRuling;
use crate::side::{agent, cited, other_days, shown};

/// The value as written; deciding words in quotation marks.
pub(crate) fn value(side: &Side) -> String {
    match side.value {
        Some(_) => shown(side),
        None => format!("“{}”", shown(side)),
    }
}

/// `0.12% (World Bank)`.
pub(crate) fn backed(side: &Side) -> String {
    format!("{} ({})", value(side), backing(side))
}

/// Whom a side has it from, else whose it is.
pub(crate) fn backing(side: &Side) -> String {
    cited(side).unwrap_or_else(|| format!("{}, no source named", agent(side)))
}

/// The sides that a ruling for one side speaks against, each value and source once.
pub(crate) fn rivals<'c>(outcome: &WeighedRuling<'c>, winner: usize) -> Vec<&'c Side> {
    let sides = &outcome.contradiction.sides;
    let Some(won) = sides.get(winner) else { return Vec::new() };
    let mut rivals: Vec<&Side> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        let is_rival = !outcome.camps.same(winner, index) && !other_days(won, side);
        if is_rival && !rivals.iter().any(|rival| backed(rival) == backed(side)) {
            rivals.push(side);
        }
    }
    rivals
}
