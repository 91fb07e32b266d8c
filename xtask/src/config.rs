//! `tidy.toml`: the house rules' tables, and every exception with its reason.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::files;

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Which of our crates each of our crates may use.
    pub(crate) arrows: BTreeMap<String, Vec<String>>,
    pub(crate) words: Words,
    /// Files and functions that may be long.
    pub(crate) long: Vec<Long>,
    /// Places where a forbidden word may stand.
    pub(crate) allowed_word: Vec<AllowedWord>,
    /// Commands in the docs that are not run.
    pub(crate) command: Vec<AllowedCommand>,
}

/// What may not stand in a committed file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Words {
    /// First folders of absolute paths that exist on one machine only.
    pub(crate) machine_folders: Vec<String>,
    /// Hosts that packages are downloaded from: which mirror is nobody's business.
    pub(crate) registry_hosts: Vec<String>,
    /// Signs of unfinished work, in Rust sources.
    pub(crate) unfinished: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Long {
    pub(crate) file: String,
    /// One function of the file; without it, the file itself.
    #[serde(default)]
    pub(crate) function: Option<String>,
    pub(crate) lines: usize,
    pub(crate) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowedWord {
    pub(crate) file: String,
    pub(crate) word: String,
    pub(crate) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowedCommand {
    pub(crate) starts: String,
    pub(crate) reason: String,
}

impl Config {
    pub(crate) fn load(root: &Path) -> anyhow::Result<Self> {
        Self::parse(&files::read(&root.join("tidy.toml"))?).context("tidy.toml")
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let config: Self = toml::from_str(text)?;
        let reasons = (config.long.iter().map(|long| (&long.file, &long.reason)))
            .chain(config.allowed_word.iter().map(|word| (&word.file, &word.reason)))
            .chain(config.command.iter().map(|command| (&command.starts, &command.reason)));
        for (what, reason) in reasons {
            if reason.trim().is_empty() {
                bail!("the exception for {what} needs a reason");
            }
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_needs_a_reason() {
        let silent = "[[long]]\nfile = \"a.rs\"\nlines = 900\nreason = \" \"";
        assert!(Config::parse(silent).unwrap_err().to_string().contains("a.rs needs a reason"));
        let missing = "[[long]]\nfile = \"a.rs\"\nlines = 900";
        assert!(Config::parse(missing).is_err());
    }

    #[test]
    fn a_key_nobody_reads_is_refused() {
        assert!(Config::parse("[lenght]\nlines = 3").is_err());
    }

    #[test]
    fn our_own_file_is_fine() {
        Config::load(&files::root()).unwrap();
    }
}
