//! What a section of the file changes in a protocol: `[debate]` and `[presets.NAME]` alike.
//!
//! A change is the dotted name of a field of [`Protocol`] and what it becomes, so that whoever asks
//! can be told of every field where its value came from.

use std::collections::BTreeMap;

use crate::error::{Context, Result};
use rebuttal_model::{Detail, Protocol, Sees, TricksterConfig};
use serde_json::Value;

use super::Set;
use super::presets::Preset;

/// Fields by their dotted names, and what they become.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    set: BTreeMap<String, Set<Value>>,
    /// Further differences in debates of one field, by the field's name.
    fields: BTreeMap<String, Changes>,
}

impl Changes {
    /// Sets a field by its dotted name.
    pub fn insert(&mut self, name: String, value: Set<Value>) {
        self.set.insert(name, value);
    }

    /// Takes in what is otherwise in debates of a field.
    pub fn insert_field(&mut self, field: String, changes: Changes) {
        self.fields.insert(field, changes);
    }

    /// The differences for each field.
    pub fn by_field(&self) -> impl Iterator<Item = (&String, &Changes)> {
        self.fields.iter()
    }

    /// The protocol with what is otherwise in debates of a field.
    pub fn apply_in(&self, field: &str, protocol: Protocol) -> Result<Protocol> {
        match self.fields.get(field) {
            Some(changes) => changes.apply(&protocol),
            None => Ok(protocol),
        }
    }

    /// The line that sets a field.
    pub fn line(&self, name: &str) -> Option<usize> {
        self.set.get(name).and_then(|set| set.line)
    }

    /// The line that sets any field of a group.
    pub fn line_in(&self, group: &str) -> Option<usize> {
        let own = |(name, _): &(&String, &Set<Value>)| name.starts_with(group);
        self.set.iter().find(own).and_then(|(_, set)| set.line)
    }

    /// The protocol with these changes. Values were checked when they were read.
    pub fn apply(&self, protocol: &Protocol) -> Result<Protocol> {
        let mut whole = serde_json::to_value(protocol)?;
        for (name, set) in &self.set {
            let mut place = &mut whole;
            for part in name.split('.') {
                let table = place.as_object_mut().with_context(|| format!("`{name}`"))?;
                place = table.entry(part).or_insert(Value::Null);
            }
            place.clone_from(&set.value);
        }
        serde_json::from_value(whole).context("the protocol")
    }
}

/// Every field of a protocol by its dotted name, in order.
pub(super) fn fields(protocol: &Protocol) -> Result<Vec<(String, Value)>> {
    let mut fields = Vec::new();
    flatten("", &serde_json::to_value(protocol)?, &mut fields);
    // What has no limit is not written.
    let budget = ["calls", "tokens", "usd", "seconds"].map(|name| format!("budget.{name}"));
    for name in budget {
        if !fields.iter().any(|(known, _)| *known == name) {
            fields.push((name, Value::Null));
        }
    }
    Ok(fields)
}

fn flatten(prefix: &str, value: &Value, fields: &mut Vec<(String, Value)>) {
    match value {
        // Whom an agent sees is one value, however it is written.
        Value::Object(table) if prefix != "sees" => {
            for (name, value) in table {
                let dot = if prefix.is_empty() { "" } else { "." };
                flatten(&format!("{prefix}{dot}{name}"), value, fields);
            }
        }
        value => fields.push((prefix.to_owned(), value.clone())),
    }
}

impl Preset {
    /// The protocol as it comes with the program.
    pub fn protocol(self) -> Protocol {
        let hybrid = Protocol::default();
        match self {
            Self::Hybrid => hybrid,
            Self::Quick => {
                Protocol { rounds: 1, evidence_exchange: false, detail: Detail::Summary, ..hybrid }
            }
            Self::Strict => Protocol {
                rounds: 4,
                rule: "supermajority:0.66".to_owned(),
                stop: "unanimity or stable:2".to_owned(),
                evidence_required: true,
                trickster: TricksterConfig::strict(),
                ..hybrid
            },
            Self::Brainstorm => Protocol {
                rounds: 2,
                rule: "plurality".to_owned(),
                stop: "rounds:2".to_owned(),
                targeted: false,
                evidence_exchange: false,
                sees: Sees::All,
                trickster: TricksterConfig::brainstorming(),
                ..hybrid
            },
        }
    }
}
