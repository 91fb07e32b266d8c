//! What `cargo metadata` knows: packages, licences, who uses whom.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::process::Step;

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<String>,
    pub(crate) target_directory: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev` or `build`; nothing for a plain one.
    pub(crate) kind: Option<String>,
}

impl Metadata {
    pub(crate) fn load(root: &Path) -> anyhow::Result<Self> {
        let arguments = ["metadata", "--format-version", "1", "--locked"];
        let printed = Step::cargo(&arguments).current_dir(root).output()?;
        serde_json::from_str(&printed.stdout).context("cargo metadata")
    }

    /// Our own packages.
    pub(crate) fn ours(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }
}
