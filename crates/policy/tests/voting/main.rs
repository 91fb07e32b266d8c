//! From proposals and ballots to a decision: rules, answers, debates, stops, lift.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    clippy::print_stdout,
    reason = "a test fails loudly, helpers included"
)]

mod answers;
mod debate;
mod kit;
mod lift;
mod probes;
mod promises;
mod rules;
mod stops;
mod sums;
