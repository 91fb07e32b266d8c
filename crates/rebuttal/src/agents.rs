//! The agents a command may ask: as rebuttal.toml names them, and those that come predefined.

use std::time::Instant;

use crate::error::{Context, Error, Result, err};
use rayon::prelude::*;
use rebuttal_llm::{Chat, ChatEndpoint, LlmError, Request};
use rebuttal_text::nearest;
use serde::Serialize;

use crate::config::{Agents, Config};

/// The agent of this name, ready to be asked; nothing is sent yet.
pub fn chat(config: &Config, name: &str) -> Result<Box<dyn Chat>> {
    chat_as(config, name, name)
}

/// Gives it another name: one model may sit on a panel in several personas.
pub fn chat_as(config: &Config, name: &str, shown: &str) -> Result<Box<dyn Chat>> {
    let agent = config.agents.get(name).ok_or_else(|| unknown(&config.agents, name))?;
    let endpoint = agent
        .settings(shown)
        .and_then(|settings| ChatEndpoint::new(settings).map_err(|error| explained(name, error)))
        .with_context(|| format!("agent {name}"))?;
    Ok(Box::new(endpoint))
}

/// Whether an agent could be asked: it has a key, and the key is there. One that needs none may have
/// no server either, so it is asked only by name.
pub fn has_key(config: &Config, name: &str) -> bool {
    let key = config.agents.get(name).and_then(|agent| agent.key.value.as_ref());
    key.is_some() && chat(config, name).is_ok()
}

/// What one call to an agent came to.
#[derive(Debug, Serialize)]
pub struct Checked {
    /// Who was asked.
    pub agent: String,
    /// Which model answers for it.
    pub model: String,
    /// Whether it answered.
    pub ok: bool,
    /// How long that took.
    pub millis: u64,
    /// What it said, or why it did not.
    pub says: String,
}

/// Asks each configured agent once, side by side.
pub fn check(config: &Config) -> Vec<Checked> {
    let names: Vec<(&str, String)> =
        config.agents.iter().map(|(name, agent)| (name, agent.model.value.clone())).collect();
    names.into_par_iter().map(|(name, model)| checked(config, name, model)).collect()
}

fn checked(config: &Config, name: &str, model: String) -> Checked {
    let start = Instant::now();
    let request = Request::new("Answer with one word: are you there?");
    let reply = chat(config, name).and_then(|chat| {
        chat.reply(&Request { max_tokens: Some(64), ..request }).map_err(Error::from)
    });
    let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (ok, says) = match reply {
        Ok(reply) => (true, reply.text.chars().take(60).collect()),
        Err(error) => (false, error.whole()),
    };
    Checked { agent: name.to_owned(), model, ok, millis, says }
}

fn unknown(agents: &Agents, name: &str) -> Error {
    let known: Vec<&str> = agents.iter().map(|(name, _)| name).collect();
    let hint = match nearest(name, &known) {
        Some(nearest) => format!("did you mean {nearest}? There are"),
        None => "there are".to_owned(),
    };
    let known = known.join(", ");
    err!("no agent is called {name:?}; {hint} {known}. [agents.NAME] in rebuttal.toml adds one")
}

/// What to do about a key is not the library's to say: it knows nothing of files.
fn explained(name: &str, error: LlmError) -> Error {
    if error.is_about_the_key() {
        return err!(
            "{error}; put the key there, or name another place by `key` in [agents.{name}]"
        );
    }
    error.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(config: &Config, name: &str) -> String {
        let Err(error) = chat(config, name) else { panic!("{name} is refused") };
        error.whole()
    }

    fn written(text: &str) -> Config {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rebuttal.toml");
        std::fs::write(&path, text).unwrap();
        Config::load(Some(&path)).unwrap()
    }

    #[test]
    fn an_unknown_agent_is_told_from_the_known() {
        let config = Config::default();
        assert_eq!(
            refused(&config, "cluade"),
            "no agent is called \"cluade\"; did you mean claude? There are claude, gemini, gpt4, \
             ollama. [agents.NAME] in rebuttal.toml adds one"
        );
        let error = refused(&config, "bob");
        assert!(error.contains("\"bob\"; there are claude, gemini, gpt4, ollama."), "{error}");
    }

    #[test]
    fn a_key_that_is_not_there_is_named() {
        let config = written("[agents.claude]\nkey = 'env:REBUTTAL_NO_SUCH_KEY'");
        assert_eq!(
            refused(&config, "claude"),
            "agent claude: env:REBUTTAL_NO_SUCH_KEY: this environment variable is not set; put the \
             key there, or name another place by `key` in [agents.claude]"
        );
    }

    #[test]
    fn agents_are_made_as_written() {
        let config = written(
            "[agents.mine]\nprovider = 'openai'\nmodel = 'm'\nurl = 'http://127.0.0.1:1/v1'",
        );
        assert_eq!(chat(&config, "mine").map(|agent| agent.id().to_owned()).unwrap(), "mine");
        assert_eq!(chat(&config, "ollama").map(|agent| agent.id().to_owned()).unwrap(), "ollama");
        let error = refused(
            &written("[agents.mine]\nprovider = 'gemini'\nmodel = 'a b'\nkey = 'env:PATH'"),
            "mine",
        );
        assert!(error.contains("`model` is not the name of a model"), "{error}");
    }
}
