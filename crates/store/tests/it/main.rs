//! One contract, two engines: every case runs on SQLite and on PostgreSQL.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that cannot go on should stop where it is; clippy excuses only the functions \
              marked as tests, not what they call"
)]

mod bad;
mod debates;
mod detection;
mod journal;
mod kill;
mod knowledge;
mod lease;
mod ledger;
mod queries;
mod rebuild;
mod support;
