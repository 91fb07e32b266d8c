//! The decision rules by name. How each counts stands in `rules`; its short text form in `rule_text`.

use serde::{Deserialize, Serialize};

use super::options::Options;

/// What an agent's vote weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightBy {
    /// How sure it says it is.
    Conviction,
    /// How good it has been, as the caller measured it.
    Skill,
    /// How sure it says it is, corrected by how right it was when that sure, as the caller measured
    /// it: the given weight times the conviction.
    Calibration,
}

/// How ballots become a decision.
///
/// Written as a short text, in configuration and records alike: `majority`, `supermajority:0.66`,
/// `quorum:0.5:borda`, `trimmed-mean:0.1`. `docs/decisions.md` has each with its formula and what it
/// promises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rule {
    /// Most first choices.
    Plurality,
    /// First choices of more than half of the panel.
    Majority,
    /// First choices of at least this share of the panel.
    Supermajority {
        /// Above one half, at most 1.
        share: f64,
    },
    /// The first choice of everybody on the panel.
    Unanimity,
    /// Another rule, if at least this share of the panel voted.
    Quorum {
        /// Above 0, at most 1.
        share: f64,
        /// The rule that then counts.
        rule: Box<Rule>,
    },
    /// Most agents who could live with it.
    Approval,
    /// Points by rank.
    Borda,
    /// The option with the fewest first choices drops out, again and again.
    InstantRunoff,
    /// Most pairwise wins.
    Copeland,
    /// The strongest paths of pairwise wins.
    Schulze,
    /// Pairwise wins locked in, the clearest first.
    RankedPairs,
    /// Points that agents spread as they like.
    Cumulative,
    /// Most weight behind a first choice.
    Weighted {
        /// What gives a vote its weight.
        by: WeightBy,
        /// The share of the weight that is needed, if any.
        share: Option<f64>,
    },
    /// The mean of the agents' probabilities.
    LinearPool,
    /// The normalised geometric mean of the agents' probabilities.
    LogPool,
    /// The middle number.
    Median,
    /// The mean of the numbers without the outermost.
    TrimmedMean {
        /// The share dropped at each end; below one half.
        cut: f64,
    },
    /// One judge decides.
    Judge,
    /// What most judges say who say the same in both orders.
    JudgePanel,
    /// Another rule over what nobody blocks.
    Veto {
        /// The rule that then counts.
        rule: Box<Rule>,
    },
    /// Nothing is decided here: a person decides.
    Escalate,
}

impl Rule {
    /// Every rule once, with the parameters most people mean, in the order of `docs/decisions.md`.
    pub fn all() -> Vec<Self> {
        use WeightBy::{Calibration, Conviction, Skill};
        let weighted =
            [Conviction, Skill, Calibration].map(|by| Self::Weighted { by, share: None });
        let mut all = vec![
            Self::Plurality,
            Self::Majority,
            Self::Supermajority { share: 2.0 / 3.0 },
            Self::Unanimity,
            Self::Quorum { share: 0.5, rule: Box::new(Self::Plurality) },
            Self::Approval,
            Self::Borda,
            Self::InstantRunoff,
            Self::Copeland,
            Self::Schulze,
            Self::RankedPairs,
            Self::Cumulative,
        ];
        all.extend(weighted);
        all.extend([
            Self::LinearPool,
            Self::LogPool,
            Self::Median,
            Self::TrimmedMean { cut: 0.1 },
            Self::Judge,
            Self::JudgePanel,
            Self::Veto { rule: Box::new(Self::Plurality) },
            Self::Escalate,
        ]);
        all
    }

    /// The rule for questions of this kind where nobody chose one: the median of numbers, else the
    /// majority.
    pub fn usual(options: &Options) -> Self {
        if matches!(options, Options::Number) { Self::Median } else { Self::Majority }
    }

    /// True for rules that count numbers and not options.
    pub fn is_numeric(&self) -> bool {
        match self {
            Self::Median | Self::TrimmedMean { .. } => true,
            Self::Quorum { rule, .. } | Self::Veto { rule } => rule.is_numeric(),
            _ => false,
        }
    }

    /// True for rules that ask judges and not the panel.
    pub fn is_judged(&self) -> bool {
        matches!(self, Self::Judge | Self::JudgePanel)
    }
}
