//! `rebuttal config`: the effective values, and where each came from.

mod agents;
mod debate;

use std::io::Write;

use anyhow::Result;
use rebuttal_llm::PlainHttp;
use serde::Serialize;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::{Cache, Config, ConfigFile, Embeddings, InferenceBy, NamedBy, Set, USUAL, VARIABLE};
use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::terminal::one_line;

/// The whole in JSON.
#[derive(Debug, Serialize)]
struct Shown {
    /// `null` where no file was read.
    file: Option<ShownFile>,
    values: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct ShownFile {
    path: String,
    named_by: &'static str,
}

/// One value.
#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    value: Value,
    /// `default`, `file`, or the preset it comes with.
    from: String,
    line: Option<usize>,
    /// The value for people.
    #[serde(skip)]
    text: String,
}

/// Prints the configuration.
pub(crate) fn run(config: &Config, format: ListFormat, out: &mut Output) -> Result<Status> {
    match format {
        ListFormat::Json => {
            let file = config.file.as_ref().map(|file| ShownFile {
                path: file.path.display().to_string(),
                named_by: named_by(file.named_by),
            });
            let mut values = common(config)?;
            values.extend(agents::values(&config.agents));
            JsonText::line(out, &Shown { file, values })?;
        }
        ListFormat::Text => {
            writeln!(out, "{}\n", head(config.file.as_ref()))?;
            let mut lines = common(config)?;
            lines.extend(agents::lines(&config.agents));
            let width = lines.iter().map(|line| line.text.width()).max().unwrap_or_default();
            let names = lines.iter().map(|line| line.name.width()).max().unwrap_or_default() + 2;
            let paint = out.paint();
            for line in &lines {
                let blanks = " ".repeat(width.saturating_sub(line.text.width()));
                let gap = " ".repeat(names.saturating_sub(line.name.width()));
                let (name, text) = (format!("{}{gap}", line.name), &line.text);
                let from = line.line.map_or(line.from.clone(), |line| format!("line {line}"));
                writeln!(out, "{}{text}{blanks}  {}", paint.bold(name), paint.dim(from))?;
            }
        }
    }
    Ok(Status::Clean)
}

/// Everything but the agents.
fn common(config: &Config) -> Result<Vec<Entry>> {
    let mut values = semantics(config);
    values.extend(debate::values(config)?);
    values.extend(reconcile(config));
    values.extend(agents::providers(&config.providers));
    Ok(values)
}

fn named_by(by: NamedBy) -> &'static str {
    match by {
        NamedBy::Flag => "--config",
        NamedBy::Variable => VARIABLE,
        NamedBy::Folder => "working folder",
    }
}

/// Which file was read, and why that one.
fn head(file: Option<&ConfigFile>) -> String {
    match file {
        Some(ConfigFile { path, named_by: by }) => {
            format!("Read from {} ({}).", one_line(&path.display().to_string()), named_by(*by))
        }
        None => format!(
            "No configuration file: no --config, no {VARIABLE}, no {USUAL} in the working folder."
        ),
    }
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
