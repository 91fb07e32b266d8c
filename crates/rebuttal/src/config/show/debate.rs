//! How debates are run: every field of the protocol, and whether the file or a preset says so.

use crate::error::Result;
use serde_json::{Value, json};

use super::super::Config;
use super::super::protocol::fields;
use super::{Entry, entry};

/// Who debates, and every field of the protocol they debate by.
pub(super) fn values(config: &Config) -> Result<Vec<Entry>> {
    let debate = &config.debate;
    let names = |usual: &'static str| {
        move |names: &Vec<String>| match names.as_slice() {
            [] => (usual.to_owned(), json!([])),
            names => (names.join(", "), json!(names)),
        }
    };
    let mut values = vec![
        entry("debate.agents", &debate.agents, names("whoever has a key, else one that quotes")),
        entry("debate.moderator", &debate.moderator, |name| match name {
            Some(name) => (name.clone(), json!(name)),
            None => ("nobody".to_owned(), json!(null)),
        }),
        entry("debate.judges", &debate.judges, names("nobody")),
        entry("debate.preset", &debate.preset, |name| (name.clone(), json!(name))),
    ];
    let preset = &debate.preset.value;
    let from_preset = config.presets.0.get(preset);
    for (name, value) in fields(&config.protocol(None)?)? {
        let of_preset = || from_preset.and_then(|own| own.changes.line(&name));
        values.push(Entry {
            line: debate.changes.line(&name).or_else(of_preset),
            ..field(format!("debate.{name}"), value, format!("preset {preset}"))
        });
    }
    for (of, changes) in debate.changes.by_field() {
        let own = changes.apply(&config.protocol(None)?)?;
        for (name, value) in fields(&own)? {
            let Some(line) = changes.line(&name) else { continue };
            let name = name.replacen("trickster.", &format!("trickster.fields.{of}."), 1);
            let shown = field(format!("debate.{name}"), value, String::new());
            values.push(Entry { line: Some(line), ..shown });
        }
    }
    values.extend(others(config)?);
    Ok(values.into_iter().map(known_by_file).collect())
}

/// The presets of the file that are not in use: what each changes.
fn others(config: &Config) -> Result<Vec<Entry>> {
    let mut values = Vec::new();
    let unused = config.presets.0.iter().filter(|(name, _)| **name != config.debate.preset.value);
    for (preset, own) in unused {
        let base = own.base.value.name().to_owned();
        values.push(entry(format!("presets.{preset}.base"), &own.base, |_| {
            (base.clone(), json!(base))
        }));
        for (name, value) in fields(&own.changes.apply(&own.base.value.protocol())?)? {
            if let Some(line) = own.changes.line(&name) {
                let shown = field(format!("presets.{preset}.{name}"), value, String::new());
                values.push(Entry { line: Some(line), ..shown });
            }
        }
    }
    Ok(values)
}

/// One field of a protocol.
fn field(name: String, value: Value, from: String) -> Entry {
    let text = match &value {
        Value::Null if name.ends_with("timeout_seconds") => "never".to_owned(),
        Value::Null => "no limit".to_owned(),
        Value::String(text) if text == "usual" => {
            "usual: majority, of numbers the median".to_owned()
        }
        Value::String(text) => text.clone(),
        Value::Object(table) => {
            let parts = table.iter().map(|(key, value)| format!("{key}:{value}"));
            parts.collect::<Vec<_>>().join(", ")
        }
        // 1800 and not 1800.0.
        Value::Number(number) => number.as_f64().unwrap_or_default().to_string(),
        value => value.to_string(),
    };
    Entry { name, value, from, line: None, text: rebuttal_text::one_line(&text).into_owned() }
}

/// What has a line is from the file.
fn known_by_file(entry: Entry) -> Entry {
    match entry.line {
        Some(_) => Entry { from: "file".to_owned(), ..entry },
        None => entry,
    }
}
