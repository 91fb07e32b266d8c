//! Commands in Markdown: finding them, running them, pasting their real output.
//!
//! A fenced `console` block shows commands after `$ ` with their output; a fenced `sh` block holds
//! commands only. A block under `<!-- gen: COMMAND -->` is written by `cargo xtask gen`.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::config::Config;
use crate::process::{Printed, Profile, Step, build};

/// A fenced block of a Markdown file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The command of the `<!-- gen: … -->` line before it.
    pub(crate) generated_by: Option<String>,
    language: String,
    /// The lines between the fences, counted from 0.
    pub(crate) lines: Range<usize>,
}

/// Finds the fenced blocks of a Markdown text.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut marker = None;
    let mut open: Option<(String, usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        let ticks = trimmed.chars().take_while(|&letter| letter == '`').count();
        let (fence, info) = trimmed.split_at(ticks);
        match open.take() {
            Some((opening, start, language)) if fence.len() >= opening.len() && info.is_empty() => {
                blocks.push(Block { generated_by: marker.take(), language, lines: start..number });
            }
            Some(still_open) => open = Some(still_open),
            None if ticks >= 3 => open = Some((fence.to_owned(), number + 1, info.to_owned())),
            None => {
                if let Some(command) = generator(trimmed) {
                    marker = Some(command.to_owned());
                } else if !trimmed.is_empty() {
                    marker = None;
                }
            }
        }
    }
    blocks
}

/// The command of a `<!-- gen: COMMAND -->` line.
fn generator(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- gen:")?.strip_suffix("-->").map(str::trim)
}

/// A command in a block, and the output shown under it.
#[derive(Debug, PartialEq, Eq)]
struct Example<'t> {
    /// The line it stands on, counted from 1.
    line: usize,
    command: String,
    shown: Vec<&'t str>,
}

impl Block {
    /// The commands of a `console` or `sh` block; other blocks have none.
    fn examples<'t>(&self, text: &'t str) -> Vec<Example<'t>> {
        let inside = text.lines().enumerate().skip(self.lines.start).take(self.lines.len());
        let mut examples: Vec<Example<'t>> = Vec::new();
        let mut continued = false;
        for (number, line) in inside {
            let command = match self.language.as_str() {
                "console" => line.strip_prefix("$ "),
                "sh" | "bash" | "shell" => Some(line.trim()),
                _ => return Vec::new(),
            };
            match (command, examples.last_mut()) {
                (_, Some(example)) if continued => {
                    example.command.pop();
                    example.command.push_str(line.trim());
                }
                (Some(command), _) if command.is_empty() || command.starts_with('#') => {}
                (Some(command), _) => {
                    let (line, command) = (number + 1, command.to_owned());
                    examples.push(Example { line, command, shown: Vec::new() });
                }
                (None, Some(example)) => example.shown.push(line),
                (None, None) => {}
            }
            continued = line.ends_with('\\') && (command.is_some() || continued);
        }
        examples
    }
}

/// What is to be done with a command.
#[derive(Debug, PartialEq, Eq)]
enum Kind<'c> {
    /// Runs the program: the shell line, and the exit code it should end with.
    Run {
        line: String,
        code: i32,
    },
    /// `cargo xtask NAME`: running the tests inside the tests would never end.
    Xtask(&'c str),
    Other,
}

fn kind(command: &str) -> Kind<'_> {
    if let Some(rest) = command.strip_prefix("cargo xtask") {
        return Kind::Xtask(rest.split_whitespace().next().unwrap_or("help"));
    }
    let (line, code) = match command.rsplit_once("# exit ") {
        Some((line, code)) => (line.trim(), code.trim().parse().unwrap_or(0)),
        None => (command, 0),
    };
    let line = match line.strip_prefix("cargo run --release -- ") {
        Some(arguments) => format!("rebuttal {arguments}"),
        None => line.to_owned(),
    };
    if line.starts_with("rebuttal ") { Kind::Run { line, code } } else { Kind::Other }
}

/// A place to run commands in: everything of the project is there by the same relative path, and
/// whatever a command writes next to it stays out of the project.
#[derive(Debug)]
pub(crate) struct Shell {
    folder: PathBuf,
    path: std::ffi::OsString,
}

impl Shell {
    pub(crate) fn new(root: &Path) -> anyhow::Result<Self> {
        let program = build(root, Profile::Debug)?;
        let target = program.parent().and_then(Path::parent).context("target folder")?;
        let folder = target.join("docs");
        let _nothing_there_yet = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for entry in fs::read_dir(root)? {
            let entry = entry?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if !hidden && entry.file_name() != "target" {
                link(&entry.path(), &folder.join(entry.file_name()))?;
            }
        }
        let known = std::env::var_os("PATH").unwrap_or_default();
        let program_folder = program.parent().map(Path::to_owned);
        let folders = program_folder.into_iter().chain(std::env::split_paths(&known));
        Ok(Self { folder, path: std::env::join_paths(folders)? })
    }

