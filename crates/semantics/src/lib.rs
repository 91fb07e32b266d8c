//! Meaning: how alike two texts are, and whether one contradicts the other.
//!
//! Two capabilities behind two traits, [`Embedder`] and [`Inference`]. Detectors ask the traits and
//! never know which model answers.

mod beyond;
mod builtin;
mod cache;
mod embedding;
mod encoder;
mod error;
mod hashed;
mod heads;
mod inference;
mod judge;
pub mod kernel;
mod language;
#[cfg(feature = "onnx")]
mod onnx;
mod sentence;
mod vectors;
mod weights;
mod windows;
mod wordpiece;

pub use beyond::{Alike, Bag};
pub use builtin::{BuiltinEncoder, BuiltinReader, BuiltinVectors};
pub use cache::{Cached, Kept, Store};
pub use embedding::{Embedder, Embedding};
pub use encoder::{Encoder, Tokens};
pub use error::SemanticsError;
pub use hashed::HashedWords;
pub use heads::{Changed, Related};
pub use inference::{Inference, Leaning, Pair, Verdict};
pub use judge::CrossEncoder;
pub use language::Trust;
#[cfg(feature = "onnx")]
pub use onnx::{
    IsolatedEmbedder, IsolatedInference, OnnxEmbedder, OnnxInference, Worker, WorkerLimits,
    is_onnx_folder, serve_worker,
};
pub use sentence::SentenceEncoder;
pub use vectors::StaticVectors;
pub use weights::Pooling;
pub use wordpiece::WordPiece;
