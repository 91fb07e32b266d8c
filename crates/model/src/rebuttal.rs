//! An answer to one item of another agent's evidence.

use serde::{Deserialize, Serialize};

use crate::{AgentId, TurnId};

/// The item that a rebuttal answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RebuttedItem {
    /// The number under which the agent was shown the item, from 1.
    pub number: u32,
    /// Who offered it.
    pub agent: AgentId,
    /// The turn it stands in.
    pub turn: TurnId,
    /// What it says.
    pub text: String,
}

/// An agent's answer to one item of evidence of the other side.
///
/// Written as a plain string where it is not known what it answers: so it stands in journals of
/// policy version 0 and in most files from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Rebuttal {
    /// What it answers; `None` where that is not known.
    pub item: Option<RebuttedItem>,
    /// The answer.
    pub text: String,
}

impl From<String> for Rebuttal {
    fn from(text: String) -> Self {
        Self { item: None, text }
    }
}

impl From<&str> for Rebuttal {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// The two forms in JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Tied { item: RebuttedItem, text: String },
}

impl From<Written> for Rebuttal {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => Self::from(text),
            Written::Tied { item, text } => Self { item: Some(item), text },
        }
    }
}

impl From<Rebuttal> for Written {
    fn from(rebuttal: Rebuttal) -> Self {
        match rebuttal.item {
            Some(item) => Self::Tied { item, text: rebuttal.text },
            None => Self::Text(rebuttal.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_survive_json() {
        let item = RebuttedItem {
            number: 3,
            agent: AgentId::new("bob"),
            turn: TurnId::new(1),
            text: "It was tested.".to_owned(),
        };
        let rebuttals = [
            Rebuttal::from("Not on our hardware."),
            Rebuttal { item: Some(item), text: "By its vendor.".to_owned() },
        ];
        let json = serde_json::to_string(&rebuttals).unwrap();
        assert_eq!(
            json,
            r#"["Not on our hardware.",{"item":{"number":3,"agent":"bob","turn":1,"text":"It was tested."},"text":"By its vendor."}]"#
        );
        assert_eq!(serde_json::from_str::<Vec<Rebuttal>>(&json).unwrap(), rebuttals);
    }
}