    fn run(&self, line: &str) -> anyhow::Result<Printed> {
        Step::new("sh")
            .args(["-c", line])
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            .env("NO_COLOR", "1")
            // What the examples store is theirs, not the reader's.
            .env("REBUTTAL_DB", self.folder.join("rebuttal.db"))
            // Help is wrapped at the terminal's width; the reader's is not known.
            .env("COLUMNS", "100")
            .printed()
    }

    /// What a generated block must hold.
    fn output_of(&self, command: &str, block: &Block) -> anyhow::Result<Vec<String>> {
        let Kind::Run { line, code } = kind(command) else {
            bail!("`{command}` does not start with `rebuttal `");
        };
        let printed = self.run(&line)?;
        if printed.code != Some(code) {
            bail!("`{line}` {}\n{}", ended(&printed, code), printed.stderr.trim_end());
        }
        if printed.stdout.contains("```") {
            bail!("`{line}` prints a code fence, which would end the block early");
        }
        let prompt = (block.language == "console").then(|| format!("$ {command}"));
        let lines = printed.stdout.lines().map(|line| line.trim_end().to_owned());
        Ok(prompt.into_iter().chain(lines).collect())
    }
}

#[cfg(unix)]
fn link(original: &Path, link: &Path) -> anyhow::Result<()> {
    std::os::unix::fs::symlink(original, link).with_context(|| link.display().to_string())
}

#[cfg(not(unix))]
fn link(original: &Path, _link: &Path) -> anyhow::Result<()> {
    bail!("commands in the docs are checked on Unix only ({})", original.display())
}

fn ended(printed: &Printed, wanted: i32) -> String {
    match printed.code {
        Some(code) => format!("ended with {code} instead of {wanted}"),
        None => "was ended by a signal".to_owned(),
    }
}

/// The text with all generated blocks fresh.
pub(crate) fn refresh(text: &str, shell: &Shell) -> anyhow::Result<String> {
    let mut fresh: Vec<String> = Vec::new();
    let mut kept = 0;
    let lines: Vec<&str> = text.lines().collect();
    for block in blocks(text) {
        let Some(command) = &block.generated_by else { continue };
        let before = lines.get(kept..block.lines.start).unwrap_or_default();
        fresh.extend(before.iter().map(|&line| line.to_owned()));
        fresh.extend(shell.output_of(command, &block)?);
        kept = block.lines.end;
    }
    fresh.extend(lines.get(kept..).unwrap_or_default().iter().map(|&line| line.to_owned()));
    Ok(fresh.join("\n") + "\n")
}

/// What is wrong with the commands of one Markdown file.
pub(crate) fn check(path: &str, text: &str, config: &Config, shell: &Shell) -> Vec<String> {
    let mut problems = Vec::new();
    for block in blocks(text) {
        if let Some(command) = &block.generated_by {
            let place = format!("{path}:{}", block.lines.start);
            match shell.output_of(command, &block) {
                Err(error) => problems.push(format!("{place}: {error:#}")),
                Ok(fresh) if !same(&fresh, text, &block.lines) => {
                    problems.push(format!("{place}: stale; `cargo xtask gen` refreshes it"));
                }
                Ok(_) => {}
            }
            continue;
        }
        for example in block.examples(text) {
            if let Err(error) = example.check(config, shell) {
                problems.push(format!("{path}:{}: {error:#}", example.line));
            }
        }
    }
    problems
}

fn same(fresh: &[String], text: &str, lines: &Range<usize>) -> bool {
    let shown = text.lines().skip(lines.start).take(lines.len()).map(str::trim_end);
    fresh.iter().map(String::as_str).eq(shown)
}

