//! Real requests to a server on this machine that behaves, and to one that does not.
//!
//! `cfg(test)` on the modules tells clippy that helpers in them are test code as well.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod server;
