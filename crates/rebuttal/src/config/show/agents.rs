//! Agents, one value a line; those nobody changed in one line each.

use std::time::Duration;

use rebuttal_llm::{Breaker, PlainHttp, Rate};
use serde_json::json;

use super::super::agents::AgentConfig;
use super::super::limits::ProviderLimits;
use super::super::{Agents, Providers, Set};
use super::{Entry, entry};

/// Every value of every agent.
pub(super) fn values(agents: &Agents) -> Vec<Entry> {
    agents.iter().flat_map(|(name, agent)| each(name, agent)).collect()
}

/// For people: predefined agents in short.
pub(super) fn lines(agents: &Agents) -> Vec<Entry> {
    let lines = |(name, agent): (&str, &AgentConfig)| {
        if agent.is_predefined() { vec![short(name, agent)] } else { each(name, agent) }
    };
    agents.iter().flat_map(lines).collect()
}

fn short(name: &str, agent: &AgentConfig) -> Entry {
    let (model, provider) = (&agent.model.value, agent.provider.value.name());
    let text = match &agent.key.value {
        // Which server is meant is clear from whose key it gets.
        Some(key) => format!("{model} ({provider}), key in {key}"),
        None => format!("{model} at {} ({provider})", agent.shown_url()),
    };
    entry(format!("agents.{name}"), &Set::default_of(text), |text| (text.clone(), json!(text)))
}

fn each(name: &str, agent: &AgentConfig) -> Vec<Entry> {
    let name = |value: &str| format!("agents.{name}.{value}");
    let mut values = vec![
        entry(name("provider"), &agent.provider, |provider| {
            (provider.name().to_owned(), json!(provider.name()))
        }),
        entry(name("model"), &agent.model, |model| (model.clone(), json!(model))),
        entry(name("url"), &agent.url, |_| {
            let url = agent.shown_url();
            (url.clone(), json!(url))
        }),
        entry(name("key"), &agent.key, |key| {
            let key = key.as_ref().map(ToString::to_string);
            (key.clone().unwrap_or_else(|| "none".to_owned()), json!(key))
        }),
        entry(name("plain_http"), &agent.plain_http, |plain| {
            let allowed = *plain == PlainHttp::Anywhere;
            (allowed.to_string(), json!(allowed))
        }),
        entry(name("temperature"), &agent.temperature, |temperature| match temperature {
            Some(temperature) => (temperature.to_string(), json!(temperature)),
            None => ("the server's own".to_owned(), json!(null)),
        }),
        entry(name("max_tokens"), &agent.max_tokens, |tokens| (tokens.to_string(), json!(tokens))),
        entry(name("price"), &agent.price, |price| match price {
            Some(price) => {
                let (input, output) = price.per_million();
                let shown = format!("${input} read, ${output} written, a million tokens");
                (shown, json!({ "input": input, "output": output }))
            }
            None => ("not known".to_owned(), json!(null)),
        }),
    ];
    values.extend(limits(&name, &agent.limits));
    values
}

/// How patient to be, and how much to ask.
pub(super) fn limits(name: &dyn Fn(&str) -> String, limits: &ProviderLimits) -> Vec<Entry> {
    let seconds = |time: &Duration| {
        let seconds = time.as_secs_f64();
        (format!("{seconds} s"), json!(seconds))
    };
    vec![
        entry(name("timeout"), &limits.timeout, seconds),
        entry(name("idle"), &limits.idle, seconds),
        entry(name("retries"), &limits.retries, |retries| (retries.to_string(), json!(retries))),
        entry(name("rate"), &limits.rate, |rate| {
            let Rate { requests_per_minute: requests, tokens_per_minute: tokens } = rate;
            let requests_text = requests.map(|most| format!("{most} requests"));
            let tokens_text = tokens.map(|most| format!("{most} tokens"));
            let shown: Vec<String> = requests_text.into_iter().chain(tokens_text).collect();
            let text = match shown.as_slice() {
                [] => "no limit".to_owned(),
                shown => format!("{} a minute", shown.join(", ")),
            };
            (text, json!({ "requests": requests, "tokens": tokens }))
        }),
        entry(name("breaker"), &limits.breaker, |breaker| {
            let Breaker { failures, rest } = *breaker;
            let seconds = rest.as_secs_f64();
            match failures {
                0 => ("off".to_owned(), json!("off")),
                _ => (
                    format!("{failures} failures, then {seconds} s of rest"),
                    json!({ "failures": failures, "rest": seconds }),
                ),
            }
        }),
    ]
}

/// What the file says for all agents of a provider.
pub(super) fn providers(providers: &Providers) -> Vec<Entry> {
    let all = providers.0.iter().flat_map(|(provider, own)| {
        limits(&|value: &str| format!("providers.{provider}.{value}"), own)
    });
    all.filter(|entry| entry.line.is_some()).collect()
}
