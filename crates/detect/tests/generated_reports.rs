//! Reports made to conflict, or to seem to, and what the detector makes of them.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails loudly"
)]

mod kit;
