//! Protocols by name: those that come with the program, and `[presets.NAME]`.

use std::collections::BTreeMap;

use crate::error::{Result, err};
use rebuttal_detect::scores::{GENERAL, detect_domain};
use rebuttal_model::Protocol;
use rebuttal_text::nearest;

use super::protocol::Changes;
use super::{Config, Set};

/// The section `[presets]`.
#[derive(Debug, Default)]
pub struct Presets(pub BTreeMap<String, OwnPreset>);

/// The section `[presets.NAME]`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct OwnPreset {
    /// The preset it starts from.
    pub base: Set<Preset>,
    /// What it changes.
    pub changes: Changes,
}

/// The protocols that come with the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// One round, answers and theses only.
    Quick,
    /// Only the camps that disagree debate, with evidence, over up to two rounds.
    #[default]
    Hybrid,
    /// Evidence is required, two thirds must agree, up to four rounds.
    Strict,
    /// Everybody sees everybody; most votes win.
    Brainstorm,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Quick, Self::Hybrid, Self::Strict, Self::Brainstorm];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Hybrid => "hybrid",
            Self::Strict => "strict",
            Self::Brainstorm => "brainstorm",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }
}

impl Presets {
    /// All names, the program's own first.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Preset::ALL.map(|preset| preset.name().to_owned()).into();
        names.extend(crate::presets::names().map(str::to_owned));
        names.extend(self.0.keys().filter(|name| Preset::named(name).is_none()).cloned());
        names
    }

    /// Why there is no such preset, and what was meant.
    pub fn unknown(&self, wanted: &str) -> String {
        let names = self.names();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let hint = match nearest(wanted, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        format!("there is no preset `{wanted}`; {hint}")
    }

    /// A preset with what the file changes in it.
    fn protocol(&self, wanted: &str) -> Result<Protocol> {
        match self.0.get(wanted) {
            Some(own) => own.changes.apply(&own.base.value.protocol()),
            None => match Preset::named(wanted) {
                Some(preset) => Ok(preset.protocol()),
                None => crate::presets::find(wanted)?
                    .map(|panel| panel.protocol)
                    .ok_or_else(|| err!("{}", self.unknown(wanted))),
            },
        }
    }
}

impl Config {
    /// The preset that was asked for, or is configured, changed by `[debate]`.
    pub fn protocol(&self, preset: Option<&str>) -> Result<Protocol> {
        let preset = preset.unwrap_or(&self.debate.preset.value);
        self.debate.changes.apply(&self.presets.protocol(preset)?)
    }

    /// The protocol for a question, whose field may have settings of its own.
    pub fn protocol_for(&self, question: &str, preset: Option<&str>) -> Result<Protocol> {
        self.protocol_in(detect_domain(question).unwrap_or(GENERAL), preset)
    }

    /// The protocol for any question of a field.
    pub fn protocol_in(&self, field: &str, preset: Option<&str>) -> Result<Protocol> {
        let protocol = self.protocol(preset)?;
        let own = self.presets.0.get(preset.unwrap_or(&self.debate.preset.value));
        let protocol = match own {
            Some(own) => own.changes.apply_in(field, protocol)?,
            None => protocol,
        };
        self.debate.changes.apply_in(field, protocol)
    }
}
