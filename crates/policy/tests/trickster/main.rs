//! What is done about hollow agreement: choice, limits, words, roles, learning.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails loudly, helpers included"
)]

mod calibration;
mod choice;
mod kit;
mod limits;
mod probes;
mod roles;
mod stats;
mod texts;
mod watch;
