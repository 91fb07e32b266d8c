//! What is done about options that a rule cannot tell apart: nothing, unless asked for.

use std::fmt;
use std::str::FromStr;

use rebuttal_text::nearest;
use serde::{Deserialize, Serialize};

/// How a tie is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(try_from = "String", into = "String")]
pub enum TieBreak {
    /// Not at all: a tie is no decision.
    #[default]
    None,
    /// The option that stands first in the question.
    OptionOrder,
    /// The option that did best under the same rule in the round before, or the one before that.
    EarlierRound,
    /// One drawn at random with the caller's number: a number always draws the same.
    Random {
        /// The number.
        seed: u64,
    },
}

/// Why a text is no way to break a tie.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TieBreakError {
    /// There is no such way.
    #[error("ties are broken by none, option-order, earlier-round or random:NUMBER, not by “{given}”{}",
        .meant.as_deref().map(|meant| format!("; did you mean “{meant}”?")).unwrap_or_default())]
    Unknown {
        /// What was written.
        given: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// A draw needs a number.
    #[error("one is drawn with a whole number, as in “random:42”, not with “{0}”")]
    Seed(String),
}

const NAMES: [&str; 4] = ["none", "option-order", "earlier-round", "random"];

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        let (name, seed) = match text.split_once(':') {
            Some((name, seed)) => (name, Some(seed.trim())),
            None => (text, None),
        };
        let name = name.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        match (name.as_str(), seed) {
            ("none", None) => Ok(Self::None),
            ("option-order", None) => Ok(Self::OptionOrder),
            ("earlier-round", None) => Ok(Self::EarlierRound),
            // Journals of earlier releases say `lot`.
            ("random" | "lot", seed) => {
                let seed = seed.unwrap_or_default();
                let number = seed.parse().map_err(|_| TieBreakError::Seed(seed.to_owned()))?;
                Ok(Self::Random { seed: number })
            }
            _ => {
                let meant = nearest(&name, &NAMES).map(str::to_owned);
                Err(TieBreakError::Unknown { given: text.trim().to_owned(), meant })
            }
        }
    }
}

impl TryFrom<String> for TieBreak {
    type Error = TieBreakError;

    fn try_from(text: String) -> Result<Self, TieBreakError> {
        text.parse()
    }
}

impl From<TieBreak> for String {
    fn from(tie: TieBreak) -> Self {
        tie.to_string()
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::OptionOrder => f.write_str("option-order"),
            Self::EarlierRound => f.write_str("earlier-round"),
            Self::Random { seed } => write!(f, "random:{seed}"),
        }
    }
}

/// Which of so many is drawn. The number is mixed first (`SplitMix64`), so that seeds that
/// follow each other draw apart.
pub(super) fn draw(seed: u64, among: usize) -> usize {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let among = u64::try_from(among.max(1)).unwrap_or(u64::MAX);
    usize::try_from(mixed % among).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read_back_and_slips_are_named() {
        for tie in [
            TieBreak::None,
            TieBreak::OptionOrder,
            TieBreak::EarlierRound,
            TieBreak::Random { seed: 42 },
        ] {
            assert_eq!(tie.to_string().parse(), Ok(tie));
        }
        let error = |text: &str| text.parse::<TieBreak>().unwrap_err().to_string();
        assert!(error("earlyer-round").contains("did you mean “earlier-round”?"));
        assert!(error("random").contains("random:42"));
        assert!(error("random:-1").contains("“-1”"));
        assert_eq!("lot:42".parse(), Ok(TieBreak::Random { seed: 42 }), "as journals have it");
    }

    #[test]
    fn every_option_is_drawn_by_some_seed() {
        let drawn: std::collections::BTreeSet<usize> = (0..50).map(|seed| draw(seed, 3)).collect();
        assert_eq!(drawn.len(), 3);
        assert_eq!(draw(7, 1), 0);
        assert_eq!(draw(7, 0), 0);
    }
}
