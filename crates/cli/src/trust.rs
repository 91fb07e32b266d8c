//! A `rebuttal.toml` that was found in the working folder: what it asks for is shown, and what only
//! the user may allow is asked once.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rebuttal::config::{Config, USUAL};

use crate::ask::{Answer, yes_or_no};
use crate::output::Output;
use crate::terminal::one_line;

/// Most bytes of remembered answers that are read: some ten thousand.
const REMEMBERED_BYTES: u64 = 1 << 20;

/// What a command may ask over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Agents, and the model for embeddings.
    Agents,
    /// The model for embeddings alone.
    Models,
    Nobody,
}

/// Shows which servers the file names, and lets the user allow what it may not do by itself.
pub(crate) fn settle(
    config: &mut Config,
    asks: Asks,
    trusted: bool,
    out: &mut Output,
) -> Result<()> {
    if asks == Asks::Nobody {
        return Ok(());
    }
    let hash = config.file.as_ref().map(|file| file.hash.clone()).unwrap_or_default();
    let concerned = |who: &str| asks == Asks::Agents || who == "embeddings";
    let wants: Vec<String> = config
        .refusals()
        .into_iter()
        .filter(|refusal| refusal.may_be_allowed && concerned(&refusal.who))
        .map(|refusal| format!("{}: {}", refusal.who, refusal.what))
        .collect();
    if !wants.is_empty() && (trusted || is_remembered(&hash) || is_allowed(&wants, &hash, out)?) {
        config.allow();
    }
    for refusal in config.refusals() {
        if concerned(&refusal.who) {
            out.warn(one_line(&format!("{}: {}", refusal.who, refusal.message())))?;
        }
    }
    let agents = config.found_servers();
    let agents = agents.iter().filter(|_| asks == Asks::Agents);
    let mut servers: Vec<String> = agents.map(|(who, url)| format!("{who} is at {url}")).collect();
    servers.extend(config.found_embeddings().map(|url| format!("embeddings are from {url}")));
    if !servers.is_empty() {
        let servers = servers.join(", ");
        out.note(one_line(&format!("{USUAL} in this folder names servers: {servers}")))?;
    }
    Ok(())
}

/// Asks whoever sits at the terminal, and remembers a yes.
fn is_allowed(wants: &[String], hash: &str, out: &mut Output) -> Result<bool> {
    let list: Vec<String> = wants.iter().map(|want| format!("  {}", one_line(want))).collect();
    let list = list.join("\n");
    let question = format!(
        "{USUAL} in this folder would\n{list}\nAllow that? A yes is remembered until the file changes."
    );
    if yes_or_no(&question, out)? != Answer::Yes {
        return Ok(false);
    }
    if let Err(error) = remember(hash) {
        out.warn(one_line(&format!("the answer is not remembered: {error:#}")))?;
    }
    Ok(true)
}

fn is_remembered(hash: &str) -> bool {
    let Some(path) = remembered() else { return false };
    let mut text = String::new();
    let read = rebuttal::transcripts::open(&path).ok().map(|file| {
        // What cannot be read was not remembered.
        file.take(REMEMBERED_BYTES).read_to_string(&mut text)
    });
    matches!(read, Some(Ok(_))) && text.lines().any(|line| line == hash)
}

fn remember(hash: &str) -> Result<()> {
    let path = remembered().context("there is no folder for it: HOME is not set")?;
    let shown = || path.display().to_string();
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).with_context(shown)?;
    let mut file = fs::File::options().create(true).append(true).open(&path).with_context(shown)?;
    writeln!(file, "{hash}").with_context(shown)
}

/// The file of what the user allowed: hashes, a line each.
fn remembered() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|at| !at.is_empty()).map(PathBuf::from);
    let state = variable("XDG_STATE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".local").join("state")))?;
    Some(state.join("rebuttal").join("trusted"))
}
