//! `timeout`, `idle`, `retries`, `rate` and `breaker`, in `[agents.NAME]` and `[providers.NAME]`.

use std::time::Duration;

use crate::error::Result;
use rebuttal_llm::{Breaker, Provider, Rate};
use toml::de::DeTable;

use super::super::limits::{ProviderLimits, Providers};
use super::{Item, Source, decimal, number};

/// The keys of limits.
pub(super) const LIMITS: [&str; 5] = ["timeout", "idle", "retries", "rate", "breaker"];
/// Longest wait: an hour.
const MOST_SECONDS: f64 = 3600.0;
/// A request that failed ten times will fail again.
const MOST_RETRIES: u64 = 10;

impl Source<'_> {
    /// The section `[providers]`.
    pub(super) fn providers(&self, section: &Item<'_>) -> Result<Providers> {
        let table = self.table(section, "[providers]")?;
        let names = Provider::ALL.map(Provider::name);
        self.check_keys(table, &names, "provider")?;
        let mut providers = Providers::default();
        for (key, item) in table {
            let name = key.get_ref().as_ref();
            let own = self.table(item, &format!("[providers.{name}]"))?;
            self.check_keys(own, &LIMITS, "key")?;
            providers.0.insert(name.to_owned(), self.limits(own, ProviderLimits::default())?);
        }
        Ok(providers)
    }

    /// What a table says about limits; the rest stays.
    pub(super) fn limits(
        &self,
        table: &DeTable<'_>,
        mut limits: ProviderLimits,
    ) -> Result<ProviderLimits> {
        if let Some(item) = table.get("timeout") {
            limits.timeout = self.set(item, self.seconds(item, "timeout")?);
        }
        if let Some(item) = table.get("idle") {
            limits.idle = self.set(item, self.seconds(item, "idle")?);
        }
        if let Some(item) = table.get("retries") {
            let retries = number(item).filter(|retries| *retries <= MOST_RETRIES);
            let retries = retries.and_then(|retries| u32::try_from(retries).ok());
            let ways = format!("`retries` must be a whole number, at most {MOST_RETRIES}");
            limits.retries = self.set(item, retries.ok_or_else(|| self.error(&item.span(), ways))?);
        }
        if let Some(item) = table.get("rate") {
            limits.rate = self.set(item, self.rate(item)?);
        }
        if let Some(item) = table.get("breaker") {
            limits.breaker = self.set(item, self.breaker(item)?);
        }
        Ok(limits)
    }

    fn seconds(&self, item: &Item<'_>, name: &str) -> Result<Duration> {
        let seconds = decimal(item).filter(|seconds| *seconds <= MOST_SECONDS);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| !time.is_zero()).ok_or_else(|| {
            let ways =
                format!("`{name}` must be a number of seconds above 0, at most an hour (3600)");
            self.error(&item.span(), ways)
        })
    }

    /// Most requests and tokens a minute.
    fn rate(&self, item: &Item<'_>) -> Result<Rate> {
        let ways = "`rate` is what may be asked in a minute: { requests = 60, tokens = 100000 }";
        let wrong = || self.error(&item.span(), ways);
        let table = item.get_ref().as_table().ok_or_else(wrong)?;
        self.check_keys(table, &["requests", "tokens"], "key")?;
        let given = |key: &str| match table.get(key) {
            Some(item) => number(item).filter(|number| *number > 0).map(Some).ok_or_else(wrong),
            None => Ok(None),
        };
        let requests = given("requests")?.map(u32::try_from).transpose().map_err(|_| wrong())?;
        let rate = Rate { requests_per_minute: requests, tokens_per_minute: given("tokens")? };
        if rate == Rate::default() { Err(wrong()) } else { Ok(rate) }
    }

    /// When the server is left alone.
    fn breaker(&self, item: &Item<'_>) -> Result<Breaker> {
        let usual = Breaker::default();
        if item.get_ref().as_str() == Some("off") {
            return Ok(Breaker { failures: 0, ..usual });
        }
        let ways = "`breaker` must be \"off\" or { failures = 8, rest = 30 }: failures in a row, \
                    and seconds of rest after them";
        let wrong = || self.error(&item.span(), ways);
        let table = item.get_ref().as_table().ok_or_else(wrong)?;
        self.check_keys(table, &["failures", "rest"], "key")?;
        let failures = match table.get("failures") {
            Some(item) => number(item).and_then(|failures| u32::try_from(failures).ok()),
            None => Some(usual.failures),
        };
        let failures = failures.filter(|failures| *failures > 0).ok_or_else(wrong)?;
        let rest = match table.get("rest") {
            Some(item) => self.seconds(item, "rest")?,
            None => usual.rest,
        };
        Ok(Breaker { failures, rest })
    }
}
