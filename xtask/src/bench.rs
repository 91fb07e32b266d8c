//! `cargo xtask bench`: how fast, how soon, how much memory, and that nothing is quadratic.
//!
//! Times depend on the machine and are only printed. Instruction counts do not, so growth beyond
//! [`counts::RATIO_MAX`] fails.

mod counts;
mod debates;
mod timing;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::process::{Profile, build};
use crate::{files, say};

const MEGABYTE: u64 = 1_000_000;

/// Megabytes audited while memory is watched.
const SIZE_USUAL_MB: u64 = 64;
/// Megabytes audited with `--full`.
const SIZE_FULL_MB: u64 = 1000;
/// Megabytes read to measure speed: seconds, not minutes.
const SPEED_MB: u64 = 8;

/// Prints all figures.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    if arguments == ["debates"] {
        return debates::run();
    }
    let size_mb = size(arguments)?;
    let root = files::root();
    let program = build(&root, Profile::Release)?;
    let folder = program.parent().context("target folder")?.join("bench-files");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let bench = Bench { program, folder };
    timing::speed(&bench, SPEED_MB * MEGABYTE)?;
    timing::start(&bench)?;
    timing::memory(&bench, size_mb * MEGABYTE)?;
    counts::run(&bench)
}

fn size(arguments: &[String]) -> anyhow::Result<u64> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => Ok(SIZE_USUAL_MB),
        ["--full"] => Ok(SIZE_FULL_MB),
        ["--size", megabytes] => megabytes.parse().context("--size takes megabytes"),
        _ => bail!("`cargo xtask bench` takes `--size MB`, `--full` or `debates`"),
    }
}

/// What is measured, and where its inputs are written.
struct Bench {
    program: PathBuf,
    folder: PathBuf,
}

impl Bench {
    /// Where an input file of this name goes.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// One figure, beside another program's on the same input.
fn report(what: &str, figure: &str, beside: &str) {
    say::line(format_args!("{what:<46} {figure:>14}   {beside}"));
}

/// A path as an argument.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let of = |arguments: &[&str]| {
            size(&arguments.iter().map(|&it| it.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of(&[]).unwrap(), SIZE_USUAL_MB);
        assert_eq!(of(&["--full"]).unwrap(), SIZE_FULL_MB);
        assert_eq!(of(&["--size", "5"]).unwrap(), 5);
        assert!(of(&["--size", "big"]).is_err() && of(&["--fast"]).is_err());
    }
}
