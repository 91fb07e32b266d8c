//! The importers, from the outside.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop where it is; clippy excuses only the functions \
              marked as tests, not what they call"
)]

mod bad_input;
mod export;
mod fixtures;
mod formats;
mod interleaved;
mod positions;
mod properties;
mod reports;
mod reports_bad;
mod support;
