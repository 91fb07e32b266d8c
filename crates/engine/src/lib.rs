//! Carries out what the pure crates decide.
