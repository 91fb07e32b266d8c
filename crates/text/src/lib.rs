//! Reads text: from bytes to sentences, claims, stance and evidence.
//!
//! Pure and linear-time: no IO, no clock, no model, and no input that makes it slow.

mod reading;

pub use reading::{Cue, Hedging, Reading, StanceReading};