impl Example<'_> {
    fn check(&self, config: &Config, shell: &Shell) -> anyhow::Result<()> {
        let (line, code) = match kind(&self.command) {
            Kind::Run { line, code } => (line, code),
            Kind::Xtask(name) if crate::is_command(name) => return Ok(()),
            Kind::Xtask(name) => bail!("`cargo xtask {name}` does not exist"),
            Kind::Other => return self.allowed(config),
        };
        let printed = shell.run(&line)?;
        if printed.code != Some(code) {
            bail!("`{line}` {}\n{}", ended(&printed, code), printed.stderr.trim_end());
        }
        let shown = self.shown.iter().map(|line| line.trim_end());
        if !self.shown.is_empty() && !printed.stdout.lines().map(str::trim_end).eq(shown) {
            bail!("`{line}` prints something else; put `<!-- gen: … -->` above the block");
        }
        Ok(())
    }

    fn allowed(&self, config: &Config) -> anyhow::Result<()> {
        if config.command.iter().any(|known| self.command.starts_with(&known.starts)) {
            return Ok(());
        }
        bail!("`{}` is neither run nor allowed in tidy.toml", self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Title
<!-- gen: rebuttal audit a.jsonl # exit 1 -->

```console
$ rebuttal audit a.jsonl # exit 1
old
```

```sh
# a comment
cargo xtask test
rebuttal audit \\
  b.jsonl
```

````text
```console
$ not a command
```
````

```console
$ rebuttal --version
rebuttal 0
$ rm -rf everything
```
";

    #[test]
    fn finds_blocks_and_their_generators() {
        let found = blocks(PAGE);
        let languages: Vec<&str> = found.iter().map(|block| block.language.as_str()).collect();
        assert_eq!(languages, ["console", "sh", "text", "console"]);
        assert_eq!(found[0].generated_by.as_deref(), Some("rebuttal audit a.jsonl # exit 1"));
        assert_eq!(found[0].lines, 4..6);
        assert!(found[1..].iter().all(|block| block.generated_by.is_none()));
    }

    #[test]
    fn finds_commands_and_what_they_show() {
        let found = blocks(PAGE);
        let commands = |block: &Block| -> Vec<String> {
            block.examples(PAGE).into_iter().map(|example| example.command).collect()
        };
        assert_eq!(commands(&found[1]), ["cargo xtask test", "rebuttal audit b.jsonl"]);
        assert_eq!(commands(&found[2]), [""; 0], "a fence inside a longer fence is text");
        let shown = found[3].examples(PAGE);
        assert_eq!((shown[0].line, shown[0].shown.clone()), (23, vec!["rebuttal 0"]));
        assert_eq!(shown[1].command, "rm -rf everything");
    }

    #[test]
    fn a_marker_belongs_to_the_next_block_only() {
        let text = "<!-- gen: rebuttal x -->\nwords between\n```console\n$ a\n```\n";
        assert_eq!(blocks(text)[0].generated_by, None);
    }

    #[test]
    fn kinds_of_commands() {
        let run = |line: &str, code| Kind::Run { line: line.to_owned(), code };
        assert_eq!(kind("rebuttal audit a"), run("rebuttal audit a", 0));
        assert_eq!(kind("rebuttal audit a  # exit 1"), run("rebuttal audit a", 1));
        assert_eq!(kind("cargo run --release -- formats"), run("rebuttal formats", 0));
        assert_eq!(kind("cargo xtask bench --full"), Kind::Xtask("bench"));
        assert_eq!(kind("curl example.org"), Kind::Other);
    }

    /// A shell without our program: `rebuttal` is a function of the line itself.
    fn shell() -> (tempfile::TempDir, Shell) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rebuttal"), "#!/bin/sh\necho said \"$1\"  \nexit ${2:-0}\n")
            .unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let all = fs::Permissions::from_mode(0o755);
            fs::set_permissions(folder.path().join("rebuttal"), all).unwrap();
        }
        let known = std::env::var_os("PATH").unwrap();
        let folders = [folder.path().to_owned()].into_iter().chain(std::env::split_paths(&known));
        let path = std::env::join_paths(folders).unwrap();
        let shell = Shell { folder: folder.path().to_owned(), path };
        (folder, shell)
    }

    #[test]
    fn a_stale_block_is_found_and_refreshed() {
        let (_folder, shell) = shell();
        let text = "a\n<!-- gen: rebuttal hello 1 # exit 1 -->\n```console\nold\n```\nz\n";
        let problems = check("x.md", text, &Config::default(), &shell);
        assert_eq!(problems, ["x.md:3: stale; `cargo xtask gen` refreshes it"]);
        let fresh = refresh(text, &shell).unwrap();
        assert_eq!(
            fresh,
            "a\n<!-- gen: rebuttal hello 1 # exit 1 -->\n```console\n\
             $ rebuttal hello 1 # exit 1\nsaid hello\n```\nz\n"
        );
        assert_eq!(check("x.md", &fresh, &Config::default(), &shell), [""; 0]);
        assert_eq!(refresh(&fresh, &shell).unwrap(), fresh, "refreshing twice changes nothing");
    }

    #[test]
    fn exit_codes_outputs_and_strangers() {
        let (_folder, shell) = shell();
        let config = Config {
            command: vec![crate::config::AllowedCommand {
                starts: "git clone".to_owned(),
                reason: "network".to_owned(),
            }],
            ..Config::default()
        };
        let problems = |body: &str| {
            check("x.md", &format!("```console\n{body}\n```\n"), &config, &shell).len()
        };
        assert_eq!(problems("$ rebuttal a"), 0);
        assert_eq!(problems("$ rebuttal a 2"), 1, "wrong exit code");
        assert_eq!(problems("$ rebuttal a 2 # exit 2"), 0);
        assert_eq!(problems("$ rebuttal a\nsaid a"), 0);
        assert_eq!(problems("$ rebuttal a\nsaid b"), 1, "other output");
        assert_eq!(problems("$ git clone x"), 0);
        assert_eq!(problems("$ curl x"), 1, "not on the list");
        assert_eq!(problems("$ cargo xtask nothing"), 1, "no such command");
    }
}
