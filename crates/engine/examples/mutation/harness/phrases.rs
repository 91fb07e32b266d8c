//! How things are put: several wordings of each move, some of them kept for the held-out half.

use std::collections::BTreeMap;

use super::dice::Dice;
use super::grammar::expand;
use super::{Half, Trouble};

/// All wordings, by what they do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phrases {
    pools: BTreeMap<String, Pool>,
}

#[derive(Clone, Debug, Default)]
struct Pool {
    shown: Vec<String>,
    held_out: Vec<String>,
}

impl Phrases {
    /// Reads them.
    pub(crate) fn read() -> Result<Self, Trouble> {
        let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
        let mut at = None;
        for line in include_str!("phrases.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                at = Some(name.to_owned());
                continue;
            }
            let name =
                at.clone().ok_or_else(|| Trouble::new("phrases.txt begins without a name"))?;
            let pool = pools.entry(name).or_default();
            match line.strip_prefix("! ") {
                Some(held_out) => pool.held_out.push(held_out.to_owned()),
                None => pool.shown.push(line.to_owned()),
            }
        }
        Ok(Self { pools })
    }

    /// A wording of this move, from those of this half alone.
    pub(crate) fn one(&self, name: &str, half: Half, dice: &mut Dice) -> String {
        self.several(name, 1, half, dice).pop().unwrap_or_default()
    }

    /// So many different wordings of one move; again from the start where there are too few.
    pub(crate) fn several(
        &self,
        name: &str,
        count: usize,
        half: Half,
        dice: &mut Dice,
    ) -> Vec<String> {
        let Some(pool) = self.pools.get(name) else { return Vec::new() };
        let mut wordings = match half {
            Half::Development => pool.shown.clone(),
            Half::HeldOut => pool.held_out.clone(),
        };
        dice.shuffle(&mut wordings);
        wordings.iter().cycle().take(count).map(|wording| expand(wording, dice)).collect()
    }
}
