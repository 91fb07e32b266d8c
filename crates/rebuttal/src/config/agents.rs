//! `[agents]`: who can be asked, by name.

use crate::error::{Error, ErrorKind, Result};
use rebuttal_llm::{Address, ChatSettings, KeyRef, PlainHttp, Price, Provider};
use std::collections::BTreeMap;

use super::limits::{ProviderLimits, Providers};
use super::{Refusal, Set};

/// The agents, by name: those that come predefined, changed and joined by those of the file.
#[derive(Debug)]
pub struct Agents(BTreeMap<String, AgentConfig>);

impl Default for Agents {
    fn default() -> Self {
        let known = ChatSettings::KNOWN.into_iter().filter_map(ChatSettings::known);
        let agent = |known: ChatSettings| {
            let (provider, model) = (Set::default_of(known.provider), Set::default_of(known.model));
            (known.id, AgentConfig::new(provider, model))
        };
        Self(known.map(agent).collect())
    }
}

impl Agents {
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut AgentConfig)> {
        self.0.iter_mut().map(|(name, agent)| (name.as_str(), agent))
    }

    /// The agent of this name.
    pub fn get(&self, name: &str) -> Option<&AgentConfig> {
        self.0.get(name)
    }

    /// Every agent, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AgentConfig)> {
        self.0.iter().map(|(name, agent)| (name.as_str(), agent))
    }

    /// Those that come without a file, under the limits of their providers.
    pub fn under(providers: &Providers) -> Self {
        let mut agents = Self::default();
        for agent in agents.0.values_mut() {
            agent.limits = providers.limits(agent.provider.value);
        }
        agents
    }

    /// Adds an agent, or replaces the one of this name.
    pub fn insert(&mut self, name: String, agent: AgentConfig) {
        self.0.insert(name, agent);
    }
}

/// The section `[agents.NAME]`.
#[derive(Debug)]
#[non_exhaustive]
pub struct AgentConfig {
    /// Which format its server speaks.
    pub provider: Set<Provider>,
    /// The model it asks.
    pub model: Set<String>,
    /// Where the server is; `None` is its maker's.
    pub url: Set<Option<Address>>,
    /// Where the key is kept.
    pub key: Set<Option<KeyRef>>,
    /// Where the key may travel unencrypted.
    pub plain_http: Set<PlainHttp>,
    /// How freely the model chooses its words; `None` leaves it to the server.
    pub temperature: Set<Option<f64>>,
    /// Most tokens of a reply.
    pub max_tokens: Set<u32>,
    /// How patient to be with it, and how much to ask of it.
    pub limits: ProviderLimits,
    /// What its tokens cost; not known without.
    pub price: Set<Option<Price>>,
    /// Why it may not be asked, if it may not.
    pub refused: Option<Refusal>,
}

impl AgentConfig {
    /// An agent on its maker's server, with the key where people keep it.
    pub fn new(provider: Set<Provider>, model: Set<String>) -> Self {
        let key = provider.value.usual_variable().map(|name| KeyRef::Env(name.to_owned()));
        Self {
            provider,
            model,
            url: Set::default_of(None),
            key: Set::default_of(key),
            plain_http: Set::default(),
            temperature: Set::default(),
            max_tokens: Set::default_of(ChatSettings::MAX_TOKENS),
            limits: ProviderLimits::default(),
            price: Set::default(),
            refused: None,
        }
    }

    /// Whether nothing of it stands in the file.
    pub fn is_predefined(&self) -> bool {
        let lines = [
            self.provider.line,
            self.model.line,
            self.url.line,
            self.key.line,
            self.plain_http.line,
            self.temperature.line,
            self.max_tokens.line,
            self.price.line,
        ];
        lines.iter().chain(&self.limits.lines()).all(Option::is_none)
    }

    /// Where the server is.
    pub fn shown_url(&self) -> String {
        let usual = || self.provider.value.usual_address().to_owned();
        self.url.value.as_ref().map_or_else(usual, ToString::to_string)
    }

    /// What it takes to ask it.
    pub fn settings(&self, name: &str) -> Result<ChatSettings> {
        if let Some(refusal) = &self.refused {
            return Err(Error::new(ErrorKind::Config, refusal.message()));
        }
        let provider = self.provider.value;
        let address = match &self.url.value {
            Some(address) => address.clone(),
            None => provider.usual_address().parse()?,
        };
        let mut settings = ChatSettings::new(name, provider, address, &self.model.value);
        settings.key.clone_from(&self.key.value);
        settings.plain_http = self.plain_http.value;
        settings.temperature = self.temperature.value;
        settings.max_tokens = self.max_tokens.value;
        self.limits.apply(&mut settings);
        Ok(settings)
    }
}
