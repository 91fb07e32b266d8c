//! Which of our crates may use which.

use crate::config::Config;
use crate::metadata::{Metadata, Package};

/// Wrong arrows. What tests use is their own business.
pub(super) fn check(metadata: &Metadata, config: &Config) -> Vec<String> {
    let ours: Vec<&str> = metadata.ours().map(|package| package.name.as_str()).collect();
    metadata.ours().flat_map(|package| wrong(package, &ours, config)).collect()
}

fn wrong(package: &Package, ours: &[&str], config: &Config) -> Vec<String> {
    let name = &package.name;
    let Some(allowed) = config.arrows.get(name) else {
        return vec![format!("{name}: say in tidy.toml which of our crates it may use")];
    };
    package
        .dependencies
        .iter()
        .filter(|used| used.kind.as_deref() != Some("dev"))
        .filter(|used| ours.contains(&used.name.as_str()) && !allowed.contains(&used.name))
        .map(|used| format!("{name} → {}: not an allowed arrow (tidy.toml, [arrows])", used.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn package(name: &str, uses: &[(&str, Option<&str>)]) -> Package {
        let dependency = |&(name, kind): &(&str, Option<&str>)| Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package {
            id: name.to_owned(),
            name: name.to_owned(),
            version: "0.0.0".to_owned(),
            license: None,
            source: None,
            dependencies: uses.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn wrong_arrows_are_found() {
        let config: Config = toml::from_str("[arrows]\nmodel = []\ntext = [\"model\"]").unwrap();
        let metadata = Metadata {
            packages: vec![
                package("model", &[("serde", None), ("text", Some("dev"))]),
                package("text", &[("model", None), ("serde", None)]),
                package("stranger", &[]),
                package("serde", &[]),
            ],
            workspace_members: ["model", "text", "stranger"].map(str::to_owned).to_vec(),
            target_directory: String::new(),
        };
        assert_eq!(
            check(&metadata, &config),
            ["stranger: say in tidy.toml which of our crates it may use"]
        );
        let upward = package("model", &[("text", None)]);
        let found = wrong(&upward, &["model", "text"], &config);
        assert_eq!(found, ["model → text: not an allowed arrow (tidy.toml, [arrows])"]);
    }
}
