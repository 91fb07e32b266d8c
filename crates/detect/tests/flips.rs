//! Flips against cases: the shared probes, where they are at hand, our own, and dialogues whose cause
//! is known.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails loudly, and says when it was skipped"
)]

#[path = "flips/causes.rs"]
mod causes;
#[path = "flips/detector.rs"]
mod detector;
#[path = "flips/outcomes.rs"]
mod outcomes;
#[path = "flips/statements.rs"]
mod statements;
#[path = "flips/ways.rs"]
mod ways;
