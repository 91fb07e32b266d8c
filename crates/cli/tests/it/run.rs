//! Runs the program and keeps everything it said.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run came to.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("writes UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("writes UTF-8"),
        }
    }

    /// Everything at once, for snapshots.
    pub(crate) fn shown(&self) -> String {
        let Self { code, stdout, stderr } = self;
        format!("exit code: {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }
}

/// The program, started in the root of the workspace so that paths in snapshots are the same
/// everywhere.
pub(crate) fn rebuttal() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebuttal"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("REBUTTAL_CONFIG");
    command
}

/// Runs the program with arguments separated by blanks.
pub(crate) fn run(args: &str) -> Run {
    Run::of(rebuttal().args(args.split_whitespace()).output().expect("starts"))
}

/// Runs the program with something on stdin.
pub(crate) fn run_with(args: &str, stdin: &str) -> Run {
    let mut child = rebuttal()
        .args(args.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut pipe = child.stdin.take().expect("piped");
    pipe.write_all(stdin.as_bytes()).expect("reads stdin");
    drop(pipe);
    Run::of(child.wait_with_output().expect("ends"))
}

/// A folder of its own, for files the test writes.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("has a parent")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }
    folder
}

/// What a file holds that the program wrote.
pub(crate) fn written(path: impl AsRef<Path>) -> String {
    let file = std::fs::File::open(path).expect("is there");
    std::io::read_to_string(file).expect("is text")
}
