//! What a debate came to, in writing: each sentence with the turns it rests on.

use serde::{Deserialize, Serialize};

use crate::{AgentId, TurnId};

/// A sentence of a synthesis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// The sentence.
    pub text: String,
    /// The turns that say what it says; none where it cannot be traced, which is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnId>,
}

/// What a debate came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synthesis {
    /// Who wrote it; put together from the record where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<AgentId>,
    /// The answer.
    pub answer: Vec<Traced>,
    /// What speaks for it.
    pub reasons: Vec<Traced>,
    /// What both sides brought evidence on.
    pub contested: Vec<Traced>,
    /// What would change the answer.
    pub would_change: Vec<Traced>,
    /// Those who disagree, in their own words.
    pub dissent: Vec<Traced>,
}

impl Synthesis {
    /// Its parts with their titles, in the order in which they are read; empty ones are left out.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &[Traced])> {
        let parts = [
            ("The answer", &self.answer),
            ("Reasons", &self.reasons),
            ("Contested", &self.contested),
            ("What would change it", &self.would_change),
            ("Dissent", &self.dissent),
        ];
        parts.into_iter().filter(|(_, said)| !said.is_empty()).map(|(title, said)| (title, &**said))
    }
}
