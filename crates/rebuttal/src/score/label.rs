//! What a row's label says.

use rebuttal_model::{FlipKind, Stance};
use serde_json::Value;

use super::task::{Class, Gold};

/// A label as text; numbers and booleans are spelled out.
pub(super) struct Label(pub(super) String);

impl Label {
    pub(super) fn new(label: &Value) -> Result<Self, String> {
        match label {
            Value::String(text) => Ok(Self(text.trim().to_ascii_lowercase())),
            Value::Number(number) => Ok(Self(number.to_string())),
            Value::Bool(truth) => Ok(Self(truth.to_string())),
            Value::Null => Err("has no label".to_owned()),
            Value::Array(_) | Value::Object(_) => Err("the label is not a word".to_owned()),
        }
    }

    pub(super) fn stance(&self) -> Option<Stance> {
        match self.0.as_str() {
            "yes" | "true" => Some(Stance::Yes),
            "no" | "false" => Some(Stance::No),
            "unclear" => Some(Stance::Unclear),
            _ => None,
        }
    }

    pub(super) fn binary(&self, positive: &str, negative: &str) -> Option<Gold> {
        match self.0.as_str() {
            "1" | "1.0" | "true" | "yes" => Some(Gold::Binary(Class::Positive)),
            "0" | "0.0" | "false" | "no" => Some(Gold::Binary(Class::Negative)),
            label if label == positive => Some(Gold::Binary(Class::Positive)),
            label if label == negative => Some(Gold::Binary(Class::Negative)),
            _ => None,
        }
    }

    pub(super) fn self_contradiction(&self) -> Option<Gold> {
        match self.0.as_str() {
            "explicit_flip" | "explicit" => Some(Gold::Binary(Class::Explicit)),
            "soft_flip" | "soft" | "reversal" | "contradiction" => {
                Some(Gold::Binary(Class::Positive))
            }
            "no_flip" | "same" | "consistent" => Some(Gold::Binary(Class::Negative)),
            // From or to a position that is neither: no reversal, and not the same either.
            "moved" | "moved_from_or_to_unclear" | "unclear" => Some(Gold::LeftOut),
            _ => self.binary("self_contradiction", "no_self_contradiction"),
        }
    }

    pub(super) fn contradiction(&self) -> Option<Gold> {
        match self.0.as_str() {
            "contradiction" => Some(Gold::Binary(Class::Positive)),
            "entailment" | "neutral" | "not_contradiction" | "not_entailment" => {
                Some(Gold::Binary(Class::Negative))
            }
            _ => self.binary("self_contradiction", "no_self_contradiction"),
        }
    }

    pub(super) fn similarity(&self) -> Option<Gold> {
        match self.0.as_str() {
            "paraphrase" => Some(Gold::Binary(Class::Positive)),
            "not_paraphrase" => Some(Gold::Binary(Class::Negative)),
            _ => self.binary("match", "no_match"),
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// What became of a position; the inner `None` is that it is still held.
    #[expect(clippy::option_option, reason = "no label, no flip and a flip are three things")]
    pub(super) fn flip(&self) -> Option<Option<FlipKind>> {
        match self.0.as_str() {
            "none" | "same" | "unrelated" | "no_flip" => Some(None),
            kind => FlipKind::ALL.into_iter().find(|it| it.as_str() == kind).map(Some),
        }
    }
}
