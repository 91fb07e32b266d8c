//! `cargo xtask wheel`: builds the Python package, and the step of `cargo xtask test` that tries it in a
//! fresh environment.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::metadata::Metadata;
use crate::process::Step;
use crate::{files, say};

/// What builds wheels.
const MATURIN: &str = "maturin>=1.16,<2";

/// Most bytes of a wheel: what a package index takes without asking is 100 MB.
const WHEEL_BYTES: u64 = 80 << 20;

/// How the native half is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// For users.
    Release,
    /// With what the other tests have compiled already.
    Dev,
}

/// Builds a wheel and says where it is.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let build = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Build::Release,
        ["--dev"] => Build::Dev,
        [first, ..] => bail!("`cargo xtask wheel` takes `--dev`, not `{first}`"),
    };
    let wheel = wheel(build)?;
    let megabytes = wheel.metadata().map_or(0, |file| file.len()) >> 20;
    say::line(format_args!("wheel: {} ({megabytes} MB)", wheel.display()));
    say::line(format_args!("wheel: pip install {}", wheel.display()));
    Ok(())
}

/// The wheel, built anew.
pub(crate) fn wheel(build: Build) -> anyhow::Result<PathBuf> {
    let root = files::root();
    let target = PathBuf::from(Metadata::load(&root)?.target_directory);
    let environment = target.join("python-wheel");
    let python = environment.join("bin/python");
    if !environment.join("bin/maturin").exists() {
        say::line(format_args!("wheel: pip install {MATURIN} in {}", environment.display()));
        Step::new("python3").args(["-m", "venv"]).args([&environment]).output()?;
        Step::new(&python).args(["-m", "pip", "install", "--quiet", MATURIN]).output()?;
    }
    let profile = if build == Build::Release { "release" } else { "dev" };
    let wheels = target.join("wheels").join(profile);
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).with_context(|| wheels.display().to_string())?;
    }
    let maturin = Step::new(environment.join("bin/maturin"));
    let arguments = ["build", "--quiet", "--locked", "--profile", profile, "--out"];
    let maturin = maturin.args(arguments).args([&wheels]).args(["--interpreter"]).args([&python]);
    maturin.current_dir(&root.join("python")).run()?;
    let found = std::fs::read_dir(&wheels).with_context(|| wheels.display().to_string())?;
    let wheel = found.filter_map(Result::ok).map(|entry| entry.path()).find(|path| is_wheel(path));
    let wheel = wheel.context("maturin has written no wheel")?;
    let bytes = wheel.metadata()?.len();
    if bytes > WHEEL_BYTES {
        bail!("{} has {bytes} bytes, and at most {WHEEL_BYTES} are allowed", wheel.display());
    }
    Ok(wheel)
}

fn is_wheel(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "whl")
}

/// Installs the wheel where the adapters' packages are and runs the Python tests, mypy and stubtest. Says
/// why where that cannot be done here.
pub(crate) fn test() -> anyhow::Result<Option<String>> {
    let root = files::root();
    let target = PathBuf::from(Metadata::load(&root)?.target_directory);
    let python = target.join("python-tests/bin/python");
    if !python.exists() {
        return Ok(Some("its packages are missing; `cargo xtask setup` installs them".to_owned()));
    }
    let wheel = wheel(Build::Dev)?;
    let pip = Step::new(&python).args(["-m", "pip", "install", "--quiet", "--no-deps"]);
    pip.args(["--no-index", "--force-reinstall"]).args([&wheel]).output()?;
    let package = root.join("python");
    // Without the working folder on the path: there the package has no native half.
    let python = |arguments: &[&str]| Step::new(&python).args(["-P"]).args(arguments);
    let run = |arguments: &[&str]| python(arguments).current_dir(&package).run();
    run(&["-m", "pytest", "tests"])?;
    run(&["-m", "mypy"])?;
    run(&["-m", "mypy.stubtest", "rebuttal._native", "--mypy-config-file", "pyproject.toml"])?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_options_and_files() {
        assert!(run(&["--fast".to_owned()]).is_err());
        assert!(is_wheel(Path::new("rebuttal-0.1.0-cp311-abi3-linux_x86_64.whl")));
        assert!(!is_wheel(Path::new("rebuttal-0.1.0.tar.gz")));
    }
}
