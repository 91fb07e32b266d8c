//! The effective values, and where each came from.

mod agents;
mod debate;

use crate::error::Result;
use rebuttal_llm::PlainHttp;
use serde::Serialize;
use serde_json::{Value, json};

use crate::judge::When;

use super::{Cache, Config, Embeddings, InferenceBy, Set};
use rebuttal_text::one_line;

/// One setting with its value and where it was set.
#[derive(Debug, Serialize)]
pub struct Entry {
    /// Its dotted name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// `default`, `file`, or the preset it comes with.
    pub from: String,
    /// The line of the file that sets it.
    pub line: Option<usize>,
    /// The value for people.
    #[serde(skip)]
    pub text: String,
}

/// Which agents are shown value by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detailed {
    /// Each.
    All,
    /// Those of the file; those that come predefined have one line.
    Changed,
}

/// The effective values, and where each came from.
pub fn entries(config: &Config, agents: Detailed) -> Result<Vec<Entry>> {
    let mut values = common(config)?;
    values.extend(match agents {
        Detailed::All => self::agents::values(&config.agents),
        Detailed::Changed => self::agents::lines(&config.agents),
    });
    Ok(values)
}

/// Everything but the agents.
fn common(config: &Config) -> Result<Vec<Entry>> {
    let mut values = semantics(config);
    values.extend(debate::values(config)?);
    values.extend(reconcile(config));
    values.extend(judge(config));
    values.extend(agents::providers(&config.providers));
    Ok(values)
}

fn semantics(config: &Config) -> Vec<Entry> {
    let semantics = &config.semantics;
    vec![
        entry("semantics.embeddings", &semantics.embeddings, embeddings),
        entry("semantics.inference", &semantics.inference, inference),
        entry("semantics.cache", &semantics.cache, |cache| self::cache(cache.as_ref())),
        entry("semantics.threads", &semantics.threads, |threads| match threads {
            Some(threads) => (threads.to_string(), json!(threads)),
            None => ("all cores".to_owned(), json!("all")),
        }),
    ]
}

fn reconcile(config: &Config) -> Vec<Entry> {
    let reconcile = &config.reconcile;
    vec![
        entry("reconcile.authority", &reconcile.authority, |path| match path {
            Some(path) => (path.display().to_string(), json!(path.display().to_string())),
            None => ("no source above another".to_owned(), json!(null)),
        }),
        entry("reconcile.tolerance", &reconcile.tolerance, |share| {
            (share.to_string(), json!(share))
        }),
        entry("reconcile.arbiter", &reconcile.arbiter, |name| match name {
            Some(name) => (name.clone(), json!(name)),
            None => ("rules".to_owned(), json!("none")),
        }),
    ]
}

fn judge(config: &Config) -> Vec<Entry> {
    let judge = &config.judge;
    vec![
        entry("judge.agent", &judge.agent, |name| match name {
            Some(name) => (name.clone(), json!(name)),
            None => ("nobody".to_owned(), json!("none")),
        }),
        entry("judge.ask", &judge.ask, |when| match when {
            When::Unsure => ("where the reader is not sure".to_owned(), json!("unsure")),
            When::Always => ("always".to_owned(), json!("all")),
        }),
        entry("judge.sure", &judge.sure, |share| (share.to_string(), json!(share))),
        entry("judge.budget_usd", &judge.budget_usd, |dollars| match dollars {
            Some(dollars) => (dollars.to_string(), json!(dollars)),
            None => ("no limit".to_owned(), json!(null)),
        }),
    ]
}

fn entry<T>(name: impl Into<String>, set: &Set<T>, show: impl Fn(&T) -> (String, Value)) -> Entry {
    let (text, value) = show(&set.value);
    let from = if set.line.is_some() { "file" } else { "default" }.to_owned();
    let name = name.into();
    Entry { name, value, from, line: set.line, text: one_line(&text).into_owned() }
}

fn embeddings(embeddings: &Embeddings) -> (String, Value) {
    match embeddings {
        Embeddings::Builtin => ("builtin".to_owned(), json!("builtin")),
        Embeddings::Folder(folder) => {
            let folder = folder.display().to_string();
            (format!("folder {folder}"), json!({ "folder": folder }))
        }
        Embeddings::Endpoint(settings) => {
            let (address, api) = (settings.address.to_string(), settings.api.name());
            let key = settings.key.as_ref().map(ToString::to_string);
            let text = format!("{} at {address} ({api})", settings.model);
            let plain_http = settings.plain_http == PlainHttp::Anywhere;
            let text = match &key {
                Some(key) if plain_http => format!("{text}, key in {key}, plain HTTP allowed"),
                Some(key) => format!("{text}, key in {key}"),
                None => text,
            };
            let value = json!({
                "endpoint": address, "api": api, "model": settings.model, "key": key,
                "plain_http": plain_http,
            });
            (text, value)
        }
    }
}

fn inference(inference: &InferenceBy) -> (String, Value) {
    match inference {
        InferenceBy::Builtin => ("builtin".to_owned(), json!("builtin")),
        InferenceBy::Rules => ("rules".to_owned(), json!("rules")),
        InferenceBy::Folder(folder) => {
            let folder = folder.display().to_string();
            (format!("folder {folder}"), json!({ "folder": folder }))
        }
    }
}

fn cache(cache: Option<&Cache>) -> (String, Value) {
    match cache {
        None => ("none".to_owned(), json!("none")),
        Some(Cache { folder, max_mb }) => {
            let folder = folder.display().to_string();
            (format!("{folder}, at most {max_mb} MB"), json!({"folder": folder, "max_mb": max_mb}))
        }
    }
}
