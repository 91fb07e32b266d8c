//! The journal: append-only streams of records, each chained to the one before by its hash.
//!
//! A record is on the disk when `Store::append` returns, and not before; whoever must not act
//! without it waits for that. Order is by number, never by time.

mod chain;
mod file;
#[cfg(feature = "sql")]
mod moving;
mod record;
#[cfg(feature = "sql")]
mod streams;

#[cfg(feature = "sql")]
pub(crate) use chain::Walk;
pub use chain::{Entry, Head};
pub use file::{read_file, verify_file};
pub use record::seal;
#[cfg(feature = "sql")]
pub(crate) use record::{payload, record, time};
#[cfg(feature = "sql")]
pub(crate) use streams::{entry, lock, put, put_written};
