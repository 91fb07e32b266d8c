//! Further reasons to ask a person, for programs that run debates of their own.
//!
//! The trickster itself asks a person about severe hollow consensus only. These are the triggers of
//! the program the seed documents describe, with its slips put right: how severe a critique is says
//! on which scale ([`Critique`]), and a danger that is denied is no danger.

use rebuttal_model::{BreakpointAnswer, BreakpointPolicy};
use rebuttal_text::Reading;
use serde::{Deserialize, Serialize};

use super::share::{mean, share};

/// When a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Triggers {
    /// The confidence below which a person is asked.
    pub min_confidence: f64,
    /// After so many rounds in a row in which nobody moved.
    pub max_deadlock_rounds: u32,
    /// After so many rounds in all, whatever the debate says.
    pub max_total_rounds: u32,
    /// The mean severity of critiques above which a person is asked.
    pub disagreement_threshold: f64,
    /// What becomes of a question that nobody answers.
    pub unanswered: BreakpointPolicy,
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            min_confidence: 0.6,
            max_deadlock_rounds: 3,
            max_total_rounds: 10,
            disagreement_threshold: 0.7,
            unanswered: BreakpointPolicy::default(),
        }
    }
}

impl Triggers {
    /// How long a question waits, in minutes, and what is done then.
    pub fn timeout(&self) -> (Option<f64>, BreakpointAnswer) {
        let BreakpointPolicy { timeout_seconds, on_timeout } = self.unanswered;
        (timeout_seconds.map(|seconds| seconds / 60.0), on_timeout)
    }
}

/// How severe a critique is. The scale is part of the value, so that 1 of 10 is never read as
/// everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Critique {
    /// A share from 0 to 1.
    Share(f64),
    /// A mark from 0 to 10.
    OfTen(f64),
}

impl Critique {
    /// The severity from 0 to 1.
    pub fn severity(self) -> f64 {
        match self {
            Self::Share(value) => share(value),
            Self::OfTen(value) => share(value / 10.0),
        }
    }
}

/// How a debate stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing<'s> {
    /// How sure the panel is, where that is known.
    pub confidence: Option<f64>,
    /// The round it is in.
    pub round: u32,
    /// The most rounds it may have, where that was set.
    pub max_rounds: Option<u32>,
    /// For how many rounds in a row nobody has moved, although not all agree.
    pub rounds_without_movement: u32,
    /// How severe the critiques of the round are.
    pub critiques: &'s [Critique],
    /// What was said in the round.
    pub messages: &'s [&'s str],
}

/// Why a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Somebody says that something is dangerous.
    SafetyConcern,
    /// The panel is not sure.
    LowConfidence,
    /// Nobody moves any more.
    Deadlock,
    /// There are no rounds left.
    RoundLimit,
    /// Critiques are severe.
    HighDisagreement,
}

impl Trigger {
    /// How far up it goes: 1 for whoever runs the debate, 2 for whoever owns the question, 3 for
    /// whoever answers for harm.
    pub fn escalation(self) -> u8 {
        match self {
            Self::SafetyConcern => 3,
            Self::LowConfidence | Self::RoundLimit => 1,
            Self::Deadlock | Self::HighDisagreement => 2,
        }
    }
}

/// Why a person is asked, if one is: the most serious reason first, by the order of [`Trigger`].
pub fn trigger(triggers: &Triggers, standing: &Standing<'_>) -> Option<Trigger> {
    let unsure = standing.confidence.is_some_and(|sure| sure < triggers.min_confidence);
    let most = standing.max_rounds.unwrap_or(triggers.max_total_rounds);
    let severity = mean(standing.critiques.iter().map(|critique| critique.severity()));
    let severe = severity.is_some_and(|severity| severity > triggers.disagreement_threshold);
    let stuck = triggers.max_deadlock_rounds > 0
        && standing.rounds_without_movement >= triggers.max_deadlock_rounds;
    [
        (standing.messages.iter().any(|text| is_safety_concern(text)), Trigger::SafetyConcern),
        (unsure, Trigger::LowConfidence),
        (stuck, Trigger::Deadlock),
        (standing.round >= most.min(triggers.max_total_rounds), Trigger::RoundLimit),
        (severe, Trigger::HighDisagreement),
    ]
    .into_iter()
    .find_map(|(holds, trigger)| holds.then_some(trigger))
}

/// Words that say that somebody may come to harm.
const DANGERS: [&str; 16] = [
    "danger",
    "dangerous",
    "dangerously",
    "dangers",
    "deadly",
    "fatal",
    "harmful",
    "hazardous",
    "illegal",
    "lethal",
    "life-threatening",
    "lifethreatening",
    "perilous",
    "poisonous",
    "toxic",
    "unsafe",
];

/// True when a text says, in its own voice, that something is dangerous. What is denied, asked or
/// somebody else's word does not count.
pub fn is_safety_concern(text: &str) -> bool {
    let reading = Reading::new(text);
    let content = reading.content();
    content.words.iter().any(|word| {
        let clause = content.clauses.get(word.clause as usize);
        let said = clause.is_none_or(|clause| !clause.question && !clause.reported);
        let own = word.span.of(text).unwrap_or_default().to_lowercase();
        said && !word.negated && !word.name && DANGERS.contains(&own.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangers_are_those_that_are_meant() {
        for text in [
            "Running both reactors at once would be dangerous",
            "Mixing the two is toxic, and it is cheap.",
            "I do not like it: the wiring is unsafe.",
            "DANGEROUS.",
        ] {
            assert!(is_safety_concern(text), "{text}");
        }
        for text in [
            "The coating is not toxic and not in the least hazardous.",
            "There is nothing dangerous about the coating.",
            "Nobody has shown that the coating is harmful.",
            "Without the coating it is not unsafe.",
            "It is neither toxic nor unsafe.",
            "Is it dangerous?",
            "It is safe.",
            "An endangered species lives there.",
            "",
        ] {
            assert!(!is_safety_concern(text), "{text}");
        }
    }

    #[test]
    fn the_most_serious_reason_comes_first() {
        let standing = Standing {
            confidence: Some(0.1),
            messages: &["That is dangerous."],
            ..Standing::default()
        };
        assert_eq!(trigger(&Triggers::default(), &standing), Some(Trigger::SafetyConcern));
        let standing = Standing { messages: &[], rounds_without_movement: 9, ..standing };
        assert_eq!(trigger(&Triggers::default(), &standing), Some(Trigger::LowConfidence));
        let standing = Standing { confidence: None, ..standing };
        assert_eq!(trigger(&Triggers::default(), &standing), Some(Trigger::Deadlock));
        assert_eq!(trigger(&Triggers::default(), &Standing::default()), None);
    }
}
