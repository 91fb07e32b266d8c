//! Licences, banned crates and sources: the part of `deny.toml` that needs no network.
//!
//! `cargo deny check` reads the same file and checks more (advisories, duplicates).

use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::metadata::{Metadata, Package};
use crate::{files, say};

/// The part of `deny.toml` that is checked here; cargo-deny reads the rest.
#[derive(Debug, Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Debug, Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// More licences for one crate; deny.toml says why in a comment.
#[derive(Debug, Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// Checks and prints.
pub(crate) fn run() -> anyhow::Result<()> {
    let problems = check(&files::root())?;
    for problem in &problems {
        say::error(problem);
    }
    if !problems.is_empty() {
        bail!("{} dependencies break deny.toml", problems.len());
    }
    say::line("deny: licences, bans and sources are as deny.toml says");
    Ok(())
}

/// What is wrong with the dependencies.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let deny: Deny = toml::from_str(&files::read(&root.join("deny.toml"))?).context("deny.toml")?;
    let packages = Metadata::load(root)?.packages;
    Ok(packages.iter().flat_map(|package| problems(&deny, package)).collect())
}

fn problems(deny: &Deny, package: &Package) -> Vec<String> {
    let mut problems = Vec::new();
    let name = format!("{} {}", package.name, package.version);
    if let Some(ban) = deny.bans.deny.iter().find(|ban| ban.name == package.name) {
        problems.push(format!("{name} is banned: {}", ban.reason));
    }
    let allowed = |licence: &str| {
        let is = |known: &String| known == licence;
        let exceptions = deny.licenses.exceptions.iter();
        deny.licenses.allow.iter().any(is)
            || exceptions.filter(|it| it.name == package.name).any(|it| it.allow.iter().any(is))
    };
    match &package.license {
        None => problems.push(format!("{name} names no licence")),
        Some(licence) if !satisfied(licence, &allowed) => {
            problems.push(format!("{name}: licence {licence} is not on the list"));
        }
        Some(_) => {}
    }
    if let Some(source) = &package.source {
        let registry = source.trim_start_matches("registry+").trim_start_matches("sparse+");
        if !deny.sources.allow_registry.iter().any(|allowed| allowed == registry) {
            problems.push(format!("{name} comes from {source}"));
        }
    }
    problems
}

/// Whether an SPDX expression can be met with allowed licences. `AND` binds closer than `OR`;
/// `X WITH Y` is a licence of its own; an expression that is not understood is not met.
fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Spdx { words: &words, allowed };
    let met = parser.any();
    met && parser.words.is_empty()
}

struct Spdx<'e> {
    words: &'e [&'e str],
    allowed: &'e dyn Fn(&str) -> bool,
}

impl Spdx<'_> {
    fn take(&mut self, word: &str) -> bool {
        match self.words.split_first() {
            Some((first, rest)) if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }

    fn any(&mut self) -> bool {
        let mut met = self.all();
        while self.take("OR") {
            met |= self.all();
        }
        met
    }

    fn all(&mut self) -> bool {
        let mut met = self.one();
        while self.take("AND") {
            met &= self.one();
        }
        met
    }

    fn one(&mut self) -> bool {
        if self.take("(") {
            let met = self.any();
            return self.take(")") && met;
        }
        match *self.words {
            [licence, "WITH", exception, ref rest @ ..] => {
                self.words = rest;
                (self.allowed)(&format!("{licence} WITH {exception}")) || (self.allowed)(licence)
            }
            [licence, ref rest @ ..] => {
                self.words = rest;
                (self.allowed)(licence)
            }
            [] => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(expression: &str) -> bool {
        satisfied(expression, &|licence| ["MIT", "Apache-2.0", "Unicode-3.0"].contains(&licence))
    }

    #[test]
    fn spdx_expressions() {
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "MIT AND Unicode-3.0 OR GPL-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(met(good), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT )", "MIT AND", "GPL-2.0 WITH x"]
        {
            assert!(!met(bad), "{bad}");
        }
    }

    fn package(name: &str, licence: Option<&str>, source: Option<&str>) -> Package {
        Package {
            id: name.to_owned(),
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: licence.map(str::to_owned),
            source: source.map(str::to_owned),
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn bans_licences_and_sources() {
        let deny: Deny = toml::from_str(
            "[licenses]\nallow = [\"MIT\"]\nexceptions = [{ crate = \"odd\", allow = [\"Zlib\"] }]\n\
             [bans]\ndeny = [{ crate = \"slow\", reason = \"exponential\" }]\n\
             [sources]\nallow-registry = [\"https://example.org/index\"]",
        )
        .unwrap();
        let ours = "registry+https://example.org/index";
        assert_eq!(problems(&deny, &package("fine", Some("MIT"), Some(ours))), [""; 0]);
        assert_eq!(problems(&deny, &package("odd", Some("Zlib"), None)), [""; 0]);
        assert_eq!(problems(&deny, &package("even", Some("Zlib"), None)).len(), 1);
        let banned = problems(&deny, &package("slow", Some("MIT"), None));
        assert_eq!(banned, ["slow 1.0.0 is banned: exponential"]);
        let stranger = problems(&deny, &package("far", None, Some("git+https://example.org/x")));
        assert_eq!(stranger.len(), 2, "{stranger:?}");
    }
}
