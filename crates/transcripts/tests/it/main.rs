//! The importers, from the outside.

mod bad_input;
mod export;
mod fixtures;
mod formats;
mod properties;
mod support;
