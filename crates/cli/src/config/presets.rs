//! Protocols by name: those that come with the program, and `[presets.NAME]`.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use rebuttal::detect::scores::detect_domain;
use rebuttal::model::Protocol;
use rebuttal::text::nearest;

use super::protocol::{Changes, GENERAL};
use super::{Config, Set};
use crate::args::Preset;

/// The section `[presets]`.
#[derive(Debug, Default)]
pub(crate) struct Presets(pub(crate) BTreeMap<String, OwnPreset>);

/// The section `[presets.NAME]`.
#[derive(Debug, Default)]
pub(crate) struct OwnPreset {
    /// The preset it starts from.
    pub(crate) base: Set<Preset>,
    /// What it changes.
    pub(crate) changes: Changes,
}

/// The preset of this name that comes with the program.
pub(crate) fn builtin(name: &str) -> Option<Preset> {
    Preset::from_str(name, false).ok()
}

/// What a preset is called.
pub(crate) fn name(preset: Preset) -> String {
    preset.to_possible_value().map(|name| name.get_name().to_owned()).unwrap_or_default()
}

impl Presets {
    /// All names, the program's own first.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Preset::value_variants().iter().copied().map(name).collect();
        names.extend(self.0.keys().filter(|name| builtin(name).is_none()).cloned());
        names
    }

    /// Why there is no such preset, and what was meant.
    pub(crate) fn unknown(&self, wanted: &str) -> String {
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
            None => builtin(wanted)
                .map(Preset::protocol)
                .ok_or_else(|| anyhow!("{}", self.unknown(wanted))),
        }
    }
}

impl Config {
    /// The preset that was asked for, or is configured, changed by `[debate]`.
    pub(crate) fn protocol(&self, preset: Option<&str>) -> Result<Protocol> {
        let preset = preset.unwrap_or(&self.debate.preset.value);
        self.debate.changes.apply(&self.presets.protocol(preset)?)
    }

    /// The same for a question, whose field may have settings of its own.
    pub(crate) fn protocol_for(&self, question: &str, preset: Option<&str>) -> Result<Protocol> {
        self.protocol_in(detect_domain(question).unwrap_or(GENERAL), preset)
    }

    /// The same for any question of a field.
    pub(crate) fn protocol_in(&self, field: &str, preset: Option<&str>) -> Result<Protocol> {
        let protocol = self.protocol(preset)?;
        let own = self.presets.0.get(preset.unwrap_or(&self.debate.preset.value));
        let protocol = match own {
            Some(own) => own.changes.apply_in(field, protocol)?,
            None => protocol,
        };
        self.debate.changes.apply_in(field, protocol)
    }
}
