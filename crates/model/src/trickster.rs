//! When the trickster steps in, and with what: seed 001's settings.

use serde::{Deserialize, Serialize};

/// How much each part of evidence quality counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualityWeights {
    /// Claims with a source.
    pub citation_density: f64,
    /// Figures and names against vague words.
    pub specificity_score: f64,
    /// Premises that lead to a conclusion.
    pub logical_chain_score: f64,
    /// Kinds of evidence.
    pub evidence_diversity: f64,
}

impl Default for QualityWeights {
    fn default() -> Self {
        Self {
            citation_density: 0.25,
            specificity_score: 0.25,
            logical_chain_score: 0.25,
            evidence_diversity: 0.25,
        }
    }
}

/// When the trickster steps in, and with what. The fields and defaults of seed 001, and what it
/// leaves unnamed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the seed")]
pub struct TricksterConfig {
    /// The least average evidence quality that is enough.
    pub min_quality_threshold: f64,
    /// The severity from which hollow consensus is acted on.
    pub hollow_detection_threshold: f64,
    /// How alike answers must be to count as agreement.
    pub convergence_threshold: f64,
    /// The share of repeated sources from which it is an echo.
    pub redundancy_threshold: f64,
    /// The novelty below which a proposal is stale.
    pub novelty_threshold: f64,
    /// The severity from which a person is asked.
    pub breakpoint_severity: f64,
    /// Rounds from one that was acted on to the next that may be: with 1 every round, with 3 every
    /// third.
    pub intervention_cooldown_rounds: u32,
    /// May challenge.
    pub enable_challenge_prompts: bool,
    /// May give the role of quality challenger.
    pub enable_role_assignment: bool,
    /// May add rounds.
    pub enable_extended_rounds: bool,
    /// May pause for a person.
    pub enable_breakpoints: bool,
    /// Most challenges in one round.
    pub max_challenges_per_round: u32,
    /// Most interventions in one debate.
    pub max_interventions_total: u32,
    /// How many rounds an extension adds.
    pub extension_rounds: u32,
    /// How evidence quality is put together.
    pub weights: QualityWeights,
}

impl Default for TricksterConfig {
    fn default() -> Self {
        Self {
            min_quality_threshold: 0.65,
            hollow_detection_threshold: 0.5,
            convergence_threshold: 0.7,
            redundancy_threshold: 0.7,
            novelty_threshold: 0.15,
            breakpoint_severity: 0.8,
            intervention_cooldown_rounds: 1,
            enable_challenge_prompts: true,
            enable_role_assignment: true,
            enable_extended_rounds: true,
            enable_breakpoints: true,
            max_challenges_per_round: 3,
            max_interventions_total: 5,
            extension_rounds: 1,
            weights: QualityWeights::default(),
        }
    }
}

impl TricksterConfig {
    /// For technical debates: asks for more, steps in sooner.
    pub fn strict() -> Self {
        Self { min_quality_threshold: 0.7, hollow_detection_threshold: 0.4, ..Self::default() }
    }

    /// For collecting ideas: asks for less, steps in later.
    pub fn brainstorming() -> Self {
        Self { min_quality_threshold: 0.4, hollow_detection_threshold: 0.7, ..Self::default() }
    }

    /// Says which value is out of range, and what the range is.
    pub fn check(&self) -> Result<(), TricksterConfigError> {
        let shares = [
            ("min_quality_threshold", self.min_quality_threshold),
            ("hollow_detection_threshold", self.hollow_detection_threshold),
            ("convergence_threshold", self.convergence_threshold),
            ("redundancy_threshold", self.redundancy_threshold),
            ("novelty_threshold", self.novelty_threshold),
            ("breakpoint_severity", self.breakpoint_severity),
            ("weights.citation_density", self.weights.citation_density),
            ("weights.specificity_score", self.weights.specificity_score),
            ("weights.logical_chain_score", self.weights.logical_chain_score),
            ("weights.evidence_diversity", self.weights.evidence_diversity),
        ];
        if let Some((name, value)) = shares.iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            return Err(TricksterConfigError::Share { name, value: *value });
        }
        let QualityWeights {
            citation_density,
            specificity_score,
            logical_chain_score,
            evidence_diversity,
        } = self.weights;
        let sum = citation_density + specificity_score + logical_chain_score + evidence_diversity;
        if sum <= 0.0 {
            return Err(TricksterConfigError::Weights);
        }
        let counts = [
            ("intervention_cooldown_rounds", self.intervention_cooldown_rounds),
            ("max_challenges_per_round", self.max_challenges_per_round),
            ("max_interventions_total", self.max_interventions_total),
            ("extension_rounds", self.extension_rounds),
        ];
        match counts.iter().find(|(_, value)| *value > Self::MOST) {
            Some((name, value)) => Err(TricksterConfigError::Count { name, value: *value }),
            None => Ok(()),
        }
    }

    /// Most that a count may be: a debate of more rounds is a mistake in the settings.
    pub const MOST: u32 = 100;
}

/// A setting that cannot be meant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TricksterConfigError {
    /// A share that is none.
    #[error("`{name}` is {value}: give a number from 0 to 1")]
    Share {
        /// The name of the setting.
        name: &'static str,
        /// What it was set to.
        value: f64,
    },
    /// Weights that all are 0.
    #[error("the weights of evidence quality are all 0: give at least one of them some weight")]
    Weights,
    /// A count that is too high.
    #[error("`{name}` is {value}: give a whole number up to {}", TricksterConfig::MOST)]
    Count {
        /// The name of the setting.
        name: &'static str,
        /// What it was set to.
        value: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_in_range() {
        for config in [
            TricksterConfig::default(),
            TricksterConfig::strict(),
            TricksterConfig::brainstorming(),
        ] {
            assert_eq!(config.check(), Ok(()));
        }
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let config = TricksterConfig { novelty_threshold: 1.5, ..TricksterConfig::default() };
        let error = config.check().unwrap_err().to_string();
        assert_eq!(error, "`novelty_threshold` is 1.5: give a number from 0 to 1");
        let config = TricksterConfig { min_quality_threshold: f64::NAN, ..config };
        assert!(config.check().unwrap_err().to_string().contains("min_quality_threshold"));
        let config = TricksterConfig { max_interventions_total: 101, ..TricksterConfig::default() };
        assert!(config.check().unwrap_err().to_string().contains("up to 100"));
    }
}
