//! How patient to be with a server and how much to ask of it: for an agent, or for all agents of a
//! provider.

use std::collections::BTreeMap;
use std::time::Duration;

use rebuttal_llm::{Breaker, ChatSettings, Provider, Rate, Retries, Timeouts};

use super::Set;

/// The limits of an agent, or of `[providers.NAME]`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProviderLimits {
    /// Longest wait for a reply.
    pub timeout: Set<Duration>,
    /// Longest silence in the middle of one.
    pub idle: Set<Duration>,
    /// How often a request is sent again.
    pub retries: Set<u32>,
    /// How much is asked in a minute. Agents with the same server, key and limits share them.
    pub rate: Set<Rate>,
    /// When the server is left alone.
    pub breaker: Set<Breaker>,
}

impl Default for ProviderLimits {
    fn default() -> Self {
        Self {
            timeout: Set::default_of(ChatSettings::TIMEOUT),
            idle: Set::default_of(Timeouts::default().idle),
            retries: Set::default_of(Retries::default().attempts.saturating_sub(1)),
            rate: Set::default_of(Rate::default()),
            breaker: Set::default_of(Breaker::default()),
        }
    }
}

impl ProviderLimits {
    /// Where each was set.
    pub fn lines(&self) -> [Option<usize>; 5] {
        let Self { timeout, idle, retries, rate, breaker } = self;
        [timeout.line, idle.line, retries.line, rate.line, breaker.line]
    }

    /// Makes a call keep to them.
    pub fn apply(&self, settings: &mut ChatSettings) {
        settings.timeouts.total = self.timeout.value;
        settings.timeouts.idle = self.idle.value;
        settings.retries.attempts = self.retries.value.saturating_add(1);
        // Whoever allows a request an hour does not want the call to end after minutes.
        settings.retries.deadline = settings.retries.deadline.max(self.timeout.value);
        settings.rate = self.rate.value;
        settings.breaker = self.breaker.value;
    }
}

/// The section `[providers]`: limits for all agents of one provider, by its name.
#[derive(Debug, Default)]
pub struct Providers(pub BTreeMap<String, ProviderLimits>);

impl Providers {
    /// What holds for its agents where they say nothing else.
    pub fn limits(&self, provider: Provider) -> ProviderLimits {
        self.0.get(provider.name()).cloned().unwrap_or_default()
    }
}
