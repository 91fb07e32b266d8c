//! What a file that merely lies in the working folder may not do by itself.
//!
//! Whoever clones a repository or unpacks an archive has not read every file in it. So a
//! `rebuttal.toml` that was found, and not named, sends a key nowhere but to the server of the key's
//! own provider, until the user allows more; and it takes no key from a file outside its folder.

use std::path::{Component, Path};

use rebuttal_llm::{Address, Api, KeyRef, Provider};

use super::{Config, Embeddings, NamedBy, USUAL};

/// Why something in the file is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What would send the key: an agent, or the model for embeddings.
    pub who: String,
    /// What it would do.
    pub what: String,
    /// Whether the user's yes is enough; else the file has to be named.
    pub may_be_allowed: bool,
}

impl Refusal {
    /// What happened, and what to try.
    pub fn message(&self) -> String {
        let Self { what, may_be_allowed, .. } = self;
        let way = if *may_be_allowed {
            format!("--trust allows it, and so does naming the file: --config {USUAL}")
        } else {
            format!("if that is right, name the file: --config {USUAL}")
        };
        format!("{USUAL} lies in this folder and was not named, and it would {what}; {way}")
    }
}

impl Config {
    /// What the file may not do before the user allows it. Empty unless it was found in the working
    /// folder.
    pub fn refusals(&self) -> Vec<&Refusal> {
        let agents = self.agents.iter().filter_map(|(_, agent)| agent.refused.as_ref());
        agents.chain(self.semantics.refused.as_ref()).collect()
    }

    /// Allows what the user can allow.
    pub fn allow(&mut self) {
        for (_, agent) in self.agents.iter_mut() {
            agent.refused.take_if(|refusal| refusal.may_be_allowed);
        }
        self.semantics.refused.take_if(|refusal| refusal.may_be_allowed);
    }

    /// The servers that agents of a file from the working folder would be asked on, by agent.
    pub fn found_servers(&self) -> Vec<(String, String)> {
        if !self.is_found() {
            return Vec::new();
        }
        let named = self.agents.iter().filter_map(|(name, agent)| {
            Some((format!("agent {name}"), agent.url.value.as_ref()?.to_string()))
        });
        named.collect()
    }

    /// The server that a file from the working folder would send texts to.
    pub fn found_embeddings(&self) -> Option<String> {
        match &self.semantics.embeddings.value {
            Embeddings::Endpoint(settings) if self.is_found() => Some(settings.address.to_string()),
            _ => None,
        }
    }

    fn is_found(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.named_by == NamedBy::Folder)
    }

    /// Marks what a file that was found in `folder` may not do.
    pub(super) fn restrict(&mut self, folder: &Path) {
        for (name, agent) in self.agents.iter_mut() {
            let own = own_server(agent.provider.value);
            let address = agent.url.value.as_ref();
            let at_home = address.is_none_or(|url| own.as_ref().is_some_and(|own| url.is_on(own)));
            let variable = agent.provider.value.usual_variable();
            let key = agent.key.value.as_ref();
            let to = agent.shown_url();
            let what = key.and_then(|key| demand(key, at_home, variable, folder, &to));
            agent.refused = what.map(|(what, may_be_allowed)| Refusal {
                who: format!("agent {name}"),
                what,
                may_be_allowed,
            });
        }
        if let Embeddings::Endpoint(settings) = &self.semantics.embeddings.value {
            let provider = (settings.api == Api::OpenAi).then_some(Provider::OpenAi);
            let own = provider.and_then(own_server);
            let at_home = own.is_some_and(|own| settings.address.is_on(&own));
            let variable = provider.and_then(Provider::usual_variable);
            let to = settings.address.to_string();
            let key = settings.key.as_ref();
            let what = key.and_then(|key| demand(key, at_home, variable, folder, &to));
            self.semantics.refused = what.map(|(what, may_be_allowed)| Refusal {
                who: "embeddings".to_owned(),
                what,
                may_be_allowed,
            });
        }
    }
}

fn own_server(provider: Provider) -> Option<Address> {
    provider.usual_address().parse().ok()
}

/// What is asked of the user's key that only the user may grant, and whether a yes is enough.
fn demand(
    key: &KeyRef,
    at_home: bool,
    variable: Option<&str>,
    folder: &Path,
    to: &str,
) -> Option<(String, bool)> {
    match key {
        KeyRef::File(path) if is_outside(path, folder) => {
            Some((format!("take a key from {key}, outside its folder, and send it to {to}"), false))
        }
        KeyRef::File(_) if at_home => None,
        KeyRef::Env(name) if at_home && Some(name.as_str()) == variable => None,
        KeyRef::File(_) | KeyRef::Env(_) => Some((format!("send the key in {key} to {to}"), true)),
    }
}

/// Whether a file is not below the folder, links followed.
fn is_outside(path: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        // What is not there cannot be followed; what its name says has to do.
        _ => path.strip_prefix(folder).unwrap_or(path).components().any(|part| {
            matches!(part, Component::ParentDir | Component::RootDir | Component::Prefix(_))
        }),
    }
}
