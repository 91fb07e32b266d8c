//! The project's files: where the root is, what is in it, and bounded reading.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::process;

/// Largest file read; the biggest of the project's own stays below a tenth of it.
const FILE_BYTES: u64 = 64 << 20;

/// The root of the workspace, wherever xtask was started.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Reads a text file, naming it when that fails.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let read = file.take(FILE_BYTES + 1).read_to_string(&mut text);
    if read.with_context(|| path.display().to_string())? as u64 > FILE_BYTES {
        bail!("{}: larger than {FILE_BYTES} bytes", path.display());
    }
    Ok(text)
}

/// Writes a text file, naming it when that fails.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// A text file of the project, by its path relative to the root, with `/`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// Every text file of the project: what is committed, and what would be.
pub(crate) fn texts(root: &Path) -> anyhow::Result<Vec<TextFile>> {
    let mut texts = Vec::new();
    for path in paths(root)? {
        // A file deleted but not yet committed is still listed; binary files are not text.
        if let Ok(text) = read(&root.join(&path)) {
            texts.push(TextFile { path, text });
        }
    }
    Ok(texts)
}

fn paths(root: &Path) -> anyhow::Result<Vec<String>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let listed = process::Step::new("git").args(arguments).current_dir(root).output();
    let mut paths: Vec<String> = match listed {
        Ok(output) => output.stdout.split_terminator('\0').map(str::to_owned).collect(),
        // An unpacked archive has no git; its files are all there is.
        Err(_) => walk(root, root)?,
    };
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn walk(root: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                paths.extend(walk(root, &path)?);
            }
        } else if let Ok(relative) = path.strip_prefix(root) {
            paths.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_without_git_is_walked() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/target")).unwrap();
        for name in ["a/one.rs", "a/target/two.rs", "three.md"] {
            write(&folder.path().join(name), "text").unwrap();
        }
        let mut found = walk(folder.path(), folder.path()).unwrap();
        found.sort();
        assert_eq!(found, ["a/one.rs", "three.md"]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read(Path::new("no/such/file")).unwrap_err();
        assert!(error.to_string().contains("no/such/file"));
    }

    #[test]
    fn this_file_is_one_of_ours() {
        let texts = texts(&root()).unwrap();
        assert!(texts.iter().any(|file| file.path == "xtask/src/files.rs"));
    }
}
