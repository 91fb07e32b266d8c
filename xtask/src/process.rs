//! Running other programs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// A program to run, with a readable name for messages.
#[derive(Debug)]
pub(crate) struct Step {
    command: Command,
    shown: String,
}

/// What a program printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
}

impl Step {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let shown = program.as_ref().to_string_lossy().into_owned();
        Self { command: Command::new(program), shown }
    }

    /// The cargo that runs xtask.
    pub(crate) fn cargo(arguments: &[&str]) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut step = Self::new(cargo);
        "cargo".clone_into(&mut step.shown);
        // `cargo run` sets these for xtask alone; passed on, they would make cargo build anew.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                step.command.env_remove(&name);
            }
        }
        step.args(arguments)
    }

    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        for argument in arguments {
            self.shown.push(' ');
            self.shown.push_str(&argument.as_ref().to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    pub(crate) fn current_dir(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it with its output going to ours; an error unless it exits with 0.
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let status = self.command.status().with_context(|| self.shown.clone())?;
        if !status.success() {
            bail!("`{}` ended with {status}", self.shown);
        }
        Ok(())
    }

    /// Runs it and keeps what it prints, whatever its exit code.
    pub(crate) fn printed(mut self) -> anyhow::Result<Printed> {
        let output =
            self.command.stdin(Stdio::null()).output().with_context(|| self.shown.clone())?;
        Ok(Printed {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        })
    }

    /// Runs a command; an error unless it exits with 0.
    pub(crate) fn output(self) -> anyhow::Result<Printed> {
        let shown = self.shown.clone();
        let printed = self.printed()?;
        if printed.code != Some(0) {
            bail!("`{shown}` failed: {}", printed.stderr.trim());
        }
        Ok(printed)
    }

    /// The command itself, for what the methods above do not cover.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }
}

/// True when `program --version` runs.
pub(crate) fn is_installed(program: &str) -> bool {
    Step::new(program).args(["--version"]).printed().is_ok_and(|printed| printed.code == Some(0))
}

/// Builds the `rebuttal` program and says where it is.
pub(crate) fn build(root: &Path, profile: Profile) -> anyhow::Result<PathBuf> {
    let mut arguments = vec!["build", "--quiet", "--locked", "--package", "rebuttal-cli"];
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => {
            arguments.push("--release");
            "release"
        }
    };
    Step::cargo(&arguments).current_dir(root).run()?;
    let target = crate::metadata::Metadata::load(root)?.target_directory;
    let program = Path::new(&target).join(folder).join("rebuttal");
    Ok(program.with_extension(std::env::consts::EXE_EXTENSION))
}

/// How to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build: what the tests use.
    Debug,
    /// Quick to run: what users have.
    Release,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let error = Step::cargo(&["no-such-subcommand"]).output().unwrap_err();
        assert!(error.to_string().starts_with("`cargo no-such-subcommand` failed"), "{error}");
        assert!(!is_installed("no-such-program-anywhere"));
    }
}
