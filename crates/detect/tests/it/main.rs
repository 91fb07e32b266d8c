//! Detectors against cases: the shared probes, where they are at hand, and our own.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails loudly, and says when it was skipped"
)]

mod evidence_probes;
mod one_decider;
mod probes;
mod report_pairs;
mod report_probes;
mod reversals;
mod sides;
