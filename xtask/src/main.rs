//! `cargo xtask …`: sets up, tests, tidies, measures.
//!
//! One file per command. What CI runs is `cargo xtask test` and nothing else, so that whatever
//! fails there fails here.

mod bench;
mod config;
mod console;
mod deny;
mod files;
mod generate;
mod metadata;
mod mutation;
mod picture;
mod process;
mod say;
mod scoreboard;
mod setup;
mod test;
mod tidy;
mod train;
mod wheel;

use std::process::ExitCode;

use anyhow::bail;

/// Every command: its name, its arguments, what it does.
const COMMANDS: [(&str, &str, &str); 12] = [
    ("setup", "", "install what the tests need, where it is missing"),
    ("test", "[--quick]", "everything CI runs; --quick leaves out setup and fuzzing"),
    ("tidy", "", "house rules: arrows, sizes, paths, licences, commands in the docs"),
    ("gen", "", "refresh the generated blocks of README.md and docs/"),
    ("picture", "", "take the README's picture of the report, with chromium"),
    ("deny", "", "licences, banned crates and sources, as deny.toml says"),
    ("wheel", "[--dev]", "build the Python package under target/wheels"),
    ("scoreboard", "[--data DIR]", "score every labelled set, write docs/scoreboard.md"),
    ("bench", "[--size MB] [--full]", "speed, start, memory; instruction counts at n and 2n"),
    ("mutation-score", "[--seeds N]", "how often the trickster is right; docs/mutation-score.md"),
    ("train", "[--data DIR] [--minutes N] [--resume]", "teach the reader under assets/; hours"),
    ("transfer", "[--data DIR]", "what the reader is worth on origins it was not shown"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::error(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> anyhow::Result<()> {
    let Some((command, rest)) = arguments.split_first() else {
        help();
        return Ok(());
    };
    match command.as_str() {
        "setup" => no_options("setup", rest).map(|()| setup::run()),
        "test" => test::run(rest),
        "tidy" => no_options("tidy", rest).and_then(|()| tidy::run()),
        "gen" => no_options("gen", rest).and_then(|()| generate::run()),
        "picture" => no_options("picture", rest).and_then(|()| picture::run()),
        "deny" => no_options("deny", rest).and_then(|()| deny::run()),
        "wheel" => wheel::run(rest),
        "scoreboard" => scoreboard::run(rest),
        "bench" => bench::run(rest),
        "mutation-score" => mutation::run(rest),
        "train" => train::run(rest),
        "transfer" => train::transfer(rest),
        "help" | "--help" | "-h" => {
            help();
            Ok(())
        }
        other => bail!("no command `{other}`; `cargo xtask help` lists them"),
    }
}

fn no_options(command: &str, rest: &[String]) -> anyhow::Result<()> {
    match rest.first() {
        None => Ok(()),
        Some(option) => bail!("`cargo xtask {command}` takes no `{option}`"),
    }
}

fn help() {
    say::line("cargo xtask COMMAND");
    for (name, arguments, what) in COMMANDS {
        let usage = format!("{name} {arguments}");
        say::line(format_args!("  {usage:<34} {what}"));
    }
    say::line(
        "`test` runs property tests on the same cases each time (PROPTEST_RNG_SEED chooses others); \
         `cargo nextest run` alone draws new ones.",
    );
}

/// True for `cargo xtask NAME`.
fn is_command(name: &str) -> bool {
    COMMANDS.iter().any(|(known, _, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_refused() {
        let error = run(&["frobnicate".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("frobnicate"));
        assert!(is_command("test") && !is_command("frobnicate"));
    }

    #[test]
    fn an_option_nobody_reads_is_refused() {
        let error = run(&["deny".to_owned(), "--fast".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("--fast"));
    }
}
