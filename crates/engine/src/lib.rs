//! Carries out what the pure crates decide.

pub mod arbitration;
