//! A small model that runs inside this process, so that the first debate needs no key and no
//! server: `SmolLM2` with 135 million weights, or any GGUF file of its kind.
//!
//! [`LocalModel`] is the model in memory, [`Fetch`] gets the usual one on first use, [`LocalChat`]
//! is an agent that speaks through it. Replies by a [`Shape`] have its form by construction.
//!
//! The runtime is our own because it is small (a norm, a rotation, attention, a gated layer) and
//! because the integer kernels of `rebuttal-semantics` give what no runtime at hand does: the same
//! words on every machine and on any number of threads, whatever else is asked at the same time.

mod chat;
mod error;
mod fetch;
mod forward;
mod gguf;
mod line;
mod model;
mod past;
mod pieces;
mod runner;
mod sample;
mod session;
mod shape;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tokenizer;
mod turns;
mod weights;
mod write;

pub use chat::LocalChat;
pub use error::LocalError;
pub use fetch::{Download, Fetch, FetchWatch, Progress};
pub use model::LocalModel;
pub use sample::Sampling;
pub use shape::{Field, Kind, Shape};
