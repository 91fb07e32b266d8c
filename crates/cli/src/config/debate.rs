//! `[debate]`: how debates are run when the command line does not say. What is typed goes before it.

use super::Set;
use super::protocol::Changes;
use crate::args::Preset;

/// The section `[debate]`.
#[derive(Debug)]
pub(crate) struct Debate {
    /// Who debates.
    pub(crate) agents: Set<Vec<String>>,
    /// Who moderates.
    pub(crate) moderator: Set<Option<String>>,
    /// Who judges.
    pub(crate) judges: Set<Vec<String>>,
    /// The protocol to start from, by name.
    pub(crate) preset: Set<String>,
    /// What is otherwise than in it.
    pub(crate) changes: Changes,
}

impl Default for Debate {
    fn default() -> Self {
        Self {
            agents: Set::default(),
            moderator: Set::default(),
            judges: Set::default(),
            preset: Set::default_of(super::presets::name(Preset::default())),
            changes: Changes::default(),
        }
    }
}
