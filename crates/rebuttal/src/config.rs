//! `rebuttal.toml`: which models answer, who can be asked, how debates are run and reports
//! reconciled.
//!
//! The file is the one after `--config`, else the one that `REBUTTAL_CONFIG` names, else
//! `rebuttal.toml` in the working folder, else the user's own, else none. Only one file is read: no value comes from a
//! place the user did not think of. Folders and key files in it are relative to the file.

mod agents;
mod debate;
mod limits;
mod presets;
mod protocol;
mod read;
mod show;
mod trust;

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::judge::{JudgeSettings, When};

use crate::error::{Context, Error, ErrorKind, Result, ensure};
use rebuttal_detect::reports::ContradictionOptions;
use rebuttal_llm::Settings;
use rebuttal_model::limits::CONFIG_BYTES;
use rebuttal_semantics::Worker;
use rebuttal_transcripts::open;

pub use agents::{AgentConfig, Agents};
pub use debate::DebateConfig;
pub use limits::{ProviderLimits, Providers};
pub use presets::{OwnPreset, Preset, Presets};
pub use protocol::Changes;
pub use read::sees;
pub use show::{Detailed, Entry, entries};
pub use trust::Refusal;

/// The file that is read when none is named.
pub const USUAL: &str = "rebuttal.toml";
/// The variable that names another.
pub const VARIABLE: &str = "REBUTTAL_CONFIG";
/// How much a cache may hold when no limit is written.
const CACHE_MB: u64 = 512;

/// Everything that can be configured.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// The file that was read, if there is one.
    pub file: Option<ConfigFile>,
    /// Which models answer.
    pub semantics: Semantics,
    /// What holds for all agents of a provider.
    pub providers: Providers,
    /// Who can be asked.
    pub agents: Agents,
    /// Protocols by name.
    pub presets: Presets,
    /// How debates are run.
    pub debate: DebateConfig,
    /// How reports are reconciled.
    pub reconcile: Reconcile,
    /// Who is asked where the reader is not sure.
    pub judge: JudgeConfig,
}

/// The section `[judge]`. What stands on the command line goes before it.
#[derive(Debug)]
#[non_exhaustive]
pub struct JudgeConfig {
    /// The agent; `None` is nobody.
    pub agent: Set<Option<String>>,
    /// When it is asked.
    pub ask: Set<When>,
    /// The local reader is sure from this share on.
    pub sure: Set<f64>,
    /// Most US dollars it may cost; `None` is no limit.
    pub budget_usd: Set<Option<f64>>,
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self {
            agent: Set::default(),
            ask: Set::default(),
            sure: Set::default_of(f64::from(JudgeSettings::SURE)),
            budget_usd: Set::default(),
        }
    }
}

/// A file, and why this one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is read.
    pub named_by: NamedBy,
    /// BLAKE3 of what it holds, in hexadecimal digits: a yes to it is a yes to these words.
    pub hash: String,
}

/// Why a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// It stands after `--config`.
    Flag,
    /// `REBUTTAL_CONFIG` names it.
    Variable,
    /// It lies in the working folder.
    Folder,
    /// It is the user's own, for all folders without one.
    User,
}

/// The section `[semantics]`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Semantics {
    /// What embeds texts.
    pub embeddings: Set<Embeddings>,
    /// What judges pairs of statements.
    pub inference: Set<InferenceBy>,
    /// Where vectors and verdicts are kept between runs; `None` is nowhere.
    pub cache: Set<Option<Cache>>,
    /// How many threads models may use; `None` is one for each core.
    pub threads: Set<Option<NonZeroUsize>>,
    /// Why texts are not sent to the server for embeddings, if they are not.
    pub refused: Option<Refusal>,
    /// What runs ONNX models of users, in a process of its own; without it they are not run.
    pub worker: Option<Worker>,
}

/// The section `[reconcile]`. What stands on the command line goes before it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reconcile {
    /// The policy file that says which sources count for more.
    pub authority: Set<Option<PathBuf>>,
    /// Values may differ by this share.
    pub tolerance: Set<f64>,
    /// The agent that rules; `None` is the written rules.
    pub arbiter: Set<Option<String>>,
}

impl Default for Reconcile {
    fn default() -> Self {
        Self {
            authority: Set::default(),
            tolerance: Set::default_of(ContradictionOptions::default().tolerance),
            arbiter: Set::default(),
        }
    }
}

/// A value, and where it was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// The line of the file; `None` where it is the default.
    pub line: Option<usize>,
}

impl<T> Set<T> {
    /// A value that nobody set.
    pub fn default_of(value: T) -> Self {
        Self { value, line: None }
    }
}

/// What embeds texts.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum Embeddings {
    /// The model in the program.
    #[default]
    Builtin,
    /// A model in a folder.
    Folder(PathBuf),
    /// A model on a server.
    Endpoint(Box<Settings>),
}

/// What judges pairs of statements.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InferenceBy {
    /// The model in the program.
    #[default]
    Builtin,
    /// A model in a folder.
    Folder(PathBuf),
    /// No model.
    Rules,
}

/// Where vectors and verdicts are kept between runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cache {
    /// The folder.
    pub folder: PathBuf,
    /// Most it may hold.
    pub max_mb: u64,
}

impl Config {
    /// Reads the file that applies. `flag` is what stands after `--config`.
    pub fn load(flag: Option<&Path>) -> Result<Self> {
        let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let named = match (flag, variable) {
            (Some(path), _) => Some((path.to_owned(), NamedBy::Flag)),
            (None, Some(path)) => Some((path.into(), NamedBy::Variable)),
            (None, None) => None,
        };
        // One that is named must be there; the usual one need not.
        let (path, named_by) = match named {
            Some(named) => named,
            None if Path::new(USUAL).exists() => (USUAL.into(), NamedBy::Folder),
            None => match users_own().filter(|path| path.exists()) {
                Some(path) => (path, NamedBy::User),
                None => return Ok(Self::default()),
            },
        };
        let text = text_of(&path).with_context(|| match named_by {
            NamedBy::Flag => format!("--config {}", path.display()),
            NamedBy::Variable => format!("{VARIABLE}={}", path.display()),
            NamedBy::Folder | NamedBy::User => path.display().to_string(),
        })?;
        let mut config = read::sections(&text, &path)?;
        if named_by == NamedBy::Folder {
            config.restrict(path.parent().unwrap_or(Path::new("")));
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        Ok(Self { file: Some(ConfigFile { path, named_by, hash }), ..config })
    }
}

/// Where the user's own file is: `rebuttal/rebuttal.toml` among the user's settings.
fn users_own() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = variable("XDG_CONFIG_HOME")
        .or_else(|| variable("APPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".config")))?;
    Some(settings.join("rebuttal").join(USUAL))
}

/// The whole file, which is small or not what it should be.
pub fn text_of(path: &Path) -> Result<String> {
    let mut text = String::new();
    let file = open(path).map_err(|reason| Error::new(ErrorKind::Io, reason))?;
    let length =
        file.take(CONFIG_BYTES + 1).read_to_string(&mut text).context("cannot be read as text")?;
    ensure!(
        Config;
        length as u64 <= CONFIG_BYTES,
        "is longer than {CONFIG_BYTES} bytes; is it a configuration file?"
    );
    Ok(text)
}

#[cfg(test)]
mod tests;
