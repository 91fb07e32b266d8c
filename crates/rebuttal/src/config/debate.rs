//! `[debate]`: how debates are run when the command line does not say. What is typed goes before it.

use super::Set;
use super::presets::Preset;
use super::protocol::Changes;

/// The section `[debate]`.
#[derive(Debug)]
#[non_exhaustive]
pub struct DebateConfig {
    /// Who debates.
    pub agents: Set<Vec<String>>,
    /// Who moderates.
    pub moderator: Set<Option<String>>,
    /// Who judges.
    pub judges: Set<Vec<String>>,
    /// The protocol to start from, by name.
    pub preset: Set<String>,
    /// The settings that differ from the preset.
    pub changes: Changes,
}

impl Default for DebateConfig {
    fn default() -> Self {
        Self {
            agents: Set::default(),
            moderator: Set::default(),
            judges: Set::default(),
            preset: Set::default_of(Preset::default().name().to_owned()),
            changes: Changes::default(),
        }
    }
}
