//! Agents whose key is in the environment.

use std::sync::Arc;

use rebuttal_llm::{ChatEndpoint, ChatSettings, LlmError};

use super::Agent;

/// Why an agent cannot be had from the environment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FromEnvError {
    /// No agent of this name is known.
    #[error("no agent is called {name:?}; there are {}", ChatSettings::KNOWN.join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// It is known and cannot be asked: its key is missing, for example.
    #[error("{name}: {error}")]
    Unusable {
        /// The name.
        name: String,
        /// What is wrong.
        error: Box<LlmError>,
    },
}

impl Agent {
    /// One of the agents that need nothing but a key in the environment: `claude`
    /// (`ANTHROPIC_API_KEY`), `gemini` (`GEMINI_API_KEY`), `gpt4` (`OPENAI_API_KEY`), and `ollama` on
    /// this machine, which needs none. Nothing is sent yet.
    ///
    /// ```
    /// use rebuttal_engine::debate::Agent;
    ///
    /// assert!(Agent::from_env("ollama").is_ok());
    /// let error = Agent::from_env("hal").unwrap_err().to_string();
    /// assert_eq!(error, "no agent is called \"hal\"; there are claude, gemini, gpt4, ollama");
    /// ```
    pub fn from_env(name: &str) -> Result<Self, FromEnvError> {
        let unusable =
            |error| FromEnvError::Unusable { name: name.to_owned(), error: Box::new(error) };
        let unknown = || FromEnvError::Unknown { name: name.to_owned() };
        let settings = ChatSettings::known(name).ok_or_else(unknown)?;
        let model = settings.model.clone();
        let chat = ChatEndpoint::new(settings).map_err(unusable)?;
        Ok(Self::new(name, Arc::new(chat)).model(model))
    }
}
