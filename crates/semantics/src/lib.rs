//! Meaning: how alike two texts are, and whether one contradicts the other.
//!
//! Two capabilities behind two traits, [`Embedder`] and [`Inference`]. Detectors ask the traits and
//! never know which model answers.

mod embedding;
mod error;
mod inference;
mod wordpiece;

pub use embedding::{Embedder, Embedding};
pub use error::SemanticsError;
pub use inference::{Inference, Pair, Verdict};
pub use wordpiece::WordPiece;
