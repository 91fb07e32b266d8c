//! From contradictions to rulings, consensus and adjusted reports.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails loudly, helpers included"
)]

mod arbitration;
mod authority;
mod cases;
mod consensus;
mod kit;
mod model;
mod properties;
mod seed;
