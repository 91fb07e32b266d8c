//! What can go wrong, and what to try.

use thiserror::Error;

/// Why a model could not answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SemanticsError {
    /// A model file that is not what it should be.
    #[error("model {name}: {reason}")]
    Model {
        /// Which file or asset.
        name: String,
        /// What is wrong with it and what to try.
        reason: String,
    },
}
