//! `cargo xtask tidy`: the house rules as tests. One file per rule.

mod arrows;
mod lexicons;
mod modules;
mod size;
mod words;

use std::path::Path;

use anyhow::bail;

use crate::config::Config;
use crate::console::Shell;
use crate::files::TextFile;
use crate::metadata::Metadata;
use crate::{console, deny, files, generate, say};

/// All rules, those that run commands included.
pub(crate) fn run() -> anyhow::Result<()> {
    rules()?;
    docs()?;
    say::line("tidy: all house rules kept");
    Ok(())
}

/// The rules that only read.
pub(crate) fn rules() -> anyhow::Result<()> {
    let root = files::root();
    let config = Config::load(&root)?;
    let texts = files::texts(&root)?;
    let mut problems = arrows::check(&Metadata::load(&root)?, &config);
    problems.extend(deny::check(&root)?);
    for file in &texts {
        problems.extend(words::check(file, &config));
        if file.has_extension("rs") {
            problems.extend(modules::check(file));
            problems.extend(size::check(file, &config));
            size::warnings(file, &config).iter().for_each(say::warn);
        }
        if is_lexicon(&file.path) {
            problems.extend(lexicons::check(file));
        }
    }
    problems.extend(unused(&config, &texts, &root));
    finish(&problems)
}

/// Every command in the docs runs, and every generated block is fresh.
pub(crate) fn docs() -> anyhow::Result<()> {
    let root = files::root();
    let config = Config::load(&root)?;
    let shell = Shell::new(&root)?;
    let texts = files::texts(&root)?;
    let pages = texts.iter().filter(|file| generate::is_documentation(file));
    let problems: Vec<String> =
        pages.flat_map(|page| console::check(&page.path, &page.text, &config, &shell)).collect();
    finish(&problems)
}

fn finish(problems: &[String]) -> anyhow::Result<()> {
    for problem in problems {
        say::error(problem);
    }
    match problems.len() {
        0 => Ok(()),
        1 => bail!("a house rule is broken (exceptions go into tidy.toml, with a reason)"),
        count => {
            bail!("{count} house rules are broken (exceptions go into tidy.toml, with a reason)")
        }
    }
}

fn is_lexicon(path: &str) -> bool {
    path.contains("/lexicons/") && Path::new(path).extension().is_some_and(|it| it == "txt")
}

/// Exceptions for files that are gone: nobody would notice when the file comes back.
fn unused(config: &Config, texts: &[TextFile], root: &Path) -> Vec<String> {
    let long = config.long.iter().map(|long| &long.file);
    let words = config.allowed_word.iter().map(|word| &word.file);
    long.chain(words)
        .filter(|file| !texts.iter().any(|text| text.path == **file) && !root.join(file).is_dir())
        .map(|file| format!("tidy.toml: an exception for {file}, which does not exist"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lexicons_by_their_path() {
        assert!(is_lexicon("crates/text/lexicons/stance.txt"));
        assert!(!is_lexicon("crates/text/lexicons/README.md"));
        assert!(!is_lexicon("docs/lexicons.txt"));
    }

    #[test]
    fn an_exception_for_nothing_is_found() {
        let config: Config =
            toml::from_str("[[long]]\nfile = \"gone.rs\"\nlines = 900\nreason = \"it was long\"")
                .unwrap();
        assert_eq!(unused(&config, &[], &files::root()).len(), 1);
    }
}
