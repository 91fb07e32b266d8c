//! Agents, one value a line; those nobody changed in one line each.

use rebuttal_llm::PlainHttp;
use serde_json::json;

use super::super::agents::Agent;
use super::super::{Agents, Set};
use super::{Entry, entry};

/// Every value of every agent.
pub(super) fn values(agents: &Agents) -> Vec<Entry> {
    agents.iter().flat_map(|(name, agent)| each(name, agent)).collect()
}

/// For people: predefined agents in short.
pub(super) fn lines(agents: &Agents) -> Vec<Entry> {
    let lines = |(name, agent): (&str, &Agent)| {
        if agent.is_predefined() { vec![short(name, agent)] } else { each(name, agent) }
    };
    agents.iter().flat_map(lines).collect()
}

fn short(name: &str, agent: &Agent) -> Entry {
    let (model, provider) = (&agent.model.value, agent.provider.value.name());
    let text = match &agent.key.value {
        // Which server is meant is clear from whose key it gets.
        Some(key) => format!("{model} ({provider}), key in {key}"),
        None => format!("{model} at {} ({provider})", agent.shown_url()),
    };
    entry(format!("agents.{name}"), &Set::default_of(text), |text| (text.clone(), json!(text)))
}

fn each(name: &str, agent: &Agent) -> Vec<Entry> {
    let name = |value: &str| format!("agents.{name}.{value}");
    vec![
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
        entry(name("timeout"), &agent.timeout, |timeout| {
            let seconds = timeout.as_secs_f64();
            (format!("{seconds} s"), json!(seconds))
        }),
    ]
}
