//! `[debate]`: how debates are run when the command line does not say. What is typed goes before it.

use super::Set;
use crate::args::Preset;

/// The section `[debate]`.
#[derive(Debug, Default)]
pub(crate) struct Debate {
    /// Who debates.
    pub(crate) agents: Set<Vec<String>>,
    /// Who moderates.
    pub(crate) moderator: Set<Option<String>>,
    /// Who judges.
    pub(crate) judges: Set<Vec<String>>,
    /// The protocol to start from.
    pub(crate) preset: Set<Preset>,
    /// Most rounds after the blind one.
    pub(crate) rounds: Set<Option<u32>>,
    /// How votes are counted.
    pub(crate) rule: Set<Option<String>>,
    /// When it ends early.
    pub(crate) stop: Set<Option<String>>,
    /// What becomes of a tie.
    pub(crate) tie: Set<Option<String>>,
}
