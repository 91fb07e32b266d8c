//! The section `[agents]`.

use crate::error::Result;
use rebuttal_llm::Price;
use toml::de::DeTable;

use super::super::agents::{AgentConfig, Agents};
use super::super::limits::Providers;
use super::limits::LIMITS;
use super::{Item, Set, Source, decimal, number};

const AGENT: [&str; 8] =
    ["provider", "model", "url", "key", "plain_http", "temperature", "max_tokens", "price"];
const PRICE: [&str; 2] = ["input", "output"];
/// Longest name of an agent: it is typed, and stands in every line about it.
const NAME_CHARS: usize = 40;
/// More tokens than any model writes.
const MOST_TOKENS: u64 = 1_000_000;

impl Source<'_> {
    /// Those that come predefined, changed and joined by those of the file.
    pub(super) fn agents(
        &self,
        section: Option<&Item<'_>>,
        providers: &Providers,
    ) -> Result<Agents> {
        let mut agents = Agents::under(providers);
        let Some(section) = section else { return Ok(agents) };
        for (key, item) in self.table(section, "[agents]")? {
            let name = key.get_ref().as_ref();
            let is_part = |c: char| c.is_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.chars().count() > NAME_CHARS || !name.chars().all(is_part) {
                let reason = format!(
                    "an agent's name has 1 to {NAME_CHARS} letters, digits, `-`, `_` and `.`"
                );
                return Err(self.error(&key.span(), reason));
            }
            let agent = self.agent(name, item, agents.get(name), providers)?;
            agents.insert(name.to_owned(), agent);
        }
        Ok(agents)
    }

    fn agent(
        &self,
        name: &str,
        whole: &Item<'_>,
        before: Option<&AgentConfig>,
        providers: &Providers,
    ) -> Result<AgentConfig> {
        let table = self.table(whole, &format!("[agents.{name}]"))?;
        self.check_keys(table, &[&AGENT[..], &LIMITS[..]].concat(), "key")?;
        let mut agent = self.base(name, whole, table, before)?;
        agent.limits = self.limits(table, providers.limits(agent.provider.value))?;
        if let Some(item) = table.get("url") {
            let url = self.parsed(item, self.text(item, "url")?)?;
            agent.url = self.set(item, Some(url));
            // A key goes only where the user says so: another server, another key.
            agent.key = Set::default_of(None);
        }
        if let Some(item) = table.get("plain_http") {
            agent.plain_http = self.set(item, self.plain_http(item)?);
        }
        if let Some(item) = table.get("key") {
            agent.key = self.set(item, Some(self.key(item)?));
            let address = agent.url.value.as_ref();
            if address.is_some_and(|address| !address.may_carry_a_key(agent.plain_http.value)) {
                return Err(self.error(&item.span(), super::UNENCRYPTED));
            }
        }
        if let Some(item) = table.get("temperature") {
            let ways = "`temperature` must be a number from 0 to 2";
            let value = decimal(item).filter(|value| (0.0..=2.0).contains(value));
            let value = value.ok_or_else(|| self.error(&item.span(), ways))?;
            agent.temperature = self.set(item, Some(value));
        }
        if let Some(item) = table.get("max_tokens") {
            let tokens = number(item).filter(|tokens| (1..=MOST_TOKENS).contains(tokens));
            let tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok()).ok_or_else(|| {
                let ways = format!("`max_tokens` must be a whole number from 1 to {MOST_TOKENS}");
                self.error(&item.span(), ways)
            })?;
            agent.max_tokens = self.set(item, tokens);
        }
        if let Some(item) = table.get("price") {
            agent.price = self.set(item, Some(self.price(item)?));
        }
        Ok(agent)
    }

    /// US dollars for a million tokens, read and written.
    fn price(&self, item: &Item<'_>) -> Result<Price> {
        let table = self.table(item, "`price`")?;
        self.check_keys(table, &PRICE, "key")?;
        let ways = "`price` is US dollars for a million tokens: { input = 3.0, output = 15.0 }";
        let given = |key: &str| table.get(key).and_then(decimal);
        let price = given("input").zip(given("output"));
        let price = price.and_then(|(input, output)| Price::new(input, output));
        price.ok_or_else(|| self.error(&item.span(), ways))
    }

    /// Provider and model: as written, else as predefined under this name.
    fn base(
        &self,
        name: &str,
        whole: &Item<'_>,
        table: &DeTable<'_>,
        before: Option<&AgentConfig>,
    ) -> Result<AgentConfig> {
        let missing = |key| self.error(&whole.span(), format!("agent `{name}` needs `{key}`"));
        let provider = match (table.get("provider"), before) {
            (Some(item), _) => self.set(item, self.parsed(item, self.text(item, "provider")?)?),
            (None, Some(before)) => before.provider,
            (None, None) => return Err(missing("provider")),
        };
        // Another provider does not have the model of this one.
        let same = |before: &&AgentConfig| before.provider.value == provider.value;
        let model = match (table.get("model"), before.filter(same)) {
            (Some(item), _) => self.set(item, self.text(item, "model")?.to_owned()),
            (None, Some(before)) => before.model.clone(),
            (None, None) => return Err(missing("model")),
        };
        Ok(AgentConfig::new(provider, model))
    }
}
