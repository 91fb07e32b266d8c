//! Who reads the evidence: which side it leans to and what it looks for. Data, from
//! `assets/personas.toml`.

use serde::{Deserialize, Serialize};

/// One seat of a panel: who sits there, whether it quotes or a model answers for it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Its name.
    pub name: String,
    /// Who it is, as models are told and people read.
    pub persona: String,
    /// Which side it leans to before it has read anything.
    #[serde(default)]
    pub leans: Leans,
    /// What it looks for first, in a few words; anything if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub looks_for: String,
    /// Its own documents: those with this folder or file name in their path. All if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reads: String,
}

/// Which side a persona leans to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Leans {
    /// To the first answer: yes.
    For,
    /// To the second: no.
    Against,
    /// To neither.
    #[default]
    Neither,
}

impl Persona {
    /// One that leans to no side and looks for nothing in particular.
    pub fn neutral(name: &str) -> Self {
        let persona = "You go by whatever weighs more.".to_owned();
        let (looks_for, reads) = (String::new(), String::new());
        Self { name: name.to_owned(), persona, leans: Leans::Neither, looks_for, reads }
    }

    /// Whether a document is one of those it reads by itself.
    pub(crate) fn opens(&self, document: &str) -> bool {
        let own = |part: &str| part.split('.').next() == Some(self.reads.as_str());
        self.reads.is_empty() || document.split(['/', '\\']).any(own)
    }
}
