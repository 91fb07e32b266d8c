//! How things are put: several wordings of each move, and each half has its own.

use std::collections::BTreeMap;

use super::dice::Dice;
use super::grammar::expand;
use super::{Half, HarnessError};

/// Wordings, by what they do.
type Pools = BTreeMap<String, Vec<String>>;

/// All wordings. Both halves have the same moves, and no wording of one is meant to be in the other.
#[derive(Clone, Debug)]
pub(crate) struct Phrases {
    development: Pools,
    held_out: Pools,
}

impl Phrases {
    /// Reads them.
    pub(crate) fn read() -> Result<Self, HarnessError> {
        let development = parse("phrases.txt", include_str!("phrases.txt"))?;
        let held_out = parse("phrases_held_out.txt", include_str!("phrases_held_out.txt"))?;
        // A move that one half lacks would leave empty sentences in its panels.
        if let Some(name) = lacking(&development, &held_out).or(lacking(&held_out, &development)) {
            return Err(HarnessError::new(format!("only one half has wordings of {name}")));
        }
        Ok(Self { development, held_out })
    }

    /// A wording of this move, from those of this half alone.
    pub(crate) fn one(&self, name: &str, half: Half, dice: &mut Dice) -> String {
        self.several(name, 1, half, dice).pop().unwrap_or_default()
    }

    /// Different wordings of one move, as many as asked for; from the start again where there are
    /// too few.
    pub(crate) fn several(
        &self,
        name: &str,
        count: usize,
        half: Half,
        dice: &mut Dice,
    ) -> Vec<String> {
        let pools = match half {
            Half::Development => &self.development,
            Half::HeldOut => &self.held_out,
        };
        let mut wordings = pools.get(name).cloned().unwrap_or_default();
        dice.shuffle(&mut wordings);
        wordings.iter().cycle().take(count).map(|wording| expand(wording, dice)).collect()
    }
}

fn parse(file: &str, text: &str) -> Result<Pools, HarnessError> {
    let mut pools = Pools::new();
    let mut at = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && is_name(name)
        {
            at = Some(name);
            continue;
        }
        let name = at.ok_or_else(|| HarnessError::new(format!("{file} begins without a name")))?;
        pools.entry(name.to_owned()).or_default().push(line.to_owned());
    }
    Ok(pools)
}

/// True for the name of a move; a reference such as `[17]` may stand in brackets as well.
fn is_name(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_lowercase() || "/-".contains(letter))
}

/// A move that the first has and the second has not.
fn lacking<'p>(has: &'p Pools, lacks: &Pools) -> Option<&'p String> {
    has.keys().find(|name| !lacks.contains_key(*name))
}
