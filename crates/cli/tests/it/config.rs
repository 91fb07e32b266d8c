//! `rebuttal config`: which file is read, and what it comes to.

use std::path::Path;

use crate::run::{Run, folder, rebuttal};

const FILE: &str = "\
[semantics]
embeddings = { endpoint = \"http://127.0.0.1:11434\", api = \"ollama\", model = \"all-minilm\" }
cache = { folder = \"cache\" }
";

/// Runs `rebuttal config` in a folder.
fn config(folder: &Path, args: &[&str], variable: Option<&str>) -> Run {
    let mut command = rebuttal();
    command.current_dir(folder).arg("config").args(args);
    if let Some(variable) = variable {
        command.env("REBUTTAL_CONFIG", variable);
    }
    Run::of(command.output().expect("starts"))
}

#[test]
fn without_a_file_everything_is_the_default() {
    insta::assert_snapshot!(config(folder(&[]).path(), &[], None).shown());
}

#[test]
fn a_file_is_shown_with_its_lines() {
    let folder = folder(&[("rebuttal.toml", FILE)]);
    insta::assert_snapshot!(config(folder.path(), &[], None).shown());
}

#[test]
fn an_agent_of_the_file_is_shown_value_by_value() {
    let file = "[agents.gpt4]\nmodel = \"gpt-6-luna\"\n\n[agents.mine]\nprovider = \"openai\"\n\
                url = \"http://127.0.0.1:8080/v1\"\nmodel = \"qwen3\"\ntimeout = 30\n";
    let folder = folder(&[("rebuttal.toml", file)]);
    insta::assert_snapshot!(config(folder.path(), &[], None).shown());
}

#[test]
fn json_has_every_value() {
    let folder = folder(&[("rebuttal.toml", FILE)]);
    insta::assert_snapshot!(config(folder.path(), &["--format", "json"], None).stdout);
}

#[test]
fn the_flag_goes_before_the_variable_and_both_before_the_folder() {
    let threads = |number: u32| format!("[semantics]\nthreads = {number}\n");
    let (one, two, three) = (threads(1), threads(2), threads(3));
    let folder = folder(&[("rebuttal.toml", &one), ("b.toml", &two), ("c.toml", &three)]);
    let shown = |args: &[&str], variable| config(folder.path(), args, variable).stdout;
    assert!(shown(&[], None).starts_with("Read from rebuttal.toml (working folder)."));
    assert!(shown(&[], Some("")).starts_with("Read from rebuttal.toml (working folder)."));
    assert!(shown(&[], Some("b.toml")).starts_with("Read from b.toml (REBUTTAL_CONFIG)."));
    let flag = shown(&["--config", "c.toml"], Some("b.toml"));
    assert!(flag.starts_with("Read from c.toml (--config).") && flag.contains('3'), "{flag}");
}

#[test]
fn a_file_that_is_named_must_be_readable() {
    let long = "#".repeat((1 << 20) + 1);
    let folder = folder(&[("long.toml", &long)]);
    std::fs::write(folder.path().join("binary.toml"), b"\xff\xfe").expect("a file");
    for (args, variable, reason) in [
        (&["--config", "none.toml"][..], None, "--config none.toml: cannot be opened"),
        (&[], Some("none.toml"), "REBUTTAL_CONFIG=none.toml: cannot be opened"),
        (&["--config", "."], None, "--config .: is a directory"),
        (&["--config", "binary.toml"], None, "cannot be read as text"),
        (&["--config", "long.toml"], None, "is longer than 1048576 bytes"),
    ] {
        let run = config(folder.path(), args, variable);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

#[test]
fn a_key_is_named_and_never_shown() {
    let embeddings = "[semantics]\nembeddings = { endpoint = \"https://host/v1\", model = \"m\", key = \"env:MY_KEY\" }";
    let agent = "[agents.claude]\nkey = \"env:MY_KEY\"";
    for (file, format) in
        [embeddings, agent].into_iter().flat_map(|file| [(file, "text"), (file, "json")])
    {
        let folder = folder(&[("rebuttal.toml", file)]);
        let mut command = rebuttal();
        command.current_dir(folder.path()).args(["config", "--format", format]);
        let run = Run::of(command.env("MY_KEY", "sk-canary").output().expect("starts"));
        assert!(run.stdout.contains("env:MY_KEY") && !run.shown().contains("canary"));
    }
}
