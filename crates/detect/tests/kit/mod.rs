//! Makes pairs of reports of which a careful reader knows whether they conflict, and where.
//!
//! Everything follows from a seed. What conflicts is planted; everything else is made so that it
//! cannot conflict: other things, the same figures in other words, and numbers that are no values.
//! The labels come from what is written ([`value::judge`]), not from what was meant.

mod blame;
pub(crate) mod case;
pub(crate) mod claim;
pub(crate) mod compose;
pub(crate) mod entities;
pub(crate) mod figures;
pub(crate) mod mechanism;
pub(crate) mod metrics;
pub(crate) mod others;
pub(crate) mod period;
pub(crate) mod render;
pub(crate) mod rng;
mod score;
pub(crate) mod styles;
pub(crate) mod templates;
pub(crate) mod tests;
pub(crate) mod value;
pub(crate) mod words;

use std::sync::RwLock;

pub(crate) use case::{Case, Cases};

/// Shared by the tests that keep a core busy, held alone by the one that measures how fast it is.
pub(crate) static CORES: RwLock<()> = RwLock::new(());
