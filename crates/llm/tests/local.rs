//! Fetching the local model: by a client that a test wrote, and what is said where it fails.
//!
//! `cfg(test)` on the module tells clippy that helpers in it are test code as well.

#[cfg(test)]
mod local_fetch;
