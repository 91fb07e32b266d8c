//! What can go wrong, and what to try.

use thiserror::Error;

/// Why a model could not answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SemanticsError {
    /// A model file that is not what it should be.
    #[error("model {name}: {reason}")]
    Model {
        /// The name of the file or asset.
        name: String,
        /// What is wrong with it and what to try.
        reason: String,
    },
    /// A server that gave no usable answer.
    #[error("{endpoint}: {reason}")]
    Endpoint {
        /// Its address.
        endpoint: String,
        /// What happened and what to try.
        reason: String,
        /// Which of the texts handed over is to blame, counted from 0, where that is known.
        text: Option<usize>,
    },
    /// A folder in which answers cannot be kept.
    #[error("cache {folder}: {reason}")]
    Cache {
        /// The folder.
        folder: String,
        /// What happened.
        reason: String,
    },
}
