//! What most programs need: `use rebuttal::prelude::*;`.

pub use crate::audit::{AuditSettings, audit};
pub use crate::config::Config;
pub use crate::engine::debate::{
    Agent, Arena, Ask, Debate, Ended, Engine, Environment, MemoryJournal, Response, Vote,
};
pub use crate::model::{
    AgentId, Ballot, DebateId, Decision, Finding, Flip, Method, Position, Report, Role, Severity,
    Transcript, Turn,
};
pub use crate::models::Analyzer;
pub use crate::store::{Location, Store};
pub use crate::{Error, ErrorKind, Result};
