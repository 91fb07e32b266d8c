//! Detectors: what is wrong with what was said, with quotes.
//!
//! One file per detector. All are pure: the same transcript gives the same findings, with no clock,
//! no IO and no randomness. [`measure`] says how often they are right.

mod audit;
pub mod beliefs;
pub mod evidence;
pub mod flips;
pub mod heads;
mod injection;
pub mod leaning;
pub mod measure;
mod moved;
pub mod pair;
pub mod panel;
mod positions;
mod reader;
pub mod relate;
pub mod reports;
pub mod rubric;
pub mod same;
pub mod scores;
pub mod seed;
mod self_contradiction;
mod view;
mod votes;

pub use audit::{Audit, audit, examine};
pub use positions::{AgentRecord, Held, Questions, Reversal, positions};
pub use reader::{ByModel, Models, Reader};
pub use rubric::rubric;
pub use view::DebateView;
pub use votes::changed_vote;
